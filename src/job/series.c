#include "job/series_priv.h"

#include <stdlib.h>

#include "engine/emit.h"

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

void row_frames_set(struct row_frames *frames, unsigned channel, const struct stats_values *values,
                    uint64_t rows)
{
    const struct engine_setup *setup = &frames->pipeline->plan->setup;
    struct emit_out out;

    emit_out_frames(&out, setup, frames->out);
    emit_stats(setup, values, rows, &out, channel, frames->count);
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
