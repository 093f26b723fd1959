/* SPDX-License-Identifier: MIT */
/* The kernels of the statistics.
 *
 * One warp per leaf (stats_leaf.cuh). docs/kernels.md explains the choice of 512 threads per block
 * and 32 rows in flight. Parts of a few leaves have blocks of fewer threads: then more blocks work
 * at a time, and one reads while another searches. Parts of one leaf have a kernel of their own
 * (stats_parts.cuh).
 *
 * The kernels of longer parts do not track the positions of extremes. A node only stores which leaf
 * contains each extreme; when a whole part is done, its three leaves are searched.
 *
 * One warp joins the leaves of a share, in the order of the tree. The last block of a part to
 * finish, found by a ticket, joins the shares of that part in the same way. The host is not
 * involved in between, and the result does not depend on which block is last. */
#include "stats_deviations.cuh"

#include "base/min_max.h"

extern "C" {
#include "failure.h"
}

enum {
    THREADS = 512,         /* threads of a block */
    THREADS_FEW = 128,     /* threads of a block for parts of a few leaves */
    THREADS_WANTED = 1024, /* least threads of a multiprocessor */
    FEW = 8,
    SHARE_LEAST = 8, /* leaves per share */
    SHARE_MOST = 32,
};

static_assert((int)SHARE_MOST == (int)LANES, "a warp puts a share's leaves together");
static_assert((int)FEW <= (int)SHARE_LEAST, "a short part is one share");

/* Shares that a launch should have: two rounds of two blocks for every multiprocessor of a large
 * device. */
static const uint64_t SHARES_WANTED = 512;

/* Warps that keep a large device busy to the end. With fewer turns there are more warps. */
static const uint64_t WARPS_WANTED = 1 << 14;

template <class K> struct stats_shared {
    stats_node<K> nodes[LANES];
    unsigned at[EXTREMES];
    int is_last;
};

/* ---- a share, and a part */

/* Joins the first `count` nodes into shared->nodes[0]. The first warp does this. */
template <class K> DEVICE void fold_shared(unsigned count, stats_shared<K> *shared)
{
    if (threadIdx.x < LANES) {
        const stats_node<K> node =
            fold_nodes(threadIdx.x < count ? shared->nodes[threadIdx.x] : stats_node<K>());

        if (threadIdx.x == 0)
            shared->nodes[0] = node;
    }
}

/* Joins the leaves of a share into shared->nodes[0]. */
template <class K, int WARPS>
DEVICE void read_share(const plane_part<K> *part, unsigned first, unsigned leaves,
                       stats_shared<K> *shared)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned warp = threadIdx.x / LANES;

    for (unsigned i = warp; i < LANES; i += WARPS) {
        const bool there = i < leaves && (uint64_t)(first + i) * TREE_LEAF < part->frames;
        const stats_node<K> node = there ? read_leaf(part, first + i) : stats_node<K>();

        if (lane == 0)
            shared->nodes[i] = node;
    }
    __syncthreads();
    fold_shared(LANES, shared);
}

/* Publishes the block's node and takes a ticket. Returns true for all threads of the last block of
 * a part, which then sees the nodes of all others. */
template <class K>
DEVICE bool is_last(const struct stats_view &view, unsigned count, unsigned *ticket,
                    stats_shared<K> *shared)
{
    if (threadIdx.x < EXTREMES)
        shared->at[threadIdx.x] = TREE_LEAF;
    if (threadIdx.x == 0) {
        shared->is_last = 1;
        if (count > 1) {
            ((stats_node<K> *)view.nodes)[blockIdx.x] = shared->nodes[0];
            __threadfence();
            shared->is_last = atomicAdd(ticket, 1U) == count - 1;
            __threadfence();
            if (shared->is_last)
                *ticket = 0;
        }
    }
    __syncthreads();
    return shared->is_last != 0;
}

/* Joins up to SIBLINGS nodes from `first` on, in the order of the tree. All loads are issued
 * before the first result is needed. */
template <class K>
DEVICE stats_node<K> join_siblings(const stats_node<K> *nodes, uint64_t stride, unsigned first,
                                   unsigned count)
{
    const unsigned siblings = stats_sizes<K>::SIBLINGS;
    stats_node<K> own[siblings];

#pragma unroll
    for (unsigned i = 0; i < siblings; i++)
        own[i] = first + i < count ? nodes[(first + i) * stride] : stats_node<K>();
    node_join(&own[0], &own[1]);
    if constexpr (siblings == 4) {
        node_join(&own[2], &own[3]);
        node_join(&own[0], &own[2]);
    }
    return own[0];
}

/* Joins the shares of a part into shared->nodes[0], a warp's worth at a time. As long as there are
 * too many results for the last warp, a result replaces the first of its nodes, which no other
 * thread reads. */
