/* Per-process device state, shared by consecutive streams: a pool of engine resources (CUDA
 * streams, memory) that the next engine can reuse, and whether each device can be started.
 * Thread-safe.
 *
 * A taken resource belongs to the taker, so the pool never holds more resources than were in use at
 * one time. */
#ifndef GPUENV_ENGINE_KEEP_H
#define GPUENV_ENGINE_KEEP_H

#include <stdbool.h>

/* A resource. The first member of the actual struct. */
struct kept {
    unsigned device; /* the device it belongs to */
    void (*close)(struct kept *kept);
    struct kept *next; /* used by the keep */
};

struct keep;

/* Returns NULL, with errno set, when out of memory. */
struct keep *keep_open(void);

/* Takes a reference, for threads that may outlive the owner; keep_drop() releases it. All calls
 * except keep_open() accept NULL, a keep that stores nothing. */
struct keep *keep_hold(struct keep *keep);
void keep_drop(struct keep *keep);

/* Called by the owner at the end: closes all resources, including those given back later. */
void keep_end(struct keep *keep);

/* Takes the most recently returned resource of this device. NULL: there is none. */
struct kept *keep_take(struct keep *keep, unsigned device);

void keep_give(struct keep *keep, struct kept *kept);

/* Closes the stored resources of a device that has failed or whose memory is needed. */
void keep_clear(struct keep *keep, unsigned device);

enum keep_state {
    KEEP_COLD,     /* not started yet; always so for a NULL keep */
    KEEP_STARTING, /* by one stream; a second start in parallel would not be ready sooner */
    KEEP_WARM,     /* started before: the next start is short */
    KEEP_DEAD,     /* cannot be started, or has failed; it stays so */
};

/* Marks a cold or warm device as starting; the caller then reports the outcome with keep_note().
 * Returns false if the device is dead or another stream is starting it. `*found` is its state
 * before. */
bool keep_claim(struct keep *keep, unsigned device, enum keep_state *found);
void keep_note(struct keep *keep, unsigned device, enum keep_state state);

#endif
