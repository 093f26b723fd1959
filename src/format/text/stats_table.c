#include "format/text/figures_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cpu/level.h"
#include "format/channels.h"
#include "format/text/number.h"

struct stats_table {
    struct memory_text *text;
    const struct stats_setup *setup;
    uint64_t first;
    const struct channel_stats *channels;
    const struct column_times *columns;
    size_t time_width; /* of the times of its columns; 0: they have none */
};

static double numbers_of(const struct channel_stats *channel)
{
    return (double)(channel->frames - channel->values.nans);
}

static struct figures figures_of_column(const struct stats_table *table, unsigned column)
{
    const struct stats_values values = channel_values(&table->channels[column]);

    return figures_of(table->setup, table->first, &values, numbers_of(&table->channels[column]));
}

/* The figures of all channels together: the extremes, the first of equal ones; the mean and the
 * root mean square of all samples. */
static struct figures figures_of_all(const struct stats_table *table)
{
    struct stats_values all = stats_none;
    double numbers = 0;

    for (unsigned i = 0; i < table->setup->channels; i++) {
        const struct stats_values one = channel_values(&table->channels[i]);

        channel_join(&all, &one, 0);
        all.sum += one.sum;
        all.square += one.square;
        numbers += numbers_of(&table->channels[i]);
    }
    return figures_of(table->setup, table->first, &all, numbers);
}

/* ---- the table */

enum cell { CELL_LEVEL, CELL_RATIO, CELL_COUNT };

static const struct table_row {
    const char *name;
    enum cell cell;
    size_t field;
} rows[] = {
    {"DC offset", CELL_LEVEL, offsetof(struct figures, mean)},
    {"Min level", CELL_LEVEL, offsetof(struct figures, low.value)},
    {"Max level", CELL_LEVEL, offsetof(struct figures, high.value)},
    {"Min frame", CELL_COUNT, offsetof(struct figures, low_at)},
    {"Max frame", CELL_COUNT, offsetof(struct figures, high_at)},
    {"Pk lev dB", CELL_RATIO, offsetof(struct figures, peak_db)},
    {"RMS lev dB", CELL_RATIO, offsetof(struct figures, rms_db)},
    {"Crest factor", CELL_RATIO, offsetof(struct figures, crest)},
    {"NaN count", CELL_COUNT, offsetof(struct figures, nans)},
    {"Clipped", CELL_COUNT, offsetof(struct figures, clipped)},
    {"Clip frame", CELL_COUNT, offsetof(struct figures, clipped_at)},
};

static void put_cell(struct stats_table *table, const struct table_row *row,
                     const struct figures *figures)
{
    const void *field = (const char *)figures + row->field;
    const bool is_count = row->cell == CELL_COUNT;
    const uint64_t count = is_count ? *(const uint64_t *)field : FIGURE_NONE;
    const double number = is_count ? NAN : *(const double *)field;

    if (is_count ? count == FIGURE_NONE : isnan(number))
        memory_text_print(table->text, " %11s", "-");
    else if (is_count)
        memory_text_print(table->text, " %11" PRIu64, count);
    else if (row->cell == CELL_RATIO)
        memory_text_print(table->text, " %11.2f", number);
    else
        memory_text_print(table->text, fabs(number) < 1000 ? " %11.6f" : " %11.6g", number);
}

/* The width of the names on the left. */
#define NAME "%-12s"

/* As pictures call them. */
static const char *side_name(const struct stats_table *table, unsigned channel,
                             char usual[CHANNEL_NAME])
{
    if (table->setup->channels == 2 && table->setup->full_scale.known)
        return channel == 0 ? "Left" : "Right";
    return channel_name(NULL, channel, usual);
}

