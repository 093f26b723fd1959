/* SPDX-License-Identifier: MIT */
/* -T spans: where the values of a channel are above or below a level, one line for each span. -T
 * labels: these spans as a label track of Audacity.
 *
 * Values are compared as keys (window/rules.h): 64-bit integers in the order of the values. The
 * values above or below the level are one range of keys. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/source.h"
#include "format/spans/spans_priv.h"

enum {
    BUSY = 64,        /* windows that are taken one by one where values cross the level often */
    PASSED_LEAST = 8, /* they do if fewer windows are passed */
};

/* Goes to the series of a key, or of all rows. Returns -1, with errno set, if memory runs out. */
static int go_to(struct spans *spans, const struct row_key *key)
{
    const struct sink_context *context = &spans->sink.format.context;
    void **const place = pointers_place(&spans->all, key == NULL ? 0 : key->number);
    struct span_series *series;

    if (place == NULL)
        return -1;
    if (*place == NULL) {
        series = calloc(1, sizeof *series + context->channels * sizeof *series->channels);
        if (series == NULL)
            return -1;
        series->rows.gaps.rule = context->gap;
        *place = series;
    }
    spans->series = *place;
    return 0;
}

static struct sink_rows next_window(struct spans *spans)
{
    const uint64_t first = spans->frame;

    spans->frame += spans->sink.format.context.window.hop;
    return (struct sink_rows){
        .number = first, .first = first, .end = first + spans->sink.format.context.window.width};
}

static int spans_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                       bool gift, struct error *error)
{
    struct spans *spans = (struct spans *)sink;
    const unsigned channels = sink->format.context.channels;
    const bool plain = spans->kernels != NULL && rows == NULL;
    const size_t bytes = channels * value_bytes(spans->kind);
    size_t busy = 0; /* windows up to this number are taken one by one */

    (void)gift;
    if (!spans->begun && rows != NULL && count > 0)
        spans->origin = rows->first_time;
    spans->begun = spans->begun || count > 0;
    for (size_t i = 0; i < count; i++) {
        struct sink_rows window;

        if (plain && i >= busy) {
            const size_t passed = spans_pass(spans, (const char *)frames + i * bytes, count - i);

            i += passed;
            busy = i + (passed < PASSED_LEAST ? BUSY : 1);
            if (i == count)
                break;
        }
        window = rows != NULL ? rows[i] : next_window(spans);
        if (window.key != NULL && go_to(spans, window.key) != 0)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        if (spans_add_window(spans, frames, i * channels, &window, error) != 0)
            return -1;
    }
    return spans_flush(spans, error);
}

static int spans_times(struct sink *sink, const struct row_key *key, uint64_t number,
                       const struct moment *moments, size_t count, struct error *error)
{
    struct spans *spans = (struct spans *)sink;

    return !spans->of_rows || (go_to(spans, key) == 0 &&
                               gap_rows_add(&spans->series->rows, number, moments, count) == 0)
               ? 0
               : error_system(error, ERROR_RESOURCE, "memory", errno);
}

/* Sets the remark: spans that gaps have ended, or why they have ended none. */
static void set_remark(struct spans *spans)
{
    const bool given = spans->sink.format.context.gap.given;

    if (spans->cut > 0)
        (void)snprintf(spans->remark, sizeof spans->remark,
                       "%" PRIu64 " span%s at a gap between rows: --gap LEN says how long one is "
                       "(none: there is none)",
                       spans->cut, spans->cut == 1 ? " ends" : "s end");
    else if (spans->ended > 0 && !given && spans->stepped && !spans->had_usual)
        (void)snprintf(spans->remark, sizeof spans->remark,
                       "rows have no usual step, so gaps do not end spans: --gap LEN says how "
                       "long one is");
    spans->sink.remark = spans->remark[0] != '\0' ? spans->remark : NULL;
    spans->sink.remark_of_input = true;
}

