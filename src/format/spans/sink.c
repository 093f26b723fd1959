/* SPDX-License-Identifier: MIT */
/* -T spans: where the values of a channel are above or below a level, one line for each span. -T
 * labels: these spans as a label track of Audacity.
 *
 * Values are compared as keys (window/rules.h): 64-bit integers in the order of the values. The
 * values above or below the level are one range of keys.
 *
 * A span begins with the first frame of its first window and goes to the end of its last window.
 * Its line is written when no later window can belong to it. A part of the windows has the lines of
 * its spans, but for the first span of each channel, and the last if it is open: these are joined
 * with spans of its neighbours. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory_text.h"
#include "base/min_max.h"
#include "format/format.h"
#include "format/sink.h"
#include "format/source.h"
#include "format/span_keys_priv.h"
#include "format/span_lines_priv.h"
#include "window/rules.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct span_channel {
    bool inside; /* the last window belongs to the span */
    bool held;   /* there is a span that has not been written */
    bool ended;  /* no later window can belong to the span */
    bool cut;    /* a gap has ended the span */
    bool later;  /* in a part: the span is not the first one, which may join an earlier span */
    struct sink_rows rows; /* rows of its windows, with times up to the next row */
    int64_t extreme;       /* extreme value, as a key */
};

/* The first span of a channel in a part. */
struct first_span {
    unsigned channel;
    struct span_channel span;
    size_t place; /* offset of its line among the lines of the part */
};

/* The spans of the rows of a key, or of all rows. */
struct span_series {
    bool begun; /* a window has passed rows */
    struct gap_rows rows;
    struct span_channel channels[];
};

struct spans {
    struct sink sink;
    bool of_rows; /* windows are of rows with times, not intervals of a clock: gaps are possible */
    struct span_rule rule; /* a copy, which the loop over all values reads faster */
    struct span_keys keys; /* keys of the values inside; NaN has none of them */
    float borders[2];      /* borders for groups outside and inside, where values are float32 */
    enum value_kind kind;
    uint64_t frame; /* frame at which the next window begins, where rows have no times */
    struct pointers all;
    struct span_series *series; /* the series whose windows come */
    uint64_t ended;             /* spans that have ended */
    uint64_t cut;               /* spans that a gap has ended */
    bool stepped;               /* a series that has ended has steps */
    bool had_usual;             /* a series that has ended has had a usual step */
    char remark[160];
    uint64_t begin;            /* the first value of `frame` */
    struct memory_text text;   /* lines that are not written; in a part without those of `firsts` */
    struct first_span *firsts; /* first spans of a part; NULL if this is no part */
    unsigned first_count;
};

/* Writes lines; those of a part wait until they are joined. */
static int flush(struct spans *spans, struct error *error)
{
    const size_t used = spans->firsts != NULL ? 0 : spans->text.used;

    if (used == 0)
        return 0;
    spans->text.used = 0;
    return output_write(spans->sink.output, spans->text.bytes, used, error);
}

/* Does the span last as long as the user wants? */
static bool lasts(const struct span_rule *rule, const struct sink_rows *rows)
{
    if (rule->least.by_time)
        return moment_to_count(rows->last_time) - moment_to_count(rows->first_time) >=
               rule->least.length;
    return rows->end - rows->first >= (uint64_t)rule->least.length;
}

static int put_span(struct spans *spans, unsigned channel, struct error *error)
{
    struct span_channel *one = &spans->series->channels[channel];

    one->held = false;
    one->ended = false;
    if (spans->firsts != NULL && !one->later) {
        spans->firsts[spans->first_count++] = (struct first_span){channel, *one, spans->text.used};
        one->later = true;
        return 0;
    }
    spans->ended++;
    spans->cut += one->cut;
    if (!lasts(&spans->rule, &one->rows))
        return 0;
    if (span_lines_add(&spans->sink, &spans->text, channel, &one->rows, one->extreme) != 0)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    return spans->text.used < BLOCK_BYTES ? 0 : flush(spans, error);
}

/* ---- spans ---- */

/* Does the span go on, or does it end before this window? */
static bool is_joined(const struct spans *spans, const struct span_channel *one,
                      const struct sink_rows *window)
{
    const struct span_length *join = &spans->rule.join;
    moment_count between = (moment_count)window->first - (moment_count)one->rows.end;

    if (join->by_time)
        between = moment_to_count(window->first_time) - moment_to_count(one->rows.last_time);
    return one->inside || (join->given && between < join->length);
}

