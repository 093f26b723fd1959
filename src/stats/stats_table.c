#include "stats/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/utf8.h"
#include "stats/level.h"

enum { CELL_MOST = 64 };

/* A count that a column does not have. */
#define NONE UINT64_MAX

/* What a column shows; NAN and NONE are dashes. */
struct column {
    double mean;
    double low;
    double high;
    double peak; /* this and the next in decibels */
    double rms;
    double crest;
    uint64_t low_at; /* frames of the input */
    uint64_t high_at;
    uint64_t nans;
    uint64_t clipped;
    uint64_t clipped_at; /* the first of these */
};

struct table {
    struct stats_text *text;
    const struct stats_setup *setup;
    uint64_t first;
    const struct channel_stats *channels;
    bool failed; /* out of memory */
};

/* ---- columns */

/* `numbers` samples are not NaN. Silence has no crest factor. */
static struct column column_of(const struct table *table, const struct stats_values *values,
                               double numbers)
{
    const struct sample_type sample = table->setup->sample;
    const bool there = numbers > 0;
    const double peak = level_of_magnitude(sample, values->magnitude).value;
    const double rms = sqrt(values->square / numbers);

    return (struct column){
        .mean = there ? values->sum / numbers : NAN,
        .low = there ? level_of_key(sample, values->low).value : NAN,
        .high = there ? level_of_key(sample, values->high).value : NAN,
        .peak = there ? stats_decibels(peak) : NAN,
        .rms = there ? stats_decibels(rms) : NAN,
        .crest = there ? peak / rms : NAN,
        .low_at = there ? table->first + values->low_at : NONE,
        .high_at = there ? table->first + values->high_at : NONE,
        .nans = values->nans,
        .clipped = table->setup->full_scale.known ? values->clipped : NONE,
        .clipped_at = values->clipped > 0 ? table->first + values->clipped_at : NONE,
    };
}

static double numbers_of(const struct channel_stats *channel)
{
    return (double)(channel->frames - channel->values.nans);
}

/* An extreme in the order of its column: -0 equals +0, whose keys are -1 and 0. */
static int64_t order_of(struct sample_type sample, int64_t key)
{
    return key == -1 && sample_type_value(sample) != VALUE_I64 ? 0 : key;
}

/* Of all channels: the extremes, and of equal ones the first; the mean and the root mean square of
 * all samples. */
static struct column column_of_all(const struct table *table)
{
    const struct sample_type sample = table->setup->sample;
    struct stats_values all = {.low = INT64_MAX, .high = INT64_MIN};
    double numbers = 0;

    for (unsigned i = 0; i < table->setup->channels; i++) {
        const struct stats_values one = channel_values(&table->channels[i]);
        const int64_t low = order_of(sample, one.low);
        const int64_t high = order_of(sample, one.high);
        const int64_t all_low = order_of(sample, all.low);
        const int64_t all_high = order_of(sample, all.high);
        const bool there = numbers_of(&table->channels[i]) > 0;

        if (there &&
            (numbers == 0 || low < all_low || (low == all_low && one.low_at < all.low_at))) {
            all.low = one.low;
            all.low_at = one.low_at;
        }
        if (there &&
            (numbers == 0 || high > all_high || (high == all_high && one.high_at < all.high_at))) {
            all.high = one.high;
            all.high_at = one.high_at;
        }
        if (one.clipped > 0 && (all.clipped == 0 || one.clipped_at < all.clipped_at))
            all.clipped_at = one.clipped_at;
        all.clipped += one.clipped;
        all.magnitude = one.magnitude > all.magnitude ? one.magnitude : all.magnitude;
        all.sum += one.sum;
        all.square += one.square;
        all.nans += one.nans;
        numbers += numbers_of(&table->channels[i]);
    }
    return column_of(table, &all, numbers);
}

/* ---- cells */

static void put(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct table *table, const char *format, ...)
{
    char cell[CELL_MOST];
    va_list arguments;
    int size;

    va_start(arguments, format);
    size = vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    table->failed = table->failed || size < 0 || size >= CELL_MOST ||
                    stats_text_put(table->text, cell, (size_t)size) != 0;
}

static void put_level(struct table *table, const void *number)
{
    const double level = *(const double *)number;

    if (isnan(level))
        put(table, " %11s", "-");
    else if (fabs(level) < 1000)
        put(table, " %11.6f", level);
    else
        put(table, " %11.6g", level);
}

