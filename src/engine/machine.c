#include "engine/machine.h"

#include "base/cpus.h"
#include "base/pages.h"

enum { THREADS_MOST = 256 };

int machine_open(struct machine *machine, unsigned threads, const char *isa, unsigned device)
{
    unsigned cpus = cpus_available();
    unsigned most = threads > 0 ? threads : cpus;

    *machine = (struct machine){
        .cpus = cpus,
        .threads = most < THREADS_MOST ? most : THREADS_MOST,
        .threads_given = threads > 0,
        .isa = isa,
        .device = device,
        .memory = pages_limit(),
    };
    machine->crew = crew_open(machine->threads);
    return machine->crew == NULL ? -1 : 0;
}

void machine_close(struct machine *machine)
{
    crew_close(machine->crew);
    machine->crew = NULL;
}
