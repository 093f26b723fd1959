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

enum { RECORD_MOST = 2048 }; /* characters, more than any record has */

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

/* A record under construction. */
struct record_line {
    const struct stats_setup *setup;
    const char *between; /* the separator of columns; NULL if the format has none */
    const char *channel; /* name of the channel */
    struct figures figures;
    const struct column_times *column; /* may be NULL */
    char *at;                          /* where the next character goes */
};

/* Appends words; the caller has made room. */
static void put(struct record_line *line, const char *words)
{
    const size_t length = strlen(words);

    memcpy(line->at, words, length);
    line->at += length;
}

static void put_nothing(struct record_line *line)
{
    put(line, line->between != NULL ? "nan" : "null");
}

static void put_count(struct record_line *line, uint64_t number)
{
    if (number == FIGURE_NONE)
        put_nothing(line);
    else
        line->at += number_write_u64(line->at, number);
}

static void put_level(struct record_line *line, struct level level)
{
    if (level.kind == VALUE_U64) {
        put(line, level.negative ? "-" : "");
        line->at += number_write_u64(line->at, level.whole);
    } else if (isnan(level.value)) {
        put_nothing(line);
    } else if (isinf(level.value)) {
        /* JSON has no infinity, but numbers of any size: readers round 1e999 to infinity, or to
         * their greatest number. */
        put(line, level.value < 0 ? "-" : "");
        put(line, line->between != NULL ? "inf" : "1e999");
    } else {
        line->at += level.kind == VALUE_F32 ? number_write_f32(line->at, (float)level.value)
                                            : number_write_f64(line->at, level.value);
        /* A reader that finds no point takes -0 for an integer, which has no sign at zero. */
        if (level.value == 0 && signbit(level.value))
            put(line, ".0");
    }
}

void stats_text_begin(struct memory_text *text, const struct stats_setup *setup)
{
    const char *between = between_columns(setup->format);
    const unsigned none = left_out(setup);
    bool any = false;

    if (setup->format == STATS_TABLE)
        stats_table_begin(text, setup);
    for (size_t i = 0; between != NULL && i < FIELDS; i++) {
        if ((fields[i].only & none) != 0)
            continue;
        memory_text_put(text, any ? between : "");
        memory_text_put(text, fields[i].name);
        any = true;
    }
    memory_text_put(text, any ? "\n" : "");
}

/* Puts a name as a field of TSV: tabs and ends of lines are escaped. */
static void put_column(struct record_line *line, const char *name)
{
    static const char special[] = "\t\n\r\\";

    for (; *name != '\0'; name++) {
        const char *at = strchr(special, *name);

        if (at != NULL)
            *line->at++ = '\\';
        *line->at++ = (char)(at == NULL ? *name : "tnr\\"[at - special]);
    }
}

static void put_words(struct record_line *line, const char *words)
{
    if (line->setup->format == STATS_TSV) {
        put_column(line, words);
    } else if (line->between != NULL) {
        line->at = csv_put_name(line->at, ',', words, strlen(words));
    } else {
        put(line, "\"");
        for (size_t size; (size = json_piece(&words, line->at)) > 0;)
            line->at += size;
        put(line, "\"");
    }
}

/* Puts a time; in JSON it is a number where times are numbers. */
static void put_time(struct record_line *line, const struct time_form *form, struct moment moment)
{
    char time[TIME_MOST + 1];

    time[time_write(form, moment, time)] = '\0';
    if (line->between == NULL && form->kind == TIME_NUMBER)
        put(line, time);
    else
        put_words(line, time);
}

static void put_value(struct record_line *line, const struct record_field *field)
{
    const struct stats_label *label = &line->setup->label;
    const void *figure = (const char *)&line->figures + field->at;

    switch (field->kind) {
    case COUNT:
        put_count(line, *(const uint64_t *)figure);
        break;
    case LEVEL:
        put_level(line, *(const struct level *)figure);
        break;
    case NUMBER:
        put_level(line, (struct level){.kind = VALUE_F64, .value = *(const double *)figure});
        break;
    case BLOCK_TIME:
        if (label->time_known)
            put_time(line, &label->times, label->time);
        else
            put_nothing(line);
        break;
    case COLUMN_TIME:
        if (line->column != NULL && !isnan(line->figures.first))
            put_time(line, &label->rows, line->column->at[field->at]);
        else
            put_nothing(line);
        break;
    default:
        put_words(line, field->kind == KEY      ? label->key
                        : field->kind == COLUMN ? line->channel
                                                : label->name);
    }
}

/* Puts the record of a channel, in a format other than tables. */
static void put_record(struct memory_text *text, const struct stats_setup *setup, uint64_t first,
                       unsigned channel, const struct channel_stats *stats,
                       const struct column_times *column)
{
    const struct stats_label *label = &setup->label;
    char usual[CHANNEL_NAME];
    struct record_line line = {
        .setup = setup,
        .between = between_columns(setup->format),
        .channel = channel_name(setup->names, channel, usual),
        .figures = figures_of_channel(setup, first, stats),
        .column = column,
    };
    const unsigned none = left_out(setup);
    const size_t times = label->timed ? (1 + COLUMN_TIMES) * (size_t)TIME_MOST : 0;
    const size_t words = strlen(line.channel) + times + (label->named ? strlen(label->name) : 0) +
                         (label->keyed ? strlen(label->key) : 0);
    bool any = false;

    if (memory_text_reserve(text, RECORD_MOST + JSON_PIECE_MOST * words) != 0)
        return;
    line.at = text->bytes + text->used;
    for (size_t i = 0; i < FIELDS; i++) {
        if ((fields[i].only & none) != 0)
            continue;
        if (line.between != NULL) {
            put(&line, any ? line.between : "");
        } else {
            put(&line, any ? ",\"" : "{\"");
            put(&line, fields[i].name);
            put(&line, "\":");
        }
        put_value(&line, &fields[i]);
        any = true;
    }
    put(&line, line.between == NULL ? "}\n" : "\n");
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
