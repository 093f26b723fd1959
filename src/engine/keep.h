/* A pool of the engine resources (CUDA streams, memory) that the streams of a process leave to the
 * next one. Thread-safe.
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

/* Closes all resources. Like the calls below, it accepts NULL, a keep that stores nothing. */
void keep_end(struct keep *keep);

/* Takes the most recently returned resource of this device. NULL: there is none. */
struct kept *keep_take(struct keep *keep, unsigned device);

void keep_give(struct keep *keep, struct kept *kept);

/* Closes the stored resources of a device that has failed or whose memory is needed. */
void keep_clear(struct keep *keep, unsigned device);

#endif
