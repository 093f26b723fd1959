/* SPDX-License-Identifier: MIT */
/* Text to float64 against strtod(), and every form of valid and invalid numbers. */
#include "random.h"
#include "table.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/text/number.h"

/* text .. end must begin with a number of `length` characters. */
static void check_place(const char *text, const char *end, size_t length)
{
    double value = 7;
    double due = strtod(text, NULL);

    CHECK_THAT(number_read_f64(text, end, '.', &value) == text + length, "%s", text);
    CHECK_THAT(check_same(value, due) && (isnan(due) || signbit(value) == signbit(due)),
               "%s: %a, not %a", text, value, due);
}

/* Followed by a delimiter, in a buffer of exactly that size, and cut off. */
static void check_text(const char *text)
{
    enum { BEHIND = 32 };
    size_t length = strlen(text);
    char *copy = malloc(length + BEHIND + 1);
    char *alone = malloc(length + 1);

    if (copy == NULL || alone == NULL)
        abort();
    memcpy(copy, text, length);
    memset(copy + length, ',', BEHIND);
    copy[length + BEHIND] = '\0';
    memcpy(alone, text, length + 1);
    check_place(copy, copy + length + BEHIND, length);
    check_place(copy, copy + length, length);
    check_place(alone, alone + length, length);
    free(copy);
    free(alone);
}

static float from_bits(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Every exponent with mantissas at the ends and at random: with as many digits as needed, with
 * more, with fewer; and halfway to the next number, exactly and with the smallest deviations. */
static void test_every_exponent(void)
{
    char text[256];

    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (int i = 0; i < 200; i++) {
            uint32_t mantissa = i < 2   ? (uint32_t)i
                                : i < 4 ? 0x7fffff - (uint32_t)i + 2
                                        : random_number();
            uint32_t bits = exponent << 23 | (mantissa & 0x7fffff);
            double number = (double)from_bits(bits);
            double above = bits == 0x7f7fffff ? 0x1p128 : (double)from_bits(bits + 1);
            double middle = number + (above - number) / 2;
            int digits = 1 + (int)(random_number() % 20);
            double back;
            char *exact_end;

            snprintf(text, sizeof text, "%.9g", number);
            check_text(text);
            (void)number_read_f64(text, text + strlen(text), '.', &back);
            CHECK((double)(float)back == number);
            snprintf(text, sizeof text, "%.*e", digits,
                     random_number() % 2 == 0 ? number : -number);
            check_text(text);
            snprintf(text, sizeof text, "%.17g", middle);
            check_text(text);
            /* Halfway numbers have at most 113 nonzero digits. */
            snprintf(text, sizeof text, "%.120e", middle);
            check_text(text);
            exact_end = strchr(text, 'e');
            exact_end[-1] = '1';
            check_text(text);
            snprintf(text, sizeof text, "%.160f", middle);
            if (strlen(text) < sizeof text - 1)
                check_text(text);
        }
    }
}

/* Unusual digit strings, with the point anywhere. */
static void test_random_text(void)
{
    for (int i = 0; i < (CHECK_FEW ? 100000 : 300000); i++) {
        char text[64];
        char *at = text;
        int before = (int)(random_number() % (i % 3 == 0 ? 22 : 6));
        int behind = (int)(random_number() % (i % 5 == 0 ? 22 : 9));

        if (random_number() % 3 == 0)
            *at++ = random_number() % 2 == 0 ? '-' : '+';
        for (int j = 0; j < before; j++)
            *at++ = (char)('0' + (random_number() % 4 == 0 ? 0 : random_number() % 10));
        if (behind > 0 || random_number() % 2 == 0)
            *at++ = '.';
        for (int j = 0; j < behind; j++)
            *at++ = (char)('0' + (random_number() % 4 == 0 ? 0 : random_number() % 10));
        if (before + behind == 0)
            *at++ = '7';
        *at = '\0';
        if (random_number() % 4 == 0)
            snprintf(at, 12, "%c%d", random_number() % 2 == 0 ? 'e' : 'E',
                     (int)(random_number() % 120) - 60);
        check_text(text);
    }
}

static void test_few(void)
{
    char zeros[2000];
    double value;

    TABLE (row, "numbers", 1)
        check_text(row.field[0]);
    TABLE (row, "partly", 2) {
        const long length = strtol(row.field[0], NULL, 10);
        const char *text = row.field[1];
        const char *end = number_read_f64(text, text + row.size[1], '.', &value);

        CHECK_THAT(length < 0 ? end == NULL : end == text + length, "%s", text);
    }
    /* Zeros cancelled by an exponent. */
    memset(zeros, '0', sizeof zeros);
    zeros[0] = '1';
    memcpy(zeros + 1990, "e-1989", sizeof "e-1989");
    check_text(zeros);
    memset(zeros, '0', sizeof zeros);
    zeros[1] = '.';
    memcpy(zeros + 1980, "125e1981", sizeof "125e1981");
    check_text(zeros);
}

/* How much of a line is plain numbers, at most three, and their values; also behind a line of three
 * and a fourth that is not wanted. */
static void check_line(const char *line, size_t size, const char *delimiter, size_t due)
{
    char text[128];
    char *at = text + sprintf(text, "%d%c-2.5%c3e2\n", 1, *delimiter, *delimiter);
    const char *first = at;
    const char *end = mempcpy(at, line, size);
    double values[6];
    size_t got;
    const char *behind =
        number_read_runs_f64(first, end, *delimiter, '\n', '.', values, 3, 1, &got);

    CHECK_THAT(got == due, "%zu of %s", got, line);
    for (size_t k = 0; k < got; k++) {
        double value;

        at = (char *)number_read_f64(at, end, '.', &value) + 1;
        CHECK_THAT(values[k] == value, "number %zu of %s", k, line);
    }
    CHECK_THAT(behind == at, "%s", line);
    CHECK_THAT(number_read_runs_f64(text, end, *delimiter, '\n', '.', values, 3, 2, &got) == at,
               "behind a line: %s", line);
    CHECK_THAT(got == 3 + due && values[0] == 1 && values[1] == -2.5 && values[2] == 300,
               "%zu with %s", got, line);
    CHECK(number_read_runs_f64(text, end, *delimiter, '\n', '.', values, 3, 1, &got) == first);
    CHECK(got == 3);
}

static void test_lines(void)
{
    TABLE (row, "lines", 3)
        check_line(row.field[2], row.size[2], row.field[0], strtoul(row.field[1], NULL, 10));
}

CHECK_MAIN(test_lines, test_few, test_random_text, test_every_exponent)