static void put_rows(struct stats_table *table)
{
    const struct figures all = figures_of_all(table);
    const unsigned channels = table->setup->channels > 1 ? table->setup->channels : 0;
    char usual[CHANNEL_NAME];

    memory_text_print(table->text, "\n" NAME " %11s", "", "Overall");
    for (unsigned i = 0; i < channels; i++)
        memory_text_print(table->text, " %11s", side_name(table, i, usual));
    memory_text_print(table->text, "\n");
    /* Magnitudes have no offset, which is the first row. */
    for (size_t row = table->setup->about != NULL && sample_type_is_complex(table->setup->sample);
         row < sizeof rows / sizeof *rows; row++) {
        memory_text_print(table->text, NAME, rows[row].name);
        put_cell(table, &rows[row], &all);
        for (unsigned i = 0; i < channels; i++) {
            const struct figures one = figures_of_column(table, i);

            put_cell(table, &rows[row], &one);
        }
        memory_text_print(table->text, "\n");
    }
}

/* ---- columns of a table */

/* "pressure (hPa)", for a terminal; to be freed. */
static char *column_label(const struct stats_table *table, unsigned column)
{
    const char *name = table->setup->names != NULL ? table->setup->names[column] : "";
    const char *unit = table->setup->units != NULL ? table->setup->units[column] : "";
    const bool any = unit[0] != '\0';
    struct memory_text label = {.bytes = NULL};

    if (name[0] == '\0')
        memory_text_print(&label, "column %u", column + 1);
    memory_text_show(&label, name);
    memory_text_put(&label, any ? " (" : "");
    memory_text_show(&label, unit);
    memory_text_put(&label, any ? ")" : "");
    return memory_text_take(&label, NULL);
}

/* The digits of a value of the table, or ten of one that is computed. */
static void put_number(struct stats_table *table, double number, bool computed)
{
    char digits[NUMBER_MOST + 1] = "-";

    if (computed && !isnan(number))
        (void)snprintf(digits, sizeof digits, "%.10g", number);
    else if (!isnan(number))
        digits[number_write_f64(digits, number)] = '\0';
    memory_text_print(table->text, " %12s", digits);
}

/* The text of a time of a column; "-" without numbers. */
static size_t time_of(const struct stats_table *table, unsigned column, enum column_time which,
                      char text[TIME_MOST + 1])
{
    const size_t length =
        numbers_of(&table->channels[column]) == 0
            ? (size_t)sprintf(text, "-")
            : time_write(&table->setup->label.rows, table->columns[column].at[which], text);

    text[length] = '\0';
    return length;
}

/* Heads the times of the first kinds, if rows have times, and finds how wide their columns are. */
static void put_time_heads(struct stats_table *table, enum column_time kinds)
{
    static const char *const heads[] = {"min time", "max time", "first time", "last time"};
    char text[TIME_MOST + 1];

    table->time_width = table->setup->label.timed ? strlen(heads[TIME_OF_FIRST]) : 0;
    for (unsigned i = 0; table->time_width > 0 && i < table->setup->channels; i++) {
        for (unsigned j = 0; j < kinds; j++) {
            const size_t length = time_of(table, i, j, text);

            table->time_width = length > table->time_width ? length : table->time_width;
        }
    }
    for (unsigned i = 0; table->time_width > 0 && i < kinds; i++)
        memory_text_print(table->text, " %*s", (int)table->time_width, heads[i]);
    memory_text_put(table->text, "\n");
}

static void put_times(struct stats_table *table, unsigned column, enum column_time kinds)
{
    char text[TIME_MOST + 1];

    for (unsigned i = 0; table->time_width > 0 && i < kinds; i++) {
        (void)time_of(table, column, i, text);
        memory_text_print(table->text, " %*s", (int)table->time_width, text);
    }
    memory_text_put(table->text, "\n");
}

static void put_column(struct stats_table *table, unsigned column)
{
    const struct figures figures = figures_of_column(table, column);

    memory_text_print(table->text, " %9.0f %9" PRIu64, numbers_of(&table->channels[column]),
                      figures.nans);
    put_number(table, figures.low.value, false);
    put_number(table, figures.high.value, false);
    put_number(table, figures.mean, true);
    put_number(table, figures.std, true);
    put_number(table, figures.first, false);
    put_number(table, figures.last, false);
    put_times(table, column, COLUMN_TIMES);
}

