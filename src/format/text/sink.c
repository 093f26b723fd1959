/* The formats of text in columns, and how they are written: a header line, at the first write or at
 * the end of a stream without frames, and a line for each frame: its number in the input, its time,
 * and the values with the fewest digits that read back as the same number. A write ends with a
 * complete line. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/memory_text.h"
#include "format/channels.h"
#include "format/text/decibels_priv.h"
#include "format/text/keys_priv.h"
#include "format/text/number.h"
#include "format/text/text_priv.h"
#include "format/text/time_form.h"

enum {
    BLOCK_BYTES = 64 * 1024,
    SAMPLE_ROOM = NUMBER_MOST + 1, /* with a delimiter */
    /* Key, frame and time, with quotes. */
    START_ROOM = 2 * NUMBER_MOST + 2 * TIME_MOST + 2 * TEXT_KEY_BYTES + 4,
};

static size_t write_decibels(char text[NUMBER_MOST], const struct sink_row *row, unsigned emit,
                             const void *values, size_t index)
{
    return decibels_write(text, row->kind[emit] == VALUE_F32
                                    ? (double)((const float *)values)[index]
                                    : ((const double *)values)[index]);
}

/* Writes values[index], of one emit, and returns the length. */
static size_t write_value(char text[NUMBER_MOST], const struct sink_row *row, unsigned emit,
                          const void *values, size_t index)
{
    if (row->narrow[emit])
        return number_write_f32(text, (float)((const double *)values)[index]);
    switch (row->kind[emit]) {
    case VALUE_F32:
        return number_write_f32(text, ((const float *)values)[index]);
    case VALUE_F64:
        return number_write_f64(text, ((const double *)values)[index]);
    case VALUE_FRAME:
        if (((const int64_t *)values)[index] < 0)
            return number_write_f64(text, (double)NAN);
        return number_write_i64(text, ((const int64_t *)values)[index]);
    case VALUE_I64:
        return number_write_i64(text, ((const int64_t *)values)[index]);
    default:
        return number_write_u64(text, ((const uint64_t *)values)[index]);
    }
}

struct text_sink {
    struct sink sink;
    char delimiter;
    bool timed; /* rows have times, */
    struct time_form times;
    bool begun; /* the header has been written, or there is none */
    uint64_t frame;
    size_t used;
    char block[BLOCK_BYTES];
};

static int flush(struct text_sink *text, struct error *error)
{
    size_t used = text->used;

    text->used = 0;
    return used == 0 ? 0 : output_write(text->sink.output, text->block, used, error);
}

/* A name or a key, with a delimiter. In txt, blanks become "_", because they would end it, and an
 * empty one is "". */
static char *put_words(char *at, char delimiter, char *words)
{
    const bool txt = delimiter == ' ';

    for (char *c = words; txt && *c != '\0'; c++)
        *c = (char)(strchr(" \t\r\n", *c) != NULL ? '_' : *c);
    at = txt && *words == '\0' ? csv_quote(at, words, 0)
                               : csv_put_name(at, delimiter, words, strlen(words));
    *at++ = delimiter;
    return at;
}

/* A time in as many columns as in the input, each with as many blanks as there. */
static char *put_time(const struct text_sink *text, char *at, struct moment moment)
{
    const struct source_table *table = text->sink.format.context.table;
    char words[TIME_MOST];
    const char *from = words;
    const char *end = words + time_write(&text->times, moment, words);

    for (unsigned i = 0; i < table->time_columns; i++) {
        const bool is_last = i + 1 == table->time_columns;
        unsigned blanks = table->time_blanks[i];
        const char *to = from;

        while (to < end && (is_last || *to != ' ' || blanks-- > 0))
            to++;
        at = csv_put(at, text->delimiter, from, (size_t)(to - from));
        *at++ = text->delimiter;
        from = to + (to < end);
    }
    return at;
}

/* The columns before the values, each with a delimiter. `rows`: NULL if rows have no times. */
static void put_start(struct text_sink *text, const struct sink_rows *rows)
{
    const struct sink_context *context = &text->sink.format.context;
    char *at = text->block + text->used;

    if (rows != NULL && rows->key != NULL) {
        char key[TEXT_KEY_BYTES + 1];

        stpcpy(key, rows->key->name);
        at = put_words(at, text->delimiter, key);
    }
    if (!context->no_frame) {
        at += number_write_u64(at, rows != NULL ? rows->number : text->frame);
        *at++ = text->delimiter;
    }
    if (rows != NULL) {
        at = put_time(text, at, rows->first_time);
    } else if (context->input_rate > 0) {
        at += number_write_f64(at, rate_time(text->frame, context->input_rate, context->ratio));
        *at++ = text->delimiter;
    }
    text->used = (size_t)(at - text->block);
    text->frame += context->window.hop;
}

/* `first` is the index of the frame's first value. */
static int put_frame(struct text_sink *text, const void *values, size_t first,
                     const struct sink_rows *rows, struct error *error)
{
    const struct sink_row *row = &text->sink.format.row;
    unsigned emit = 0;

    put_start(text, rows);
    for (unsigned i = 0; i < text->sink.format.channels; i++) {
        char *at;

        if (BLOCK_BYTES - text->used < SAMPLE_ROOM && flush(text, error) != 0)
            return -1;
        at = text->block + text->used;
        at += (text->sink.format.context.db ? write_decibels : write_value)(at, row, emit, values,
                                                                            first + i);
        *at++ = text->delimiter;
        emit = emit + 1 < row->count ? emit + 1 : 0;
        text->used = (size_t)(at - text->block);
    }
    text->block[text->used - 1] = '\n';
    return 0;
}

