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
    unsigned threads_most; /* on one stream */
    bool touches;    /* open() touches all memory of an engine, so that no later call faults */
    const char *isa; /* the best instruction set allowed; NULL: the best that the CPU has */
    unsigned device; /* index among several of a kind */
    uint64_t memory; /* bytes that the process may use, see machine_memory() */
    struct devices *devices; /* resources shared between engines; NULL: none */
};

/* The bytes that the process may use. Control groups are only looked at if `needed` is more than a
 * few megabytes: reading their limits takes a third of a start. */
uint64_t machine_memory(const struct machine *machine, uint64_t needed);

/* `threads` 0: as many as pay off. Returns -1, with errno set, when out of memory. */
int machine_open(struct machine *machine, unsigned threads, const char *isa, unsigned device);
void machine_close(struct machine *machine);

#endif
