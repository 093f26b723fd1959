#include "stats/stats_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int stats_text_reserve(struct stats_text *text, size_t size)
{
    size_t room = 2 * text->room + size;
    char *bytes;

    if (size <= text->room - text->used)
        return 0;
    bytes = realloc(text->bytes, room);
    if (bytes == NULL)
        return -1;
    text->bytes = bytes;
    text->room = room;
    return 0;
}

int stats_text_put(struct stats_text *text, const char *bytes, size_t size)
{
    if (size == 0)
        return 0;
    if (stats_text_reserve(text, size) != 0)
        return -1;
    memcpy(text->bytes + text->used, bytes, size);
    text->used += size;
    return 0;
}

void stats_text_free(struct stats_text *text)
{
    free(text->bytes);
    *text = (struct stats_text){.bytes = NULL};
}

double stats_decibels(double level)
{
    return 20 * log10(level);
}