static void put_ratio(struct table *table, const void *number)
{
    const double ratio = *(const double *)number;

    if (isnan(ratio))
        put(table, " %11s", "-");
    else
        put(table, " %11.2f", ratio);
}

static void put_count(struct table *table, const void *number)
{
    const uint64_t count = *(const uint64_t *)number;

    if (count == NONE)
        put(table, " %11s", "-");
    else
        put(table, " %11" PRIu64, count);
}

/* ---- the table */

static const struct {
    const char *name;
    void (*put)(struct table *table, const void *number);
    size_t field;
} rows[] = {
    {"DC offset", put_level, offsetof(struct column, mean)},
    {"Min level", put_level, offsetof(struct column, low)},
    {"Max level", put_level, offsetof(struct column, high)},
    {"Min frame", put_count, offsetof(struct column, low_at)},
    {"Max frame", put_count, offsetof(struct column, high_at)},
    {"Pk lev dB", put_ratio, offsetof(struct column, peak)},
    {"RMS lev dB", put_ratio, offsetof(struct column, rms)},
    {"Crest factor", put_ratio, offsetof(struct column, crest)},
    {"NaN count", put_count, offsetof(struct column, nans)},
    {"Clipped", put_count, offsetof(struct column, clipped)},
    {"Clip frame", put_count, offsetof(struct column, clipped_at)},
};

/* The width of the names on the left. */
#define NAME "%-12s"

static void put_rows(struct table *table)
{
    const struct column all = column_of_all(table);
    const unsigned channels = table->setup->channels > 1 ? table->setup->channels : 0;

    put(table, "\n" NAME " %11s", "", "Overall");
    for (unsigned i = 0; i < channels; i++)
        put(table, " %*s%u", i < 10 ? 10 : i < 100 ? 9 : 8, "channel ", i);
    put(table, "\n");
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        put(table, NAME, rows[row].name);
        rows[row].put(table, (const char *)&all + rows[row].field);
        for (unsigned i = 0; i < channels; i++) {
            const struct stats_values values = channel_values(&table->channels[i]);
            const struct column one = column_of(table, &values, numbers_of(&table->channels[i]));

            rows[row].put(table, (const char *)&one + rows[row].field);
        }
        put(table, "\n");
    }
}

/* Lengths and places in time are those of all channels. */
static void put_whole(struct table *table, const char *name, uint64_t frames)
{
    put(table, NAME " %11" PRIu64 "\n", name, frames);
}

/* Milliseconds, as far as a double has them. */
static void put_time(struct table *table, const char *name, uint64_t frames)
{
    const double rate = table->setup->label.rate;
    double seconds = rate > 0 ? (double)frames / rate : -1;

    if (seconds >= 1e12)
        put(table, NAME " %11.6g\n", name, seconds);
    else if (seconds >= 0)
        put(table, NAME " %11.3f\n", name, seconds);
}

/* The time of the first row, or of the block by the clock. */
static void put_moment(struct table *table)
{
    const struct stats_label *label = &table->setup->label;
    char time[TIME_MOST + 1];

    time[time_write(&label->times, label->time, time)] = '\0';
    put(table, NAME " %s\n", "Time", time);
}

int stats_table_begin(struct stats_text *text, const struct stats_setup *setup)
{
    const char *name = setup->label.name != NULL ? setup->label.name : "";

    while (*name != '\0') {
        struct utf8_shown shown;

        name += utf8_show(name, &shown);
        if (stats_text_put(text, shown.bytes, shown.size) != 0)
            return -1;
    }
    return stats_text_put(text, "\n", 1);
}

int stats_table_put(struct stats_text *text, const struct stats_setup *setup, uint64_t first,
                    const struct channel_stats *channels)
{
    const uint64_t frames = channels[0].frames;
    struct table table = {.text = text, .setup = setup, .first = first, .channels = channels};

    put_rows(&table);
    put_whole(&table, "First frame", first);
    if (setup->label.timed && setup->label.time_known)
        put_moment(&table);
    put_time(&table, "Start s", first);
    put_whole(&table, "Num frames", frames);
    put_time(&table, "Length s", frames);
    return table.failed ? -1 : 0;
}