static void add_extreme(const struct spans *spans, struct span_channel *one, int64_t key)
{
    if (spans->rule.below ? key < one->extreme : key > one->extreme)
        one->extreme = key;
}

static void add_window(struct spans *spans, struct span_channel *one,
                       const struct sink_rows *window, int64_t key)
{
    if (!one->held) {
        one->held = true;
        one->rows = *window;
        one->extreme = key;
    }
    one->inside = true;
    one->cut = false;
    one->rows.end = window->end;
    one->rows.last_time = window->last_time;
    add_extreme(spans, one, key);
}

/* Writes the spans that have ended, in the order of their ends, then of the channels. */
static int put_ended(struct spans *spans, struct error *error)
{
    const unsigned channels = spans->sink.format.context.channels;
    const struct span_channel *all = spans->series->channels;

    for (;;) {
        uint64_t end = UINT64_MAX;

        for (unsigned i = 0; i < channels; i++)
            end = all[i].ended && all[i].rows.end < end ? all[i].rows.end : end;
        if (end == UINT64_MAX)
            return 0;
        for (unsigned i = 0; i < channels; i++) {
            if (all[i].ended && all[i].rows.end == end && put_span(spans, i, error) != 0)
                return -1;
        }
    }
}

/* The last window's last row lasts until the next row, or as long as the usual step. */
static void end_rows(struct spans *spans)
{
    struct span_series *series = spans->series;
    const struct moment until = gap_rows_until(&series->rows);

    for (unsigned i = 0; i < spans->sink.format.context.channels; i++) {
        if (series->channels[i].inside)
            series->channels[i].rows.last_time = until;
    }
}

/* Goes to the rows of the next window. A gap among the rows since the last window ends all spans.
 * False: the window does not count, because a gap or the beginning of the rows cuts it. */
static bool pass_rows(struct spans *spans, const struct sink_rows *window)
{
    struct gap_rows *rows = &spans->series->rows;
    const uint64_t stretch = rows->stretch;
    const int64_t width = spans->sink.format.context.time_width;

    if (spans->series->begun)
        end_rows(spans);
    spans->series->begun = true;
    gap_rows_pass(rows, window->end - 1);
    for (unsigned i = 0; rows->stretch != stretch && i < spans->sink.format.context.channels; i++) {
        struct span_channel *one = &spans->series->channels[i];

        one->cut = one->cut || one->inside;
        one->inside = false;
    }
    return window->first >= rows->stretch &&
           (width == 0 ||
            moment_to_count(window->last_time) - moment_to_count(rows->begins) >= width);
}

/* A window that ends one span may begin the next one. */
static int add_frame(struct spans *spans, const void *values, size_t at,
                     const struct sink_rows *window, struct error *error)
{
    const unsigned channels = spans->sink.format.context.channels;
    struct span_channel *const all = spans->series->channels;
    bool ended = false;

    if (spans->of_rows && !pass_rows(spans, window))
        return 0;
    for (unsigned i = 0; i < channels; i++) {
        struct span_channel *one = &all[i];

        one->inside =
            one->inside && span_keys_have(spans->keys, span_key(spans->kind, values, at + i));
        one->ended = one->held && !is_joined(spans, one, window);
        ended = ended || one->ended;
    }
    if (ended && put_ended(spans, error) != 0)
        return -1;
    for (unsigned i = 0; i < channels; i++) {
        const int64_t key = span_key(spans->kind, values, at + i);

        if (span_keys_have(spans->keys, key))
            add_window(spans, &all[i], window, key);
    }
    return 0;
}

/* ---- windows ---- */

static struct sink_rows next_window(struct spans *spans)
{
    const uint64_t first = spans->frame;

    spans->frame += spans->sink.format.context.window.hop;
    return (struct sink_rows){
        .number = first, .first = first, .end = first + spans->sink.format.context.window.width};
}

enum {
    GROUP = 64,       /* windows that are compared at once */
    PART = 16,        /* windows of a part of a group */
    STRETCH = 512,    /* windows that are passed at once */
    PASSED_LEAST = 8, /* if fewer windows are passed, the values cross the level often */
};