/* Two passes: the names on the left are as wide as the longest. */
static void put_columns(struct stats_table *table)
{
    size_t width = 12;

    for (unsigned column = 0; column < table->setup->channels; column++) {
        char *label = column_label(table, column);
        const size_t shown = label != NULL ? utf8_count(label) : 0;

        width = shown > width ? shown : width;
        free(label);
    }
    memory_text_print(table->text, "\n");
    memory_text_print(table->text, "%*s %9s %9s %12s %12s %12s %12s %12s %12s", (int)width, "",
                      "numbers", "missing", "min", "max", "mean", "std", "first", "last");
    put_time_heads(table, COLUMN_TIMES);
    for (unsigned column = 0; column < table->setup->channels; column++) {
        char *label = column_label(table, column);

        table->text->failed = table->text->failed || label == NULL;
        memory_text_put(table->text, label != NULL ? label : "");
        memory_text_print(table->text, "%*s", (int)(label != NULL ? width - utf8_count(label) : 0),
                          "");
        put_column(table, column);
        free(label);
    }
}

/* ---- columns of a summary, in the 80 columns of a terminal */

enum { LABEL = 14, SHORT = 10 };

/* A label that is too long has a line of its own. */
static void put_label(struct stats_table *table, unsigned column)
{
    char *label = column_label(table, column);
    size_t shown = label != NULL ? utf8_count(label) : 0;

    table->text->failed = table->text->failed || label == NULL;
    memory_text_put(table->text, label != NULL ? label : "");
    if (shown > LABEL) {
        memory_text_put(table->text, "\n");
        shown = 0;
    }
    memory_text_print(table->text, "%*s", (int)(LABEL - shown), "");
    free(label);
}

/* The digits of a value of the input, if they are few. */
static void put_short(struct stats_table *table, double number, bool computed)
{
    char digits[NUMBER_MOST + 1] = "-";

    if (!isnan(number))
        digits[number_write_f64(digits, number)] = '\0';
    if (computed || strlen(digits) > SHORT)
        (void)snprintf(digits, sizeof digits, isnan(number) ? "-" : "%.5g", number);
    memory_text_print(table->text, " %*s", SHORT, digits);
}

static void put_count(struct stats_table *table, uint64_t count)
{
    if (count == FIGURE_NONE)
        memory_text_print(table->text, " %*s", SHORT, "-");
    else
        memory_text_print(table->text, " %*" PRIu64, SHORT, count);
}

static void put_heads(struct stats_table *table, const char *const *heads, unsigned count)
{
    memory_text_print(table->text, "\n%*s", LABEL, "");
    for (unsigned i = 0; i < count; i++)
        memory_text_print(table->text, " %*s", SHORT, heads[i]);
    memory_text_put(table->text, "\n");
}

static void put_amounts(struct stats_table *table)
{
    static const char *const heads[] = {"numbers", "missing", "min", "max", "mean", "std"};
    const bool is_table = table->columns != NULL;

    put_heads(table, heads, is_table ? 6 : 5);
    for (unsigned column = 0; column < table->setup->channels; column++) {
        const struct figures figures = figures_of_column(table, column);

        put_label(table, column);
        put_count(table, table->channels[column].frames - figures.nans);
        put_count(table, figures.nans);
        put_short(table, figures.low.value, false);
        put_short(table, figures.high.value, false);
        put_short(table, figures.mean, true);
        if (is_table)
            put_short(table, figures.std, true);
        memory_text_put(table->text, "\n");
    }
}

