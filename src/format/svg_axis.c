#include "format/svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400.0
#define MINUS "\u2212"
#define THIN_SPACE "\u2009"

/* The least of 1, 2 and 5 times a power of ten that is no smaller. */
static double round_step(double step)
{
    double power = pow(10, floor(log10(step)));

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

/* Times a power of ten. */
static void put_power(int power, char text[SVG_WORDS])
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char plain[16];
    size_t used = (size_t)snprintf(text, SVG_WORDS, "\u00d7\u200a10%s", power < 0 ? "\u207b" : "");

    (void)snprintf(plain, sizeof plain, "%d", abs(power));
    for (const char *digit = plain; *digit != '\0'; digit++)
        used += (size_t)snprintf(text + used, SVG_WORDS - used, "%s", digits[*digit - '0']);
}

/* Powers of ten keep labels short: they are multiples of 3, and stand once, in the name. */
static void name_power(struct svg_axis *axis)
{
    double largest = fmax(fabs(axis->low), fabs(axis->high));
    int power = 3 * (int)floor(log10(largest) / 3);

    axis->unit = 1;
    axis->name[0] = '\0';
    if (largest >= 1e-2 && largest < 1e5)
        return;
    axis->unit = pow(10, power);
    put_power(power, axis->name);
}

void svg_axis_level(struct svg_axis *axis, double low, double high, bool never_negative,
                    double steps)
{
    double largest = fmax(fabs(low), fabs(high));

    *axis = (struct svg_axis){.labels = LABELS_DECIMAL};
    if (!(low <= high))
        low = high = largest = 0;
    if (largest == 0 || (largest >= 0.01 && largest <= 1)) {
        axis->low = never_negative ? 0 : -1;
        axis->high = 1;
        axis->step = round_step((axis->high - axis->low) / steps);
        axis->unit = 1;
        (void)snprintf(axis->name, sizeof axis->name, "full scale = 1");
    } else {
        double room;

        if (never_negative)
            low = 0;
        room = low < high ? 0 : fabs(low) * 0.1;
        axis->step = round_step((high - low + 2 * room) / steps);
        axis->low = floor((low - room) / axis->step + 1e-9) * axis->step;
        axis->high = ceil((high + room) / axis->step - 1e-9) * axis->step;
        name_power(axis);
    }
    axis->decimals = decimals_of(axis->step / axis->unit);
}

/* The largest unit of which there is more than one. */
static const struct time_unit {
    const char *name;
    double seconds;
} units[] = {{"s", 1}, {"ms", 1e-3}, {"\u00b5s", 1e-6}, {"ns", 1e-9}};

static const struct time_unit *unit_for(double seconds)
{
    size_t i = 0;

    while (i + 1 < sizeof units / sizeof *units && seconds < units[i].seconds)
        i++;
    return &units[i];
}

void svg_axis_time(struct svg_axis *axis, double first, double length, bool timed, double steps)
{
    const struct time_unit *unit = unit_for(length);

    *axis = (struct svg_axis){
        .low = first,
        .high = first + length,
        .step = 1,
        .unit = 1,
        .labels = LABELS_DECIMAL,
    };
    if (timed && length >= 3 * DAY) {
        axis->unit = DAY;
        axis->step = DAY * round_step(length / DAY / steps);
        (void)snprintf(axis->name, sizeof axis->name, "days");
    } else if (timed && length >= 120) {
        axis->labels = LABELS_CLOCK;
        axis->hours = axis->high >= 7200;
        axis->step = clock_step(length / steps);
        (void)snprintf(axis->name, sizeof axis->name, axis->hours ? "h:mm:ss" : "m:ss");
    } else if (timed && length > 0) {
        axis->unit = unit->seconds;
        axis->step = round_step(length / steps);
        (void)snprintf(axis->name, sizeof axis->name, "%s", unit->name);
    } else if (length > steps) {
        axis->step = round_step(length / steps);
    }
    axis->decimals = decimals_of(axis->step / axis->unit);
}

