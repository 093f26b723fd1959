/* SPDX-License-Identifier: MIT */
#include "job/series_priv.h"

#include <stdlib.h>

#include "base/cut.h"
#include "base/min_max.h"

enum {
    ASIDE_LEAST = 4, /* threads: fewer are all needed for the lines of a block */
    FRAMES_LEAST = 2 * MAXIMA_BLOCK,
};

int row_frames_open(struct row_frames *frames, const struct pipeline *pipeline)
{
    const size_t bytes = engine_out_bytes(&pipeline->plan->setup);
    const unsigned threads = threads_size(pipeline->machine->threads);

    frames->pipeline = pipeline;
    frames->most =
        (size_t)max_u64(FRAMES_LEAST, threads * min_u64(ROW_FRAMES, ENGINE_CHUNK_BYTES / bytes));
    frames->fill = &frames->block[0];
    /* A sink with times() takes times between two writes, so it has no write aside. */
    frames->aside =
        threads >= ASIDE_LEAST && pipeline->beside == 0 && pipeline->sink->class->times == NULL;
    frames->parts_most = threads * TASKS_A_THREAD;
    for (size_t i = 0; i < 2; i++) {
        struct frames_block *block = &frames->block[i];

        *block = (struct frames_block){.pipeline = pipeline};
        block->parts = calloc(frames->parts_most, sizeof(struct sink *));
        block->out = malloc(frames->most * bytes);
        block->rows = malloc(frames->most * sizeof *block->rows);
        if (block->parts == NULL || block->out == NULL || block->rows == NULL) {
            row_frames_close(frames);
            return -1;
        }
    }
    return 0;
}

void row_frames_close(struct row_frames *frames)
{
    for (size_t i = 0; i < 2; i++) {
        struct frames_block *block = &frames->block[i];

        for (unsigned j = 0; block->parts != NULL && j < frames->parts_most; j++) {
            if (block->parts[j] != NULL)
                block->parts[j]->class->close(block->parts[j]);
        }
        free(block->parts);
        free(block->out);
        free(block->rows);
    }
}

static int join_parts(struct frames_block *block)
{
    struct sink *sink = block->pipeline->sink;
    int result = 0;

    for (unsigned i = 0; i < block->part_count && result == 0; i++)
        result = sink->class->join(sink, block->parts[i], &block->error);
    block->part_count = 0;
    return result;
}

static void write_block(void *context, unsigned index)
{
    struct frames_block *block = context;
    struct sink *sink = block->pipeline->sink;

    (void)index;
    block->result = block->part_count > 0 ? join_parts(block)
                                          : sink->class->write(sink, block->out, block->count,
                                                               block->rows, false, &block->error);
    if (block->result == 0)
        atomic_fetch_add(&block->pipeline->progress->out_frames, block->count);
}

/* Waits for the block that is being written, if there is one. */
static int end_write(struct row_frames *frames, struct error *error)
{
    struct frames_block *block = &frames->block[frames->fill == &frames->block[0]];

    if (block->count > 0 && frames->aside)
        threads_end(frames->pipeline->machine->threads, &frames->job);
    block->count = 0;
    if (block->result != 0)
        *error = block->error;
    return block->result;
}

int row_frames_write(struct row_frames *frames, struct error *error)
{
    struct frames_block *block = frames->fill;

    if (end_write(frames, error) != 0)
        return -1;
    if (block->count == 0)
        return 0;
    if (frames->aside)
        threads_begin(frames->pipeline->machine->threads, &frames->job, 1, 1, write_block, block);
    else
        write_block(block, 0);
    frames->fill = &frames->block[block == &frames->block[0]];
    return frames->aside ? 0 : end_write(frames, error);
}

int row_frames_flush(struct row_frames *frames, struct error *error)
{
    return row_frames_write(frames, error) != 0 ? -1 : end_write(frames, error);
}
