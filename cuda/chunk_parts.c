/* Which parts of a chunk's statistics the device computes, and how they get there and back.
 *
 * The device processes the leaves that lie within one chunk, joined to subtrees as large as
 * possible. A leaf that spans two chunks is left to the CPU. So chunks are independent, no state
 * stays on the device, and another engine can take over at any frame. The price is less than one
 * leaf at each end of a chunk: a hundredth of a chunk of half a million frames. */
#include "cuda/stats_kernel.h"
#include "engine/engine.h"

/* The shortest block, in frames, that the device processes. For shorter ones it would write as much
 * as it reads, and the host must write a record for each block anyway. */
enum { PARTS_LEAST = 1024 };

/* ---- sizes */

struct cuda_parts_plan cuda_parts_plan(const struct engine_setup *setup)
{
    struct cuda_parts_plan plan = {.value = setup->value, .channels = setup->channels};

    /* Statistics need the samples whole, even where windows compare rounded ones. */
    if (setup->stats_every < PARTS_LEAST || setup->value != sample_type_value(setup->sample))
        return plan;
    plan.every = setup->stats_every;
    plan.scale = setup->full_scale;
    plan.parts = parts_most(setup->stats_every, setup->chunk_frames);
    plan.shares = plan.parts + setup->chunk_frames / TREE_LEAF / CUDA_SHARE_LEAST;
    return plan;
}

static uint64_t shares_bytes(const struct cuda_parts_plan *plan)
{
    return cuda_align(plan->shares * sizeof(struct cuda_share));
}

static uint64_t values_bytes(const struct cuda_parts_plan *plan)
{
    return cuda_align(plan->parts * plan->channels * sizeof(struct stats_values));
}

static uint64_t tallies_bytes(const struct cuda_parts_plan *plan)
{
    return cuda_align(plan->parts * plan->channels * sizeof(struct cuda_tally));
}

uint64_t cuda_parts_host_bytes(const struct cuda_parts_plan *plan)
{
    return shares_bytes(plan) + values_bytes(plan) + plan->parts * sizeof(struct stats_part);
}

void cuda_parts_lay(const struct cuda_parts_plan *plan, struct cuda_parts *parts, void *memory)
{
    parts->shares = memory;
    parts->values = (void *)((char *)memory + shares_bytes(plan));
    parts->part = (void *)((char *)parts->values + values_bytes(plan));
}

uint64_t cuda_stats_memory_bytes(const struct cuda_parts_plan *plan)
{
    return shares_bytes(plan) + values_bytes(plan) + tallies_bytes(plan) +
           cuda_align(plan->shares * plan->channels * CUDA_NODE_BYTES);
}

cudaError_t cuda_stats_memory_lay(struct cuda_stats_memory *stats,
                                  const struct cuda_parts_plan *plan, void *memory,
                                  cudaStream_t stream)
{
    stats->shares = memory;
    stats->values = (void *)((char *)memory + shares_bytes(plan));
    stats->tallies = (void *)((char *)stats->values + values_bytes(plan));
    stats->nodes = (char *)stats->tallies + tallies_bytes(plan);
    return plan->parts == 0 ? cudaSuccess
                            : cudaMemsetAsync(stats->tallies, 0, tallies_bytes(plan), stream);
}

/* ---- the shares of parts */

uint32_t cuda_shares_cut(struct cuda_share *shares, unsigned leaves, uint32_t part, uint64_t place,
                         uint64_t frames)
{
    const uint64_t of_share = (uint64_t)leaves * TREE_LEAF;
    const uint32_t count = (uint32_t)((frames + of_share - 1) / of_share);

    for (uint32_t i = 0; i < count; i++)
        shares[i] = (struct cuda_share){
            .place = place, .frames = frames, .index = i, .count = count, .part = part};
    return count;
}

void cuda_parts_cut(const struct cuda_parts_plan *plan, struct cuda_parts *parts,
                    const struct cuda_rings *rings, uint64_t first, uint64_t count)
{
    uint64_t frames;

    parts->count = 0;
    parts->share_count = 0;
    if (plan->every == 0)
        return;
    parts->count = parts_cut(parts->part, plan->every, first, count, &frames);
    parts->share_leaves = cuda_share_leaves(frames / TREE_LEAF * plan->channels);
    for (size_t i = 0; i < parts->count; i++)
        parts->share_count += cuda_shares_cut(
            parts->shares + parts->share_count, parts->share_leaves, (uint32_t)i,
            (first + parts->part[i].first) % rings->capacity, parts->part[i].frames);
}
