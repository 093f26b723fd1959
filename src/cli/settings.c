#include "cli/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/values.h"
#include "sample/number.h"

__extension__ typedef unsigned __int128 wide;

/* The rate as a decimal number: frames * 10^power a second. A decimal such as 44.1 kHz may not be a
 * double; the fewest digits that give the double are those that were written. */
static struct rate_ratio decimal_rate(double rate, int *power)
{
    char text[NUMBER_MOST + 1];
    size_t length;
    uint64_t digits;

    text[number_write_f64(text, rate)] = '\0';
    length = strcspn(text, "e");
    (void)values_decimal(text, length, &digits, power); /* a double has 17 digits at the most */
    if (text[length] == 'e')
        *power += (int)strtol(text + length + 1, NULL, 10);
    return (struct rate_ratio){.frames = digits, .seconds = 1};
}

/* number * 10^power / by, rounded to a whole number, half upwards. False if it is 2^63 or more. */
static bool round_quotient(wide number, int power, wide by, uint64_t *rounded)
{
    for (; power > 0; power--) {
        if (__builtin_mul_overflow(number, (wide)10, &number))
            return false;
    }
    *rounded = 0;
    for (; power < 0; power++) {
        if (__builtin_mul_overflow(by, (wide)10, &by))
            return true; /* less than any number is divided by */
    }
    number = number / by + (number % by >= by - number % by);
    *rounded = (uint64_t)number;
    return number <= INT64_MAX;
}

bool settings_by_clock(const struct settings *settings)
{
    return settings->dialect.time != NULL && settings->zoom.given && settings->zoom.is_time;
}

bool settings_need_rate(const struct settings *settings)
{
    const bool by_clock = settings_by_clock(settings);

    return (!by_clock && (settings->window.is_time || settings->hop.is_time)) ||
           (!by_clock && settings->join.is_time) || settings->skip.is_time ||
           settings->frames.is_time ||
           (settings->stats_every.is_time && settings->dialect.time == NULL);
}

bool settings_many(const struct many *many)
{
    return many->count > 1 || many->list != NULL || many->recursive || many->folder != NULL;
}

bool settings_leads_up(const char *path)
{
    for (size_t length = strcspn(path, "/");; length = strcspn(path, "/")) {
        if (length == 2 && path[0] == '.' && path[1] == '.')
            return true;
        if (path[length] == '\0')
            return false;
        path += length + 1;
    }
}

int settings_period(const struct span *span, int64_t *period, struct error *error)
{
    const struct value value = {.option = span->option, .text = span->text};
    wide number = (wide)span->time * span->unit;
    int power = span->power + 9;

    if (!span->is_time)
        return values_refuse(error, &value, "by the clock it is a time: 10s, 1min");
    for (; power > 0 && number <= INT64_MAX; power--)
        number *= 10;
    for (; power < 0 && number % 10 == 0 && number > 0; power++)
        number /= 10;
    if (number > INT64_MAX)
        return values_refuse(error, &value, "too large");
    if (power < 0 || number == 0)
        return values_refuse(error, &value, "not a whole number of nanoseconds");
    *period = (int64_t)number;
    return 0;
}

int settings_span(const struct span *span, double rate, struct rate_ratio ratio, uint64_t least,
                  uint64_t fallback, uint64_t *frames, struct error *error)
{
    struct value value = {.option = span->option, .text = span->text};
    bool decimal = false;
    wide product;
    int power = 0;

    if (!span->given) {
        *frames = fallback;
        return 0;
    }
    if (!span->is_time) {
        if (span->frames < least)
            return values_refuse(error, &value, "must be %llu or more", (unsigned long long)least);
        *frames = span->frames;
        return 0;
    }
    if (!(rate > 0) || isinf(rate))
        return values_refuse(error, &value,
                             "the rate of the input is not known: give -r HZ, or frames");
    if (ratio.frames == 0) {
        decimal = true;
        ratio = decimal_rate(rate, &power);
    }
    if (__builtin_mul_overflow((wide)span->time * span->unit, (wide)ratio.frames, &product))
        return decimal
                   ? values_refuse(error, &value, "too many digits for a rate of %.17g Hz", rate)
                   : values_refuse(error, &value, "too large");
    if (!round_quotient(product, power + span->power, ratio.seconds, frames))
        return values_refuse(error, &value, "too large");
    if (*frames < least)
        return values_refuse(error, &value, "that is %llu frames at %.10g Hz; must be %llu or more",
                             (unsigned long long)*frames, rate, (unsigned long long)least);
    return 0;
}
