#include "bench/bench_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* Above this not every integer is a double. */
static const double WHOLE_MOST = 0x1p53;

/* "10" of "10M..": how many characters a number takes, 0 if there is none. Sets the power of ten of
 * the letter after it, and whether there is such a letter. */
static size_t number_length(const char *text, int *power, size_t *letter)
{
    size_t length = strspn(text, DIGITS);

    *power = 0;
    *letter = 0;
    if (length == 0)
        return 0;
    /* Not the dots of a range. */
    if (text[length] == '.' && text[length + 1] != '.')
        length += 1 + strspn(text + length + 1, DIGITS);
    if (text[length] == 'e' || text[length] == 'E') {
        size_t digits = strspn(text + length + 1, DIGITS);
        return digits == 0 ? length : length + 1 + digits;
    }
    if (text[length] != '\0' && strchr("kMG", text[length]) != NULL) {
        *power = text[length] == 'k' ? 3 : text[length] == 'M' ? 6 : 9;
        *letter = 1;
    }
    return length;
}

/* Reads an integer and moves *text past it. Returns -1 if there is none. */
static int read_number(const char **text, uint64_t *number)
{
    char digits[64];
    int power = 0;
    size_t letter = 0;
    size_t length = number_length(*text, &power, &letter);
    double read = 0;

    if (length == 0 || length > sizeof digits - 8)
        return -1;
    /* A letter becomes an exponent, so that the number is rounded only once. */
    snprintf(digits, sizeof digits, "%.*s%s%.0d", (int)length, *text, power > 0 ? "e" : "", power);
    read = strtod(digits, NULL);
    if (!(read <= WHOLE_MOST) || read != (double)(uint64_t)read)
        return -1;
    *text += length + letter;
    *number = (uint64_t)read;
    return 0;
}

static int append(struct series *series, const struct value *value, uint64_t number, uint64_t least,
                  uint64_t most, struct error *error)
{
    if (number < least || number > most)
        return values_refuse(error, value, "%llu is not from %llu to %llu",
                             (unsigned long long)number, (unsigned long long)least,
                             (unsigned long long)most);
    if (series->count == SERIES_MOST)
        return values_refuse(error, value, "more than %d numbers", SERIES_MOST);
    series->number[series->count++] = number;
    return 0;
}

int series_add(struct series *series, const struct value *value, const char *item, size_t length,
               uint64_t least, uint64_t most, struct error *error)
{
    const char *text = item;
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t step = 2;
    char way = '*';

    if (read_number(&text, &first) != 0)
        goto error;
    if (text == item + length)
        return append(series, value, first, least, most, error);
    if (strncmp(text, "..", 2) != 0)
        goto error;
    text += 2;
    if (read_number(&text, &last) != 0)
        goto error;
    if (text < item + length && (*text == '*' || *text == '+')) {
        way = *text++;
        if (read_number(&text, &step) != 0)
            goto error;
    }
    if (text != item + length)
        goto error;
    if (last < first || step < (way == '*' ? 2 : 1) || (way == '*' && first == 0))
        return values_refuse(error, value, "the range '%.*s' does not rise", (int)length, item);
    /* All numbers are at most 2^53, so the next one cannot overflow unless it is a product. */
    for (uint64_t number = first; number <= last;) {
        if (append(series, value, number, least, most, error) != 0)
            return -1;
        if (way == '*' && number > last / step)
            break;
        number = way == '*' ? number * step : number + step;
    }
    return 0;

error:
    return values_refuse(error, value,
                         "'%.*s' is no whole number (1000, 1e6, 10M) and no range (1000..1e6*10, "
                         "100..500+100)",
                         (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), item);
}

int series_parse(struct series *series, const struct value *value, uint64_t least, uint64_t most,
                 struct error *error)
{
    series->count = 0;
    for (const char *rest = value->text; rest != NULL;) {
        const char *item = rest;

        if (series_add(series, value, item, list_item(&rest), least, most, error) != 0)
            return -1;
    }
    return 0;
}

size_t list_item(const char **list)
{
    size_t length = strcspn(*list, ",");

    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return length;
}

uint64_t series_largest(const struct series *series)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (series->number[i] > largest)
            largest = series->number[i];
    }
    return largest;
}
