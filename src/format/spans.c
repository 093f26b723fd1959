/* -T spans: where the values of a channel are above or below a level, a line a span.
 *
 * A span begins with the first frame of its first window and goes to the end of its last window.
 * Its line is written when no later window can belong to it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/text/text.h"
#include "sample/number.h"

enum { BLOCK_BYTES = 64 * 1024 };

/* A stretch of the input: a window, or several that belong together. */
struct stretch {
    uint64_t first; /* frames */
    uint64_t end;
    struct moment first_time; /* where rows have times: of the first row, */
    struct moment last_time;  /* and of the last one, or the end of the interval */
};

struct channel {
    bool inside; /* the last window belongs to the span */
    bool held;   /* there is a span that has not been written, */
    bool ended;  /* and no window can belong to it any more */
    struct stretch stretch;
    double extreme;
};

struct spans {
    struct sink sink;
    struct span_rule rule; /* a copy, which the loop over all values reads faster */
    enum value_kind kind;
    float edge;     /* see edge_of() */
    uint64_t frame; /* that the next window begins at, where rows have no times */
    struct row_queue rows;
    struct channel *channels;
    size_t used;
    char block[BLOCK_BYTES];
};

/* ---- text ---- */

static int flush(struct spans *spans, struct error *error)
{
    const size_t used = spans->used;

    spans->used = 0;
    return used == 0 ? 0 : output_write(spans->sink.output, spans->block, used, error);
}

static void put_header(struct spans *spans)
{
    const struct sink_context *context = &spans->sink.format.context;
    const bool timed = spans->sink.rows != NULL || context->input_rate > 0;

    spans->used = (size_t)snprintf(spans->block, BLOCK_BYTES, "channel,%sfirst,frames,%s%s\n",
                                   timed ? "start,end," : "", emit_names[context->emits.item[0]],
                                   context->file != NULL ? ",file" : "");
}

/* Each puts a column with a comma behind it, and returns the end. */

static char *put_whole(char *at, uint64_t number)
{
    at += number_write_u64(at, number);
    *at++ = ',';
    return at;
}

static char *put_seconds(const struct spans *spans, char *at, uint64_t frame)
{
    const struct sink_context *context = &spans->sink.format.context;

    at += number_write_f64(at, rate_time(frame, context->input_rate, context->ratio));
    *at++ = ',';
    return at;
}

static char *put_moment(const struct spans *spans, char *at, struct moment moment)
{
    char words[TIME_MOST];

    return text_put_column(at, ',', words,
                           time_write(&spans->sink.format.context.times, moment, words));
}

static int put_span(struct spans *spans, unsigned channel, struct error *error)
{
    const struct sink_context *context = &spans->sink.format.context;
    const size_t file = context->file == NULL ? 0 : strlen(context->file);
    struct channel *one = &spans->channels[channel];
    const struct stretch *stretch = &one->stretch;
    char *at;

    if (BLOCK_BYTES - spans->used < 6 * (NUMBER_MOST + 1) + 4 * TIME_MOST + 2 * file + 4 &&
        flush(spans, error) != 0)
        return -1;
    at = put_whole(spans->block + spans->used, channel);
    if (spans->sink.rows != NULL) {
        at = put_moment(spans, at, stretch->first_time);
        at = put_moment(spans, at, stretch->last_time);
    } else if (context->input_rate > 0) {
        at = put_seconds(spans, at, stretch->first);
        at = put_seconds(spans, at, stretch->end);
    }
    at = put_whole(at, stretch->first);
    at = put_whole(at, stretch->end - stretch->first);
    at += spans->kind == VALUE_F32 ? number_write_f32(at, (float)one->extreme)
                                   : number_write_f64(at, one->extreme);
    *at++ = ',';
    if (file > 0)
        at = text_put_column(at, ',', context->file, file);
    at[-1] = '\n';
    spans->used = (size_t)(at - spans->block);
    one->held = false;
    one->ended = false;
    return 0;
}

/* ---- spans ---- */

static double value_at(const struct spans *spans, const void *values, size_t index)
{
    switch (spans->kind) {
    case VALUE_F32:
        return (double)((const float *)values)[index];
    case VALUE_F64:
        return ((const double *)values)[index];
    case VALUE_I64:
        return (double)((const int64_t *)values)[index];
    default:
        return (double)((const uint64_t *)values)[index];
    }
}

