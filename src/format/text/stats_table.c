/* SPDX-License-Identifier: MIT */
#include "format/text/figures_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cpu/level.h"
#include "format/channels.h"
#include "format/text/keys_priv.h"
#include "format/text/number.h"

struct stats_table {
    struct memory_text *text;
    const struct stats_setup *setup;
    uint64_t first;
    const struct channel_stats *channels;
    const struct column_times *columns;
    enum { OF_SOUND, OF_COLUMNS, OF_SUMMARY } style;
    size_t label_width; /* width of the names of columns */
    size_t time_width;  /* width of the times of columns */
};

static struct figures figures_of_column(const struct stats_table *table, unsigned column)
{
    return figures_of_channel(table->setup, table->first, &table->channels[column]);
}

/* The figures of all channels together: the extremes (the first of equal extremes), and the mean
 * and the root mean square of all samples. */
static struct figures figures_of_all(const struct stats_table *table)
{
    struct stats_values all = stats_none;
    double numbers = 0;

    for (unsigned i = 0; i < table->setup->channels; i++) {
        const struct stats_values one = channel_values(&table->channels[i]);

        channel_join(&all, &one, 0);
        all.sum += one.sum;
        all.square += one.square;
        numbers += (double)(table->channels[i].frames - one.nans);
    }
    return figures_of(table->setup, table->first, table->channels[0].frames, &all, numbers);
}

/* ---- cells */

enum cell { CELL_LEVEL, CELL_RATIO, CELL_COUNT, CELL_TIME };

struct table_cell {
    const char *name;
    enum cell cell;
    size_t field; /* offset in the figures, or index of the column's times */
};

/* The width of a cell, with a blank before it. */
static int cell_width(const struct stats_table *table, enum cell cell)
{
    return cell == CELL_TIME            ? (int)table->time_width
           : table->style == OF_SOUND   ? 11
           : table->style == OF_SUMMARY ? 10
           : cell == CELL_COUNT         ? 9
                                        : 12;
}

/* Writes a number. In a table, values have their own digits, if these are not too many, and
 * computed numbers have a few. */
static void write_number(const struct stats_table *table, enum cell cell, double number,
                         char digits[NUMBER_MOST + 1])
{
    const char *format = table->style == OF_COLUMNS   ? "%.10g"
                         : table->style == OF_SUMMARY ? "%.5g"
                         : cell == CELL_RATIO         ? "%.2f"
                         : fabs(number) < 1000        ? "%.6f"
                                                      : "%.6g";

    if (table->style != OF_SOUND && cell == CELL_LEVEL) {
        const size_t length = number_write_f64(digits, number);

        digits[length] = '\0';
        if (table->style == OF_COLUMNS || length <= (size_t)cell_width(table, cell))
            return;
    }
    (void)snprintf(digits, NUMBER_MOST + 1, format, number);
}

/* Writes the text of a cell; "-" for a figure that does not exist. */
static void write_cell(const struct stats_table *table, const struct table_cell *cell,
                       unsigned column, const struct figures *figures, char text[TIME_MOST + 1])
{
    const void *field = (const char *)figures + cell->field;

    stpcpy(text, "-");
    if (cell->cell == CELL_TIME && figures->numbers > 0)
        text[time_write(&table->setup->label.rows, table->columns[column].at[cell->field], text)] =
            '\0';
    else if (cell->cell == CELL_COUNT && *(const uint64_t *)field != FIGURE_NONE)
        text[number_write_u64(text, *(const uint64_t *)field)] = '\0';
    else if (cell->cell < CELL_COUNT && !isnan(*(const double *)field))
        write_number(table, cell->cell, *(const double *)field, text);
}

static void put_cell(const struct stats_table *table, const struct table_cell *cell,
                     unsigned column, const struct figures *figures)
{
    char text[TIME_MOST + 1];

    write_cell(table, cell, column, figures, text);
    memory_text_print(table->text, " %*s", cell_width(table, cell->cell), text);
}

/* ---- the table of sound */

static const struct table_cell rows[] = {
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

/* The width of the names on the left. */
#define NAME "%-12s"

/* The names of sides are those in pictures. */
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
        put_cell(table, &rows[row], 0, &all);
        for (unsigned i = 0; i < channels; i++) {
            const struct figures one = figures_of_column(table, i);

            put_cell(table, &rows[row], i, &one);
        }
        memory_text_print(table->text, "\n");
    }
}

/* ---- columns of a table */

/* Puts "pressure (hPa)", for a terminal, and returns its width. */
static size_t put_label(const struct stats_table *table, unsigned column)
{
    const char *name = table->setup->names != NULL ? table->setup->names[column] : "";
    const char *unit = table->setup->units != NULL ? table->setup->units[column] : "";
    const bool any = unit[0] != '\0';
    struct memory_text *text = table->text;
    const size_t before = text->used;

    memory_text_put(text, "");
    if (name[0] == '\0')
        memory_text_print(text, "column %u", column + 1);
    memory_text_show(text, name);
    memory_text_put(text, any ? " (" : "");
    memory_text_show(text, unit);
    memory_text_put(text, any ? ")" : "");
    return text->failed ? 0 : utf8_count(text->bytes + before);
}

