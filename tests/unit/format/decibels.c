/* SPDX-License-Identifier: MIT */
/* Decibels: two decimals, rounded once. */
#include "table.h"

#include <math.h>
#include <stdint.h>

#include "format/text/number.h"

static void test_words(void)
{
    TABLE (row, "words", 2) {
        char text[NUMBER_MOST] = "";
        const size_t length = decibels_write(text, strtod(row.field[0], NULL));

        text[length] = '\0';
        CHECK_THAT(strcmp(text, row.field[1]) == 0, "%s: %s, not %s", row.field[0], text,
                   row.field[1]);
    }
}

/* With the logarithm of the C library, in more digits. */
static void test_many(void)
{
    uint64_t state = 1;

    for (int i = 0; i < 300000; i++) {
        double magnitude;
        long double due;

        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        magnitude = ldexp((double)(state >> 11) * 0x1p-53 + 0x1p-53, i % 3 == 0 ? 0 : i % 60 - 50);
        due = 2000 * log10l((long double)magnitude);
        if (fabsl(due - floorl(due) - 0.5L) < 1e-9L)
            continue;
        CHECK_THAT(decibels(magnitude) == (double)floorl(due + 0.5L) / 100, "%a: %.17g, not %.17Lg",
                   magnitude, decibels(magnitude), due / 100);
    }
}

CHECK_MAIN(test_words, test_many)
