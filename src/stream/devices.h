/* Devices that work on pieces of a stream: beside the cores, or alone. */
#ifndef GPUENV_STREAM_DEVICES_H
#define GPUENV_STREAM_DEVICES_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/run_account.h"

/* For so many seconds the cores work alone, before a device is considered. */
#define DEVICES_DECISION 0.02

struct device_request {
    const struct engine_class *engine_class; /* NULL: no devices. It can be restarted. */
    size_t chunk_frames;
    unsigned number[DEVICES_MOST];
    unsigned count;
    bool alone; /* requested by name: the cores do no pieces, and a fault ends the run */
    struct engine_estimate estimate;

    /* In a batch, whose streams share the device (engine/keep.h): */
    sem_t *places;  /* limits the streams with devices beside the cores; NULL: no limit */
    uint64_t ahead; /* input bytes of later streams that the devices could also work on */
};

/* So few frames that the cores are done before a device helps: `auto` never starts a device for
 * them, and in a batch the cores do them even if a device was requested by name. */
bool devices_input_is_small(const struct engine_setup *setup, uint64_t frames);

/* True if an input of so many bytes can take longer than DEVICES_DECISION. */
bool devices_may_help(uint64_t bytes);

/* The measured work when a device is considered. Costs are CPU seconds per frame. */
struct device_outlook {
    double left;      /* frames still to do; in a batch, those of the files to come as well */
    double cost;      /* total, for one worker */
    double reading;   /* its part for reading */
    double writing;   /* its part for writing; both remain on the CPU beside a device */
    double in_bytes;  /* per frame */
    double out_bytes; /* per input frame */
    double copied;    /* output bytes per input frame that are copied once more */
    unsigned workers; /* if the cores work alone */
    bool lends;       /* no CPU is idle: one worker gives its own to the device */
};

/* True if starting a device now clearly finishes the work earlier. */
bool device_pays(const struct engine_estimate *estimate, const struct device_outlook *outlook);

#endif