/* NaN is neither. */
static bool is_inside(const struct span_rule *rule, double value)
{
    return rule->below ? value < rule->level : value > rule->level;
}

/* Does the span go on, or does it end before this window? */
static bool is_joined(const struct spans *spans, const struct channel *one,
                      const struct stretch *window)
{
    moment_count between = (moment_count)window->first - (moment_count)one->stretch.end;

    if (spans->sink.format.context.period > 0)
        between = moment_to_count(window->first_time) - moment_to_count(one->stretch.last_time);
    return one->inside || (spans->rule.joins && between < spans->rule.join);
}

static void add_extreme(const struct spans *spans, struct channel *one, double value)
{
    if (spans->rule.below ? value < one->extreme : value > one->extreme)
        one->extreme = value;
}

static void add_window(struct spans *spans, struct channel *one, const struct stretch *window,
                       double value)
{
    if (!one->held) {
        one->held = true;
        one->stretch = *window;
        one->extreme = value;
    }
    one->inside = true;
    one->stretch.end = window->end;
    one->stretch.last_time = window->last_time;
    add_extreme(spans, one, value);
}

/* Writes the spans that have ended, in the order of their ends, then of the channels. */
static int put_ended(struct spans *spans, struct error *error)
{
    const unsigned channels = spans->sink.format.context.channels;
    unsigned next;

    do {
        next = channels;
        for (unsigned i = 0; i < channels; i++) {
            const struct channel *one = &spans->channels[i];

            if (one->ended &&
                (next == channels || one->stretch.end < spans->channels[next].stretch.end))
                next = i;
        }
        if (next < channels && put_span(spans, next, error) != 0)
            return -1;
    } while (next < channels);
    return 0;
}

/* A window that ends one span may begin the next one. */
static int add_frame(struct spans *spans, const void *values, size_t at,
                     const struct stretch *window, struct error *error)
{
    const unsigned channels = spans->sink.format.context.channels;
    bool ended = false;

    for (unsigned i = 0; i < channels; i++) {
        struct channel *one = &spans->channels[i];

        one->inside = one->inside && is_inside(&spans->rule, value_at(spans, values, at + i));
        one->ended = one->held && !is_joined(spans, one, window);
        ended = ended || one->ended;
    }
    if (ended && put_ended(spans, error) != 0)
        return -1;
    for (unsigned i = 0; i < channels; i++) {
        const double value = value_at(spans, values, at + i);

        if (is_inside(&spans->rule, value))
            add_window(spans, &spans->channels[i], window, value);
    }
    return 0;
}

/* ---- windows ---- */

static void take_window(struct spans *spans, struct stretch *window)
{
    const struct sink_context *context = &spans->sink.format.context;

    if (context->period > 0) {
        const struct row row = row_queue_take(spans->sink.rows);
        const struct moment end = moment_add(row.time, context->period);

        *window = (struct stretch){row.frame, row.frame + row.frames, row.time, end};
        return;
    }
    *window = (struct stretch){
        .first = spans->frame,
        .end = spans->frame + context->width,
    };
    spans->frame += context->hop;
    if (spans->sink.rows == NULL)
        return;
    window->first_time = row_queue_at(spans->sink.rows, 0).time;
    window->last_time = row_queue_at(spans->sink.rows, context->width - 1).time;
    /* Those that no later window has. */
    for (uint64_t i = 0; i < context->hop && i < context->width; i++)
        (void)row_queue_take(spans->sink.rows);
}

enum { GROUP = 64 }; /* windows that are passed at once */

/* Are all values of a group inside, or none? No early exit, and the stride is a constant in two of
 * the calls, so that the loop is vectorised. */
static inline __attribute__((always_inline)) bool is_even(const float *values, size_t stride,
                                                          bool below, float edge, bool inside)
{
    uint32_t within = 0;

    for (size_t i = 0; i < GROUP; i++)
        within += (below ? values[i * stride] < edge : values[i * stride] > edge) ? 1U : 0U;
    return within == (inside ? GROUP : 0);
}

/* Passes groups of windows that leave every channel as it is, in its span or without one. Returns
 * the number of windows. Not for rows with times. */
