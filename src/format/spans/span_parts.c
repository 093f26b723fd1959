/* SPDX-License-Identifier: MIT */
#include "format/spans/spans_priv.h"

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
    one->ended = one->held && !spans_are_joined(spans, one, &window);
    if (first == NULL || !one->held || one->ended)
        return;
    first->rows.number = one->rows.number;
    first->rows.first = one->rows.first;
    spans_add_extreme(spans, first, one->extreme);
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
    return spans_flush(spans, error) != 0
               ? -1
               : output_write(spans->sink.output, part->text.bytes + from, end - from, error);
}

/* All spans of a part end behind those before it. */
int spans_join(struct sink *sink, struct sink *other, struct error *error)
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
    if (spans_put_ended(spans, error) != 0)
        return -1;
    for (unsigned i = 0; i < part->first_count; i++) {
        const struct first_span *first = &part->firsts[i];

        all[first->channel] = first->span;
        if (put_lines(spans, part, &done, first->place, error) != 0 ||
            spans_put(spans, first->channel, error) != 0)
            return -1;
    }
    for (unsigned i = 0; i < channels; i++) {
        if (part->series->channels[i].held)
            all[i] = part->series->channels[i];
    }
    spans->frame = part->frame;
    spans->ended += part->ended;
    return put_lines(spans, part, &done, part->text.used, error) != 0 ? -1
                                                                      : spans_flush(spans, error);
}
