/* SPDX-License-Identifier: MIT */
/* The kernels of the statistics.
 *
 * One warp per leaf (stats_leaf.cuh). docs/kernels.md explains the choice of 512 threads per block
 * and 32 rows in flight. Parts of a few leaves have blocks of fewer threads: then more blocks work
 * at a time, and one reads while another searches. A part of one leaf is a warp's work, and a part
 * of 64 bytes or fewer a thread's; a block has several of them.
 *
 * The kernels of longer parts do not track the positions of extremes. A node only stores which leaf
 * contains each extreme; when a whole part is done, its three leaves are searched.
 *
 * One warp joins the leaves of a share, in the order of the tree. The last block of a part to
 * finish, found by a ticket, joins the shares of that part in the same way. The host is not
 * involved in between, and the result does not depend on which block is last. */
#include "stats_write.cuh"

#include "base/min_max.h"

extern "C" {
#include "failure.h"
}

/* Threads of a block: for parts of any length, of a few leaves, of one, and of a thread each. */
enum {
    THREADS = 512,
    THREADS_FEW = 128,
    THREADS_LEAF = 256,
    THREADS_SHORT = 128,
    THREADS_WANTED = 1024, /* of a multiprocessor, at least */
    FEW = 8,               /* leaves */
    EXTREMES = 3,
    SHARE_LEAST = 8, /* leaves per share */
    SHARE_MOST = 32,
};

static_assert((int)SHARE_MOST == (int)LANES, "a warp puts a share's leaves together");
static_assert((int)FEW <= (int)SHARE_LEAST, "a short part is one share");

struct stats_share {
    uint64_t place;  /* of the part's first frame in its plane */
    uint64_t frames; /* of the part: its last leaf may be short */
    uint32_t index;  /* of this share in the part; shares are consecutive */
    uint32_t count;  /* shares of the part: as many as its frames need */
    uint32_t part;
};

/* The shares that a launch should have: two rounds of two blocks for every multiprocessor of a
 * large device. */
static const uint64_t SHARES_WANTED = 512;

struct stats_view {
    const void *samples; /* planes, as in cuda_window.h */
    uint64_t pitch;
    uint64_t stride;
    unsigned channels;
    unsigned leaves;   /* of a share */
    void *nodes;       /* one per share and channel */
    unsigned *tickets; /* of each part and channel: shares that are done */
    struct stats_records records;
    unsigned blocks; /* of a plane */
    unsigned shares; /* of a block */
    unsigned parts;  /* in all */
};

template <class K> struct stats_shared {
    stats_node<K> nodes[LANES];
    unsigned at[EXTREMES];
    int is_last;
};

/* ---- a share, and a part */

/* Joins the first `count` nodes into shared->nodes[0], for the first warp. */
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

/* The samples in which the extremes are looked for. */
template <class K> struct stats_wanted {
    unsigned leaf[EXTREMES];
    typename K::bits mask[EXTREMES];
    typename K::bits bits[EXTREMES];
};

template <class K> DEVICE stats_wanted<K> wanted_of(const stats_node<K> *node)
{
    const typename K::bits all = ~(typename K::bits)0;

    return stats_wanted<K>{{node->low_leaf, node->high_leaf, node->magnitude_leaf},
                           {all, all, K::MAGNITUDE},
                           {K::flip((typename K::bits)node->low),
                            K::flip((typename K::bits)node->high),
                            (typename K::bits)node->magnitude}};
}

/* Finds, for each extreme, the first of a thread's samples in its leaf with the given bits under
 * the mask: of `COUNT` threads, that have turns. TREE_LEAF: it has none. */
template <class K, int COUNT, int UNROLL>
DEVICE void find_extremes(const plane_part<K> *part, const stats_wanted<K> &wanted, unsigned thread,
                          unsigned *found)
{
#pragma unroll
    for (int i = 0; i < EXTREMES; i++)
        found[i] = TREE_LEAF;
#pragma unroll UNROLL
    for (int turn = ((int)min((uint64_t)TREE_LEAF, part->frames) - 1) / COUNT; turn >= 0; turn--) {
        const unsigned frame = (unsigned)turn * COUNT + thread;

#pragma unroll
        for (int i = 0; i < EXTREMES; i++) {
            if (frame < leaf_frames(part, wanted.leaf[i]) &&
                (K::bits_of(sample_at(part, leaf_place(part, wanted.leaf[i]) + frame)) &
                 wanted.mask[i]) == wanted.bits[i])
                found[i] = frame;
        }
    }
}

