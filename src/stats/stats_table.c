#include "stats/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/utf8.h"
#include "stats/level.h"

enum { CELL_MOST = 64 };

/* What a column is made of. */
struct column {
    bool there; /* there is a number that is not NaN */
    double low;
    double high;
    int64_t low_order; /* as integers, so that those of 64 bits are compared exactly */
    int64_t high_order;
    double peak;
    double mean;
    double rms;
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
    uint64_t frames;
    const struct channel_stats *channels;
    struct column all;
    bool failed; /* for want of memory */
};

/* ---- columns */

/* An extreme in the order of its column: -0 equals +0, whose keys are -1 and 0. */
static int64_t order_of(struct sample_type sample, int64_t key)
{
    return key == -1 && sample_type_value(sample) != VALUE_I64 ? 0 : key;
}

static struct column column_of(const struct channel_stats *channel, struct sample_type sample,
                               uint64_t first)
{
    struct tree_sums sums = tree_total(&channel->tree);
    double numbers = (double)(channel->frames - channel->nans);

    if (channel->frames == channel->nans)
        return (struct column){.nans = channel->nans};
    return (struct column){
        .there = true,
        .low = level_of_key(sample, channel->low).value,
        .high = level_of_key(sample, channel->high).value,
        .low_order = order_of(sample, channel->low),
        .high_order = order_of(sample, channel->high),
        .peak = level_of_magnitude(sample, channel->magnitude).value,
        .mean = sums.sum / numbers,
        .rms = sqrt(sums.square / numbers),
        .low_at = first + channel->low_at,
        .high_at = first + channel->high_at,
        .nans = channel->nans,
        .clipped = channel->clipped,
        .clipped_at = first + channel->clipped_at,
    };
}

/* Of all channels: the extremes, and of equal ones the first; the mean and the root mean square of
 * all samples. */
static struct column column_of_all(const struct channel_stats *channels,
                                   const struct stats_setup *setup, uint64_t first)
{
    struct column all = {.there = false};
    double sum = 0;
    double square = 0;
    double numbers = 0;

    for (unsigned i = 0; i < setup->channels; i++) {
        struct tree_sums sums = tree_total(&channels[i].tree);
        struct column one = column_of(&channels[i], setup->sample, first);

        all.nans += one.nans;
        if (one.clipped > 0 && (all.clipped == 0 || one.clipped_at < all.clipped_at))
            all.clipped_at = one.clipped_at;
        all.clipped += one.clipped;
        if (!one.there)
            continue;
        if (!all.there || one.low_order < all.low_order ||
            (one.low_order == all.low_order && one.low_at < all.low_at)) {
            all.low = one.low;
            all.low_order = one.low_order;
            all.low_at = one.low_at;
        }
        if (!all.there || one.high_order > all.high_order ||
            (one.high_order == all.high_order && one.high_at < all.high_at)) {
            all.high = one.high;
            all.high_order = one.high_order;
            all.high_at = one.high_at;
        }
        all.peak = one.peak > all.peak ? one.peak : all.peak;
        all.there = true;
        sum += sums.sum;
        square += sums.square;
        numbers += (double)(channels[i].frames - channels[i].nans);
    }
    all.mean = sum / numbers;
    all.rms = sqrt(square / numbers);
    return all;
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

static void put_level(struct table *table, double level)
{
    if (isnan(level))
        put(table, " %11s", "-");
    else if (fabs(level) < 1000)
        put(table, " %11.6f", level);
    else
        put(table, " %11.6g", level);
}

static void put_ratio(struct table *table, double ratio)
{
    if (isnan(ratio))
        put(table, " %11s", "-");
    else
        put(table, " %11.2f", ratio);
}

static void put_count(struct table *table, bool there, uint64_t count)
{
    if (there)
        put(table, " %11" PRIu64, count);
    else
        put(table, " %11s", "-");
}

static void put_mean(struct table *table, const struct column *column)
{
    put_level(table, column->there ? column->mean : NAN);
}

static void put_low(struct table *table, const struct column *column)
{
    put_level(table, column->there ? column->low : NAN);
}

static void put_high(struct table *table, const struct column *column)
{
    put_level(table, column->there ? column->high : NAN);
}

static void put_low_at(struct table *table, const struct column *column)
{
    put_count(table, column->there, column->low_at);
}

static void put_high_at(struct table *table, const struct column *column)
{
    put_count(table, column->there, column->high_at);
}

static void put_peak(struct table *table, const struct column *column)
{
    put_ratio(table, column->there ? stats_decibels(column->peak) : NAN);
}

static void put_rms(struct table *table, const struct column *column)
{
    put_ratio(table, column->there ? stats_decibels(column->rms) : NAN);
}

/* Silence has none. */
static void put_crest(struct table *table, const struct column *column)
{
    put_ratio(table, column->there ? column->peak / column->rms : NAN);
}

static void put_nans(struct table *table, const struct column *column)
{
    put_count(table, true, column->nans);
}

static void put_clipped(struct table *table, const struct column *column)
{
    put_count(table, table->setup->full_scale.known, column->clipped);
}

static void put_clipped_at(struct table *table, const struct column *column)
{
    put_count(table, column->clipped > 0, column->clipped_at);
}

/* ---- the table */

/* The width of the names on the left. */
#define NAME "%-12s"

static void put_row(struct table *table, const char *name,
                    void (*cell)(struct table *table, const struct column *column))
{
    put(table, NAME, name);
    cell(table, &table->all);
    for (unsigned i = 0; table->setup->channels > 1 && i < table->setup->channels; i++) {
        struct column one = column_of(&table->channels[i], table->setup->sample, table->first);

        cell(table, &one);
    }
    put(table, "\n");
}

static void put_head(struct table *table)
{
    put(table, "\n" NAME " %11s", "", "Overall");
    for (unsigned i = 0; table->setup->channels > 1 && i < table->setup->channels; i++)
        put(table, " %*s%u", i < 10 ? 10 : i < 100 ? 9 : 8, "channel ", i);
    put(table, "\n");
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
    struct table table = {
        .text = text,
        .setup = setup,
        .first = first,
        .frames = channels[0].frames,
        .channels = channels,
        .all = column_of_all(channels, setup, first),
    };

    put_head(&table);
    put_row(&table, "DC offset", put_mean);
    put_row(&table, "Min level", put_low);
    put_row(&table, "Max level", put_high);
    put_row(&table, "Min frame", put_low_at);
    put_row(&table, "Max frame", put_high_at);
    put_row(&table, "Pk lev dB", put_peak);
    put_row(&table, "RMS lev dB", put_rms);
    put_row(&table, "Crest factor", put_crest);
    put_row(&table, "NaN count", put_nans);
    put_row(&table, "Clipped", put_clipped);
    put_row(&table, "Clip frame", put_clipped_at);
    put_whole(&table, "First frame", first);
    if (setup->label.timed && setup->label.time_known)
        put_moment(&table);
    put_time(&table, "Start s", first);
    put_whole(&table, "Num frames", table.frames);
    put_time(&table, "Length s", table.frames);
    return table.failed ? -1 : 0;
}
