#include "format/text/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

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
        (void)list_item(&at);
    } else {
        item->length = list_item(&at);
    }
    *list = at;
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
            return error_set(error, ERROR_COLUMNS, NULL, "more than %u column%s", most,
                             most == 1 ? "" : "s");
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

/* FNV-1a, of a name whose doubled quotes count once. */
static uint32_t hash_of(const char *from, const char *end, bool quoted)
{
    uint32_t hash = 2166136261U;

    for (; from < end; from++) {
        hash = (hash ^ (unsigned char)*from) * 16777619U;
        from += quoted && *from == '"';
    }
    return hash;
}

static int compare_names(const void *a, const void *b)
{
    const struct text_name *one = a;
    const struct text_name *other = b;

    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->column < other->column ? -1 : 1;
}

void text_names_sort(struct text_name *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        names[i].hash = hash_of(names[i].field.start, names[i].field.end, names[i].field.quoted);
    qsort(names, count, sizeof *names, compare_names);
}

size_t text_names_find(const struct text_name *names, size_t count, const struct text_item *item,
                       const struct text_name **first)
{
    const uint32_t hash = hash_of(item->start, item->start + item->length, item->quoted);
    size_t low = 0;
    size_t high = count;
    size_t end;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (names[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < count && names[end].hash == hash; end++)
        ;
    *first = names + low;
    return end - low;
}