/* The results of a part, whose extremes are at these places of their leaves. */
template <class K>
DEVICE void put_values(struct stats_values *values, const stats_node<K> *node, const unsigned *at)
{
    values->sum = node->sum;
    values->square = node->square;
    values->nans = node->nans;
    values->low_at = (uint64_t)node->low_leaf * TREE_LEAF + at[0];
    values->high_at = (uint64_t)node->high_leaf * TREE_LEAF + at[1];
    values->magnitude_at = (uint64_t)node->magnitude_leaf * TREE_LEAF + at[2];
    values->low = node->low;
    values->high = node->high;
    values->magnitude = (typename K::bits)node->magnitude;
}

/* Finds the positions in a part whose node the block shares. */
template <class K, int COUNT>
DEVICE void take_values(const plane_part<K> *part, stats_shared<K> *shared,
                        struct stats_values *values)
{
    const stats_node<K> *node = &shared->nodes[0];
    unsigned found[EXTREMES];

    if (threadIdx.x < EXTREMES)
        shared->at[threadIdx.x] = TREE_LEAF;
    __syncthreads();
    if (node->low <= node->high) {
        find_extremes<K, COUNT, 8>(part, wanted_of(node), threadIdx.x, found);
#pragma unroll
        for (int i = 0; i < EXTREMES; i++) {
            if (found[i] < TREE_LEAF)
                atomicMin(&shared->at[i], found[i]);
        }
    }
    __syncthreads();
    put_values(values, node, shared->at);
}

/* Writes the results of a part, by one thread. */
template <class K>
DEVICE void write_results(const struct stats_view &view, const struct stats_share &share,
                          unsigned plane, const plane_part<K> *part,
                          const struct stats_values *values)
{
    const enum value_kind kind = sizeof(kind_value<K>) == 4 ? VALUE_F32 : VALUE_F64;
    const unsigned row = plane / view.records.channels;
    struct stats_record record = record_of(kind, values, share.place, share.frames);
    uint64_t at;

    record.size = view.records.distance;
    record.row = row;
    record.channel = plane - row * view.records.channels;
    record.type = view.records.type;
    if (view.records.record == NULL) {
        write_columns({&view.records.columns, row, share.part, record.channel}, record, part);
        return;
    }
    at = ((uint64_t)row * view.blocks + share.part) * view.records.channels + record.channel;
    *(struct stats_record *)(void *)((char *)view.records.record + at * view.records.distance) =
        record;
}

/* A block of an array has shares of its own number; those past the end of a short one, the last of
 * a plane, do nothing. */
DEVICE struct stats_share share_of(const struct stats_view &view, unsigned tile)
{
    struct stats_share share;
    uint64_t left;

    share.part = tile / view.shares;
    share.index = tile - share.part * view.shares;
    share.place = share.part * view.records.every;
    left = view.records.frames - share.place;
    share.frames = min(left, view.records.every);
    share.count =
        ((unsigned)((share.frames + TREE_LEAF - 1) / TREE_LEAF) + view.leaves - 1) / view.leaves;
    share.count = max(share.count, 1U); /* of no frames */
    return share;
}

template <class K>
DEVICE plane_part<K> part_of(const struct stats_view &view, const struct stats_share &share,
                             unsigned plane)
{
    plane_part<K> part;

    part.plane = (const kind_value<K> *)view.samples + plane * view.pitch;
    part.stride = view.stride;
    part.place = share.place;
    part.frames = share.frames;
    return part;
}

/* Block b does share b / channels of channel b % channels. */
template <class K, int COUNT>
__global__ void __launch_bounds__(COUNT, THREADS_WANTED / COUNT)
    stats_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    stats_shared<K> *shared = (stats_shared<K> *)(void *)shared_quads;
    const struct block_place place = place_of_block(view.channels, blockIdx.x);
    const struct stats_share share = share_of(view, place.tile);
    const unsigned channel = place.channel;
    const uint64_t result = (uint64_t)share.part * view.channels + channel;
    const plane_part<K> part = part_of<K>(view, share, channel);
    struct stats_values values;

    if (share.index >= share.count)
        return;
    read_share<K, COUNT / LANES>(&part, share.index * view.leaves, view.leaves, shared);
    if (!is_last<K>(view, share.count, view.tickets + result, shared))
        return;
    if (share.count > 1)
        join_shares<K, COUNT / LANES>((stats_node<K> *)view.nodes +
                                          (blockIdx.x - (uint64_t)share.index * view.channels),
                                      view.channels, share.count, shared);
    take_values<K, COUNT>(&part, shared, &values);
    if (threadIdx.x == 0)
        write_results<K>(view, share, channel, &part, &values);
}

