/* Lists of columns as users write them: numbers, from 1, and names. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_ITEMS_H
#define GPUENV_FORMAT_TEXT_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/fields.h"

struct text_item {
    const char *start; /* without quotes */
    size_t length;
    bool quoted;
};

/* The next item of a list, which may be NULL; false: it has no more. */
bool text_next_item(const char **list, struct text_item *item);

/* The number that an item is; 0: it is a name. A number that is too large becomes one beyond the
 * columns of any text. */
unsigned text_item_number(const struct text_item *item);

/* Does the item name this field? Both may contain doubled quotes. */
bool text_item_names(const struct text_item *item, const struct text_field *field);

/* The names of a header, in an order in which they are found quickly. */
struct text_name {
    uint32_t hash;
    unsigned column; /* from 1 */
    struct text_field field;
};

/* Fills in the hash of a name whose field is known; sorts all names. */
void text_names_sort(struct text_name *names, size_t count);

/* The first name that the item may be, and, as its return value, how many follow it, in the order
 * of their columns: text_item_names() tells. */
size_t text_names_find(const struct text_name *names, size_t count, const struct text_item *item,
                       const struct text_name **first);

/* Checks a list of at most `most` columns: numbers, from 1, and names from the header, separated by
 * commas; a name may be in quotes, as in csv. */
int text_columns_check(const char *list, unsigned most, struct error *error);

#endif
