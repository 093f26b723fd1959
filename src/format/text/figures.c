/* SPDX-License-Identifier: MIT */
#include "format/text/figures_priv.h"

#include <math.h>

/* Decibels: 0 for full scale, which is 1, and -infinity for silence; NAN where numbers of tables
 * and arrays have no full scale. */
static double decibels(const struct stats_setup *setup, double level)
{
    return setup->is_table || setup->is_array ? NAN : 20 * log10(level);
}

struct figures figures_of(const struct stats_setup *setup, uint64_t first, uint64_t frames,
                          const struct stats_values *values, double numbers)
{
    const bool there = numbers > 0;
    const bool ends = there && stats_have_ends(setup);
    const struct level none = {.kind = VALUE_F64, .value = NAN};
    struct figures figures = {
        .low = there ? level_of_key(setup->sample, values->low) : none,
        .high = there ? level_of_key(setup->sample, values->high) : none,
        .peak = there ? level_of_magnitude(setup->sample, values->magnitude) : none,
        .low_at = there ? first + values->low_at : FIGURE_NONE,
        .high_at = there ? first + values->high_at : FIGURE_NONE,
        .peak_at = there ? first + values->magnitude_at : FIGURE_NONE,
        .frame = first,
        .frames = frames,
        .numbers = (uint64_t)numbers,
        .nans = values->nans,
        .clipped = setup->full_scale.known ? values->clipped : FIGURE_NONE,
        .clipped_at = values->clipped > 0 ? first + values->clipped_at : FIGURE_NONE,
        .sum = values->sum,
        .mean = there ? values->sum / numbers : NAN,
        .rms = there ? sqrt(values->square / numbers) : NAN,
        .std = ends ? deviations_std(values->deviations) : NAN,
        .first = ends ? level_of_key(setup->sample, values->first).value : NAN,
        .last = ends ? level_of_key(setup->sample, values->last).value : NAN,
    };

    figures.peak_db = decibels(setup, figures.peak.value);
    figures.rms_db = decibels(setup, figures.rms);
    figures.crest = figures.peak.value / figures.rms;
    return figures;
}

struct figures figures_of_channel(const struct stats_setup *setup, uint64_t first,
                                  const struct channel_stats *channel)
{
    const struct stats_values values = channel_values(channel);

    return figures_of(setup, first, channel->frames, &values,
                      (double)(channel->frames - values.nans));
}
