/* Text to float64 against strtod(), and every form of valid and invalid numbers. */
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/text/number.h"

static bool same_f64(double a, double b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

/* text .. end must begin with a number of `length` characters. */
static void check_place(const char *text, const char *end, size_t length)
{
    double value = 7;
    double due = strtod(text, NULL);

    CHECK_THAT(number_read_f64(text, end, '.', &value) == text + length, "%s", text);
    CHECK_THAT(same_f64(value, due), "%s: %a, not %a", text, value, due);
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
    for (int i = 0; i < 300000; i++) {
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
    static const char *const texts[] = {
        "0",          "-0",         "+0",        "00000",     "0.0",       ".0",         "0.",
        "-.5",        "+5.",        "1e5",       "1E+5",      "1e-5",      "1e0005",     "16777217",
        "16777219",   "33554434.5", "8388608.5", "8388609.5", "9e9",       "9000000000", "1e39",
        "1e40",       "-1e400",     "1e-45",     "1e-46",     "1e-400",    "-1e-400",    "1e308",
        "1e309",      "5e-324",     "0.1234567", "12345678",  "123456789", "1234567.8",  "99999999",
        "-9999999.9", "nan",        "NaN",       "-nan",      "inf",       "-INF",       "Infinity",
        "+infinity",
    };
    static const char *const digits[] = {
        "3.4028235e38",
        "3.4028236e38",
        "0e999999999999999999",
        "9007199254740993",
        "0.123456789012345",
        "0.1234567890123456",
        "1234567.12345678",
        "1234567.123456789",
        "1.17549435e-38",
        "3.4028235677973366e38",
        "3.4028235677973365e38",
        "1e99999999999999999999",
        "7.006492321624085e-46",
        "7.0064923216240854e-46",
        "7.0064923216240853e-46",
        "7.0064923216240862e-46",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-99999999999999999999",
        "1.1754942807573643e-38",
        "1.1754942807573642918e-38",
        "0.000000000000000000000000000001",
        "123456789012345678901234567890",
    };
    static const struct {
        const char *text;
        int length; /* -1: not a number */
    } partly[] = {
        {"", -1},     {"-", -1},     {"+", -1},    {".", -1},        {"-.", -1},   {"e5", -1},
        {".e5", -1},  {"abc", -1},   {"--1", -1},  {"+-1", -1},      {" 1", -1},   {"na", -1},
        {"in", -1},   {"1e", 1},     {"1e+", 1},   {"1ex", 1},       {"1.5e-", 3}, {"0x10", 1},
        {"1.2.3", 3}, {"1..2", 2},   {"1,5", 1},   {"1-2", 1},       {"1 2", 1},   {"infinit", 3},
        {"nanx", 3},  {"nan(1)", 3}, {"1e5.5", 3}, {"12345678.", 9}, {"1_000", 1}, {"5f", 1},
        {"1d5", 1},
    };
    char zeros[2000];
    double value;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_text(texts[i]);
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        check_text(digits[i]);
    for (size_t i = 0; i < sizeof partly / sizeof *partly; i++) {
        const char *text = partly[i].text;
        const char *end = number_read_f64(text, text + strlen(text), '.', &value);

        CHECK_THAT(partly[i].length < 0 ? end == NULL : end == text + partly[i].length, "%s", text);
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

/* How much of a line is plain numbers, at most three, and their values. */
static void test_lines(void)
{
    static const struct {
        const char *text;
        char delimiter;
        unsigned got;
    } lines[] = {
        {"1,-2.5,.75\n", ',', 3},
        {"1234567,1.2345678,-0\n", ',', 3},
        {"1\t2\t3\n", '\t', 3},
        {"1 2 3\n", ' ', 3},
        {"1,2,3,4\n", ',', 2},
        {"1,2\n", ',', 1},
        {"1,2,\n", ',', 1},
        {"1,2,3\r\n", ',', 2},
        {"1,,3\n", ',', 1},
        {"1,123456789,3\n", ',', 3},
        {"1, 2,3\n", ',', 0},
        {"1,2,3 \n", ',', 2},
        {"1;2;3\n", ',', 0},
        {"1  2 3\n", ' ', 0},
        {"1,2e3,3\n", ',', 3},
        {"+1,2,3\n", ',', 3},
        {"1,inf,3\n", ',', 3},
        {"1,\"2\",3\n", ',', 1},
        {"1,1e999,1e-999", ',', 2},
        {"1,2,3", ',', 2},
        {"1,2,", ',', 1},
        {"1,2", ',', 1},
        {"", ',', 0},
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *text = lines[i].text;
        const char *end = text + strlen(text);
        const char *at = text;
        double values[3];
        unsigned got;
        const char *behind =
            number_read_run_f64(text, end, lines[i].delimiter, '\n', '.', values, 3, &got);

        CHECK_THAT(got == lines[i].got, "%u of %s", got, text);
        for (unsigned k = 0; k < got; k++) {
            double due;

            at = number_read_f64(at, end, '.', &due) + 1;
            CHECK_THAT(values[k] == due, "number %u of %s", k, text);
        }
        CHECK_THAT(behind == at, "%s", text);
    }
}

CHECK_MAIN(test_lines, test_few, test_random_text, test_every_exponent)