/* A name, and what is put behind it: "pressure" and "_min". */
static void put_name(struct memory_text *text, char delimiter, const char *name, const char *behind)
{
    const size_t length = strlen(name) + strlen(behind);
    char *plain;

    if (memory_text_reserve(text, 3 * length + 4) != 0)
        return;
    plain = text->bytes + text->used + 2 * length + 3; /* behind the field */
    stpcpy(stpcpy(plain, name), behind);
    text->used = (size_t)(put_words(text->bytes + text->used, delimiter, plain) - text->bytes);
}

static void put_channel(struct memory_text *text, char delimiter,
                        const struct sink_context *context, unsigned channel)
{
    char usual[CHANNEL_NAME];
    char behind[32] = "";
    const char *name = channel_name(context->names, channel, usual);
    const bool named = name != usual || context->channels > 1;

    for (unsigned i = 0; i < context->emits.count; i++) {
        const char *emit = emit_names[context->emits.item[i]];

        if (named)
            (void)snprintf(behind, sizeof behind, "_%s", emit);
        put_name(text, delimiter, named ? name : emit, behind);
    }
}

/* "frame,time,ch1_min,ch1_max,ch2_min,ch2_max\n" */
static int put_header(struct text_sink *text, struct error *error)
{
    const struct sink_context *context = &text->sink.format.context;
    const struct source_table *table = context->table;
    struct output *output = text->sink.output;
    struct memory_text header = {.bytes = NULL};
    int result;

    if (text->begun)
        return 0;
    text->begun = true;
    if (source_key_name(table) != NULL)
        put_name(&header, text->delimiter, source_key_name(table), "");
    if (!context->no_frame)
        put_name(&header, text->delimiter, "frame", "");
    for (unsigned i = 0; text->timed && i < table->time_columns; i++) {
        const char *name = table->time_names[i];
        const char *usual = table->time_columns == 1 ? "time" : i == 0 ? "date" : "clock";
        char numbered[16];

        (void)snprintf(numbered, sizeof numbered, "time%u", i + 1);
        if (table->time_columns > 2)
            usual = numbered;
        put_name(&header, text->delimiter, name != NULL && name[0] != '\0' ? name : usual, "");
    }
    if (!text->timed && context->input_rate > 0)
        put_name(&header, text->delimiter, "time", "");
    for (unsigned channel = 0; channel < context->channels; channel++)
        put_channel(&header, text->delimiter, context, channel);
    if (header.failed || header.used == 0) {
        result = error_system(error, ERROR_FILE, output->name, ENOMEM);
    } else {
        header.bytes[header.used - 1] = '\n';
        result = output_write(output, header.bytes, header.used, error);
    }
    memory_text_free(&header);
    return result;
}

static int text_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                      bool gift, struct error *error)
{
    struct text_sink *text = (struct text_sink *)sink;

    (void)gift;
    if (count > 0 && put_header(text, error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (BLOCK_BYTES - text->used < START_ROOM && flush(text, error) != 0)
            return -1;
        if (put_frame(text, frames, i * sink->format.channels, text->timed ? &rows[i] : NULL,
                      error) != 0)
            return -1;
    }
    return flush(text, error);
}

static int text_finish(struct sink *sink, struct error *error)
{
    return put_header((struct text_sink *)sink, error);
}

static void text_sink_close(struct sink *sink)
{
    free(sink);
}

static const struct sink_class text_sink_class = {
    .write = text_write,
    .finish = text_finish,
    .close = text_sink_close,
};

static int text_open_sink(struct output *output, const struct sink_format *format,
                          struct sink **sink, struct error *error)
{
    const struct sink_context *context = &format->context;
    struct text_sink *text = calloc(1, sizeof *text);

    if (text == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    text->sink = (struct sink){.class = &text_sink_class, .format = *format, .output = output};
    text->delimiter = format->format->delimiter;
    text->frame = context->first_frame;
    text->timed = context->times != NULL;
    if (text->timed)
        text->times = *context->times;
    /* A blank would end it. */
    if (text->timed && text->delimiter == ' ' && context->table->time_columns == 1 &&
        text->times.between == ' ')
        text->times.between = 'T';
    text->begun = context->continues;
    *sink = &text->sink;
    return 0;
}

/* ---- the formats ---- */

static const struct format_writer writer = {
    .kinds = " f32 f64",
    .whole = true,
    .streams = true,
    .text = true,
    .decibels = true,
    .positions = true,
    .open = text_open_sink,
};

const struct format format_csv = {
    .names = {"csv"},
    .words = "comma-separated values",
    .endings = " csv",
    .by_ending = true,
    .open = text_open_source,
    .delimiter = ',',
    .writer = &writer,
};

const struct format format_tsv = {
    .names = {"tsv"},
    .words = "tab-separated values",
    .endings = " tsv",
    .by_ending = true,
    .open = text_open_source,
    .delimiter = '\t',
    .writer = &writer,
};

const struct format format_txt = {
    .names = {"txt"},
    .words = "text in columns",
    .endings = " txt",
    .open = text_open_source,
    .delimiter = ' ',
    .writer = &writer,
};
