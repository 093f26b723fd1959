/* SPDX-License-Identifier: MIT */
/* A pool of the engine resources (CUDA streams, memory) that the streams of a process leave to the
 * next one. Thread-safe.
 *
 * A taken resource belongs to the taker, so the pool never holds more resources than were in use at
 * one time. */
#ifndef GPUENV_ENGINE_DEVICES_H
#define GPUENV_ENGINE_DEVICES_H

#include <stdbool.h>

/* A resource. The first member of the actual struct. */
struct kept {
    unsigned device; /* the device it belongs to */
    void (*close)(struct kept *kept);
    struct kept *next; /* used by the pool */
};

struct devices;

/* Returns NULL, with errno set, when out of memory. */
struct devices *devices_open(void);

/* Closes all resources. Like the calls below, it accepts NULL, which stands for a pool that keeps
 * nothing. */
void devices_end(struct devices *devices);

/* Takes the most recently returned resource of this device; NULL if there is none. */
struct kept *devices_take(struct devices *devices, unsigned device);

void devices_give(struct devices *devices, struct kept *kept);

/* Closes the stored resources of a device that has failed or whose memory is needed. */
void devices_clear(struct devices *devices, unsigned device);

#endif
