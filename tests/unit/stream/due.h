/* What a fake stream is to make: the frames of one run are noted, and later runs are held against
 * them. For tests of devices beside the cores. */
#ifndef GPUENV_TESTS_STREAM_DUE_H
#define GPUENV_TESTS_STREAM_DUE_H

#include "stream/fakes.h"

static float *due;
static size_t due_count;

/* The memory for them and for the sink. False when there is none. */
static bool due_open(void)
{
    sink.frames = malloc(2 * FRAMES * sizeof *sink.frames);
    due = malloc(2 * FRAMES * sizeof *due);
    return sink.frames != NULL && due != NULL;
}

static void due_close(void)
{
    free(due);
    free(sink.frames);
}

/* What the sink has got. */
static void due_note(void)
{
    due_count = sink.count;
    memcpy(due, sink.frames, 2 * due_count * sizeof *due);
}

#endif