static const struct table_cell column_cells[] = {
    {"numbers", CELL_COUNT, offsetof(struct figures, numbers)},
    {"missing", CELL_COUNT, offsetof(struct figures, nans)},
    {"min", CELL_LEVEL, offsetof(struct figures, low.value)},
    {"max", CELL_LEVEL, offsetof(struct figures, high.value)},
    {"mean", CELL_RATIO, offsetof(struct figures, mean)},
    {"std", CELL_RATIO, offsetof(struct figures, std)},
    {"min row", CELL_COUNT, offsetof(struct figures, low_at)},
    {"max row", CELL_COUNT, offsetof(struct figures, high_at)},
    {"first", CELL_LEVEL, offsetof(struct figures, first)},
    {"last", CELL_LEVEL, offsetof(struct figures, last)},
    {"min time", CELL_TIME, TIME_OF_MIN},
    {"max time", CELL_TIME, TIME_OF_MAX},
    {"first time", CELL_TIME, TIME_OF_FIRST},
    {"last time", CELL_TIME, TIME_OF_LAST},
};

enum {
    CELLS = sizeof column_cells / sizeof *column_cells,
    ALL_CELLS = 0x3f3f,
    AMOUNTS = 0x003f,
    PLACES = 0x03c0,
    EXTREME_TIMES = 0x0c00,
    TIMES = 0x3c00,
};

/* The width of the widest of these times, and of the longest name above them. */
static size_t find_time_width(const struct stats_table *table, unsigned times)
{
    size_t width = strlen("first time");
    char text[TIME_MOST + 1];

    for (unsigned column = 0; times != 0 && column < table->setup->channels; column++) {
        const struct figures figures = figures_of_column(table, column);

        for (unsigned i = 0; i < CELLS; i++) {
            if ((times >> i & 1) == 0)
                continue;
            write_cell(table, &column_cells[i], column, &figures, text);
            width = strlen(text) > width ? strlen(text) : width;
        }
    }
    return width;
}

/* Puts a line for each column, with these cells, a bit for each. A label that is too long stands on
 * a line of its own. */
static void put_columns(struct stats_table *table, unsigned cells)
{
    cells &= table->setup->label.timed ? ~0U : ~(unsigned)TIMES;
    table->time_width = find_time_width(table, cells & TIMES);
    memory_text_print(table->text, "\n%*s", (int)table->label_width, "");
    for (unsigned i = 0; i < CELLS; i++) {
        if ((cells >> i & 1) != 0)
            memory_text_print(table->text, " %*s", cell_width(table, column_cells[i].cell),
                              column_cells[i].name);
    }
    memory_text_put(table->text, "\n");
    for (unsigned column = 0; column < table->setup->channels; column++) {
        const struct figures figures = figures_of_column(table, column);
        const size_t width = put_label(table, column);
        const bool fits = width <= table->label_width;

        memory_text_print(table->text, "%s%*s", fits ? "" : "\n",
                          (int)(table->label_width - (fits ? width : 0)), "");
        for (unsigned i = 0; i < CELLS; i++) {
            if ((cells >> i & 1) != 0)
                put_cell(table, &column_cells[i], column, &figures);
        }
        memory_text_put(table->text, "\n");
    }
}

/* Puts one table, in which names are as wide as the longest. */
static void put_all_columns(struct stats_table *table)
{
    const size_t used = table->text->used;

    table->style = OF_COLUMNS;
    table->label_width = 12;
    for (unsigned column = 0; column < table->setup->channels; column++) {
        const size_t width = put_label(table, column);

        table->label_width = width > table->label_width ? width : table->label_width;
        table->text->used = used;
    }
    put_columns(table, ALL_CELLS);
}

/* Puts two or three tables, in the 80 columns of a terminal. */
static void put_summary(struct stats_table *table)
{
    table->style = OF_SUMMARY;
    table->label_width = 14;
    put_columns(table, AMOUNTS);
    put_columns(table, PLACES);
    if (table->setup->label.timed)
        put_columns(table, EXTREME_TIMES);
}

/* ---- what stands below both */

/* Puts a line with a number of frames, which holds for all channels. */
static void put_whole(struct stats_table *table, const char *name, uint64_t frames)
{
    memory_text_print(table->text, NAME " %11" PRIu64 "\n", name, frames);
}

/* Puts a line with a time, to milliseconds as far as a double has them. */
static void put_time(struct stats_table *table, const char *name, uint64_t frames)
{
    const double rate = table->setup->label.rate;
    double seconds = rate > 0 ? (double)frames / rate : -1;

    if (seconds >= 1e12)
        memory_text_print(table->text, NAME " %11.6g\n", name, seconds);
    else if (seconds >= 0)
        memory_text_print(table->text, NAME " %11.3f\n", name, seconds);
}

/* Puts the lines above the table of a summary: its input, and the length of that. */
static void put_about(struct stats_table *table, uint64_t frames, bool is_table)
{
    const double rate = table->setup->label.rate;
    const double minutes = rate > 0 ? floor((double)frames / rate / 60) : 0;
    const char *frame = is_table ? "row" : "frame";

    memory_text_put(table->text, table->setup->about);
    if (table->setup->words != NULL)
        text_words_say(table->setup->words, table->text);
    memory_text_put(table->text, "length: ");
    if (rate > 0 && minutes < 1e9)
        memory_text_print(table->text, "%.0f:%02.0f:%06.3f, ", floor(minutes / 60),
                          fmod(minutes, 60), (double)frames / rate - 60 * minutes);
    memory_text_print(table->text, "%" PRIu64 " %s%s\n", frames, frame, frames == 1 ? "" : "s");
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
    if (setup->about != NULL && stats_have_ends(setup)) {
        put_summary(&table);
    } else if (is_table) {
        put_all_columns(&table);
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
