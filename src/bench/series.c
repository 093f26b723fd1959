#include "base/list.h"
#include "bench/bench_options.h"

#include <string.h>

/* So that a step from one number to the next cannot overflow. */
static const uint64_t NUMBER_LIMIT = UINT64_C(1) << 53;

static bool read_number(const char *text, const char *end, uint64_t *number)
{
    return values_number(text, (size_t)(end - text), 0, NUMBER_LIMIT, number);
}

/* "1000..1e6*10" from `dots` on: the last number, and the way to it. */
static bool read_rest(const char *dots, const char *end, uint64_t *last, char *way, uint64_t *step)
{
    const char *sign = dots + 2 + strcspn(dots + 2, "*+,");

    if (sign >= end)
        return read_number(dots + 2, end, last);
    *way = *sign;
    return read_number(dots + 2, sign, last) && read_number(sign + 1, end, step);
}

static int append(struct swept *series, const struct option_value *value, uint64_t number,
                  uint64_t least, uint64_t most, struct error *error)
{
    if (number < least || number > most)
        return settings_refuse(error, value, "%llu is not from %llu to %llu",
                               (unsigned long long)number, (unsigned long long)least,
                               (unsigned long long)most);
    if (series->count == SERIES_MOST)
        return settings_refuse(error, value, "more than %d numbers", SERIES_MOST);
    series->number[series->count++] = number;
    return 0;
}

int series_add(struct swept *series, const struct option_value *value, const char *item,
               size_t length, uint64_t least, uint64_t most, struct error *error)
{
    const char *end = item + length;
    const char *dots = memmem(item, length, "..", 2);
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t step = 2;
    char way = '*';

    if (!read_number(item, dots != NULL ? dots : end, &first) ||
        (dots != NULL && !read_rest(dots, end, &last, &way, &step)))
        return settings_refuse(error, value,
                               "'%.*s' is no whole number (1000, 1e6, 10M) and no range "
                               "(1000..1e6*10, 100..500+100)",
                               (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), item);
    if (dots == NULL)
        return append(series, value, first, least, most, error);
    if (last < first || step < (way == '*' ? 2 : 1) || (way == '*' && first == 0))
        return settings_refuse(error, value, "the range '%.*s' does not rise", (int)length, item);
    for (uint64_t number = first; number <= last;) {
        if (append(series, value, number, least, most, error) != 0)
            return -1;
        if (way == '*' && number > last / step)
            break;
        number = way == '*' ? number * step : number + step;
    }
    return 0;
}

int series_parse(struct swept *series, const struct option_value *value, uint64_t least,
                 uint64_t most, struct error *error)
{
    series->count = 0;
    for (const char *rest = value->text; rest != NULL;) {
        const char *item = rest;

        if (series_add(series, value, item, list_item(&rest), least, most, error) != 0)
            return -1;
    }
    return 0;
}

uint64_t series_largest(const struct swept *series)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (series->number[i] > largest)
            largest = series->number[i];
    }
    return largest;
}
