/* SPDX-License-Identifier: MIT */
#include "format/svg/svg_axis_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define DAY 86400.0
#define YEAR (365.2425 * DAY)
#define DAY_SECONDS 86400
#define MINUS "\u2212"
#define THIN_SPACE "\u2009"

static const double STEPS_MOST = 50; /* steps of an axis: more ticks are no help */

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

/* Writes a typographic minus, and digits in groups of three if there are more than four. */
const char *svg_words_decimal(double value, int decimals, char text[SVG_WORDS])
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

/* The units from the largest on; a unit is used from `least` seconds on. */
static const struct axis_unit {
    const char *name;
    double seconds;
    double least;
} units[] = {
    {"days", DAY, 2 * DAY}, {"h", 3600, 7200},       {"min", 60, 120}, {"s", 1, 1},
    {"ms", 1e-3, 1e-3},     {"\u00b5s", 1e-6, 1e-6}, {"ns", 1e-9, 0},
};

static const struct axis_unit *unit_for(double seconds)
{
    const struct axis_unit *unit = units;

    while (seconds < unit->least)
        unit++;
    return unit;
}

/* Writes a minute or more in units that are not 0: "2 h 5 min". Days have no minutes. */
static void put_parts(double seconds, char *at)
{
    static const struct {
        const char *name;
        uint64_t seconds;
    } parts[] = {{" days", 86400}, {" h", 3600}, {" min", 60}, {" s", 1}};
    const bool days = seconds >= 2 * DAY;
    uint64_t left = (uint64_t)(days ? 3600 * round(seconds / 3600) : round(seconds));
    const char *blank = "";

    for (size_t i = days ? 0 : 1; i < sizeof parts / sizeof *parts; i++) {
        if (left >= parts[i].seconds) {
            at += sprintf(at, "%s%llu%s", blank, (unsigned long long)(left / parts[i].seconds),
                          parts[i].name);
            blank = " ";
        }
        left %= parts[i].seconds;
    }
}

const char *svg_words_duration(double seconds, char text[SVG_WORDS])
{
    const struct axis_unit *unit = unit_for(seconds);

    if (seconds >= 2 * YEAR)
        (void)snprintf(text, SVG_WORDS, seconds < 1000 * YEAR ? "%.3g years" : "%.0f years",
                       seconds / YEAR);
    else if (seconds >= 60)
        put_parts(seconds, text);
    else
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

/* Writes four digits, or all digits before the point if there are more. */
const char *svg_words_number(double number, char text[SVG_WORDS])
{
    char scientific[SVG_WORDS]; /* the number rounded, before its power is known */
    char *exponent;
    int power;
    char *at;

    if (!isfinite(number) || (number == floor(number) && fabs(number) < 1e15))
        return svg_words_decimal(number, 0, text);
    (void)snprintf(scientific, sizeof scientific, "%.3e", number);
    exponent = strchr(scientific, 'e');
    power = (int)strtol(exponent + 1, NULL, 10);
    if (power >= -4 && power < 9) {
        svg_words_decimal(number, power < 3 ? 3 - power : 0, text);
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
            svg_words_decimal(ends[i] / pow(10, shift), ends[i] == 0 ? 0 : decimals, words[i]);
            cut = cut && words[i][strlen(words[i]) - 1] == '0';
        }
    }
    for (int i = 0; shift != 0 && i < 2; i++) {
        if (ends[i] != 0)
            put_power(shift, words[i] + strlen(words[i]));
    }
}

void svg_text_put(struct memory_text *text, const char *name, size_t most)
{
    const unsigned char *at = (const unsigned char *)name;

    for (size_t count = 0; *at != '\0'; count++) {
        uint32_t code;
        const size_t size = utf8_length(at, &code);

        if (count == most) {
            memory_text_put(text, "\u2026");
            return;
        }
        /* These are characters that XML forbids, and characters that can make a name deceptive. */
        if (size == 0 || code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff ||
            utf8_is_bidi(code))
            memory_text_put(text, "\ufffd");
        else if (*at == '&')
            memory_text_put(text, "&amp;");
        else if (*at == '<')
            memory_text_put(text, "&lt;");
        else if (*at == '>')
            memory_text_put(text, "&gt;");
        else
            memory_text_add(text, (const char *)at, size);
        at += size == 0 ? 1 : size;
    }
}

