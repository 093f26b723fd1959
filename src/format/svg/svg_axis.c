#include "format/svg/svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400.0
#define MINUS "\u2212"
#define THIN_SPACE "\u2009"

static const double STEPS_MOST = 50; /* of an axis: more ticks are no help */

/* ---- words */

/* Formats "times a power of ten". */
static void put_power(int power, char *at)
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char plain[16];

    (void)snprintf(plain, sizeof plain, "%d", power);
    at = stpcpy(at, "\u00d7\u200a10");
    for (const char *from = plain; *from != '\0'; from++)
        at = stpcpy(at, *from == '-' ? "\u207b" : digits[*from - '0']);
}

/* Above every frame's number, and below what an unsigned long long can hold. */
static const double LARGEST = 1e19;

/* With a typographic minus, and digits in groups of three if there are more than four. */
static const char *put_decimal(double value, int decimals, char text[SVG_WORDS])
{
    char plain[SVG_WORDS];
    char *at = text;
    size_t whole;

    if (!(fabs(value) < LARGEST)) {
        (void)snprintf(text, SVG_WORDS, "%g", value);
        return text;
    }
    (void)snprintf(plain, sizeof plain, "%.*f", decimals > 15 ? 15 : decimals, fabs(value));
    whole = strcspn(plain, ".");
    if (value < 0 && strspn(plain, "0.") < strlen(plain))
        at = stpcpy(at, MINUS);
    for (size_t i = 0; plain[i] != '\0'; i++) {
        if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0)
            at = stpcpy(at, THIN_SPACE);
        *at++ = plain[i];
    }
    *at = '\0';
    return text;
}

static const char *put_clock(double seconds, bool hours, char text[SVG_WORDS])
{
    unsigned long long whole = (unsigned long long)fmin(round(seconds), LARGEST);

    if (hours)
        (void)snprintf(text, SVG_WORDS, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60,
                       whole % 60);
    else
        (void)snprintf(text, SVG_WORDS, "%llu:%02llu", whole / 60, whole % 60);
    return text;
}

/* The largest unit that fits, where more than one of the larger ones do. */
static const struct time_unit {
    const char *name;
    double seconds;
    double least;
} units[] = {
    {"days", DAY, 2 * DAY}, {"h", 3600, 7200},       {"min", 60, 120}, {"s", 1, 1},
    {"ms", 1e-3, 1e-3},     {"\u00b5s", 1e-6, 1e-6}, {"ns", 1e-9, 0},
};

static const struct time_unit *unit_for(double seconds)
{
    const struct time_unit *unit = units;

    while (seconds < unit->least)
        unit++;
    return unit;
}

const char *svg_words_duration(double seconds, char text[SVG_WORDS])
{
    const struct time_unit *unit = unit_for(seconds);

    (void)snprintf(text, SVG_WORDS, "%.4g %s", seconds / unit->seconds, unit->name);
    return text;
}

/* Removes trailing zeros, and a trailing point. */
static void cut_zeros(char *text)
{
    size_t length = strlen(text);

    if (strchr(text, '.') == NULL)
        return;
    while (text[length - 1] == '0')
        length--;
    text[text[length - 1] == '.' ? length - 1 : length] = '\0';
}

/* Four digits, but all digits before the point. */
const char *svg_words_number(double number, char text[SVG_WORDS])
{
    char scientific[SVG_WORDS]; /* rounded before its power is known */
    char *exponent;
    int power;
    char *at;

    if (!isfinite(number) || (number == floor(number) && fabs(number) < 1e15))
        return put_decimal(number, 0, text);
    (void)snprintf(scientific, sizeof scientific, "%.3e", number);
    exponent = strchr(scientific, 'e');
    power = (int)strtol(exponent + 1, NULL, 10);
    if (power >= -4 && power < 9) {
        put_decimal(number, power < 3 ? 3 - power : 0, text);
        cut_zeros(text);
        return text;
    }
    *exponent = '\0';
    cut_zeros(scientific);
    at = stpcpy(text, number < 0 ? MINUS : "");
    put_power(power, stpcpy(at, scientific + (number < 0)));
    return text;
}

/* The decimal power of a positive number. */
static int power_of(double number)
{
    return (int)floor(log10(number));
}

void svg_words_range(double low, double high, char words[2][SVG_WORDS])
{
    const double ends[2] = {low, high};
    double largest = fmax(fabs(low), fabs(high));
    int shift;
    int decimals;
    bool cut = true;

    if (!(low < high) || largest < 1e-299 ||
        (low == floor(low) && high == floor(high) && largest < 1e15)) {
        svg_words_number(low, words[0]);
        svg_words_number(high, words[1]);
        return;
    }
    shift = power_of(largest);
    decimals = 2 - (int)fmin(shift, power_of(fmin(high - low, 1e308)));
    if (shift >= -4 && shift < 9)
        shift = 0;
    for (decimals = (int)fmin(decimals + shift, 15); cut; decimals--) {
        cut = decimals > 0;
        for (int i = 0; i < 2; i++) {
            put_decimal(ends[i] / pow(10, shift), ends[i] == 0 ? 0 : decimals, words[i]);
            cut = cut && words[i][strlen(words[i]) - 1] == '0';
        }
    }
    for (int i = 0; shift != 0 && i < 2; i++) {
        if (ends[i] != 0)
            put_power(shift, words[i] + strlen(words[i]));
    }
}

