/* Devices that work on pieces of a stream: beside the cores, or alone. */
#ifndef GPUENV_STREAM_DEVICES_H
#define GPUENV_STREAM_DEVICES_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/run_account.h"

/* The cores work alone for so many seconds before a device is considered. */
#define DEVICES_DECISION 0.02

struct device_request {
    const struct engine_class *engine_class; /* NULL: no devices. Else it can be restarted. */
    size_t chunk_frames;
    unsigned number[DEVICES_MOST];
    unsigned count;
    bool alone; /* the user's wish: the cores do nothing, and a fault ends the run */
    struct engine_estimate estimate;

    /* Of one stream among many, which keep what the device needs (engine/keep.h): */
    sem_t *places;  /* as many streams may have devices beside the cores at a time; NULL: all */
    uint64_t ahead; /* bytes of input of the streams to come that they may help with */
};

/* Less than the cores finish at once: `auto` never starts a device for it, and in a batch the cores
 * do it even where a device was asked for by name. */
bool devices_input_is_small(const struct engine_setup *setup, uint64_t frames);

/* Can an input of so many bytes take longer than DEVICES_DECISION? */
bool devices_may_help(uint64_t bytes);

/* The work as it looks when a device is considered. Costs are seconds of a CPU for a frame. */
struct device_outlook {
    double left;      /* frames still to do; in a batch with those of the files to come */
    double cost;      /* of one worker, as measured: */
    double reading;   /* of this, for reading, */
    double writing;   /* and for writing: with a device these remain */
    double in_bytes;  /* of a frame */
    double out_bytes; /* that come out for it, */
    double copied;    /* and how many of these are copied on their way */
    unsigned workers; /* that would do it alone */
    bool lends;       /* no CPU is idle: one worker gives up its own to the device */
};

/* Is the work done plainly sooner with a device that starts now? */
bool device_pays(const struct engine_estimate *estimate, const struct device_outlook *outlook);

#endif
