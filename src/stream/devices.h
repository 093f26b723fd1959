/* Devices that work on pieces of a stream: beside the cores, or alone. What is wanted of them, and
 * what came of it. */
#ifndef GPUENV_STREAM_DEVICES_H
#define GPUENV_STREAM_DEVICES_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"

enum { DEVICES_MOST = 16 };

/* Rates are worth looking at after so many seconds. */
#define DEVICES_FIRST_LOOK 0.02

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

enum device_state {
    DEVICE_UNUSED,    /* it would not have paid */
    DEVICE_STARTING,  /* the work was done before it was ready */
    DEVICE_AT_WORK,   /* to the end */
    DEVICE_SENT_HOME, /* it did not raise the total */
    DEVICE_NEVER,     /* it could not be started: `error` */
    DEVICE_FAILED,    /* at work: `error` */
    DEVICE_HUNG,
};

/* Seconds count from the beginning of the work. */
struct device_account {
    unsigned number;
    enum device_state state;
    uint64_t frames; /* that it did */
    bool hopeless;   /* it has been starting for so long that it will not end */
    double began;
    double joined;
    double left;
    uint64_t began_at; /* frames that were done at that time, by anyone */
    uint64_t joined_at;
    uint64_t left_at;
    char words[80]; /* what the engine says of itself */
    struct error error;
};

/* Of an input this short there is nothing to share out. `auto` begins no device for it; in a batch
 * it is not for one that was asked for by name either. */
bool devices_input_is_short(const struct engine_setup *setup, uint64_t frames);

/* Of an input of so many bytes, may there be anything left to do when its rates have been measured?
 */
bool devices_may_help(uint64_t bytes);

/* Is it worth while to start a device? */
struct device_outlook {
    double left;      /* frames still to do */
    double cost;      /* seconds of a processor a frame, of one worker: */
    double reading;   /* of these, in which a device does not help; */
    double writing;   /* nor in these */
    double in_order;  /* and in these only one at a time is at work */
    double in_bytes;  /* of a frame */
    double out_bytes; /* that come out for it, */
    double copied;    /* and how many of these are copied on their way */
    unsigned workers;
    unsigned cpus;
};

/* Frames a second, by all workers together. */
static inline double devices_rate(const struct device_outlook *outlook)
{
    return outlook->workers / outlook->cost;
}

bool devices_pay(const struct engine_estimate *estimate, const struct device_outlook *outlook);

/* Where no CPU is idle, does a core do more by leaving its own to a device that is at work? */
bool devices_want_core(const struct engine_estimate *estimate,
                       const struct device_outlook *outlook);

#endif
