/* Text to float32 against strtof(), and every shape that is a number or none. */
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/decimal.h"

static uint64_t chance_state = 88172645463325252U;

static uint32_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (uint32_t)(chance_state >> 16);
}

static bool same(float a, float b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

/* With a delimiter behind it, in a place of just that size, and cut off. */
static void check_text(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 32);
    float due = strtof(text, NULL);
    float value = 0;

    if (copy == NULL)
        abort();
    memset(copy, ',', length + 32);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i];
    CHECK_THAT(decimal_read(copy, copy + length, &value) == copy + length, "%s", text);
    CHECK_THAT(same(value, due), "%s: %a, not %a", text, (double)value, (double)due);
    CHECK_THAT(decimal_read(copy, copy + length + 32, &value) == copy + length, "%s", text);
    CHECK_THAT(same(value, due), "%s: %a, not %a", text, (double)value, (double)due);
    free(copy);
}

static float from_bits(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Every exponent with mantissas at the ends and at random: in as many digits as are needed, in
 * more, in less; and the middle to the next number, exactly and as little as possible beside it. */
static void test_every_exponent(void)
{
    char text[256];

    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (int i = 0; i < 200; i++) {
            uint32_t mantissa = i < 2 ? (uint32_t)i : i < 4 ? 0x7fffff - (uint32_t)i + 2 : chance();
            uint32_t bits = exponent << 23 | (mantissa & 0x7fffff);
            double number = (double)from_bits(bits);
            double above = bits == 0x7f7fffff ? 0x1p128 : (double)from_bits(bits + 1);
            double middle = number + (above - number) / 2;
            int digits = 1 + (int)(chance() % 20);
            float back;
            char *exact_end;

            snprintf(text, sizeof text, "%.9g", number);
            check_text(text);
            (void)decimal_read(text, text + strlen(text), &back);
            CHECK((double)back == number);
            snprintf(text, sizeof text, "%.*e", digits, chance() % 2 == 0 ? number : -number);
            check_text(text);
            snprintf(text, sizeof text, "%.17g", middle);
            check_text(text);
            /* A middle has no more than 113 digits that are not zero. */
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

/* Digits that nobody would write, with the point anywhere. */
static void test_random_text(void)
{
    for (int i = 0; i < 300000; i++) {
        char text[64];
        char *at = text;
        int before = (int)(chance() % (i % 3 == 0 ? 22 : 6));
        int behind = (int)(chance() % (i % 5 == 0 ? 22 : 9));

        if (chance() % 3 == 0)
            *at++ = chance() % 2 == 0 ? '-' : '+';
        for (int j = 0; j < before; j++)
            *at++ = (char)('0' + (chance() % 4 == 0 ? 0 : chance() % 10));
        if (behind > 0 || chance() % 2 == 0)
            *at++ = '.';
        for (int j = 0; j < behind; j++)
            *at++ = (char)('0' + (chance() % 4 == 0 ? 0 : chance() % 10));
        if (before + behind == 0)
            *at++ = '7';
        *at = '\0';
        if (chance() % 4 == 0)
            snprintf(at, 12, "%c%d", chance() % 2 == 0 ? 'e' : 'E', (int)(chance() % 120) - 60);
        check_text(text);
    }
}

static void test_few(void)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+0",
        "00000",
        "0.0",
        ".0",
        "0.",
        "-.5",
        "+5.",
        "1e5",
        "1E+5",
        "1e-5",
        "1e0005",
        "16777217",
        "16777219",
        "33554434.5",
        "8388608.5",
        "8388609.5",
        "9007199254740993",
        "9e9",
        "9000000000",
        "3.4028235e38",
        "3.4028235677973366e38",
        "3.4028235677973365e38",
        "3.4028236e38",
        "1e39",
        "1e40",
        "1e99999999999999999999",
        "-1e400",
        "0e999999999999999999",
        "1e-45",
        "7.006492321624085e-46",
        "7.0064923216240854e-46",
        "7.0064923216240853e-46",
        "7.0064923216240862e-46",
        "1e-46",
        "1e-400",
        "1e-99999999999999999999",
        "1.17549435e-38",
        "1.1754942807573643e-38",
        "1.1754942807573642918e-38",
        "0.000000000000000000000000000001",
        "123456789012345678901234567890",
        "0.1234567",
        "12345678",
        "123456789",
        "1234567.8",
        "99999999",
        "-9999999.9",
        "nan",
        "NaN",
        "-nan",
        "inf",
        "-INF",
        "Infinity",
        "+infinity",
    };
    static const struct {
        const char *text;
        int length; /* -1: no number */
    } partly[] = {
        {"", -1},     {"-", -1},    {"+", -1},        {".", -1},    {"-.", -1},   {"e5", -1},
        {".e5", -1},  {"abc", -1},  {"--1", -1},      {"+-1", -1},  {" 1", -1},   {"na", -1},
        {"in", -1},   {"1e", 1},    {"1e+", 1},       {"1ex", 1},   {"1.5e-", 3}, {"0x10", 1},
        {"1.2.3", 3}, {"1..2", 2},  {"1,5", 1},       {"1-2", 1},   {"1 2", 1},   {"infinit", 3},
        {"nanx", 3},  {"1e5.5", 3}, {"12345678.", 9}, {"1_000", 1}, {"5f", 1},    {"1d5", 1},
    };
    char zeros[2000];
    float value;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_text(texts[i]);
    for (size_t i = 0; i < sizeof partly / sizeof *partly; i++) {
        const char *text = partly[i].text;
        const char *end = decimal_read(text, text + strlen(text), &value);

        CHECK_THAT(partly[i].length < 0 ? end == NULL : end == text + partly[i].length, "%s", text);
    }
    /* Zeros that an exponent takes back. */
    memset(zeros, '0', sizeof zeros);
    zeros[0] = '1';
    memcpy(zeros + 1990, "e-1989", sizeof "e-1989");
    check_text(zeros);
    memset(zeros, '0', sizeof zeros);
    zeros[1] = '.';
    memcpy(zeros + 1980, "125e1981", sizeof "125e1981");
    check_text(zeros);
}

/* How far a line is a plain one of three numbers, and what they are. */
static void test_lines(void)
{
    static const struct {
        const char *text;
        char delimiter;
        unsigned got;
    } lines[] = {
        {"1,-2.5,.75\n", ',', 3}, {"1234567,1.2345678,-0\n", ',', 3},
        {"1\t2\t3\n", '\t', 3},   {"1 2 3\n", ' ', 3},
        {"1,2,3,4\n", ',', 2},    {"1,2\n", ',', 1},
        {"1,2,\n", ',', 1},       {"1,2,3\r\n", ',', 2},
        {"1,,3\n", ',', 1},       {"1,123456789,3\n", ',', 1},
        {"1, 2,3\n", ',', 0},     {"1,2,3 \n", ',', 2},
        {"1;2;3\n", ',', 0},      {"1  2 3\n", ' ', 0},
        {"1,2e3,3\n", ',', 1},    {"+1,2,3\n", ',', 0},
        {"1,nan,3\n", ',', 1},    {"1,\"2\",3\n", ',', 1},
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[64];
        const char *end = text + snprintf(text, sizeof text, "%s0000000000000\n", lines[i].text);
        const char *at = text;
        float values[3];
        unsigned got;
        const char *behind = decimal_read_line(text, end, lines[i].delimiter, values, 3, &got);

        CHECK_THAT(got == lines[i].got, "%u of %s", got, lines[i].text);
        for (unsigned k = 0; k < got; k++) {
            float due;

            at = decimal_read(at, end, &due) + 1;
            CHECK_THAT(values[k] == due, "number %u of %s", k, lines[i].text);
        }
        CHECK_THAT(behind == at, "%s", lines[i].text);
        /* Without as many bytes behind it, it is left to others. */
        (void)decimal_read_line(text, text + strlen(lines[i].text), lines[i].delimiter, values, 3,
                                &got);
        CHECK(got <= lines[i].got);
    }
}

int main(void)
{
    test_lines();
    test_few();
    test_random_text();
    test_every_exponent();
    return check_result();
}
