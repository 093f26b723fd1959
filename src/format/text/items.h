/* Lists of columns as users write them: numbers, from 1, and names. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_ITEMS_H
#define GPUENV_FORMAT_TEXT_ITEMS_H

#include <stdbool.h>

#include "base/error.h"
#include "format/text/fields.h"

/* The next item of a list, which may be NULL, without its quotes; false: it has no more. */
bool text_next_item(const char **list, struct text_field *item);

/* The number that an item is; 0: it is a name. A number that is too large becomes one beyond the
 * columns of any text. */
unsigned text_item_number(const struct text_field *item);

/* Checks a list of at most `most` columns: numbers, from 1, and names from the header, separated by
 * commas; a name may be in quotes, as in csv. */
int text_columns_check(const char *list, unsigned most, struct error *error);

/* What may be wrong with an item that is none of these names, each in single quotes: it follows the
 * reason. NULL: nothing is known. */
const char *text_item_hint(const char *name, const char *names);

#endif