/* ---- axes */

/* The distance of ticks, and how they are labelled. */
struct ruler {
    double step;
    double unit; /* of labels, unless they are times of a clock: 2:30, or with hours 1:02:30 */
    bool clock;
    bool hours;
};

/* The smallest of 1, 2 and 5 times a power of ten that is at least `step`. */
static double round_step(double step)
{
    double power = pow(10, power_of(step));

    for (int i = 0; i < 3; i++) {
        static const double rounds[] = {1, 2, 5};

        if (rounds[i] * power >= step * (1 - 1e-9))
            return rounds[i] * power;
    }
    return 10 * power;
}

static double clock_step(double step)
{
    static const double rounds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                    600, 900, 1800, 3600, 7200, 10800, 21600, 43200};

    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        if (rounds[i] >= step)
            return rounds[i];
    }
    return DAY;
}

static int decimals_of(double step)
{
    double digits = ceil(-log10(step) - 1e-9);

    return digits > 0 ? (int)digits : 0;
}

double svg_axis_place(const struct svg_axis *axis, double value)
{
    return axis->high > axis->low ? (value - axis->low) / (axis->high - axis->low) : 0;
}

/* A tick that misses an end by rounding errors only still counts. */
static void put_ticks(struct svg_axis *axis, const struct ruler *ruler)
{
    int decimals = decimals_of(ruler->step / ruler->unit);
    double last = floor(axis->high / ruler->step + 1e-6);

    for (double i = ceil(axis->low / ruler->step - 1e-6); i <= last && axis->count < SVG_TICKS;
         i++) {
        struct svg_tick *tick = &axis->ticks[axis->count++];
        double value = i * ruler->step;

        tick->place = svg_axis_place(axis, value);
        if (ruler->clock)
            put_clock(value, ruler->hours, tick->label);
        else
            put_decimal(value / ruler->unit, decimals, tick->label);
    }
}

/* Powers of ten shorten labels: they are multiples of 3, and appear once, in the name. */
static double name_power(struct svg_axis *axis, double step)
{
    double largest = fmax(fabs(axis->low), fabs(axis->high));
    int power = 3 * (int)floor(log10(largest) / 3);
    double unit = pow(10, power);

    if ((largest >= 1e-2 && largest < 1e5) || (largest >= 1e5 && step < unit / 1000))
        return 1;
    put_power(power, axis->name);
    return unit;
}

void svg_axis_level(struct svg_axis *axis, double low, double high, bool exact, double steps)
{
    double largest = fmax(fabs(low), fabs(high));
    struct ruler ruler = {.step = 1};

    /* Levels that differ by rounding errors only are one. */
    if (!exact && high - low <= fmax(largest * 1e-14, 1e-300)) {
        double room = largest > 1e-299 ? largest * 0.1 : 1;

        low -= room;
        high += room;
    }
    ruler.step = round_step((high - low) / fmin(steps, STEPS_MOST));
    *axis = (struct svg_axis){.low = low, .high = high};
    if (!exact) {
        axis->low = floor(low / ruler.step + 1e-9) * ruler.step;
        axis->high = ceil(high / ruler.step - 1e-9) * ruler.step;
    }
    ruler.unit = name_power(axis, ruler.step);
    put_ticks(axis, &ruler);
}

void svg_axis_time(struct svg_axis *axis, double first, double length, bool timed, double steps)
{
    const struct time_unit *unit = unit_for(length);
    struct ruler ruler = {.step = 1, .unit = 1};
    const char *name = "";

    *axis = (struct svg_axis){.low = first, .high = first + length};
    steps = fmin(steps, STEPS_MOST);
    if (timed && length >= 3 * DAY) {
        ruler.unit = DAY;
        ruler.step = DAY * round_step(length / DAY / steps);
        name = "days";
    } else if (timed && length >= 120) {
        ruler.clock = true;
        ruler.hours = axis->high >= 7200;
        ruler.step = clock_step(length / steps);
        name = ruler.hours ? "h:mm:ss" : "m:ss";
    } else if (timed && length > 0) {
        ruler.unit = unit->seconds;
        ruler.step = round_step(length / steps);
        name = unit->name;
    } else if (length > steps) {
        ruler.step = round_step(length / steps);
    }
    (void)snprintf(axis->name, sizeof axis->name, "%s", name);
    put_ticks(axis, &ruler);
}
