/* SPDX-License-Identifier: MIT */
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

void size_amount(double amount, bool binary, const char *unit, char *text, size_t size)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const binary_prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    double step = binary ? 1024 : 1000;
    unsigned power = 0;

    /* The limit: a larger number would round to four digits, printed with one decimal. */
    while (power < 6 && amount >= (power == 0 ? step - 0.5 : step - 0.05)) {
        amount /= step;
        power++;
    }
    snprintf(text, size, "%.*f %s%s", power == 0 ? 0 : 1, amount,
             binary ? binary_prefixes[power] : prefixes[power], unit);
}
