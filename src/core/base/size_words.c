#include "base/size_words.h"

#include <stdio.h>

const char *size_words(char words[SIZE_WORDS], uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    int unit = -1;

    /* 1023.95 would be printed as 1024.0. */
    for (; size >= 1023.95 && unit < 3; unit++)
        size /= 1024;
    if (unit < 0)
        snprintf(words, SIZE_WORDS, "%u bytes", (unsigned)bytes);
    else
        snprintf(words, SIZE_WORDS, "%.1f %s", size, units[unit]);
    return words;
}