static void put_places(struct stats_table *table)
{
    static const char *const heads[] = {"min row", "max row", "first", "last"};
    const bool is_table = table->columns != NULL;

    put_heads(table, heads, is_table ? 4 : 2);
    for (unsigned column = 0; column < table->setup->channels; column++) {
        const struct figures figures = figures_of_column(table, column);

        put_label(table, column);
        put_count(table, figures.low_at);
        put_count(table, figures.high_at);
        if (is_table) {
            put_short(table, figures.first, false);
            put_short(table, figures.last, false);
        }
        memory_text_put(table->text, "\n");
    }
}

static void put_whens(struct stats_table *table)
{
    memory_text_print(table->text, "\n%*s", LABEL, "");
    put_time_heads(table, TIME_OF_FIRST);
    for (unsigned column = 0; column < table->setup->channels; column++) {
        put_label(table, column);
        put_times(table, column, TIME_OF_FIRST);
    }
}

/* ---- what stands below both */

/* Lengths and places in time are those of all channels. */
static void put_whole(struct stats_table *table, const char *name, uint64_t frames)
{
    memory_text_print(table->text, NAME " %11" PRIu64 "\n", name, frames);
}

/* Milliseconds, as far as a double has them. */
static void put_time(struct stats_table *table, const char *name, uint64_t frames)
{
    const double rate = table->setup->label.rate;
    double seconds = rate > 0 ? (double)frames / rate : -1;

    if (seconds >= 1e12)
        memory_text_print(table->text, NAME " %11.6g\n", name, seconds);
    else if (seconds >= 0)
        memory_text_print(table->text, NAME " %11.3f\n", name, seconds);
}

/* What stands above the table of a summary: its input, and how long that is. */
static void put_about(struct stats_table *table, uint64_t frames, bool is_table)
{
    const double rate = table->setup->label.rate;
    const double minutes = rate > 0 ? floor((double)frames / rate / 60) : 0;
    const char *frame = is_table ? "row" : "frame";

    memory_text_put(table->text, table->setup->about);
    memory_text_put(table->text, "length: ");
    if (rate > 0 && minutes < 1e9)
        memory_text_print(table->text, "%.0f:%02.0f:%06.3f, ", floor(minutes / 60),
                          fmod(minutes, 60), (double)frames / rate - 60 * minutes);
    memory_text_print(table->text, "%" PRIu64 " %s%s\n", frames, frame, frames == 1 ? "" : "s");
}

void stats_table_begin(struct memory_text *text, const struct stats_setup *setup)
{
    memory_text_show(text, setup->label.name != NULL ? setup->label.name : "");
    memory_text_put(text, "\n");
}

void stats_table_put(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                     const struct channel_stats *channels, const struct column_times *columns,
                     struct time_line *line)
{
    const uint64_t frames = channels[0].frames;
    const bool is_table = setup->is_table && columns != NULL;
    struct stats_table table = {
        .text = text, .setup = setup, .first = first, .channels = channels, .columns = columns};
    char time[TIME_MOST + 1];

    if (setup->about != NULL)
        put_about(&table, frames, is_table);
    if (line != NULL)
        time_line_say(line, &setup->label.rows, text);
    if (setup->about != NULL && (is_table || setup->is_array)) {
        put_amounts(&table);
        put_places(&table);
        if (is_table && setup->label.timed)
            put_whens(&table);
    } else if (is_table) {
        put_columns(&table);
    } else {
        put_rows(&table);
    }
    if (setup->about != NULL)
        return;
    if (setup->label.keyed) {
        memory_text_print(text, NAME " ", "Key");
        memory_text_show(text, setup->label.key);
        memory_text_put(text, "\n");
    }
    put_whole(&table, is_table ? "First row" : "First frame", first);
    /* The time of the first row, or of the block by the clock. */
    if (setup->label.timed && setup->label.time_known) {
        time[time_write(&setup->label.times, setup->label.time, time)] = '\0';
        memory_text_print(text, NAME " %s\n", "Time", time);
    }
    put_time(&table, "Start s", first);
    put_whole(&table, is_table ? "Num rows" : "Num frames", frames);
    put_time(&table, "Length s", frames);
}