/* What misses an end by the last places of a double has not missed it. */
long long svg_axis_first(const struct svg_axis *axis)
{
    return (long long)ceil(axis->low / axis->step - 1e-6);
}

long long svg_axis_last(const struct svg_axis *axis)
{
    return (long long)floor(axis->high / axis->step + 1e-6);
}

double svg_axis_place(const struct svg_axis *axis, double value)
{
    double place = axis->high > axis->low ? (value - axis->low) / (axis->high - axis->low) : 0;

    return fmin(fmax(place, 0), 1);
}

/* ---- words */

/* A whole number, digits in groups of three where there are more than four. */
static size_t put_groups(char *text, size_t size, const char *digits)
{
    size_t count = strlen(digits);
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        bool between = count > 4 && i > 0 && (count - i) % 3 == 0;

        used += (size_t)snprintf(text + used, size - used, "%s%c", between ? THIN_SPACE : "",
                                 digits[i]);
    }
    return used;
}

/* Above every frame's number, and below what an unsigned long long can hold. */
static const double LARGEST = 1e19;

/* A minus as it is printed, the whole part in groups, then the rest as it is. */
static const char *put_decimal(double value, int decimals, char text[SVG_WORDS])
{
    char plain[SVG_WORDS];
    char rest[SVG_WORDS];
    size_t used = 0;
    size_t whole;
    bool negative;

    if (!(fabs(value) < LARGEST)) {
        (void)snprintf(text, SVG_WORDS, "%g", value);
        return text;
    }
    (void)snprintf(plain, sizeof plain, "%.*f", decimals > 15 ? 15 : decimals, fabs(value));
    negative = value < 0 && strspn(plain, "0.") < strlen(plain);
    whole = strcspn(plain, ".");
    (void)snprintf(rest, sizeof rest, "%s", plain + whole);
    plain[whole] = '\0';
    if (negative)
        used = (size_t)snprintf(text, SVG_WORDS, MINUS);
    used += put_groups(text + used, SVG_WORDS - used, plain);
    (void)snprintf(text + used, SVG_WORDS - used, "%s", rest);
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

const char *svg_axis_label(const struct svg_axis *axis, double value, char text[SVG_WORDS])
{
    if (axis->labels == LABELS_CLOCK)
        return put_clock(value, axis->hours, text);
    return put_decimal(value / axis->unit, axis->decimals, text);
}

const char *svg_words_duration(double seconds, char text[SVG_WORDS])
{
    const struct time_unit *unit = unit_for(seconds);

    if (seconds >= 120)
        return put_clock(seconds, seconds >= 7200, text);
    (void)snprintf(text, SVG_WORDS, "%.4g %s", seconds / unit->seconds, unit->name);
    return text;
}

/* Four digits, rounded by printf(): 9.9996 is 1 of the next power. */
const char *svg_words_number(double number, char text[SVG_WORDS])
{
    char rounded[32]; /* -d.ddde+ddd */
    char power_words[SVG_WORDS] = "";
    char *exponent;
    char *end;
    int power;

    if (!isfinite(number) || (number == floor(number) && fabs(number) < 1e15))
        return put_decimal(number, 0, text);
    (void)snprintf(rounded, sizeof rounded, "%.3e", number);
    exponent = strchr(rounded, 'e');
    power = (int)strtol(exponent + 1, NULL, 10);
    if (power >= -4 && power < 9) {
        put_decimal(number, power < 3 ? 3 - power : 0, text);
    } else {
        *exponent = '\0';
        put_power(power, power_words);
        put_decimal(strtod(rounded, NULL), 3, text);
    }
    end = text + strlen(text);
    while (strchr(text, '.') != NULL && (end[-1] == '0' || end[-1] == '.')) {
        bool done = end[-1] == '.';

        *--end = '\0';
        if (done)
            break;
    }
    (void)snprintf(end, SVG_WORDS - (size_t)(end - text), "%s", power_words);
    return text;
}
