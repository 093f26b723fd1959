/* SPDX-License-Identifier: MIT */
#include "engine/machine.h"

#include <stdatomic.h>

#include "base/cpus.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/threads.h"

enum {
    THREADS_MOST = 256,
    NEEDED_LOOK = 16 << 20, /* bytes; no control group is read for fewer */
};

int machine_open(struct machine *machine, unsigned threads, const char *isa, unsigned device)
{
    unsigned cpus = cpus_available();
    unsigned most = threads > 0 ? threads : cpus;

    *machine = (struct machine){
        .cpus = cpus,
        .threads_most = most < THREADS_MOST ? most : THREADS_MOST,
        .isa = isa,
        .device = device,
        .memory = pages_limit(),
    };
    machine->threads = threads_open(machine->threads_most);
    return machine->threads == NULL ? -1 : 0;
}

uint64_t machine_memory(const struct machine *machine, uint64_t needed)
{
    static _Atomic uint64_t of_groups; /* 0 until the groups are read */
    uint64_t limit = atomic_load(&of_groups);

    if (needed <= NEEDED_LOOK)
        return machine->memory;
    if (limit == 0) {
        limit = pages_group_limit();
        atomic_store(&of_groups, limit);
    }
    return min_u64(machine->memory, limit);
}

void machine_close(struct machine *machine)
{
    threads_close(machine->threads);
    machine->threads = NULL;
}
