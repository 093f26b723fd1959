/* What works on streams: made once a process, and shared by all of them. */
#ifndef GPUENV_ENGINE_MACHINE_H
#define GPUENV_ENGINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/crew.h"
#include "engine/keep.h"

struct machine {
    struct crew *crew;
    unsigned cpus;
    unsigned threads;   /* the most that work on one stream */
    bool threads_given; /* the user said how many: use all of them, whether that pays or not */
    const char *isa;    /* the best instruction set allowed; NULL: what the CPU has */
    unsigned device;    /* of several of a kind; 0: the first */
    uint64_t memory;    /* bytes that the process may use */
    struct keep *keep;  /* of what engines leave to one another; NULL: nothing is kept */
};

/* Where the user bounds the threads, idle CPUs are not ours. */
static inline unsigned machine_cpus(const struct machine *machine)
{
    return machine->threads_given ? machine->threads : machine->cpus;
}

/* `threads` 0: as many as pay. -1, with errno set, when there is no memory. */
int machine_open(struct machine *machine, unsigned threads, const char *isa, unsigned device);
void machine_close(struct machine *machine);

#endif