template <class K, int WARPS>
__device__ void join_shares(stats_node<K> *nodes, uint64_t stride, unsigned count,
                            stats_shared<K> *shared)
{
    const unsigned siblings = stats_sizes<K>::SIBLINGS;
    const unsigned together = LANES * siblings;
    const unsigned lane = threadIdx.x % LANES;
    bool ends;

    do {
        const unsigned results = (count + together - 1) / together;

        ends = results <= LANES;
        for (unsigned i = threadIdx.x / LANES; i < results; i += WARPS) {
            const unsigned first = i * together;
            const stats_node<K> node =
                fold_nodes(join_siblings(nodes, stride, first + lane * siblings, count));

            if (lane == 0)
                *(ends ? &shared->nodes[i] : &nodes[first * stride]) = node;
        }
        __syncthreads();
        count = results;
        stride *= together;
    } while (!ends);
    fold_shared(count, shared);
    __syncthreads();
}

/* Finds the first sample of a part with each extreme, in its leaf. */
template <class K, int COUNT>
DEVICE void find_extremes(const plane_part<K> *part, stats_shared<K> *shared)
{
    const stats_node<K> *node = &shared->nodes[0];
    unsigned found[EXTREMES];

#pragma unroll
    for (int i = 0; i < EXTREMES; i++)
        found[i] = TREE_LEAF;
#pragma unroll 8
    for (int turn = TREE_LEAF / COUNT - 1; turn >= 0; turn--) {
        const unsigned frame = (unsigned)turn * COUNT + threadIdx.x;

#pragma unroll
        for (int i = 0; i < EXTREMES; i++) {
            if (frame < leaf_frames(part, node->at[i]) &&
                extreme_of<K>(i, sample_at(part, leaf_place(part, node->at[i]) + frame)) ==
                    node->extreme[i])
                found[i] = frame;
        }
    }
#pragma unroll
    for (int i = 0; i < EXTREMES; i++) {
        if (found[i] < TREE_LEAF)
            atomicMin(&shared->at[i], found[i]);
    }
}

/* Block b does share b / channels of channel b % channels. All blocks of a plane have equally many
 * shares; in a shorter block, the last of the plane, some shares are empty. */
template <class K, int COUNT>
__global__ void __launch_bounds__(COUNT, THREADS_WANTED / COUNT)
    stats_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    stats_shared<K> *shared = (stats_shared<K> *)(void *)shared_quads;
    const struct block_place place = place_of_block(view.channels, blockIdx.x);
    const unsigned number = place.tile / view.shares;
    const unsigned share = place.tile - number * view.shares;
    const plane_part<K> part = part_of<K>(view, place.channel, number);
    const unsigned leaves = (unsigned)((part.frames + TREE_LEAF - 1) / TREE_LEAF);
    const unsigned shares = (leaves + view.leaves - 1) / view.leaves;

    if (share >= shares)
        return;
    read_share<K, COUNT / LANES>(&part, share * view.leaves, view.leaves, shared);
    if (!is_last<K>(view, shares, view.tickets + ((uint64_t)number * view.channels + part.ring),
                    shared))
        return;
    if (shares > 1)
        join_shares<K, COUNT / LANES>((stats_node<K> *)view.nodes +
                                          (blockIdx.x - (uint64_t)share * view.channels),
                                      view.channels, shares, shared);
    if (shared->nodes[0].extreme[LARGEST] >= 0)
        find_extremes<K, COUNT>(&part, shared);
    __syncthreads();
    if (threadIdx.x == 0)
        write_results<K>(view, part, node_values(shared->nodes[0], TREE_LEAF, shared->at));
}

/* ---- launches */

typedef void stats_function(const struct stats_view view);

struct stats_launch {
    stats_function *kernels[2]; /* kernels of float32 and of float64 */
    unsigned threads;           /* threads of a block */
    unsigned team;              /* threads of a part; 0 if a block has a share of a part */
    size_t shared;              /* bytes of shared memory */
};

#define KERNELS(name, argument)                                                                    \
    {                                                                                              \
        name<f32, argument>, name<f64, argument>                                                   \
    }
#define PART_LAUNCH(team)                                                                          \
    {                                                                                              \
        KERNELS(part_kernel, team), THREADS_PARTS, team, THREADS_PARTS * sizeof(stats_node<f64>)   \
    }
#define SHARE_LAUNCH(threads)                                                                      \
    {                                                                                              \
        KERNELS(stats_kernel, threads), threads, 0, sizeof(stats_shared<f64>)                      \
    }

/* Returns the launch for parts of up to so many frames. */
static const struct stats_launch *launch_of(enum value_kind value, uint64_t frames)
{
    static const struct stats_launch alone = PART_LAUNCH(1);
    static const struct stats_launch team = PART_LAUNCH(TEAM_SHORT);
    static const struct stats_launch warp = PART_LAUNCH(LANES);
    static const struct stats_launch few = SHARE_LAUNCH(THREADS_FEW);
    static const struct stats_launch many = SHARE_LAUNCH(THREADS);

    return frames * value_bytes(value) <= PART_BYTES ? &alone
           : frames <= TEAM_FRAMES                   ? &team
           : frames <= TREE_LEAF                     ? &warp
           : frames <= FEW * TREE_LEAF               ? &few
                                                     : &many;
}

