#include "cuda/stats_parts.h"

enum { LEVELS_MOST = 52 }; /* of the summation tree */

/* ---- sizes */

/* A block that begins and ends within the chunk is one part. The first block of a chunk may be in
 * the middle of its tree, whose subtrees grow from there on; the last one may stop in the middle,
 * and its subtrees shrink. */
static uint64_t most_parts(const struct engine_setup *setup)
{
    uint64_t leaves = setup->chunk_frames / TREE_LEAF;
    uint64_t edges = 4;

    for (; leaves > 0; leaves /= 2)
        edges += 2;
    return setup->chunk_frames / setup->stats_every + edges;
}

void cuda_parts_plan(struct cuda_parts_plan *plan, const struct engine_setup *setup)
{
    *plan = (struct cuda_parts_plan){.channels = setup->channels};
    if (setup->stats_every < CUDA_PARTS_LEAST)
        return;
    plan->every = setup->stats_every;
    plan->parts = most_parts(setup);
    plan->shares = plan->parts + setup->chunk_frames / TREE_LEAF / CUDA_SHARE_LEAST;
}

static uint64_t values_bytes(const struct cuda_parts_plan *plan)
{
    return plan->parts * plan->channels * sizeof(struct stats_values);
}

static uint64_t shares_bytes(const struct cuda_parts_plan *plan)
{
    return plan->shares * sizeof(struct cuda_share);
}

uint64_t cuda_parts_host_bytes(const struct cuda_parts_plan *plan)
{
    return values_bytes(plan) + shares_bytes(plan) + plan->parts * sizeof(struct stats_part);
}

uint64_t cuda_parts_device_bytes(const struct cuda_parts_plan *plan)
{
    return plan->every == 0 ? 0
                            : cuda_stats_memory_bytes(plan->channels, plan->parts, plan->shares);
}

void cuda_parts_lay(const struct cuda_parts_plan *plan, struct cuda_parts *parts, void *memory)
{
    unsigned char *at = memory;

    *parts = (struct cuda_parts){.count = 0};
    if (plan->every == 0)
        return;
    parts->values = memory;
    at += values_bytes(plan);
    parts->shares = (struct cuda_share *)(void *)at;
    at += shares_bytes(plan);
    parts->part = (struct stats_part *)(void *)at;
}

/* ---- the parts of a chunk */

static unsigned floor_log2(uint64_t number)
{
    unsigned log = 0;

    for (; number > 1; number /= 2)
        log++;
    return log;
}

static unsigned ceil_log2(uint64_t number)
{
    return number > 1 ? floor_log2(number - 1) + 1 : 0;
}

/* How many levels up leaf number `leaf` is the first of its subtree. */
static unsigned levels_above(uint64_t leaf)
{
    unsigned levels = 0;

    if (leaf == 0)
        return LEVELS_MOST;
    for (; leaf % 2 == 0; leaf /= 2)
        levels++;
    return levels;
}

/* Divides frames of one block, which begin with leaf number `leaf`, into parts. Where the block
 * ends, its last leaf may be short, and its last subtree may lack leaves. Returns how many frames
 * belong to a part. */
static uint64_t cut_block(struct cuda_parts *parts, uint64_t first, uint64_t count, uint64_t leaf,
                          bool ends)
{
    uint64_t done = 0;

    while (done < count) {
        uint64_t left = count - done;
        uint64_t leaves = left / TREE_LEAF + (ends && left % TREE_LEAF != 0 ? 1 : 0);
        unsigned level = levels_above(leaf);
        unsigned fits = ends ? ceil_log2(leaves) : floor_log2(leaves);
        uint64_t frames;

        if (leaves == 0)
            break;
        level = level < fits ? level : fits;
        frames = (uint64_t)TREE_LEAF << level;
        frames = frames < left ? frames : left;
        parts->part[parts->count++] = (struct stats_part){first + done, frames, level};
        leaf += UINT64_C(1) << level;
        done += frames;
    }
    return done;
}

/* Returns how many frames are in parts. */
static uint64_t cut_chunk(struct cuda_parts *parts, uint64_t every, uint64_t first, uint64_t count)
{
    uint64_t total = 0;

    parts->count = 0;
    for (uint64_t at = 0; at < count;) {
        uint64_t in_block = (first + at) % every;
        uint64_t room = every - in_block;
        uint64_t span = count - at < room ? count - at : room;
        uint64_t begun = in_block % TREE_LEAF == 0 ? 0 : TREE_LEAF - in_block % TREE_LEAF;

        if (begun < span)
            total += cut_block(parts, at + begun, span - begun, (in_block + begun) / TREE_LEAF,
                               span == room);
        at += span;
    }
    return total;
}

static void add_shares(struct cuda_parts *parts, size_t part, uint64_t place)
{
    uint64_t frames = parts->part[part].frames;
    uint64_t of_share = (uint64_t)parts->share_leaves * TREE_LEAF;
    uint32_t count = (uint32_t)((frames + of_share - 1) / of_share);

    for (uint32_t i = 0; i < count; i++)
        parts->shares[parts->share_count++] = (struct cuda_share){
            .place = place,
            .frames = frames,
            .index = i,
            .count = count,
            .part = (uint32_t)part,
        };
}

void cuda_parts_cut(const struct cuda_parts_plan *plan, struct cuda_parts *parts,
                    const struct cuda_rings *rings, uint64_t first, uint64_t count)
{
    parts->count = 0;
    parts->share_count = 0;
    if (plan->every == 0)
        return;
    parts->share_leaves =
        cuda_share_leaves(cut_chunk(parts, plan->every, first, count) / TREE_LEAF * plan->channels);
    for (size_t i = 0; i < parts->count; i++)
        add_shares(parts, i, (first + parts->part[i].first) % rings->capacity);
}

/* ---- the work */

cudaError_t cuda_parts_copy_in(const struct cuda_parts *parts,
                               const struct cuda_stats_memory *memory, cudaStream_t stream)
{
    if (parts->count == 0)
        return cudaSuccess;
    return cudaMemcpyAsync(memory->shares, parts->shares,
                           parts->share_count * sizeof *parts->shares, cudaMemcpyHostToDevice,
                           stream);
}

cudaError_t cuda_parts_run(const struct cuda_parts *parts, const struct cuda_rings *rings,
                           const struct cuda_stats_memory *memory, cudaStream_t stream)
{
    return cuda_stats_run(rings, memory, parts->share_count, parts->share_leaves, stream);
}

cudaError_t cuda_parts_copy_out(const struct cuda_parts_plan *plan, const struct cuda_parts *parts,
                                const struct cuda_stats_memory *memory, cudaStream_t stream)
{
    if (parts->count == 0)
        return cudaSuccess;
    return cudaMemcpyAsync(parts->values, memory->values,
                           parts->count * plan->channels * sizeof *parts->values,
                           cudaMemcpyDeviceToHost, stream);
}

struct stats_parts cuda_parts_done(const struct cuda_parts *parts)
{
    return (struct stats_parts){parts->count, parts->part, parts->values};
}
