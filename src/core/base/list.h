/* SPDX-License-Identifier: MIT */
/* Lists with commas. */
#ifndef GPUENV_BASE_LIST_H
#define GPUENV_BASE_LIST_H

#include <stddef.h>
#include <string.h>

/* The length of the first item of a list. `*list` becomes the rest of the list; NULL after the last
 * item. Blanks beside commas do not count. */
static inline size_t list_item(const char **list)
{
    const char *item = *list;
    size_t length = strcspn(item, ",");

    *list = item[length] == ',' ? item + length + 1 : NULL;
    if (*list == NULL)
        return length;
    *list += strspn(*list, " ");
    while (length > 0 && item[length - 1] == ' ')
        length--;
    return length;
}

#endif
