#include "format/text/items.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"

bool text_next_item(const char **list, struct text_field *item)
{
    const char *at = *list;

    if (at == NULL)
        return false;
    item->quoted = *at == '"';
    item->start = at + item->quoted;
    if (item->quoted) {
        for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++)
            at += *at == '"';
        item->end = at;
        at += *at == '"';
        (void)list_item(&at);
    } else {
        item->end = item->start + list_item(&at);
    }
    *list = at;
    return true;
}

unsigned text_item_number(const struct text_field *item)
{
    unsigned number = 0;

    for (const char *at = item->start; at < item->end; at++) {
        if (item->quoted || *at < '0' || *at > '9')
            return 0;
        if (number <= UINT32_MAX / 16)
            number = number * 10 + (unsigned)(*at - '0');
    }
    return number;
}

int text_columns_check(const char *list, unsigned most, struct error *error)
{
    struct text_field item;
    unsigned count = 0;

    while (text_next_item(&list, &item)) {
        if (item.start == item.end)
            return error_set(error, ERROR_COMMAND, NULL, "a column without a number or a name");
        if (!item.quoted && item.start + strspn(item.start, "0") >= item.end)
            return error_set(error, ERROR_COMMAND, NULL, "there is no column 0: they count from 1");
        if (++count > most)
            return error_set(error, ERROR_COMMAND, NULL, "more than %u column%s", most,
                             most == 1 ? "" : "s");
    }
    return 0;
}

static bool is_utf8(const char *text)
{
    size_t length = 1;
    uint32_t code;

    for (; *text != '\0' && length > 0; text += length)
        length = utf8_length((const unsigned char *)text, &code);
    return length > 0;
}

const char *text_item_hint(const char *name, const char *names)
{
    char longer[TEXT_SHOWN_ROOM + 2];

    (void)snprintf(longer, sizeof longer, "'%s,", name);
    if (strstr(names, "', '") != NULL && strstr(names, longer) != NULL)
        return ": a name with a comma needs quotes in the list, as in '\"a, b\"'";
    if (utf8_count(name) < strlen(name) && !is_utf8(names))
        return ": it is not in UTF-8: convert it first: iconv -f LATIN1 -t UTF-8";
    return NULL;
}