/* ---- short parts */

/* The place of a part among all. Neighbours are of one plane where its frames are neighbours. */
DEVICE struct block_place place_of_part(const struct stats_view &view, unsigned index)
{
    struct block_place place =
        place_of_block(view.stride == 1 ? view.blocks : view.channels, index);

    if (view.stride == 1) {
        const unsigned block = place.channel;

        place.channel = place.tile;
        place.tile = block;
    }
    return place;
}

/* Finds the values of a part of one leaf, by a warp: for its first lane. */
template <class K> DEVICE void read_part(const plane_part<K> *part, struct stats_values *values)
{
    const stats_node<K> node = read_leaf(part, 0);
    unsigned at[EXTREMES];

    find_extremes<K, LANES, 4>(part, wanted_of(&node), threadIdx.x % LANES, at);
#pragma unroll
    for (unsigned other = LANES / 2; other > 0; other /= 2) {
#pragma unroll
        for (int i = 0; i < EXTREMES; i++)
            at[i] = min(at[i], __shfl_xor_sync(WARP_ALL, at[i], other));
    }
    if (threadIdx.x % LANES == 0)
        put_values(values, &node, at);
}

/* A warp reads a part, and then a thread writes its results: by one of its lanes alone, they would
 * take as long as some 500 samples. */
template <class K>
__global__ void __launch_bounds__(THREADS_LEAF, THREADS_WANTED / THREADS_LEAF)
    leaf_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(struct stats_values, values);
    const unsigned warps = THREADS_LEAF / LANES;
    const unsigned first = blockIdx.x * warps;
    const unsigned count = min(view.parts - first, warps);
    const unsigned warp = threadIdx.x / LANES;

    if (warp < count) {
        const struct block_place place = place_of_part(view, first + warp);
        const struct stats_share share = share_of(view, place.tile);
        const plane_part<K> part = part_of<K>(view, share, place.channel);

        read_part(&part, &values[warp]);
    }
    __syncthreads();
    if (threadIdx.x < count) {
        const struct block_place place = place_of_part(view, first + threadIdx.x);
        const struct stats_share share = share_of(view, place.tile);
        const plane_part<K> part = part_of<K>(view, share, place.channel);

        write_results(view, share, place.channel, &part, &values[threadIdx.x]);
    }
}

/* The sum of the samples FIRST, FIRST + STEP, ... of a part that has a lane for each, in the order
 * of the tree: the upper half of the lanes is added to the lower one first. */
template <class K, bool SQUARES, int FIRST, int STEP>
DEVICE double sum_lanes(const kind_value<K> *samples)
{
    if constexpr (STEP < stats_sizes<K>::SHORT)
        return sum_lanes<K, SQUARES, FIRST, 2 * STEP>(samples) +
               sum_lanes<K, SQUARES, FIRST + STEP, 2 * STEP>(samples);
    else
        return SQUARES ? add_square<K>(0, samples[FIRST]) : 0 + (double)samples[FIRST];
}

/* Finds the values of a part of few frames. */
template <class K> DEVICE void read_short(const plane_part<K> *part, struct stats_values *values)
{
    const int most = stats_sizes<K>::SHORT;
    stats_node<K> node;
    unsigned at[EXTREMES] = {0, 0, 0};
    kind_value<K> samples[most];

#pragma unroll
    for (unsigned i = 0; i < most; i++)
        samples[i] = i < part->frames ? sample_at(part, part->place + i) : (kind_value<K>)0;
#pragma unroll
    for (unsigned i = 0; i < most; i++) {
        const kind_word<K> key = (kind_word<K>)K::flip(K::bits_of(samples[i]));

        if (samples[i] != samples[i]) {
            samples[i] = 0;
            node.nans++;
        } else if (i < part->frames) {
            if (key < node.low) {
                node.low = key;
                at[0] = i;
            }
            if (key > node.high) {
                node.high = key;
                at[1] = i;
            }
            if (magnitude_of<K>(key) > node.magnitude) {
                node.magnitude = magnitude_of<K>(key);
                at[2] = i;
            }
        }
    }
    node.sum = sum_lanes<K, false, 0, 1>(samples);
    node.square = sum_lanes<K, true, 0, 1>(samples);
    put_values(values, &node, at);
}