/* Ends the series: its spans go no further. */
static int end_series(struct spans *spans, struct error *error)
{
    struct span_series *series = spans->series;

    spans->stepped = spans->stepped || series->rows.gaps.stepped;
    spans->had_usual = spans->had_usual || series->rows.gaps.had_usual;
    if (series->begun)
        spans_end_rows(spans);
    for (unsigned i = 0; i < spans->sink.format.context.channels; i++)
        series->channels[i].ended = series->channels[i].held;
    return spans_put_ended(spans, error);
}

static int spans_finish(struct sink *sink, struct error *error)
{
    struct spans *spans = (struct spans *)sink;
    int result = 0;

    for (size_t i = 0; result == 0 && i < spans->all.count; i++) {
        spans->series = spans->all.at[i];
        if (spans->series != NULL)
            result = end_series(spans, error);
    }
    if (result == 0)
        result = spans_flush(spans, error);
    set_remark(spans);
    return result;
}

static void spans_close(struct sink *sink)
{
    struct spans *spans = (struct spans *)sink;

    memory_text_free(&spans->text);
    free(spans->firsts);
    for (size_t i = 0; i < spans->all.count; i++) {
        struct span_series *series = spans->all.at[i];

        if (series != NULL)
            gap_rows_free(&series->rows);
        free(series);
    }
    free(spans->all.at);
    free(spans);
}

static struct sink *spans_part(const struct sink *sink, uint64_t frame, uint64_t count)
{
    const struct sink_context *context = &sink->format.context;
    const struct spans *spans = (const struct spans *)sink;
    struct spans *part = calloc(1, sizeof *part);

    (void)count;
    if (part == NULL)
        return NULL;
    part->sink = (struct sink){.class = sink->class, .format = sink->format};
    part->rule = spans->rule;
    part->kind = spans->kind;
    part->keys = spans->keys;
    part->kernels = spans->kernels;
    part->frame = part->begin = context->first_frame + frame * context->window.hop;
    part->firsts = calloc(context->channels, sizeof *part->firsts);
    if (part->firsts != NULL && go_to(part, NULL) == 0)
        return &part->sink;
    spans_close(&part->sink);
    return NULL;
}

static int open_spans(struct output *output, const struct sink_format *format, struct sink **sink,
                      struct error *error)
{
    static const struct sink_class class = {
        .write = spans_write,
        .times = spans_times,
        .part = spans_part,
        .join = spans_join,
        .parts_wait = true,
        .parts_are_small = true,
        .finish = spans_finish,
        .close = spans_close,
    };
    const struct sink_context *context = &format->context;
    struct spans *spans = calloc(1, sizeof *spans);

    if (spans == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    spans->sink = (struct sink){.class = &class, .format = *format, .output = output};
    spans->rule = context->rule;
    spans->kind = format->row.kind[0];
    spans->keys = span_keys_of(&spans->rule, spans->kind);
    /* If no float is above infinity, the keys outside are one range, too. */
    if (spans->keys.first <= spans->keys.last &&
        (spans->kind == VALUE_F32 || spans->kind == VALUE_F64))
        spans->kernels = cpu_kernels_pick(context->isa, spans->kind);
    spans->frame = context->first_frame;
    spans->of_rows = context->times != NULL && context->period == 0;
    if (span_lines_begin(&spans->sink, &spans->text, error) != 0 ||
        (source_key_name(context->table) == NULL && go_to(spans, NULL) != 0 &&
         error_system(error, ERROR_FILE, output->name, errno) != 0)) {
        spans_close(&spans->sink);
        return -1;
    }
    *sink = &spans->sink;
    return 0;
}

#define LIST                                                                                       \
    .kinds = " f32", .whole = true, .streams = true, .text = true, .any_window = true,             \
    .open = open_spans

static const struct format_writer spans_writer = {LIST};

/* Labels have times in seconds of the input. */
static const struct format_writer labels_writer = {LIST, .rate_most = SOURCE_RATE_MOST,
                                                   .rate_of_input = true};

const struct format format_spans = {
    .names = {"spans"},
    .words = "a list of spans",
    .delimiter = ',',
    .writer = &spans_writer,
};

const struct format format_labels = {
    .names = {"labels"},
    .words = "a label track",
    .delimiter = '\t',
    .writer = &labels_writer,
};
