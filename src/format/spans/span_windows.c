/* SPDX-License-Identifier: MIT */
#include "format/spans/spans_priv.h"

#include "base/min_max.h"

enum { STRETCH = 512 }; /* windows of several channels that are passed at once */

/* The number of next windows, up to `most`, in which a span still waits for one that joins it. */
static size_t wait_of(const struct spans *spans, const struct span_channel *one, size_t most)
{
    const moment_count hop = (moment_count)spans->sink.format.context.window.hop;
    const moment_count left = (moment_count)one->rows.end - (moment_count)spans->frame +
                              (moment_count)spans->rule.join.length;

    return left >= hop * (moment_count)most ? most
           : left > 0                       ? (size_t)((left + hop - 1) / hop)
                                            : 0;
}

/* The number of next windows, up to `most`, that leave a channel as it is, inside a span or
 * outside. The keys of the values outside go around those inside. */
static size_t run_of(const struct spans *spans, struct span_channel *one, const void *values,
                     size_t most)
{
    const struct extremes inside = {spans->keys.first, spans->keys.last};
    const struct extremes outside = {inside.high + 1, inside.low - 1};
    int64_t extreme;
    size_t run;

    if (one->held && !one->inside)
        most = wait_of(spans, one, most);
    run = spans->kernels->within(one->inside ? inside : outside, spans->rule.below, values,
                                 spans->sink.format.context.channels, most, &extreme);
    if (one->inside && run > 0)
        spans_add_extreme(spans, one, extreme);
    return run;
}

/* Passes windows up to the first that changes a channel. If another channel is inside, its extreme
 * may have later windows already: these belong to its span, too. */
static size_t pass_stretch(struct spans *spans, const char *values, size_t most)
{
    const struct sink_context *context = &spans->sink.format.context;
    struct span_channel *const all = spans->series->channels;
    size_t run = most;

    for (unsigned i = 0; i < context->channels; i++)
        run = run_of(spans, &all[i], values + i * value_bytes(spans->kind), run);
    spans->frame += run * context->window.hop;
    for (unsigned i = 0; run > 0 && i < context->channels; i++) {
        if (all[i].inside)
            all[i].rows.end = spans->frame - context->window.hop + context->window.width;
    }
    return run;
}

size_t spans_pass(struct spans *spans, const char *values, size_t count)
{
    const unsigned channels = spans->sink.format.context.channels;
    size_t passed = 0;
    size_t most;
    size_t run;

    do {
        most = channels == 1 ? count : min_u64(count - passed, STRETCH);
        run = pass_stretch(spans, values + passed * channels * value_bytes(spans->kind), most);
        passed += run;
    } while (run == most && passed < count);
    return passed;
}
