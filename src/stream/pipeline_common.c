/* What all ways of running a stream have in common. */
#include "stream/pipeline.h"

size_t pipeline_before_nan(const struct pipeline *pipeline, const void *frames, size_t count,
                           uint64_t first, struct error *error)
{
    const struct engine_setup *setup = &pipeline->plan.setup;
    uint64_t of_input;
    size_t index;

    if (setup->nan != NAN_ERROR || !sample_type_has_nan(setup->sample) ||
        !sample_find_nan(setup->sample, frames, count * setup->channels, &index))
        return count;
    of_input = pipeline->skipped + first + index / setup->channels;
    error_set(error, ERROR_NAN, pipeline->source->input->name, "NaN in frame %llu, channel %zu",
              (unsigned long long)of_input, index % setup->channels);
    return index / setup->channels;
}

int pipeline_write_text(const struct pipeline *pipeline, struct stats_text *text,
                        struct error *error)
{
    const size_t used = text->used;

    text->used = 0;
    return used == 0 ? 0 : output_write(pipeline->stats_output, text->bytes, used, error);
}
