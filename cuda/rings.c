/* The layout of rings in memory, and of the leaves and nodes kept with them. */
#include <string.h>

#include "cuda/cuda_window.h"

enum { ALIGNMENT = 256 }; /* bytes */

uint64_t cuda_rings_capacity(const struct cuda_plan *plan, uint64_t flying)
{
    /* Tiles begin before the frames that they are needed for: by one tile, and by alignment. */
    const uint64_t spare = UINT64_C(3) * CUDA_TILE_MOST;
    const uint64_t most = UINT64_MAX / 64; /* so that byte counts do not overflow */

    if (plan->width > most || flying > most)
        return UINT64_MAX;
    return (plan->width + flying + spare) / CUDA_TILE_MOST * CUDA_TILE_MOST;
}

/* The number of nodes on each level for a ring of this capacity. The last level has few enough to
 * be scanned one by one; so has the first, if leaves are made ahead. Returns the number of
 * levels. */
static unsigned count_nodes(const struct cuda_plan *plan, uint64_t capacity, uint64_t *nodes)
{
    unsigned levels = 0;

    if (plan->tree == CUDA_TREE_NONE)
        return 0;
    nodes[levels++] = capacity / plan->tile;
    while (plan->tree == CUDA_TREE_WHOLE && levels < CUDA_LEVELS &&
           nodes[levels - 1] > UINT64_C(2) * CUDA_RADIX) {
        nodes[levels] = nodes[levels - 1] / CUDA_RADIX + 2;
        levels++;
    }
    return levels;
}

static uint64_t align(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Bytes of a level with `nodes` nodes. */
static uint64_t level_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t nodes)
{
    const uint64_t values = plan->tree == CUDA_TREE_LEAVES ? CUDA_RECORD_VALUES : CUDA_NODE_VALUES;

    return align(nodes * channels * values * value_bytes(plan->value));
}

uint64_t cuda_tree_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity)
{
    uint64_t nodes[CUDA_LEVELS];
    uint64_t bytes = 0;

    if (capacity > UINT64_MAX / 64 / channels)
        return UINT64_MAX;
    for (unsigned i = 0, levels = count_nodes(plan, capacity, nodes); i < levels; i++)
        bytes += (i == 0 ? 2 : 1) * level_bytes(plan, channels, nodes[i]);
    return bytes;
}

uint64_t cuda_rings_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t capacity)
{
    uint64_t tree = cuda_tree_bytes(plan, channels, capacity);

    return tree == UINT64_MAX ? tree : tree + align(capacity * channels * value_bytes(plan->value));
}

void cuda_rings_lay(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                    uint64_t capacity, uint64_t known_from, void *memory)
{
    cuda_rings_lay_tree(rings, plan, channels, capacity, known_from,
                        (char *)memory + align(capacity * channels * value_bytes(plan->value)));
    rings->samples = memory;
    rings->pitch = capacity;
}

void cuda_rings_lay_tree(struct cuda_rings *rings, const struct cuda_plan *plan, unsigned channels,
                         uint64_t capacity, uint64_t known_from, void *memory)
{
    char *at = memory;

    memset(rings, 0, sizeof *rings);
    rings->value = plan->value;
    rings->capacity = capacity;
    rings->channels = channels;
    rings->levels = count_nodes(plan, capacity, rings->kept);
    for (unsigned i = 0; i < rings->levels; i++) {
        rings->nodes[i] = at;
        /* A node with children from before the stream is never made nor looked up. */
        rings->made[i] =
            i == 0 ? known_from / plan->tile : (rings->made[i - 1] + CUDA_RADIX - 1) / CUDA_RADIX;
        at += level_bytes(plan, channels, rings->kept[i]);
    }
    if (rings->levels > 0)
        rings->suffixes = at;
}

uint64_t cuda_middles_bytes(const struct cuda_plan *plan, unsigned channels, uint64_t count)
{
    if (plan->tree != CUDA_TREE_WHOLE)
        return 0;
    return (count / plan->tile + 2) * channels * CUDA_NODE_VALUES * value_bytes(plan->value);
}