static size_t pass(struct spans *spans, const float *values, size_t count)
{
    const struct sink_context *context = &spans->sink.format.context;
    const bool below = spans->rule.below;
    const float edge = spans->edge;
    const unsigned channels = context->channels;
    size_t passed = 0;

    for (; count - passed >= GROUP; passed += GROUP, values += (size_t)GROUP * channels) {
        for (unsigned i = 0; i < channels; i++) {
            const struct channel *one = &spans->channels[i];

            if (one->held != one->inside ||
                !(channels == 1   ? is_even(values, 1, below, edge, one->held)
                  : channels == 2 ? is_even(values + i, 2, below, edge, one->held)
                                  : is_even(values + i, channels, below, edge, one->held)))
                return passed;
        }
        spans->frame += GROUP * context->hop;
        for (unsigned i = 0; i < channels; i++) {
            struct channel *one = &spans->channels[i];
            float extreme = values[i];

            if (!one->held)
                continue;
            one->stretch.end = spans->frame - context->hop + context->width;
            for (size_t j = 1; j < GROUP; j++) {
                const float value = values[j * channels + i];

                extreme = (below ? value < extreme : value > extreme) ? value : extreme;
            }
            add_extreme(spans, one, (double)extreme);
        }
    }
    return passed;
}

/* A float is below the level if it is below this one, or above. */
static float edge_of(const struct span_rule *rule)
{
    const float near = (float)rule->level;

    if (rule->below)
        return (double)near < rule->level ? nextafterf(near, INFINITY) : near;
    return (double)near > rule->level ? nextafterf(near, -INFINITY) : near;
}

static int spans_write(struct sink *sink, void *frames, size_t count, bool gift,
                       struct error *error)
{
    struct spans *spans = (struct spans *)sink;
    const unsigned channels = sink->format.context.channels;
    const bool plain = spans->kind == VALUE_F32 && spans->sink.rows == NULL;
    size_t busy = 0; /* windows up to this one are taken one by one */

    (void)gift;
    for (size_t i = 0; i < count; i++) {
        struct stretch window;

        if (plain && i >= busy) {
            i += pass(spans, (const float *)frames + i * channels, count - i);
            busy = i + GROUP;
            if (i == count)
                break;
        }
        take_window(spans, &window);
        if (add_frame(spans, frames, i * channels, &window, error) != 0)
            return -1;
    }
    return flush(spans, error);
}

static int spans_finish(struct sink *sink, struct error *error)
{
    struct spans *spans = (struct spans *)sink;

    for (unsigned i = 0; i < sink->format.context.channels; i++)
        spans->channels[i].ended = spans->channels[i].held;
    return put_ended(spans, error) != 0 ? -1 : flush(spans, error);
}

static void spans_close(struct sink *sink)
{
    struct spans *spans = (struct spans *)sink;

    row_queue_free(&spans->rows);
    free(spans->channels);
    free(spans);
}

static int open_spans(struct output *output, const struct sink_format *format, struct sink **sink,
                      struct error *error)
{
    static const struct sink_class class = {
        .write = spans_write,
        .finish = spans_finish,
        .close = spans_close,
    };
    const struct sink_context *context = &format->context;
    struct spans *spans = calloc(1, sizeof *spans);

    if (spans == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    spans->sink = (struct sink){.class = &class, .format = *format, .output = output};
    spans->rule = context->rule;
    spans->edge = edge_of(&spans->rule);
    spans->kind = format->row.kind[0];
    spans->frame = context->first_frame;
    spans->channels = calloc(context->channels, sizeof *spans->channels);
    if (spans->channels == NULL) {
        error_system(error, ERROR_FILE, output->name, errno);
        spans_close(&spans->sink);
        return -1;
    }
    if (context->table != NULL && context->table->times != NULL) {
        spans->sink.rows = &spans->rows;
        spans->sink.every_row = context->period == 0;
    }
    put_header(spans);
    *sink = &spans->sink;
    return 0;
}

static const struct format_writer writer = {
    .kinds = " f32",
    .whole = true,
    .streams = true,
    .text = true,
    .open = open_spans,
};

const struct format format_spans = {
    .names = {"spans"},
    .words = "a list of spans",
    .writer = &writer,
};
