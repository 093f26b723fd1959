/* SPDX-License-Identifier: MIT */
#include "format/spans/spans_priv.h"

#include <errno.h>

enum { BLOCK_BYTES = 64 * 1024 };

int spans_flush(struct spans *spans, struct error *error)
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

int spans_put(struct spans *spans, unsigned channel, struct error *error)
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
    if (span_lines_add(&spans->sink, &spans->text, channel, &one->rows, spans->origin,
                       one->extreme) != 0)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    return spans->text.used < BLOCK_BYTES ? 0 : spans_flush(spans, error);
}

bool spans_are_joined(const struct spans *spans, const struct span_channel *one,
                      const struct sink_rows *window)
{
    const struct span_length *join = &spans->rule.join;
    moment_count between = (moment_count)window->first - (moment_count)one->rows.end;

    if (join->by_time)
        between = moment_to_count(window->first_time) - moment_to_count(one->rows.last_time);
    return one->inside || (join->given && between < join->length);
}

void spans_add_extreme(const struct spans *spans, struct span_channel *one, int64_t key)
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
    spans_add_extreme(spans, one, key);
}

int spans_put_ended(struct spans *spans, struct error *error)
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
            if (all[i].ended && all[i].rows.end == end && spans_put(spans, i, error) != 0)
                return -1;
        }
    }
}

void spans_end_rows(struct spans *spans)
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
        spans_end_rows(spans);
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
int spans_add_window(struct spans *spans, const void *values, size_t at,
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
        one->ended = one->held && !spans_are_joined(spans, one, window);
        ended = ended || one->ended;
    }
    if (ended && spans_put_ended(spans, error) != 0)
        return -1;
    for (unsigned i = 0; i < channels; i++) {
        const int64_t key = span_key(spans->kind, values, at + i);

        if (span_keys_have(spans->keys, key))
            add_window(spans, &all[i], window, key);
    }
    return 0;
}