/* Are `count` values all inside, or all outside? They are if all values, times the sign, are at the
 * border or above, or if none is. There is no early exit, the number is a constant, and so is the
 * stride in two of the calls, so that the loop is vectorised. */
static inline __attribute__((always_inline)) bool
is_even(const float *values, size_t count, size_t stride, float sign, float border, bool inside)
{
    uint32_t within = 0;

    for (size_t i = 0; i < count; i++)
        within += values[i * stride] * sign >= border ? 1U : 0U;
    return within == (inside ? count : 0);
}

/* The greatest or the least key of `count` values; also vectorised. `turn` is -1 for the least key,
 * and reverses the order of all keys; else 0. */
static inline __attribute__((always_inline)) int32_t extreme_of(const float *values, size_t stride,
                                                                size_t count, int32_t turn)
{
    int32_t extreme = INT32_MIN;

    for (size_t i = 0; i < count; i++) {
        const int32_t key = (int32_t)rules_flip(rules_bits(values[i * stride])) ^ turn;

        extreme = key > extreme ? key : extreme;
    }
    return extreme ^ turn;
}

/* Sets the borders of is_even(), for groups outside and inside. As numbers -0 and 0 are equal, so
 * next to them the two borders differ. */
static void set_borders(struct spans *spans)
{
    const int64_t key = spans->rule.below ? spans->keys.last : spans->keys.first;
    const float border = rules_from_key((int32_t)key);
    const float turned = spans->rule.below ? -border : border;

    spans->borders[false] = spans->borders[true] = turned;
    if (border == 0)
        spans->borders[true] = FLT_TRUE_MIN;
}

/* Passes even groups, and windows at the beginning of the next group that are like them. */
static inline __attribute__((always_inline)) size_t
even_run(const float *values, size_t stride, float sign, float border, bool inside, size_t most)
{
    size_t run = 0;

    while (most - run >= GROUP &&
           is_even(values + run * stride, GROUP, stride, sign, border, inside))
        run += GROUP;
    while (most - run >= PART && is_even(values + run * stride, PART, stride, sign, border, inside))
        run += PART;
    while (run < most && (values[run * stride] * sign >= border) == inside)
        run++;
    return run;
}

/* The number of next windows, up to `most`, that leave a channel as it is, inside a span or
 * outside. There may be more. */
static size_t run_of(const struct spans *spans, const struct span_channel *one, const float *values,
                     size_t most)
{
    const struct sink_context *context = &spans->sink.format.context;
    const float sign = spans->rule.below ? -1 : 1;
    const float border = spans->borders[one->inside];
    const bool inside = one->inside;

    if (one->held && !inside) { /* the span waits for a span that joins it */
        const moment_count left = (moment_count)one->rows.end - (moment_count)spans->frame +
                                  (moment_count)spans->rule.join.length;
        const moment_count hop = (moment_count)context->window.hop;

        if (left < hop * (moment_count)most)
            most = left > 0 ? (size_t)((left + hop - 1) / hop) : 0;
    }
    return context->channels == 1 ? even_run(values, 1, sign, border, inside, most)
           : context->channels == 2
               ? even_run(values, 2, sign, border, inside, most)
               : even_run(values, context->channels, sign, border, inside, most);
}

/* Passes windows that leave all channels as they are. */
static void pass_run(struct spans *spans, const float *values, size_t run)
{
    const struct sink_context *context = &spans->sink.format.context;
    const unsigned channels = context->channels;
    const int32_t turn = spans->rule.below ? -1 : 0;

    spans->frame += run * context->window.hop;
    for (unsigned i = 0; run > 0 && i < channels; i++) {
        struct span_channel *one = &spans->series->channels[i];

        if (!one->inside)
            continue;
        one->rows.end = spans->frame - context->window.hop + context->window.width;
        add_extreme(spans, one,
                    channels == 1 ? extreme_of(values, 1, run, turn)
                                  : extreme_of(values + i, channels, run, turn));
    }
}

/* Passes the next windows that leave all channels as they are. Returns their number. Rows must have
 * no times. */
static size_t pass(struct spans *spans, const float *values, size_t count)
{
    const unsigned channels = spans->sink.format.context.channels;
    size_t passed = 0;
    size_t most;
    size_t run;

    do {
        most = run = min_u64(count - passed, STRETCH);
        for (unsigned i = 0; i < channels; i++)
            run = run_of(spans, &spans->series->channels[i], values + passed * channels + i, run);
        pass_run(spans, values + passed * channels, run);
        passed += run;
    } while (run == most && passed < count);
    return passed;
}

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

