#include "cuda/tally.h"

enum { LEVELS_MOST = 52 }; /* of the summation tree */

/* ---- sizes */

/* A block that ends within the chunk and began there is one part. The first block of a chunk
 * may be in the middle of its tree, and goes up to ever larger subtrees; the last one may
 * stop in the middle of it, and comes down to ever smaller ones. */
static uint64_t most_parts(const struct engine_setup *setup)
{
    uint64_t leaves = setup->chunk_frames / TREE_LEAF;
    uint64_t edges = 4;

    for (; leaves > 0; leaves /= 2)
        edges += 2;
    return setup->chunk_frames / setup->stats_every + edges;
}

void cuda_tally_init(struct cuda_tally *tally, const struct engine_setup *setup)
{
    *tally = (struct cuda_tally){.channels = setup->channels};
    if (setup->stats_every < CUDA_TALLY_LEAST)
        return;
    tally->every = setup->stats_every;
    tally->parts = most_parts(setup);
    tally->shares = tally->parts + setup->chunk_frames / TREE_LEAF / CUDA_SHARE_LEAST;
}

static uint64_t values_bytes(const struct cuda_tally *tally)
{
    return tally->parts * tally->channels * sizeof(struct stats_values);
}

static uint64_t shares_bytes(const struct cuda_tally *tally)
{
    return tally->shares * sizeof(struct cuda_share);
}

uint64_t cuda_tally_host_bytes(const struct cuda_tally *tally)
{
    return values_bytes(tally) + shares_bytes(tally) + tally->parts * sizeof(struct stats_part);
}

uint64_t cuda_tally_device_bytes(const struct cuda_tally *tally)
{
    return tally->every == 0 ? 0 : cuda_reducer_bytes(tally->channels, tally->parts, tally->shares);
}

void cuda_tally_lay(const struct cuda_tally *tally, struct cuda_tally_chunk *chunk, void *memory)
{
    unsigned char *at = memory;

    *chunk = (struct cuda_tally_chunk){.parts = 0};
    if (tally->every == 0)
        return;
    chunk->values = memory;
    at += values_bytes(tally);
    chunk->shares = (struct cuda_share *)(void *)at;
    at += shares_bytes(tally);
    chunk->part = (struct stats_part *)(void *)at;
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

/* A run of frames within one block, from a border between leaves on, of which leaf number `leaf`
 * comes first. Where the block ends, its last leaf may be short, and its last subtree may lack
 * leaves. Returns how many frames belong to a part. */
static uint64_t cut_run(struct cuda_tally_chunk *chunk, uint64_t first, uint64_t count,
                        uint64_t leaf, bool ends)
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
        chunk->part[chunk->parts++] = (struct stats_part){first + done, frames, level};
        leaf += UINT64_C(1) << level;
        done += frames;
    }
    return done;
}

/* Returns how many frames are in parts. */
static uint64_t cut_chunk(struct cuda_tally_chunk *chunk, uint64_t every, uint64_t first,
                          uint64_t count)
{
    uint64_t total = 0;

    chunk->parts = 0;
    for (uint64_t at = 0; at < count;) {
        uint64_t in_block = (first + at) % every;
        uint64_t room = every - in_block;
        uint64_t run = count - at < room ? count - at : room;
        uint64_t begun = in_block % TREE_LEAF == 0 ? 0 : TREE_LEAF - in_block % TREE_LEAF;

        if (begun < run)
            total += cut_run(chunk, at + begun, run - begun, (in_block + begun) / TREE_LEAF,
                             run == room);
        at += run;
    }
    return total;
}

static void add_shares(struct cuda_tally_chunk *chunk, size_t part, uint64_t place)
{
    uint64_t frames = chunk->part[part].frames;
    uint64_t of_share = (uint64_t)chunk->share_leaves * TREE_LEAF;
    uint32_t count = (uint32_t)((frames + of_share - 1) / of_share);

    for (uint32_t i = 0; i < count; i++)
        chunk->shares[chunk->share_count++] = (struct cuda_share){
            .place = place,
            .frames = frames,
            .index = i,
            .count = count,
            .part = (uint32_t)part,
        };
}

void cuda_tally_plan(const struct cuda_tally *tally, struct cuda_tally_chunk *chunk,
                     const struct cuda_rings *rings, uint64_t first, uint64_t count)
{
    chunk->parts = 0;
    chunk->share_count = 0;
    if (tally->every == 0)
        return;
    chunk->share_leaves = cuda_share_leaves(cut_chunk(chunk, tally->every, first, count) /
                                            TREE_LEAF * tally->channels);
    for (size_t i = 0; i < chunk->parts; i++)
        add_shares(chunk, i, (first + chunk->part[i].first) % rings->capacity);
}

/* ---- the work */

cudaError_t cuda_tally_copy_in(const struct cuda_tally_chunk *chunk,
                               const struct cuda_reducer *reducer, cudaStream_t stream)
{
    if (chunk->parts == 0)
        return cudaSuccess;
    return cudaMemcpyAsync(reducer->shares, chunk->shares,
                           chunk->share_count * sizeof *chunk->shares, cudaMemcpyHostToDevice,
                           stream);
}

cudaError_t cuda_tally_run(const struct cuda_tally_chunk *chunk, const struct cuda_rings *rings,
                           const struct cuda_reducer *reducer, cudaStream_t stream)
{
    return cuda_reduce(rings, reducer, chunk->share_count, chunk->share_leaves, stream);
}

cudaError_t cuda_tally_copy_out(const struct cuda_tally *tally,
                                const struct cuda_tally_chunk *chunk,
                                const struct cuda_reducer *reducer, cudaStream_t stream)
{
    if (chunk->parts == 0)
        return cudaSuccess;
    return cudaMemcpyAsync(chunk->values, reducer->values,
                           chunk->parts * tally->channels * sizeof *chunk->values,
                           cudaMemcpyDeviceToHost, stream);
}

struct stats_parts cuda_tally_parts(const struct cuda_tally_chunk *chunk)
{
    return (struct stats_parts){chunk->parts, chunk->part, chunk->values};
}
