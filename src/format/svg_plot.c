#include "format/svg_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct svg_column nothing = {(double)NAN, (double)NAN};

int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most)
{
    *columns = (struct svg_columns){.channels = channels, .most = most, .span = 1};
    columns->columns = calloc(most * channels, sizeof *columns->columns);
    columns->extents = calloc(channels, sizeof *columns->extents);
    if (columns->columns == NULL || columns->extents == NULL) {
        svg_columns_close(columns);
        return -1;
    }
    for (unsigned i = 0; i < channels; i++)
        columns->extents[i] =
            (struct svg_extent){.low = (double)INFINITY, .high = -(double)INFINITY};
    return 0;
}

void svg_columns_close(struct svg_columns *columns)
{
    free(columns->columns);
    free(columns->extents);
    columns->columns = NULL;
    columns->extents = NULL;
}

/* Comparisons with NaN are false: any number replaces NaN, and NaN replaces nothing. */
static struct svg_column merged(struct svg_column a, struct svg_column b)
{
    return (struct svg_column){
        .low = b.low < a.low || isnan(a.low) ? b.low : a.low,
        .high = b.high > a.high || isnan(a.high) ? b.high : a.high,
    };
}

/* Merges every `group` neighbours; the last group may be smaller. */
static void merge_groups(struct svg_columns *columns, size_t group)
{
    size_t groups = (columns->count + group - 1) / group;

    for (unsigned c = 0; c < columns->channels; c++) {
        struct svg_column *column = columns->columns + columns->most * c;

        for (size_t i = 0; i < groups; i++) {
            size_t end = (i + 1) * group < columns->count ? (i + 1) * group : columns->count;
            struct svg_column best = column[i * group];

            for (size_t j = i * group + 1; j < end; j++)
                best = merged(best, column[j]);
            column[i] = best;
        }
    }
    columns->count = groups;
    columns->span *= group;
}

void svg_columns_reduce(struct svg_columns *columns, size_t most)
{
    if (columns->count > most)
        merge_groups(columns, (columns->count + most - 1) / most);
}

static void see(struct svg_extent *extent, double value)
{
    if (!isfinite(value))
        return;
    if (value < extent->low)
        extent->low = value;
    if (value > extent->high)
        extent->high = value;
}

/* `kind` is a constant in each call. */
static inline double value_at(enum value_kind kind, const void *values, size_t index)
{
    return kind == VALUE_F32 ? (double)((const float *)values)[index]
                             : ((const double *)values)[index];
}

/* Merges frames of one channel, whose first value has the index `first`, into one column. */
static inline void take_run(struct svg_column *column, struct svg_extent *extent,
                            struct svg_pick pick, enum value_kind kind, const void *values,
                            size_t first, size_t stride, size_t count)
{
    struct svg_column best = *column;
    struct svg_extent seen = *extent;

    for (size_t i = 0; i < count; i++, first += stride) {
        struct svg_column frame = {value_at(kind, values, first + pick.low),
                                   value_at(kind, values, first + pick.high)};

        if (isnan(frame.low) || isnan(frame.high)) {
            seen.missing++;
            continue;
        }
        best = merged(best, frame);
        see(&seen, frame.low);
        see(&seen, frame.high);
    }
    *column = best;
    *extent = seen;
}

void svg_columns_take(struct svg_columns *columns, struct svg_pick pick, enum value_kind kind,
                      const void *frames, size_t count)
{
    size_t stride = (size_t)columns->channels * pick.values;
    size_t at = 0;

    while (count > 0) {
        uint64_t held = columns->frames % columns->span; /* in the last column */
        uint64_t room = columns->span - held;
        size_t run = room < count ? (size_t)room : count;

        if (held == 0 && columns->count == columns->most) {
            merge_groups(columns, 2);
            continue;
        }
        if (held == 0)
            columns->count++;
        for (unsigned c = 0; c < columns->channels; c++) {
            struct svg_column *column = columns->columns + columns->most * c + columns->count - 1;

            if (held == 0)
                *column = nothing;
            if (kind == VALUE_F32)
                take_run(column, &columns->extents[c], pick, VALUE_F32, frames,
                         at + (size_t)c * pick.values, stride, run);
            else
                take_run(column, &columns->extents[c], pick, VALUE_F64, frames,
                         at + (size_t)c * pick.values, stride, run);
        }
        at += run * stride;
        columns->frames += run;
        count -= run;
    }
}

/* ---- axes */

#define DAY 86400.0
#define MINUS "\u2212"
#define THIN_SPACE "\u2009"

/* The smallest of 1, 2 and 5 times a power of ten that is at least `step`. */
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

/* Powers of ten shorten labels: they are multiples of 3, and appear once, in the name. */
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

void svg_axis_level(struct svg_axis *axis, double low, double high, bool exact, double steps)
{
    double largest = fmax(fabs(low), fabs(high));

    /* Levels that differ by rounding errors only are one. */
    if (!exact && high - low <= fmax(largest * 1e-14, 1e-300)) {
        double room = largest > 1e-299 ? largest * 0.1 : 1;

        low -= room;
        high += room;
    }
    *axis = (struct svg_axis){.low = low, .high = high, .step = round_step((high - low) / steps)};
    if (!exact) {
        axis->low = floor(low / axis->step + 1e-9) * axis->step;
        axis->high = ceil(high / axis->step - 1e-9) * axis->step;
    }
    name_power(axis);
    axis->decimals = decimals_of(axis->step / axis->unit);
}

/* The largest unit of which the axis has more than one. */
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
    };
    if (timed && length >= 3 * DAY) {
        axis->unit = DAY;
        axis->step = DAY * round_step(length / DAY / steps);
        (void)snprintf(axis->name, sizeof axis->name, "days");
    } else if (timed && length >= 120) {
        axis->clock = true;
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

/* A tick that misses an end by rounding errors only still counts. */
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
    return axis->high > axis->low ? (value - axis->low) / (axis->high - axis->low) : 0;
}

/* ---- words */

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

const char *svg_axis_label(const struct svg_axis *axis, double value, char text[SVG_WORDS])
{
    if (axis->clock)
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
