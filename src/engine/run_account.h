/* The account of a run: what was done, by which engine, and how long it took. The stream writes it
 * once, at its end; reports and summaries read it. */
#ifndef GPUENV_ENGINE_RUN_ACCOUNT_H
#define GPUENV_ENGINE_RUN_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    ACCOUNT_STAGES = 3, /* reader, engine, writer */
    DEVICES_MOST = 16,
};

enum device_state {
    DEVICE_UNUSED,   /* it would not have paid */
    DEVICE_STARTING, /* the work was done before it was ready */
    DEVICE_AT_WORK,  /* to the end */
    DEVICE_RETIRED,  /* it did not raise the rate */
    DEVICE_NEVER,    /* it could not be started: `error` */
    DEVICE_FAILED,   /* at work: `error` */
    DEVICE_HUNG,
};

/* Seconds count from the beginning of the work. */
struct device_account {
    unsigned number;
    enum device_state state;
    uint64_t frames; /* that it did */
    double began;
    double joined;
    double left;
    uint64_t began_at; /* frames that were done at that time, by all engines */
    uint64_t joined_at;
    uint64_t left_at;
    char words[80]; /* what the engine says of itself */
    struct error error;
};

struct account {
    uint64_t in_frames;
    uint64_t out_frames;
    uint64_t in_bytes;
    uint64_t out_bytes;
    uint64_t chunks;
    double seconds;
    double busy[ACCOUNT_STAGES]; /* of these, seconds at work */
    const char *engine;          /* "cpu"; NULL: there was no stream */
    char engine_words[80];       /* "avx2, 2 threads" */
    const char *way;             /* "pieces": side by side; "stages" or "turns": in order, */
    const char *why;             /* because of this; NULL for pieces */
    unsigned workers;            /* that did pieces */
    struct device_account devices[DEVICES_MOST];
    unsigned device_count; /* those that were wanted */
};

/* Did it work on the stream? */
static inline bool device_has_joined(const struct device_account *device)
{
    return device->state == DEVICE_AT_WORK || device->state == DEVICE_RETIRED ||
           device->state == DEVICE_FAILED || device->state == DEVICE_HUNG;
}

static inline bool device_has_failed(const struct device_account *device)
{
    return device->state == DEVICE_FAILED || device->state == DEVICE_HUNG;
}

/* Why it has left, or never came; NULL: it did not leave. */
static inline const char *device_why_left(const struct device_account *device)
{
    if (device->state == DEVICE_STARTING)
        return "the work was done before it was ready";
    if (device->state == DEVICE_RETIRED)
        return "it did not raise the total";
    return device->state == DEVICE_NEVER || device_has_failed(device) ? device->error.reason : NULL;
}

/* Frames of the engine that `engine` names; devices did the others. What is done twice, after a
 * fault of the stream, counts where it was done last. */
static inline uint64_t account_own_frames(const struct account *account)
{
    uint64_t frames = account->in_frames;

    for (unsigned i = 0; i < account->device_count; i++)
        frames -= account->devices[i].frames < frames ? account->devices[i].frames : frames;
    return frames;
}

#endif
