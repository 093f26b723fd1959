#include "format/text/items.h"

#include <string.h>

bool text_next_item(const char **list, struct text_item *item)
{
    const char *at = *list;

    if (at == NULL)
        return false;
    item->quoted = *at == '"';
    item->start = at + item->quoted;
    if (item->quoted) {
        for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++)
            at += *at == '"';
        item->length = (size_t)(at - item->start);
        at += *at == '"';
        at += strcspn(at, ",");
    } else {
        item->length = strcspn(at, ",");
        at += item->length;
    }
    *list = *at == ',' ? at + 1 : NULL;
    return true;
}

unsigned text_item_number(const struct text_item *item)
{
    unsigned number = 0;

    for (size_t i = 0; i < item->length; i++) {
        if (item->quoted || item->start[i] < '0' || item->start[i] > '9')
            return 0;
        if (number <= UINT32_MAX / 16)
            number = number * 10 + (unsigned)(item->start[i] - '0');
    }
    return number;
}

int text_columns_check(const char *list, unsigned most, struct error *error)
{
    struct text_item item;
    unsigned count = 0;

    while (text_next_item(&list, &item)) {
        if (item.length == 0)
            return error_set(error, ERROR_COLUMNS, NULL, "a column without a number or a name");
        if (!item.quoted && strspn(item.start, "0") >= item.length)
            return error_set(error, ERROR_COLUMNS, NULL, "there is no column 0: they count from 1");
        if (++count > most)
            return error_set(error, ERROR_COLUMNS, NULL, "more than %u columns", most);
    }
    return 0;
}

bool text_item_names(const struct text_item *item, const struct text_field *field)
{
    const char *at = field->start;

    for (size_t i = 0; i < item->length; i++, at++) {
        if (at == field->end || *at != item->start[i])
            return false;
        i += item->quoted && item->start[i] == '"';
        at += field->quoted && *at == '"';
    }
    return at == field->end;
}
