/* Lists with commas. */
#ifndef GPUENV_BASE_LIST_H
#define GPUENV_BASE_LIST_H

#include <stddef.h>
#include <string.h>

/* The length of the first item of a list. `*list` becomes the rest of it, without blanks
 * before; NULL: this was the last item. */
static inline size_t list_item(const char **list)
{
    const size_t length = strcspn(*list, ",");

    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    if (*list != NULL)
        *list += strspn(*list, " ");
    return length;
}

#endif
