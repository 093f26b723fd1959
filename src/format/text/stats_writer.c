#include "format/text/figures_priv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "cpu/level.h"
#include "format/channels.h"
#include "format/text/number.h"

enum { RECORD_MOST = 2048 }; /* more characters than a record can have */

const char *const stats_format_words[] = {
    [STATS_JSONL] = "jsonl", [STATS_TSV] = "tsv", [STATS_CSV] = "csv", [STATS_TABLE] = "text", NULL,
};

/* A record under construction. */
struct record_line {
    enum stats_format format;
    char *at; /* where the next character goes */
};

/* The caller has made room. */
static void put(struct record_line *line, const char *words)
{
    size_t length = strlen(words);

    memcpy(line->at, words, length);
    line->at += length;
}

/* The separator of columns; NULL: the format has none. */
static const char *between_columns(enum stats_format format)
{
    return format == STATS_TSV ? "\t" : format == STATS_CSV ? "," : NULL;
}

/* A tab or a comma between values, or a comma and the name of the next one. */
static void put_name(struct record_line *line, const char *name)
{
    const char *between = between_columns(line->format);

    if (between != NULL) {
        put(line, between);
    } else {
        put(line, ",\"");
        put(line, name);
        put(line, "\":");
    }
}

static void put_digits(struct record_line *line, uint64_t number)
{
    line->at += number_write_u64(line->at, number);
}

static void put_nothing(struct record_line *line, const char *name)
{
    put_name(line, name);
    put(line, between_columns(line->format) != NULL ? "nan" : "null");
}

static void put_whole(struct record_line *line, const char *name, uint64_t number)
{
    if (number == FIGURE_NONE) {
        put_nothing(line, name);
        return;
    }
    put_name(line, name);
    put_digits(line, number);
}

/* A `narrow` one is a float32. */
static void put_number(struct record_line *line, const char *name, double number, bool narrow)
{
    if (isnan(number)) {
        put_nothing(line, name);
        return;
    }
    put_name(line, name);
    /* JSON has no infinity, but numbers of any size: 1e999 is one that every reader rounds to
     * infinity, or to the greatest number that it has. */
    if (isinf(number)) {
        put(line, number < 0 ? "-" : "");
        put(line, between_columns(line->format) != NULL ? "inf" : "1e999");
        return;
    }
    line->at +=
        narrow ? number_write_f32(line->at, (float)number) : number_write_f64(line->at, number);
    /* A reader that finds no point takes -0 for an integer, which has no sign at zero. */
    if (number == 0 && signbit(number))
        put(line, ".0");
}

static void put_level(struct record_line *line, const char *name, struct level level)
{
    if (level.kind != VALUE_U64) {
        put_number(line, name, level.value, level.kind == VALUE_F32);
        return;
    }
    put_name(line, name);
    put(line, level.negative ? "-" : "");
    put_digits(line, level.whole);
}

void stats_text_begin(struct memory_text *text, const struct stats_setup *setup)
{
    static const char *const names[] = {
        "frame",    "time",       "frames",     "min",    "argmin", "max",  "argmax",
        "abs",      "argabs",     "sum",        "mean",   "rms",    "nan",  "peak_db",
        "rms_db",   "clipped",    "clipped_at", "std",    "first",  "last", "min_time",
        "max_time", "first_time", "last_time",  "column", "file"};
    enum { TIME = 1, DEVIATION = 17, TIMES = 20, COLUMN = 24, FILE_NAME = 25 };
    const char *between = between_columns(setup->format);

    if (setup->format == STATS_TABLE)
        stats_table_begin(text, setup);
    if (between == NULL)
        return;
    if (setup->label.keyed) {
        memory_text_put(text, "key");
        memory_text_put(text, between);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((i == TIME && !setup->label.timed) || (i == FILE_NAME && !setup->label.named) ||
            (i >= DEVIATION && i < COLUMN && !setup->of_tables) ||
            (i >= TIMES && i < TIMES + COLUMN_TIMES && !setup->label.timed))
            continue;
        memory_text_put(text, i > 0 ? between : "");
        memory_text_put(text, names[i]);
    }
    memory_text_put(text, "\n");
}

/* As a field of TSV: tabs and ends of lines are escaped. */
static void put_column(struct record_line *line, const char *name)
{
    static const char special[] = "\t\n\r\\";

    for (; *name != '\0'; name++) {
        const char *at = strchr(special, *name);

        if (at == NULL) {
            *line->at++ = *name;
        } else {
            *line->at++ = '\\';
            *line->at++ = "tnr\\"[at - special];
        }
    }
}

