/* SPDX-License-Identifier: MIT */
/* The formats of text in columns, and how they are written: a header line, at the first write or at
 * the end of a stream without frames, and a line for each frame: its number in the input, its time,
 * and the values with the fewest digits that read back as these values. A write ends with a
 * complete line. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/cut.h"
#include "base/memory_text.h"
#include "base/min_max.h"
#include "base/threads.h"
#include "format/channels.h"
#include "format/text/keys_priv.h"
#include "format/text/number.h"
#include "format/text/text_priv.h"
#include "format/text/time_form.h"

enum {
    SAMPLE_ROOM = NUMBER_MOST + 1, /* characters of a value with a delimiter */
    /* Characters of key, frame and time, with quotes. */
    START_ROOM = 2 * NUMBER_MOST + 2 * TIME_MOST + 2 * TEXT_KEY_BYTES + 4,
    START_COSTS = 3,     /* a frame number and a time cost as much as this number of values */
    VALUES_LEAST = 2048, /* fewer values are written before another thread is awake */
    VALUES_MOST = 8192,  /* the text of so many values stays in a CPU's cache */
};

/* Writes values[index], a value of one emit, and returns the length. */
static size_t write_value(char text[NUMBER_MOST], const struct sink_row *row, unsigned emit,
                          const void *values, size_t index, bool db)
{
    if (db)
        return decibels_write(text, row->kind[emit] == VALUE_F32
                                        ? (double)((const float *)values)[index]
                                        : ((const double *)values)[index]);
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

/* The lines of some tasks, which threads put side by side. */
struct lines_block {
    const struct text_sink *text;
    uint64_t first; /* first task of the block */
    unsigned tasks;
    bool shared; /* the threads have begun the block */
    struct threads_job job;
    struct memory_text *lines; /* lines of each task */
};

/* One block is written while the threads put the lines of the other, which follows it. */
struct text_sink {
    struct sink sink;
    char delimiter;
    bool timed; /* rows have times */
    struct time_form times;
    bool begun; /* the header has been written, or there is none */
    uint64_t frame;
    const void *frames; /* frames that are written, from number `frame` on */
    const struct sink_rows *rows;
    struct cut cut;
    unsigned tasks_most; /* tasks of a block */
    struct lines_block block[2];
    struct memory_text lines[]; /* lines of both blocks */
};

/* Puts a name or a key, with a delimiter. In txt, blanks become "_", because they would end the
 * field, and an empty name is "". */
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

/* Puts a time in as many columns as in the input, each with as many blanks as there. */
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

/* Puts the columns before the values, each with a delimiter. `rows` is NULL if rows have no
 * times. */
static char *put_start(const struct text_sink *text, char *at, uint64_t frame,
                       const struct sink_rows *rows)
{
    const struct sink_context *context = &text->sink.format.context;

    if (rows != NULL && rows->key != NULL) {
        char key[TEXT_KEY_BYTES + 1];

        stpcpy(key, rows->key->name);
        at = put_words(at, text->delimiter, key);
    }
    if (!context->no_frame) {
        at += number_write_u64(at, rows != NULL ? rows->number : frame);
        *at++ = text->delimiter;
    }
    if (rows != NULL) {
        at = put_time(text, at, rows->first_time);
    } else if (context->input_rate > 0) {
        at += number_write_f64(at, rate_time(frame, context->input_rate, context->ratio));
        *at++ = text->delimiter;
    }
    return at;
}

/* Puts the line of frame `index` of those that are written. */
static char *put_line(const struct text_sink *text, char *at, uint64_t index)
{
    const struct sink_row *row = &text->sink.format.row;
    const struct sink_context *context = &text->sink.format.context;
    const unsigned channels = text->sink.format.channels;
    unsigned emit = 0;

    at = put_start(text, at, text->frame + index * context->window.hop,
                   text->timed ? &text->rows[index] : NULL);
    for (unsigned i = 0; i < channels; i++) {
        at += write_value(at, row, emit, text->frames, index * channels + i, context->db);
        *at++ = text->delimiter;
        emit = emit + 1 < row->count ? emit + 1 : 0;
    }
    at[-1] = '\n';
    return at;
}

/* Adds the lines of a range of frames. The text is a copy while it grows, because texts of
 * neighbouring tasks share cache lines. */
static void put_lines(const struct text_sink *text, uint64_t first, uint64_t end,
                      struct memory_text *lines)
{
    const size_t most = START_ROOM + (size_t)text->sink.format.channels * SAMPLE_ROOM;
    struct memory_text own = *lines;

    for (uint64_t i = first; i < end; i++) {
        if (own.capacity - own.used <= most && memory_text_reserve(&own, most) != 0)
            break;
        own.used = (size_t)(put_line(text, own.bytes + own.used, i) - own.bytes);
    }
    *lines = own;
}

/* Puts a name and its ending: "pressure" and "_min". */
static void put_name(struct memory_text *text, char delimiter, const char *name, const char *behind)
{
    const size_t length = strlen(name) + strlen(behind);
    char *plain;

    if (memory_text_reserve(text, 3 * length + 4) != 0)
        return;
    plain = text->bytes + text->used + 2 * length + 3; /* the end of the field */
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

/* ---- blocks of lines ---- */

static void run_task(void *context, unsigned index)
{
    const struct lines_block *block = context;
    const struct task task = cut_task(&block->text->cut, block->first + index);

    put_lines(block->text, task.first, task.first + task.count, &block->lines[index]);
}

/* Begins the tasks from this one on, as many as a block has. */
static void begin_block(struct lines_block *block, uint64_t first)
{
    const struct text_sink *text = block->text;

    block->first = first;
    block->tasks = (unsigned)min_u64(text->cut.tasks - first, text->tasks_most);
    block->shared = block->tasks > 1;
    if (block->shared)
        threads_begin(text->sink.format.context.threads, &block->job, block->tasks,
                      text->cut.threads, run_task, block);
}

static void end_block(struct lines_block *block)
{
    if (block->shared)
        threads_end(block->text->sink.format.context.threads, &block->job);
    else if (block->tasks > 0)
        run_task(block, 0);
}

/* Writes lines, and empties their text. */
static int write_lines(struct output *output, struct memory_text *lines, struct error *error)
{
    const size_t used = lines->used;

    lines->used = 0;
    return lines->failed ? error_system(error, ERROR_RESOURCE, "memory", ENOMEM)
                         : output_write(output, lines->bytes, used, error);
}

static int write_block(const struct lines_block *block, struct error *error)
{
    int result = 0;

    for (unsigned i = 0; i < block->tasks && result == 0; i++)
        result = write_lines(block->text->sink.output, &block->lines[i], error);
    return result;
}

static int text_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                      bool gift, struct error *error)
{
    struct text_sink *text = (struct text_sink *)sink;
    const uint64_t values = START_COSTS + sink->format.channels;
    const struct work_size work = {
        .units = 1,
        .frames = count,
        .least = VALUES_LEAST / values + 1,
        .most = VALUES_MOST / values + 2,
        .threads = threads_size(sink->format.context.threads),
    };
    struct lines_block *block = &text->block[0];
    int result = 0;

    (void)gift;
    if (count == 0)
        return 0;
    if (put_header(text, error) != 0)
        return -1;
    text->frames = frames;
    text->rows = rows;
    text->cut = cut_work(&work);
    begin_block(block, 0);
    while (block->tasks > 0) {
        struct lines_block *next = &text->block[block == &text->block[0]];

        end_block(block);
        begin_block(next, result == 0 ? block->first + block->tasks : text->cut.tasks);
        if (result == 0)
            result = write_block(block, error);
        block = next;
    }
    text->frame += count * sink->format.context.window.hop;
    return result;
}

static int text_finish(struct sink *sink, struct error *error)
{
    return put_header((struct text_sink *)sink, error);
}

static void text_sink_close(struct sink *sink)
{
    struct text_sink *text = (struct text_sink *)sink;

    for (size_t i = 0; i < 2 * (size_t)text->tasks_most; i++)
        memory_text_free(&text->lines[i]);
    free(text);
}

/* ---- parts ---- */

static int part_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                      bool gift, struct error *error)
{
    struct text_sink *text = (struct text_sink *)sink;

    (void)gift;
    text->frames = frames;
    text->rows = rows;
    put_lines(text, 0, count, text->lines);
    text->frame += count * sink->format.context.window.hop;
    return text->lines->failed ? error_system(error, ERROR_RESOURCE, "memory", ENOMEM) : 0;
}