/* ---- axes */

/* The distance of ticks, and how they are labelled. */
struct ruler {
    double step;
    double unit; /* unit of labels, unless they are times of a clock: 2:30, or with hours 1:02:30 */
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

double svg_axis_place(const struct svg_axis *axis, double value)
{
    return axis->high > axis->low ? (value - axis->low) / (axis->high - axis->low) : 0;
}

/* Puts the ticks. A tick that misses an end only by rounding errors still counts. */
static void put_ticks(struct svg_axis *axis, const struct ruler *ruler)
{
    double decimals = fmax(ceil(-log10(ruler->step / ruler->unit) - 1e-9), 0);
    double first = ceil(axis->low / ruler->step - 1e-6);
    double last = floor(axis->high / ruler->step + 1e-6);

    for (unsigned i = 0; first + i <= last && i < SVG_TICKS; i++) {
        struct svg_tick *tick = &axis->ticks[axis->count++];
        double value = (first + i) * ruler->step;
        unsigned long long whole = (unsigned long long)fmin(fmax(round(value), 0), LARGEST);

        tick->place = svg_axis_place(axis, value);
        if (!ruler->clock)
            svg_words_decimal(value / ruler->unit, (int)decimals, tick->label);
        else if (ruler->hours)
            (void)snprintf(tick->label, SVG_WORDS, "%llu:%02llu:%02llu", whole / 3600,
                           whole / 60 % 60, whole % 60);
        else
            (void)snprintf(tick->label, SVG_WORDS, "%llu:%02llu", whole / 60, whole % 60);
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

    /* Levels that differ only by rounding errors are one level. */
    if (!exact && high - low <= fmax(largest * 1e-14, 1e-300)) {
        double margin = largest > 1e-299 ? largest * 0.1 : 1;

        low -= margin;
        high += margin;
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
    const struct axis_unit *unit = unit_for(length);
    const double whole = length < 3 * DAY ? 1 : DAY; /* steps of seconds, or of days, are round */
    struct ruler ruler = {.step = 1, .unit = 1};
    const char *name = "";

    *axis = (struct svg_axis){.low = first, .high = first + length};
    steps = fmin(steps, STEPS_MOST);
    if (timed && length >= 120 && length < 3 * DAY) {
        ruler.clock = true;
        ruler.hours = axis->high >= 7200;
        ruler.step = clock_step(length / steps);
        name = ruler.hours ? "h:mm:ss" : "m:ss";
    } else if (timed && length > 0) {
        ruler.unit = unit->seconds;
        ruler.step = whole * round_step(length / whole / steps);
        name = unit->name;
    } else if (length > steps) {
        ruler.step = round_step(length / steps);
    }
    (void)snprintf(axis->name, sizeof axis->name, "%s", name);
    put_ticks(axis, &ruler);
}

/* Names a clock: "Europe/Berlin", "UTC", "UTC+02:00". */
static void clock_words(const struct local_clock *clock, char text[SVG_WORDS])
{
    const int minutes = clock->offset / 60;

    if (clock->zone != NULL)
        (void)snprintf(text, SVG_WORDS, "%s", clock->zone->name);
    else if (minutes == 0)
        (void)snprintf(text, SVG_WORDS, "UTC");
    else
        (void)snprintf(text, SVG_WORDS, "UTC%+03d:%02d", minutes / 60, abs(minutes % 60));
}

/* Puts a tick where the clock shows this number of seconds since 1970, if that is on the axis. At
 * midnight it has the first `date` characters of the date, otherwise the time, perhaps with
 * seconds. */
static void put_tick(struct svg_axis *axis, const struct local_clock *clock, int64_t shown,
                     size_t date, bool fine)
{
    const struct civil at = civil_of_moment((struct moment){.seconds = shown});
    const moment_count first = local_first(clock, (moment_count)shown * MOMENT_SECOND);
    const double seconds = (double)moment_from_count(first).seconds;
    struct svg_tick *tick = &axis->ticks[axis->count];

    if (seconds < axis->low || seconds > axis->high || axis->count == SVG_TICKS)
        return;
    axis->count++;
    tick->place = svg_axis_place(axis, seconds);
    if (shown % DAY_SECONDS == 0) {
        (void)snprintf(tick->label, SVG_WORDS, "%04d-%02u-%02u", (int)at.year, at.month, at.day);
        tick->label[date] = '\0';
    } else {
        (void)snprintf(tick->label, SVG_WORDS, "%02u:%02u:%02u", at.hour, at.minute, at.second);
        tick->label[fine ? 8 : 5] = '\0';
    }
}

/* Puts ticks at every `days`-th day from the first of a month, and at the first of every
 * `months`-th month. `begin` and `end` are what the clock shows. */
static void put_dates(struct svg_axis *axis, const struct local_clock *clock, struct moment begin,
                      struct moment end, double step)
{
    static const struct {
        int days;
        int months;
        double step;
    } rows[] = {{1, 1, DAY},       {2, 1, 2 * DAY},   {5, 1, 5 * DAY},   {10, 1, 10 * DAY},
                {31, 1, 30 * DAY}, {31, 3, 91 * DAY}, {31, 6, 182 * DAY}};
    const struct civil first = civil_of_moment(begin);
    int days = 31;
    int months = 12 * (int)round_step(fmax(step / (365 * DAY), 1));
    int64_t seconds = begin.seconds;

    for (size_t i = sizeof rows / sizeof *rows; i-- > 0 && step <= rows[i].step;) {
        days = rows[i].days;
        months = rows[i].months;
    }
    for (int64_t at = first.year * 12 + first.month - 1; seconds <= end.seconds; at++) {
        const unsigned month = (unsigned)(at % 12) + 1;
        const int last = (int)civil_days_of_month(at / 12, month);

        seconds = civil_days(at / 12, month, 1) * DAY_SECONDS;
        /* The last tick of a month keeps its distance from the next month. */
        for (int day = 0; at % months == 0 && 5 * (last - day) >= 4 * days; day += days)
            put_tick(axis, clock, seconds + day * (int64_t)DAY_SECONDS,
                     days < 31     ? 10
                     : months < 12 ? 7
                                   : 4,
                     false);
    }
}

/* Puts ticks at round times of a day. The first tick has its date below it. */
static void put_times(struct svg_axis *axis, const struct local_clock *clock, struct moment begin,
                      struct moment end, int64_t step)
{
    int64_t seconds = moment_floor(begin, step * MOMENT_SECOND).seconds;

    for (; seconds <= end.seconds; seconds += step) {
        const struct civil at = civil_of_moment((struct moment){.seconds = seconds});
        struct svg_tick *first = &axis->ticks[0];

        put_tick(axis, clock, seconds, 10, step < 60);
        if (axis->count == 1 && seconds % DAY_SECONDS != 0 && strchr(first->label, '\n') == NULL)
            (void)snprintf(first->label + strlen(first->label), SVG_WORDS / 2, "\n%04d-%02u-%02u",
                           (int)at.year, at.month, at.day);
    }
}

void svg_axis_clock(struct svg_axis *axis, const struct local_clock *clock, bool zoned,
                    struct moment begin, struct moment end, double steps)
{
    const double length = (double)(moment_to_count(end) - moment_to_count(begin)) / MOMENT_SECOND;
    const double step = length / fmin(steps, STEPS_MOST);
    const struct moment shown = local_shown(clock, begin);
    const struct moment shown_end = local_shown(clock, end);
    const struct civil first = civil_of_moment(shown);
    const double low = (double)begin.seconds + begin.nanoseconds * 1e-9;
    char words[SVG_WORDS] = "";

    if (zoned)
        clock_words(clock, words);
    if (step > 0 && step < 0.5) {
        svg_axis_time(axis, begin.nanoseconds * 1e-9, length, true, steps);
        (void)snprintf(axis->name, sizeof axis->name,
                       "%s after %04d-%02u-%02u %02u:%02u:%02u%s%.30s", unit_for(length)->name,
                       (int)first.year, first.month, first.day, first.hour, first.minute,
                       first.second, zoned ? " " : "", words);
        return;
    }
    *axis = (struct svg_axis){.low = low, .high = low + length};
    if (!moment_is_before(begin, end)) {
        axis->low = (double)begin.seconds - 0.5;
        axis->high = axis->low + 1;
    }
    (void)snprintf(axis->name, sizeof axis->name, "%s", words);
    if (step <= DAY / 2)
        put_times(axis, clock, shown, shown_end, (int64_t)clock_step(step));
    else
        put_dates(axis, clock, shown, shown_end, step);
}
