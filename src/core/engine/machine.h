/* SPDX-License-Identifier: MIT */
/* The resources that streams run on: created once per process and shared by all streams. */
#ifndef GPUENV_ENGINE_MACHINE_H
#define GPUENV_ENGINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/devices.h"

struct threads;

struct machine {
    struct threads *threads;
    unsigned cpus;
    unsigned threads_most; /* the most threads that work on one stream */
    bool touches;    /* open() touches all memory of an engine, so that no later call faults */
    const char *isa; /* the best instruction set allowed; NULL if all are */
    unsigned device; /* index of the device among several of one kind */
    uint64_t memory; /* bytes that the process may use, without control groups */
    struct devices *devices; /* resources shared between engines; may be NULL */
};

/* The bytes that the process may use. Control groups are only looked at if `needed` is more than a
 * few megabytes: reading their limits takes a third of a start. */
uint64_t machine_memory(const struct machine *machine, uint64_t needed);

/* `threads` may be 0: as many as there are CPUs. Returns -1, with errno set, when out of memory. */
int machine_open(struct machine *machine, unsigned threads, const char *isa, unsigned device);
void machine_close(struct machine *machine);

#endif