static const struct sink_class part_class = {
    .write = part_write,
    .close = text_sink_close,
};

static struct text_sink *open_text(const struct sink_class *class, const struct sink_format *format,
                                   struct output *output, unsigned tasks)
{
    const struct sink_context *context = &format->context;
    struct text_sink *text = calloc(1, sizeof *text + 2 * (size_t)tasks * sizeof *text->lines);

    if (text == NULL)
        return NULL;
    text->sink = (struct sink){.class = class, .format = *format, .output = output};
    text->tasks_most = tasks;
    for (size_t i = 0; i < 2; i++)
        text->block[i] = (struct lines_block){.text = text, .lines = text->lines + i * tasks};
    text->delimiter = format->format->delimiter;
    text->frame = context->first_frame;
    text->timed = context->times != NULL;
    if (text->timed)
        text->times = *context->times;
    /* A blank would end the field. */
    if (text->timed && text->delimiter == ' ' && context->table->time_columns == 1 &&
        text->times.between == ' ')
        text->times.between = 'T';
    text->begun = context->continues;
    return text;
}

static struct sink *open_part(const struct sink *sink, uint64_t frame, uint64_t count)
{
    struct text_sink *part = open_text(&part_class, &sink->format, sink->output, 1);

    (void)count;
    if (part == NULL)
        return NULL;
    part->frame += frame * sink->format.context.window.hop;
    return &part->sink;
}

static int text_join(struct sink *sink, struct sink *part, struct error *error)
{
    struct text_sink *text = (struct text_sink *)sink;
    struct text_sink *from = (struct text_sink *)part;

    text->frame = from->frame;
    return put_header(text, error) != 0 ? -1 : write_lines(sink->output, from->lines, error);
}

/* ---- the sink ---- */

static const struct sink_class text_sink_class = {
    .write = text_write,
    .part = open_part,
    .join = text_join,
    .parts_wait = true,
    .parts_have_rows = true,
    .finish = text_finish,
    .close = text_sink_close,
};

static int text_open_sink(struct output *output, const struct sink_format *format,
                          struct sink **sink, struct error *error)
{
    const unsigned threads = threads_size(format->context.threads);
    struct text_sink *text =
        open_text(&text_sink_class, format, output, threads > 1 ? threads * TASKS_A_THREAD : 1);

    if (text == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
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

#define FORMAT(NAME, WORDS, DELIMITER, BY_ENDING)                                                  \
    const struct format format_##NAME = {                                                          \
        .names = {#NAME},                                                                          \
        .words = (WORDS),                                                                          \
        .endings = " " #NAME,                                                                      \
        .by_ending = (BY_ENDING),                                                                  \
        .open = text_open_source,                                                                  \
        .delimiter = (DELIMITER),                                                                  \
        .writer = &writer,                                                                         \
    }

FORMAT(csv, "comma-separated values", ',', true);
FORMAT(tsv, "tab-separated values", '\t', true);
FORMAT(txt, "text in columns", ' ', false);
