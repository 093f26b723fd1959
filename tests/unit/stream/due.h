/* The expected output of a fake stream: the frames of one run are recorded, and later runs are
 * compared with them. For tests of devices next to the cores. */
#ifndef GPUENV_TESTS_STREAM_DUE_H
#define GPUENV_TESTS_STREAM_DUE_H

#include "stream/fakes.h"

static float *due;
static size_t due_count;

/* Allocates the memory for these and for the sink. Returns false if there is none. */
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

/* Records what the sink has received. */
static void due_note(void)
{
    due_count = sink.count;
    memcpy(due, sink.frames, 2 * due_count * sizeof *due);
}

#endif