static int spans_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                       bool gift, struct error *error)
{
    struct spans *spans = (struct spans *)sink;
    const unsigned channels = sink->format.context.channels;
    const bool plain = spans->kind == VALUE_F32 && rows == NULL;
    size_t busy = 0; /* windows up to this number are taken one by one */

    (void)gift;
    for (size_t i = 0; i < count; i++) {
        struct sink_rows window;

        if (plain && i >= busy) {
            const size_t passed = pass(spans, (const float *)frames + i * channels, count - i);

            i += passed;
            busy = i + (passed < PASSED_LEAST ? GROUP : 1);
            if (i == count)
                break;
        }
        window = rows != NULL ? rows[i] : next_window(spans);
        if (window.key != NULL && go_to(spans, window.key) != 0)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        if (add_frame(spans, frames, i * channels, &window, error) != 0)
            return -1;
    }
    return flush(spans, error);
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
        end_rows(spans);
    for (unsigned i = 0; i < spans->sink.format.context.channels; i++)
        series->channels[i].ended = series->channels[i].held;
    return put_ended(spans, error);
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
        result = flush(spans, error);
    set_remark(spans);
    return result;
}

/* ---- parts ---- */

/* The first span of a channel in a part; NULL if there is none. */
static struct span_channel *first_of(struct spans *part, unsigned channel)
{
    struct span_channel *one = &part->series->channels[channel];
    unsigned i = 0;

    if (!one->later)
        return one->held ? one : NULL;
    while (part->firsts[i].channel != channel)
        i++;
    return &part->firsts[i].span;
}

/* Lets the first span of a channel in a part continue the span before, or ends that one. */
static void join_first(const struct spans *spans, struct spans *part, unsigned channel)
{
    struct span_channel *one = &spans->series->channels[channel];
    struct span_channel *first = first_of(part, channel);
    const uint64_t last = part->frame - spans->sink.format.context.window.hop;
    const struct sink_rows window = {.first = first != NULL ? first->rows.first : last};

    one->inside = one->inside && first != NULL && first->rows.first == part->begin;
    one->ended = one->held && !is_joined(spans, one, &window);
    if (first == NULL || !one->held || one->ended)
        return;
    first->rows.number = one->rows.number;
    first->rows.first = one->rows.first;
    add_extreme(spans, first, one->extreme);
    one->held = false;
}

/* Writes lines of a part up to the offset `end`. */
static int put_lines(struct spans *spans, const struct spans *part, size_t *done, size_t end,
                     struct error *error)
{
    const size_t from = *done;

    *done = end;
    if (end == from)
        return 0;
    return flush(spans, error) != 0
               ? -1
               : output_write(spans->sink.output, part->text.bytes + from, end - from, error);
}

/* All spans of a part end behind those before it. */
static int spans_join(struct sink *sink, struct sink *other, struct error *error)
{
    struct spans *spans = (struct spans *)sink;
    struct spans *part = (struct spans *)other;
    struct span_channel *const all = spans->series->channels;
    const unsigned channels = sink->format.context.channels;
    size_t done = 0;

    if (part->frame == part->begin)
        return 0;
    for (unsigned i = 0; i < channels; i++)
        join_first(spans, part, i);
    if (put_ended(spans, error) != 0)
        return -1;
    for (unsigned i = 0; i < part->first_count; i++) {
        const struct first_span *first = &part->firsts[i];

        all[first->channel] = first->span;
        if (put_lines(spans, part, &done, first->place, error) != 0 ||
            put_span(spans, first->channel, error) != 0)
            return -1;
    }
    for (unsigned i = 0; i < channels; i++) {
        if (part->series->channels[i].held)
            all[i] = part->series->channels[i];
    }
    spans->frame = part->frame;
    spans->ended += part->ended;
    return put_lines(spans, part, &done, part->text.used, error) != 0 ? -1 : flush(spans, error);
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
    memcpy(part->borders, spans->borders, sizeof part->borders);
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
    set_borders(spans);
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
    .writer = &spans_writer,
};

const struct format format_labels = {
    .names = {"labels"},
    .words = "a label track",
    .writer = &labels_writer,
};