static stats_function *kernel_of(const struct stats_launch *launch, enum value_kind value)
{
    return launch->kernels[value == VALUE_F64];
}

/* Returns how many leaves a share has, for `leaves` in all: small shares keep the whole device
 * busy, large ones leave little to join. */
static unsigned share_leaves(uint64_t leaves)
{
    unsigned share = SHARE_MOST;

    while (share > SHARE_LEAST && leaves / share < SHARES_WANTED)
        share /= 2;
    return share;
}

struct records_cut {
    const struct stats_launch *launch;
    uint64_t blocks; /* blocks of a plane */
    uint64_t parts;  /* parts in all planes */
    uint64_t shares; /* shares of a block */
    unsigned share_leaves;
    unsigned turns; /* turns of a warp */
    uint64_t grid;  /* UINT64_MAX if it is too large */
};

static struct records_cut cut_records(enum value_kind value, const struct stats_records *records,
                                      unsigned planes)
{
    const uint64_t longest = min_u64(records->every, records->frames);
    const uint64_t leaves = longest / TREE_LEAF + (longest % TREE_LEAF != 0);
    struct records_cut cut = {};

    cut.launch = launch_of(value, longest);
    cut.blocks = records->frames == 0 ? 1 : (records->frames - 1) / records->every + 1;
    cut.grid = UINT64_MAX;
    cut.shares = 1;
    cut.share_leaves = SHARE_MOST;
    if (cut.blocks > INT32_MAX / planes)
        return cut;
    cut.parts = cut.blocks * planes;
    if (cut.launch->team > 0) {
        const unsigned together = LANES / cut.launch->team;

        cut.turns = (unsigned)min_u64(cut.parts / together / WARPS_WANTED + 1, cut.launch->team);
        cut.grid = (cut.parts - 1) / (WARPS_PARTS * together * cut.turns) + 1;
        return cut;
    }
    cut.share_leaves = share_leaves(leaves * cut.parts);
    if (leaves > cut.share_leaves)
        cut.shares = (leaves - 1) / cut.share_leaves + 1;
    if (cut.shares <= INT32_MAX / cut.parts)
        cut.grid = cut.shares * cut.parts;
    return cut;
}

static uint64_t tickets_bytes(const struct records_cut *cut)
{
    return cut->shares > 1 ? cuda_align(cut->parts * sizeof(unsigned)) : 0;
}

uint64_t cuda_records_bytes(enum value_kind value, const struct stats_records *records,
                            unsigned planes)
{
    const struct records_cut cut = cut_records(value, records, planes);

    if (cut.grid == UINT64_MAX)
        return UINT64_MAX;
    return cut.shares == 1 ? 0
                           : tickets_bytes(&cut) + cuda_align(cut.grid * sizeof(stats_node<f64>));
}

static bool has_std(const struct stats_records *records)
{
    return records->record == NULL && records->columns.array[MEMBER_STD].data != NULL;
}

static stats_function *deviations_kernel_of(enum value_kind value)
{
    return value == VALUE_F64 ? deviations_kernel<f64> : deviations_kernel<f32>;
}

cudaError_t cuda_records_load(enum value_kind value, const struct stats_records *records)
{
    const cudaError_t result = load_kernel(kernel_of(cut_records(value, records, 1).launch, value));

    return has_std(records) && result == cudaSuccess ? load_kernel(deviations_kernel_of(value))
                                                     : result;
}

cudaError_t cuda_records_run(const struct cuda_rings *rings, const struct stats_records *records,
                             void *memory, cudaStream_t stream)
{
    const struct records_cut cut = cut_records(rings->value, records, rings->channels);
    const uint64_t tickets = tickets_bytes(&cut);
    cudaError_t result = cudaSuccess;
    struct stats_view view = {};

    view.samples = rings->samples;
    view.pitch = rings->pitch;
    view.stride = rings->stride;
    view.channels = rings->channels;
    view.leaves = cut.share_leaves;
    view.tickets = (unsigned *)memory;
    view.nodes = (char *)memory + tickets;
    view.records = *records;
    view.blocks = (unsigned)cut.blocks;
    view.shares = (unsigned)cut.shares;
    view.parts = (unsigned)cut.parts;
    view.turns = cut.turns;
    if (tickets > 0)
        result = cudaMemsetAsync(memory, 0, tickets, stream);
    if (result != cudaSuccess)
        return result;
    LAUNCH(kernel_of(cut.launch, rings->value), (unsigned)cut.grid, cut.launch->threads,
           cut.launch->shared, stream, view);
    if (has_std(records))
        LAUNCH(deviations_kernel_of(rings->value), (view.parts - 1) / WARPS_DEVIATIONS + 1,
               WARPS_DEVIATIONS * LANES, WARPS_DEVIATIONS * sizeof(struct deviations_room), stream,
               view);
    return cudaGetLastError();
}