static void put_string(struct record_line *line, const char *string)
{
    size_t size;

    put(line, "\"");
    while ((size = json_piece(&string, line->at)) > 0)
        line->at += size;
    put(line, "\"");
}

static void put_value(struct record_line *line, const char *words)
{
    if (line->format == STATS_TSV)
        put_column(line, words);
    else if (line->format == STATS_CSV)
        line->at = csv_put_name(line->at, ',', words, strlen(words));
    else
        put_string(line, words);
}

static void put_words(struct record_line *line, const char *name, const char *words)
{
    put_name(line, name);
    put_value(line, words);
}

/* What a record begins with. */
static void put_first(struct record_line *line, const struct stats_label *label, uint64_t first)
{
    const char *between = between_columns(line->format);

    if (label->keyed) {
        put(line, between == NULL ? "{\"key\":" : "");
        put_value(line, label->key);
        put(line, between == NULL ? ",\"frame\":" : between);
    } else {
        put(line, between == NULL ? "{\"frame\":" : "");
    }
    put_digits(line, first);
}

/* In JSON a number where times are numbers. */
static void put_time(struct record_line *line, const char *name, const struct time_form *form,
                     struct moment moment)
{
    char time[TIME_MOST + 1];

    time[time_write(form, moment, time)] = '\0';
    if (line->format == STATS_JSONL && form->kind == TIME_NUMBER) {
        put_name(line, name);
        put(line, time);
    } else {
        put_words(line, name, time);
    }
}

/* What columns of tables have besides. */
static void put_column_stats(struct record_line *line, const struct stats_label *label,
                             const struct figures *figures, const struct column_times *column)
{
    static const char *const times[] = {"min_time", "max_time", "first_time", "last_time"};

    put_number(line, "std", figures->std, false);
    put_number(line, "first", figures->first, false);
    put_number(line, "last", figures->last, false);
    for (unsigned i = 0; i < COLUMN_TIMES && label->timed; i++) {
        if (column == NULL || isnan(figures->first))
            put_nothing(line, times[i]);
        else
            put_time(line, times[i], &label->rows, column->at[i]);
    }
}

/* The record of a channel. Not for tables for people. */
static void put_record(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                       unsigned channel, const struct channel_stats *stats,
                       const struct column_times *column)
{
    const struct stats_label *label = &setup->label;
    const struct stats_values values = channel_values(stats);
    const struct figures figures =
        figures_of(setup, first, &values, (double)(stats->frames - values.nans));
    bool is_json = setup->format == STATS_JSONL;
    char usual[CHANNEL_NAME];
    const char *name = channel_name(setup->names, channel, usual);
    const size_t times = label->timed ? (1 + COLUMN_TIMES) * (size_t)TIME_MOST : 0;
    const size_t words = strlen(name) + times + (label->named ? strlen(label->name) : 0) +
                         (label->keyed ? strlen(label->key) : 0);
    struct record_line line = {.format = setup->format};

    if (memory_text_reserve(text, RECORD_MOST + JSON_PIECE_MOST * words) != 0)
        return;
    line.at = text->bytes + text->used;
    put_first(&line, label, first);
    if (label->timed && label->time_known)
        put_time(&line, "time", &label->times, label->time);
    else if (label->timed)
        put_nothing(&line, "time");
    put_whole(&line, "frames", stats->frames);
    put_level(&line, "min", figures.low);
    put_whole(&line, "argmin", figures.low_at);
    put_level(&line, "max", figures.high);
    put_whole(&line, "argmax", figures.high_at);
    put_level(&line, "abs", figures.peak);
    put_whole(&line, "argabs", figures.peak_at);
    put_number(&line, "sum", figures.sum, false);
    put_number(&line, "mean", figures.mean, false);
    put_number(&line, "rms", figures.rms, false);
    put_whole(&line, "nan", figures.nans);
    put_number(&line, "peak_db", figures.peak_db, false);
    put_number(&line, "rms_db", figures.rms_db, false);
    put_whole(&line, "clipped", figures.clipped);
    put_whole(&line, "clipped_at", figures.clipped_at);
    if (setup->of_tables)
        put_column_stats(&line, label, &figures, column);
    put_words(&line, "column", name);
    if (label->named)
        put_words(&line, "file", label->name);
    put(&line, is_json ? "}\n" : "\n");
    text->used = (size_t)(line.at - text->bytes);
}

void stats_text_block(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                      const struct channel_stats *channels, const struct column_times *columns,
                      struct time_line *line)
{
    if (setup->format == STATS_TABLE) {
        stats_table_put(text, setup, first, channels, columns, line);
        return;
    }
    for (unsigned i = 0; i < setup->channels; i++)
        put_record(text, setup, first, i, &channels[i], columns != NULL ? &columns[i] : NULL);
}
