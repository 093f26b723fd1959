/* Decibels: two decimals, rounded once. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "format/text/decibels_priv.h"

static void test_words(void)
{
    static const struct {
        double magnitude;
        const char *words;
    } rows[] = {
        {1, "0.00"},
        {0.5, "-6.02"},
        {2, "6.02"},
        {0, "-inf"},
        {-0.0, "-inf"},
        {0.1, "-20.00"},
        {0.1F, "-20.00"},
        {10, "20.00"},
        {0x1p-15, "-90.31"},
        {0x1p-23, "-138.47"},
        {0x1p-1074, "-6466.12"},
        {0.99999, "0.00"},
        {1.0001, "0.00"},
        {0.9995, "0.00"},
        {0.99942, "-0.01"},
        {0.99943, "0.00"},
        {1.0006, "0.01"},
        {0x1.fffffep127, "770.64"},
        {INFINITY, "inf"},
        {NAN, "nan"},
        {1e5, "100.00"},
        {1e-5, "-100.00"},
        {0.9, "-0.92"},
        {0.95, "-0.45"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NUMBER_MOST] = "";
        const size_t length = decibels_write(text, rows[i].magnitude);

        text[length] = '\0';
        CHECK_THAT(strcmp(text, rows[i].words) == 0, "%g: %s, not %s", rows[i].magnitude, text,
                   rows[i].words);
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
