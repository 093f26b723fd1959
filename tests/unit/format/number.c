/* SPDX-License-Identifier: MIT */
/* Numbers as text: the fewest digits, in the form of %g, but without an exponent from 1e-5 to 1e15.
 * number_read.c tests reading. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/text/number.h"

static size_t write_number(char text[NUMBER_MOST], double number, bool narrow)
{
    return narrow ? number_write_f32(text, (float)number) : number_write_f64(text, number);
}

static bool reads_back(double number, bool narrow, const char *text)
{
    double back = strtod(text, NULL);

    return narrow ? (float)back == (float)number && strtof(text, NULL) == (float)number
                  : back == number;
}

/* From d.ddde+dd or d.ddde-dd to digits around a point. */
static void drop_exponent(char text[NUMBER_MOST])
{
    char digits[NUMBER_MOST];
    const char *sign = text[0] == '-' ? "-" : "";
    const char *exponent = strchr(text, 'e');
    int power = exponent == NULL ? 0 : (int)strtol(exponent + 1, NULL, 10);
    int count = 0;

    if (exponent == NULL)
        return;
    for (const char *at = text; at < exponent; at++) {
        if (*at >= '0' && *at <= '9')
            digits[count++] = *at;
    }
    if (power < 0)
        snprintf(text, NUMBER_MOST, "%s0.%.*d%.*s", sign, -power - 1, 0, count, digits);
    else
        snprintf(text, NUMBER_MOST, "%s%.*s%.*d", sign, count, digits, power + 1 - count, 0);
}

/* The definition: the first precision of %g whose text reads back. */
static void check_number(double number, bool narrow)
{
    int precision = narrow ? FLT_DIG : DBL_DIG;
    char text[NUMBER_MOST];
    char due[NUMBER_MOST];
    size_t length = write_number(text, number, narrow);

    if (fabs(number) < (narrow ? (double)FLT_MIN : DBL_MIN))
        precision = 1;
    do
        snprintf(due, sizeof due, "%.*g", precision++, number);
    while (!reads_back(number, narrow, due));
    if (fabs(number) >= (narrow ? 1e-5F : 1e-5) && fabs(number) <= (narrow ? 1e15F : 1e15))
        drop_exponent(due);
    text[length] = '\0';
    CHECK_THAT(strcmp(text, due) == 0, "%s, not %s", text, due);
}

/* d.ddde+dd with one more in the last place. Returns false if it is all nines. */
static bool raise_last(char *text)
{
    char *last = strchr(text, 'e') - 1;

    for (; last >= text && (*last == '9' || *last == '.'); last--) {
        if (*last == '9')
            *last = '0';
    }
    if (last < text)
        return false;
    ++*last;
    return true;
}

/* A power of two: the first precision with a decimal that reads back, the nearest or the one above
 * it. Returns whether it was the latter. */
static bool check_power(double number, bool narrow)
{
    char text[NUMBER_MOST];
    char due[NUMBER_MOST];
    bool above = false;

    text[write_number(text, number, narrow)] = '\0';
    for (int precision = 1;; precision++) {
        snprintf(due, sizeof due, "%.*e", precision - 1, number);
        if (reads_back(number, narrow, due))
            break;
        above = raise_last(due) && reads_back(number, narrow, due);
        if (above)
            break;
    }
    CHECK_THAT(reads_back(number, narrow, text), "%s", text);
    CHECK_THAT(strtold(text, NULL) == strtold(due, NULL), "%s, not %s", text, due);
    return above;
}

static void test_powers_of_two(void)
{
    unsigned above = 0;

    for (int power = -149; power < 128; power++)
        above += check_power(ldexp(1, power), true);
    CHECK(above > 0);
    for (int power = -1074; power < 1024; power++)
        above += check_power(ldexp(1, power), false);
    CHECK(above > 20);
}

static void test_numbers(void)
{
    static const double few[] = {
        0.0,     -0.0,     1.0,     -1.0,    0.5,      999999.5,     9999995, 99999995,
        1e15,    1e16,     123456,  1234567, 1e22,     1e23,         1e-4,    1e-5,
        0.1,     0.2,      FLT_MIN, FLT_MAX, DBL_MIN,  DBL_MAX,      5e-324,  1e-45,
        0.99999, 0.999999, 2.5,     1.5e300, 16777216, 8388609,      4.5e15,  9.5e14,
        1e100,   1e-100,   1e308,   2e-323,  0x1p53,   7.038531e-26,
    };
    uint64_t bits = 1;
    char text[NUMBER_MOST];

    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        check_number(few[i], false);
        if (fabs(few[i]) <= FLT_MAX)
            check_number((double)(float)few[i], true);
    }
    for (int i = 0; i < (CHECK_FEW ? 30000 : 100000); i++) {
        double number;
        float narrow;
        uint32_t half;

        bits = bits * 6364136223846793005U + 1442695040888963407U;
        half = (uint32_t)(bits >> 32);
        memcpy(&narrow, &half, sizeof narrow);
        memcpy(&number, &bits, sizeof number);
        if (isfinite(narrow))
            check_number((double)narrow, true);
        if (isfinite(number))
            check_number(number, false);
        /* Typical values of statistics: samples of 16 bits, and means of them. */
        check_number((int16_t)half / 32768.0, true);
        check_number((int16_t)half / 32768.0, false);
        check_number((double)(half >> 8) / 480000.0, false);
        check_number((int32_t)half * 1e-3, false);
        CHECK(number_write_u64(text, bits) < NUMBER_MOST);
    }
    text[number_write_u64(text, UINT64_MAX)] = '\0';
    CHECK(strcmp(text, "18446744073709551615") == 0);
    text[number_write_u64(text, 0)] = '\0';
    CHECK(strcmp(text, "0") == 0);
    text[number_write_i64(text, INT64_MIN)] = '\0';
    CHECK(strcmp(text, "-9223372036854775808") == 0);
    text[number_write_i64(text, INT64_MAX)] = '\0';
    CHECK(strcmp(text, "9223372036854775807") == 0);
    text[number_write_i64(text, -1)] = '\0';
    CHECK(strcmp(text, "-1") == 0);
}

static void check_words(double number, const char *due)
{
    for (int narrow = 0; narrow < 2; narrow++) {
        char text[NUMBER_MOST];

        text[write_number(text, number, narrow != 0)] = '\0';
        CHECK_THAT(strcmp(text, due) == 0, "%s, not %s", text, due);
    }
}

static void test_not_finite(void)
{
    check_words(NAN, "nan");
    check_words(-NAN, "nan");
    check_words(INFINITY, "inf");
    check_words(-INFINITY, "-inf");
}

CHECK_MAIN(test_not_finite, test_numbers, test_powers_of_two)
