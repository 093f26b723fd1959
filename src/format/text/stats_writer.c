/* SPDX-License-Identifier: MIT */
#include "format/text/figures_priv.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "cpu/level.h"
#include "format/channels.h"
#include "format/text/number.h"

const char *const stats_format_words[] = {
    [STATS_JSONL] = "jsonl", [STATS_TSV] = "tsv", [STATS_CSV] = "csv", [STATS_TABLE] = "text", NULL,
};

/* The separator of columns; NULL if the format has none. */
static const char *between_columns(enum stats_format format)
{
    return format == STATS_TSV ? "\t" : format == STATS_CSV ? "," : NULL;
}

/* The fields of a record, in their order; `only` says which records have the field. */
static const struct record_field {
    const char *name;
    size_t at; /* offset in the figures, or index of the column's times */
    enum { KEY, COUNT, LEVEL, NUMBER, BLOCK_TIME, COLUMN_TIME, COLUMN, INPUT } kind;
    enum { OF_ALL, OF_KEYS = 1, OF_TIMES = 2, OF_TABLES = 4, OF_FILES = 8 } only;
} fields[] = {
    {"key", 0, KEY, OF_KEYS},
    {"frame", offsetof(struct figures, frame), COUNT, OF_ALL},
    {"time", 0, BLOCK_TIME, OF_TIMES},
    {"frames", offsetof(struct figures, frames), COUNT, OF_ALL},
    {"min", offsetof(struct figures, low), LEVEL, OF_ALL},
    {"argmin", offsetof(struct figures, low_at), COUNT, OF_ALL},
    {"max", offsetof(struct figures, high), LEVEL, OF_ALL},
    {"argmax", offsetof(struct figures, high_at), COUNT, OF_ALL},
    {"abs", offsetof(struct figures, peak), LEVEL, OF_ALL},
    {"argabs", offsetof(struct figures, peak_at), COUNT, OF_ALL},
    {"sum", offsetof(struct figures, sum), NUMBER, OF_ALL},
    {"mean", offsetof(struct figures, mean), NUMBER, OF_ALL},
    {"rms", offsetof(struct figures, rms), NUMBER, OF_ALL},
    {"nan", offsetof(struct figures, nans), COUNT, OF_ALL},
    {"peak_db", offsetof(struct figures, peak_db), NUMBER, OF_ALL},
    {"rms_db", offsetof(struct figures, rms_db), NUMBER, OF_ALL},
    {"clipped", offsetof(struct figures, clipped), COUNT, OF_ALL},
    {"clipped_at", offsetof(struct figures, clipped_at), COUNT, OF_ALL},
    {"std", offsetof(struct figures, std), NUMBER, OF_TABLES},
    {"first", offsetof(struct figures, first), NUMBER, OF_TABLES},
    {"last", offsetof(struct figures, last), NUMBER, OF_TABLES},
    {"min_time", TIME_OF_MIN, COLUMN_TIME, OF_TABLES | OF_TIMES},
    {"max_time", TIME_OF_MAX, COLUMN_TIME, OF_TABLES | OF_TIMES},
    {"first_time", TIME_OF_FIRST, COLUMN_TIME, OF_TABLES | OF_TIMES},
    {"last_time", TIME_OF_LAST, COLUMN_TIME, OF_TABLES | OF_TIMES},
    {"column", 0, COLUMN, OF_ALL},
    {"file", 0, INPUT, OF_FILES},
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* The kinds of fields that records leave out. */
static unsigned left_out(const struct stats_setup *setup)
{
    return (setup->label.keyed ? 0 : OF_KEYS) | (setup->label.timed ? 0 : OF_TIMES) |
           (setup->of_tables ? 0 : OF_TABLES) | (setup->label.named ? 0 : OF_FILES);
}

/* A record that is written. */
struct record_line {
    const struct stats_setup *setup;
    const char *channel; /* name of the channel */
    struct figures figures;
    const struct column_times *column; /* NULL if its rows have no times */
};

static void put_nothing(struct memory_text *text, const struct stats_setup *setup)
{
    memory_text_put(text, between_columns(setup->format) != NULL ? "nan" : "null");
}

static void put_whole(struct memory_text *text, uint64_t number)
{
    char digits[NUMBER_MOST];

    memory_text_add(text, digits, number_write_u64(digits, number));
}

static void put_level(struct memory_text *text, const struct stats_setup *setup, struct level level)
{
    char digits[NUMBER_MOST];

    if (level.kind == VALUE_U64) {
        memory_text_put(text, level.negative ? "-" : "");
        put_whole(text, level.whole);
    } else if (isnan(level.value)) {
        put_nothing(text, setup);
    } else if (isinf(level.value)) {
        /* JSON has no infinity, but numbers of any size: readers round 1e999 to infinity, or to
         * their greatest number. */
        memory_text_put(text, level.value < 0 ? "-" : "");
        memory_text_put(text, between_columns(setup->format) != NULL ? "inf" : "1e999");
    } else {
        memory_text_add(text, digits,
                        level.kind == VALUE_F32 ? number_write_f32(digits, (float)level.value)
                                                : number_write_f64(digits, level.value));
        /* A reader that finds no point takes -0 for an integer, which has no sign at zero. */
        if (level.value == 0 && signbit(level.value))
            memory_text_put(text, ".0");
    }
}

/* Puts a name as a field of TSV: tabs and ends of lines are escaped. */
static void put_column(struct memory_text *text, const char *name)
{
    static const char special[] = "\t\n\r\\";

    for (; *name != '\0'; name++) {
        const char *at = strchr(special, *name);
        const char escaped[] = {'\\', (char)(at == NULL ? *name : "tnr\\"[at - special])};

        memory_text_add(text, escaped + (at == NULL), at == NULL ? 1 : 2);
    }
}

static void put_words(struct memory_text *text, enum stats_format format, const char *words)
{
    const size_t length = strlen(words);

    if (format == STATS_TSV)
        put_column(text, words);
    else if (format == STATS_JSONL)
        json_put(text, words);
    else if (memory_text_reserve(text, 2 * length + 2) == 0)
        text->used =
            (size_t)(csv_put_name(text->bytes + text->used, ',', words, length) - text->bytes);
}

/* Puts a time; in JSON it is a number where times are numbers. */
static void put_time(struct memory_text *text, const struct stats_setup *setup,
                     const struct time_form *form, struct moment moment)
{
    char time[TIME_MOST + 1];

    time[time_write(form, moment, time)] = '\0';
    if (setup->format == STATS_JSONL && form->kind == TIME_NUMBER)
        memory_text_put(text, time);
    else
        put_words(text, setup->format, time);
}

static void put_value(struct memory_text *text, const struct record_line *record,
                      const struct record_field *field)
{
    const struct stats_setup *setup = record->setup;
    const struct stats_label *label = &setup->label;
    const void *figure = (const char *)&record->figures + field->at;

    if (field->kind == COUNT && *(const uint64_t *)figure != FIGURE_NONE)
        put_whole(text, *(const uint64_t *)figure);
    else if (field->kind == LEVEL)
        put_level(text, setup, *(const struct level *)figure);
    else if (field->kind == NUMBER)
        put_level(text, setup, (struct level){.kind = VALUE_F64, .value = *(const double *)figure});
    else if (field->kind == BLOCK_TIME && label->time_known)
        put_time(text, setup, &label->times, label->time);
    else if (field->kind == COLUMN_TIME && record->column != NULL && !isnan(record->figures.first))
        put_time(text, setup, &label->rows, record->column->at[field->at]);
    else if (field->kind == KEY || field->kind == COLUMN || field->kind == INPUT)
        put_words(text, setup->format,
                  field->kind == KEY      ? label->key
                  : field->kind == COLUMN ? record->channel
                                          : label->name);
    else
        put_nothing(text, setup);
}

/* Puts a record or, if it is NULL, the line of names, in a format other than tables. */
static void put_line(struct memory_text *text, const struct stats_setup *setup,
                     const struct record_line *record)
{
    const char *between = between_columns(setup->format);
    const unsigned none = left_out(setup);
    bool any = false;

    for (size_t i = 0; i < FIELDS; i++) {
        if ((fields[i].only & none) != 0)
            continue;
        if (between != NULL)
            memory_text_put(text, any ? between : "");
        else
            memory_text_put(text, any ? ",\"" : "{\"");
        if (between == NULL || record == NULL)
            memory_text_put(text, fields[i].name);
        memory_text_put(text, between != NULL ? "" : "\":");
        if (record != NULL)
            put_value(text, record, &fields[i]);
        any = true;
    }
    memory_text_put(text, between != NULL ? "\n" : "}\n");
}

void stats_text_begin(struct memory_text *text, const struct stats_setup *setup)
{
    if (between_columns(setup->format) != NULL)
        put_line(text, setup, NULL);
    if (setup->format != STATS_TABLE)
        return;
    memory_text_show(text, setup->label.name != NULL ? setup->label.name : "");
    memory_text_put(text, "\n");
}

void stats_text_block(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                      const struct channel_stats *channels, const struct column_times *columns,
                      struct time_line *line)
{
    if (setup->format == STATS_TABLE) {
        stats_table_put(text, setup, first, channels, columns, line);
        return;
    }
    for (unsigned i = 0; i < setup->channels; i++) {
        char usual[CHANNEL_NAME];
        const struct record_line record = {
            .setup = setup,
            .channel = channel_name(setup->names, i, usual),
            .figures = figures_of_channel(setup, first, &channels[i]),
            .column = columns != NULL && setup->label.time_known ? &columns[i] : NULL,
        };

        put_line(text, setup, &record);
    }
}
