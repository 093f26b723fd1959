#include "stats/stats_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/writer.h"

int stats_text_reserve(struct stats_text *text, size_t size)
{
    size_t room = 2 * text->room + size;
    char *bytes;

    if (size <= text->room - text->used)
        return 0;
    bytes = realloc(text->bytes, room);
    if (bytes == NULL)
        return -1;
    text->bytes = bytes;
    text->room = room;
    return 0;
}

int stats_text_put(struct stats_text *text, const char *bytes, size_t size)
{
    if (size == 0)
        return 0;
    if (stats_text_reserve(text, size) != 0)
        return -1;
    memcpy(text->bytes + text->used, bytes, size);
    text->used += size;
    return 0;
}

void stats_text_free(struct stats_text *text)
{
    free(text->bytes);
    *text = (struct stats_text){.bytes = NULL};
}

/* 0 for full scale, which is 1; -infinity for silence. */
static double decibels(double level)
{
    return 20 * log10(level);
}

struct figures figures_of(const struct stats_setup *setup, uint64_t first,
                          const struct stats_values *values, double numbers)
{
    const bool there = numbers > 0;
    const struct level none = {.kind = VALUE_F64, .value = NAN};
    struct figures figures = {
        .low = there ? level_of_key(setup->sample, values->low) : none,
        .high = there ? level_of_key(setup->sample, values->high) : none,
        .peak = there ? level_of_magnitude(setup->sample, values->magnitude) : none,
        .low_at = there ? first + values->low_at : FIGURE_NONE,
        .high_at = there ? first + values->high_at : FIGURE_NONE,
        .peak_at = there ? first + values->magnitude_at : FIGURE_NONE,
        .nans = values->nans,
        .clipped = setup->full_scale.known ? values->clipped : FIGURE_NONE,
        .clipped_at = values->clipped > 0 ? first + values->clipped_at : FIGURE_NONE,
        .sum = values->sum,
        .mean = there ? values->sum / numbers : NAN,
        .rms = there ? sqrt(values->square / numbers) : NAN,
    };

    figures.peak_db = decibels(figures.peak.value);
    figures.rms_db = decibels(figures.rms);
    figures.crest = figures.peak.value / figures.rms;
    return figures;
}
