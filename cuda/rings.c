/* SPDX-License-Identifier: MIT */
/* The layout of rings in memory, and of the leaves kept with them. */
#include <string.h>

#include "cuda/cuda_window.h"

uint64_t cuda_rings_capacity(const struct cuda_plan *plan, uint64_t flying)
{
    /* Tiles begin before the frames that they are needed for: by one tile, and by alignment. */
    const uint64_t spare = UINT64_C(3) * CUDA_TILE_MOST;
    const uint64_t most = UINT64_MAX / 64; /* so that byte counts do not overflow */

    if (plan->width > most || flying > most)
        return UINT64_MAX;
    return (plan->width + flying + spare) / CUDA_TILE_MOST * CUDA_TILE_MOST;
}

/* Returns the bytes of a record for each tile. */
static uint64_t records_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity)
{
    return cuda_align(capacity / plan->tile * channels * CUDA_RECORD_VALUES *
                      value_bytes(plan->value));
}

uint64_t cuda_leaves_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity)
{
    if (capacity > UINT64_MAX / 64 / channels)
        return UINT64_MAX;
    return plan->has_leaves ? (plan->span != 0 ? 3 : 2) * records_bytes(plan, channels, capacity)
                            : 0;
}

uint64_t cuda_rings_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity)
{
    uint64_t leaves = cuda_leaves_bytes(plan, channels, capacity);

    return leaves == UINT64_MAX
               ? leaves
               : leaves + cuda_align(capacity * channels * value_bytes(plan->value));
}

void cuda_rings_lay(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                    uint64_t capacity, uint64_t known_from, void *memory)
{
    cuda_rings_lay_leaves(rings, plan, channels, capacity, known_from,
                          (char *)memory +
                              cuda_align(capacity * channels * value_bytes(plan->value)));
    rings->samples = memory;
    rings->pitch = capacity;
}

void cuda_rings_lay_leaves(struct cuda_rings *rings, const struct cuda_plan *plan,
                           unsigned channels, uint64_t capacity, uint64_t known_from, void *memory)
{
    memset(rings, 0, sizeof *rings);
    rings->value = plan->value;
    rings->capacity = capacity;
    rings->stride = 1;
    rings->channels = channels;
    if (!plan->has_leaves)
        return;
    rings->totals = memory;
    rings->suffixes = (char *)memory + records_bytes(plan, channels, capacity);
    rings->spans = (char *)memory + 2 * records_bytes(plan, channels, capacity);
    rings->records_bytes = cuda_leaves_bytes(plan, channels, capacity);
    rings->kept = capacity / plan->tile;
    rings->made = known_from / plan->tile;
}