/* With as few registers as the others it would spill. */
template <class K>
__global__ void __launch_bounds__(THREADS_SHORT, THREADS_WANTED / THREADS_SHORT * 3 / 4)
    short_kernel(const struct stats_view view)
{
    const unsigned index = blockIdx.x * THREADS_SHORT + threadIdx.x;

    if (index < view.parts) {
        const struct block_place place = place_of_part(view, index);
        const struct stats_share share = share_of(view, place.tile);
        const plane_part<K> part = part_of<K>(view, share, place.channel);
        struct stats_values values;

        read_short(&part, &values);
        write_results(view, share, place.channel, &part, &values);
    }
}

/* ---- launches */

typedef void stats_function(const struct stats_view view);

struct stats_launch {
    stats_function *kernels[2]; /* of float32 and of float64 */
    unsigned threads;           /* of a block */
    unsigned parts;             /* of a block; 0: it has a share of one */
    size_t shared;              /* bytes */
};

static uint64_t short_frames(enum value_kind value)
{
    return (uint64_t)(value == VALUE_F64 ? stats_sizes<f64>::SHORT : stats_sizes<f32>::SHORT);
}

#define KERNELS(name, ...)                                                                         \
    {                                                                                              \
        name<f32 __VA_ARGS__>, name<f64 __VA_ARGS__>                                               \
    }

/* For parts of up to so many frames. */
static const struct stats_launch *launch_of(enum value_kind value, uint64_t frames)
{
    static const struct stats_launch of_threads = {KERNELS(short_kernel), THREADS_SHORT,
                                                   THREADS_SHORT, 0};
    static const struct stats_launch of_warps = {
        KERNELS(leaf_kernel), THREADS_LEAF, THREADS_LEAF / LANES,
        THREADS_LEAF / LANES * sizeof(struct stats_values)};
    static const struct stats_launch few = {KERNELS(stats_kernel, , THREADS_FEW), THREADS_FEW, 0,
                                            sizeof(stats_shared<f64>)};
    static const struct stats_launch many = {KERNELS(stats_kernel, , THREADS), THREADS, 0,
                                             sizeof(stats_shared<f64>)};

    return frames <= short_frames(value) ? &of_threads
           : frames <= TREE_LEAF         ? &of_warps
           : frames <= FEW * TREE_LEAF   ? &few
                                         : &many;
}

static stats_function *kernel_of(const struct stats_launch *launch, enum value_kind value)
{
    return launch->kernels[value == VALUE_F64];
}

/* How many leaves a share has, for `leaves` in all: small shares keep the whole device busy, large
 * ones leave little to join. */
static unsigned share_leaves(uint64_t leaves)
{
    unsigned share = SHARE_MOST;

    while (share > SHARE_LEAST && leaves / share < SHARES_WANTED)
        share /= 2;
    return share;
}

struct records_cut {
    const struct stats_launch *launch;
    uint64_t blocks; /* of a plane */
    uint64_t parts;  /* in all */
    uint64_t shares; /* of a block */
    unsigned share_leaves;
    uint64_t grid; /* UINT64_MAX: too large */
};

static struct records_cut cut_records(enum value_kind value, const struct stats_records *records,
                                      unsigned planes)
{
    const uint64_t longest = min_u64(records->every, records->frames);
    const uint64_t leaves = longest / TREE_LEAF + (longest % TREE_LEAF != 0);
    struct records_cut cut;

    cut.launch = launch_of(value, longest);
    cut.blocks = records->frames == 0 ? 1 : (records->frames - 1) / records->every + 1;
    cut.grid = UINT64_MAX;
    cut.shares = 1;
    cut.share_leaves = SHARE_MOST;
    if (cut.blocks > INT32_MAX / planes)
        return cut;
    cut.parts = cut.blocks * planes;
    if (cut.launch->parts > 0) {
        cut.grid = (cut.parts - 1) / cut.launch->parts + 1;
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

cudaError_t cuda_records_load(enum value_kind value, const struct stats_records *records)
{
    return load_kernel(kernel_of(cut_records(value, records, 1).launch, value));
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
    if (tickets > 0)
        result = cudaMemsetAsync(memory, 0, tickets, stream);
    if (result != cudaSuccess)
        return result;
    LAUNCH(kernel_of(cut.launch, rings->value), (unsigned)cut.grid, cut.launch->threads,
           cut.launch->shared, stream, view);
    return cudaGetLastError();
}
