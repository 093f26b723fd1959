/* Statistics for the program, which writes them as text. */
#include "lib/engines.h"

struct stats *engines_open_stats(const struct machine *machine, const struct stats_setup *setup,
                                 uint64_t first)
{
    return stats_open(setup, machine->isa, first);
}
