#include "job/row_frames_priv.h"

#include <stdlib.h>

#include "window/value.h"

int row_frames_open(struct row_frames *frames, const struct pipeline *pipeline)
{
    frames->pipeline = pipeline;
    frames->count = 0;
    frames->out = malloc(ROW_FRAMES * engine_out_bytes(&pipeline->plan->setup));
    return frames->out != NULL ? 0 : -1;
}

void row_frames_close(struct row_frames *frames)
{
    free(frames->out);
}

void row_frames_set(struct row_frames *frames, unsigned channel, int64_t low, int64_t high)
{
    const struct engine_setup *setup = &frames->pipeline->plan->setup;
    const double least = rules_from_key64(low);
    const double most = rules_from_key64(high);
    const size_t bytes = value_bytes(setup->value);
    unsigned char *value = frames->out + frames->count * engine_out_bytes(setup) +
                           (size_t)channel * setup->emits.count * bytes;

    for (unsigned i = 0; i < setup->emits.count; i++, value += bytes) {
        const enum emit emit = setup->emits.item[i];

        if (isnan(least))
            value_put_nan(setup->value, value, 0);
        else if (setup->value == VALUE_F32)
            *(float *)value = rules_emit(emit, (float)least, (float)most);
        else
            *(double *)value = rules_emit64(emit, least, most);
    }
}

int row_frames_write(struct row_frames *frames, struct error *error)
{
    struct sink *sink = frames->pipeline->sink;
    const size_t count = frames->count;

    frames->count = 0;
    if (count == 0)
        return 0;
    if (sink->class->write(sink, frames->out, count, frames->rows, false, error) != 0)
        return -1;
    atomic_fetch_add(&frames->pipeline->progress->out_frames, count);
    return 0;
}

int row_frames_add(struct row_frames *frames, const struct sink_rows *rows, struct error *error)
{
    frames->rows[frames->count] = *rows;
    frames->rows[frames->count++].key = frames->key;
    return frames->count == ROW_FRAMES ? row_frames_write(frames, error) : 0;
}
