/* SPDX-License-Identifier: MIT */
#include "job/plan_priv.h"

/* Plans a length of spans: a time by the clock, and also where rows have times, unless it is a
 * number of rows. */
static int plan_span_length(const struct plan *plan, const struct span *span,
                            const struct source *from, struct span_length *length,
                            struct error *error)
{
    const struct source_format *source = &from->format;
    const bool timed = from->table->times != NULL;
    uint64_t frames;

    *length = (struct span_length){.given = span->given};
    length->by_time =
        span->given && (plan->stream.intervals.period > 0 || (timed && span->is_time));
    if (length->by_time)
        return settings_period(span, &length->length, error);
    if (settings_span(span, source->rate, source->ratio, 0, 0, &frames, error) != 0)
        return -1;
    length->length = (int64_t)frames;
    return 0;
}

int plan_span_lengths(struct plan *plan, const struct settings *settings, const struct source *from,
                      struct error *error)
{
    struct span_rule *rule = &plan->sink.context.rule;

    return plan_span_length(plan, &settings->join, from, &rule->join, error) != 0
               ? -1
               : plan_span_length(plan, &settings->least, from, &rule->least, error);
}

int plan_spans(struct plan *plan, const struct settings *settings,
               const struct source_format *source, struct error *error)
{
    static const struct emit_list never_negative = {
        5, {EMIT_ABS, EMIT_RANGE, EMIT_RMS, EMIT_STD, EMIT_COUNT}};
    struct emit_list *emits = &plan->stream.setup.emits;
    const bool numbers = source->numbers || source->sample.counts;

    if (settings->rule.text == NULL)
        return 0;
    if (numbers && settings->rule.relative)
        return USAGE(error,
                     "--level %s: tables, arrays and counts have no full scale: give a "
                     "number, as in above:25",
                     settings->rule.text);
    if (numbers && !settings->emit_given)
        emits->item[0] = EMIT_MAX;
    return emits_have(&never_negative, emits->item[0]) && settings->rule.level < 0
               ? USAGE(error, "--level %s: %s is never negative: %s", settings->rule.text,
                       emit_names[emits->item[0]],
                       numbers ? "did you mean --emit min?"
                               : "did you mean dB, as in -50dB, or --emit min?")
               : 0;
}
