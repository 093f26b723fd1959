/* SPDX-License-Identifier: MIT */
/* The result of a run: what was done, by which engine, and how long it took. The stream writes it
 * once, at its end; reports and summaries read it. */
#ifndef GPUENV_ENGINE_RUN_RESULT_H
#define GPUENV_ENGINE_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum stage { STAGE_READER, STAGE_ENGINE, STAGE_WRITER, STAGES };

enum device_state {
    DEVICE_UNUSED,
    DEVICE_NEVER,   /* the device could not be started; see `error` */
    DEVICE_AT_WORK, /* the device worked to the end */
    DEVICE_FAILED,  /* the device failed at work; see `error` */
};

struct device_result {
    unsigned number;
    enum device_state state;
    uint64_t frames; /* frames processed by the device */
    double started;  /* seconds after the run's start */
    double failed;
    char words[80]; /* the engine's description */
    struct error error;
};

struct run_result {
    uint64_t in_frames;
    uint64_t out_frames;
    uint64_t in_bytes;
    uint64_t out_bytes;
    uint64_t chunks;
    uint64_t lost_intervals; /* intervals of the clock, counted per channel, that are NaN although
                                they have numbers */
    double seconds;
    double busy[STAGES];         /* busy seconds of each stage */
    const char *engine;          /* "cpu"; NULL if there was no stream */
    bool on_device;              /* the engine ran on device `device.number` */
    char engine_words[80];       /* "avx2, 2 threads" */
    const char *way;             /* "pieces" (in parallel), or "stages" or "turns" (in order) */
    const char *why;             /* why the run was in order; NULL for pieces */
    unsigned workers;            /* threads that worked on pieces */
    struct device_result device; /* the device that `auto` has chosen */
};

/* Why the device did not start, or failed; NULL if it worked to the end. */
static inline const char *device_fault(const struct device_result *device)
{
    return device->state == DEVICE_NEVER || device->state == DEVICE_FAILED ? device->error.reason
                                                                           : NULL;
}

/* Frames done by the engine named in `engine`, that is, not by a device before it. */
static inline uint64_t run_own_frames(const struct run_result *result)
{
    return result->device.frames < result->in_frames ? result->in_frames - result->device.frames
                                                     : 0;
}

#endif
