/* The kernel of the statistics.
 *
 * One warp per leaf (stats_leaf.cuh). docs/kernels.md explains the choice of 512 threads per block
 * and 32 rows in flight. Blocks of arrays that are short, as rows often are, have fewer threads:
 * then more of them work at a time, and one reads while another searches.
 *
 * The kernel does not track the positions of extremes. A node only stores which leaf contains each
 * extreme; when a whole part is done, a block searches these three leaves.
 *
 * One warp joins the leaves of a share, in the order of the tree. The last block of a part to
 * finish, found by a ticket, joins the shares of that part in the same way. The host is not
 * involved in between, and the result does not depend on which block is last. */
#include "stats_leaf.cuh"

#include "base/min_max.h"

extern "C" {
#include "failure.h"
}

/* Threads of a block: for parts of any length, of a few leaves, and of one. */
enum {
    THREADS = 512,
    THREADS_FEW = 128,
    THREADS_LEAF = 64, /* with fewer, many devices would run as many blocks: 16 */
    FEW = 8,           /* leaves */
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

/* Finds, for each extreme, the first sample of its leaf with the given bits under the mask. The
 * positions go to at[], which must hold TREE_LEAF initially. */
template <class K, int COUNT>
DEVICE void find_extremes(const plane_part<K> *part, const unsigned *leaf,
                          const typename K::bits *mask, const typename K::bits *bits, unsigned *at)
{
    unsigned found[EXTREMES];

#pragma unroll
    for (int i = 0; i < EXTREMES; i++)
        found[i] = TREE_LEAF;
#pragma unroll 8
    for (int turn = ((int)min((uint64_t)TREE_LEAF, part->frames) - 1) / COUNT; turn >= 0; turn--) {
        const unsigned frame = (unsigned)turn * COUNT + threadIdx.x;

#pragma unroll
        for (int i = 0; i < EXTREMES; i++) {
            if (frame < leaf_frames(part, leaf[i]) &&
                (K::bits_of(sample_at(part, leaf_place(part, leaf[i]) + frame)) & mask[i]) ==
                    bits[i])
                found[i] = frame;
        }
    }
#pragma unroll
    for (int i = 0; i < EXTREMES; i++) {
        if (found[i] < TREE_LEAF)
            atomicMin(&at[i], found[i]);
    }
}

/* Finds the positions, and returns the results of a part: to its first thread. */
template <class K, int COUNT>
DEVICE struct stats_values take_values(const plane_part<K> *part, stats_shared<K> *shared)
{
    const stats_node<K> *node = &shared->nodes[0];
    struct stats_values values;

    if (threadIdx.x < EXTREMES)
        shared->at[threadIdx.x] = TREE_LEAF;
    __syncthreads();
    if (node->low <= node->high) {
        const unsigned leaves[EXTREMES] = {node->low_leaf, node->high_leaf, node->magnitude_leaf};
        const typename K::bits all = ~(typename K::bits)0;
        const typename K::bits masks[EXTREMES] = {all, all, K::MAGNITUDE};
        const typename K::bits bits[EXTREMES] = {K::flip((typename K::bits)node->low),
                                                 K::flip((typename K::bits)node->high),
                                                 (typename K::bits)node->magnitude};

        find_extremes<K, COUNT>(part, leaves, masks, bits, shared->at);
    }
    __syncthreads();
    values.sum = node->sum;
    values.square = node->square;
    values.nans = node->nans;
    values.low_at = (uint64_t)node->low_leaf * TREE_LEAF + shared->at[0];
    values.high_at = (uint64_t)node->high_leaf * TREE_LEAF + shared->at[1];
    values.magnitude_at = (uint64_t)node->magnitude_leaf * TREE_LEAF + shared->at[2];
    values.low = node->low;
    values.high = node->high;
    values.magnitude = (typename K::bits)node->magnitude;
    values.clipped = 0;
    values.clipped_at = 0;
    return values;
}

template <class K>
DEVICE void write_record(const struct stats_view &view, const struct stats_share &share,
                         unsigned plane, const struct stats_values &values)
{
    const enum value_kind kind = sizeof(kind_value<K>) == 4 ? VALUE_F32 : VALUE_F64;
    const unsigned row = plane / view.records.channels;
    const unsigned channel = plane - row * view.records.channels;
    const uint64_t index =
        ((uint64_t)row * view.blocks + share.part) * view.records.channels + channel;
    struct stats_record record = record_of(kind, &values, share.place, share.frames);

    record.size = view.records.distance;
    record.row = row;
    record.channel = channel;
    record.type = view.records.type;
    *(struct stats_record *)(void *)((char *)view.records.record + index * view.records.distance) =
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

/* Block b does share b / channels of channel b % channels. */
template <class K, int COUNT>
__global__ void __launch_bounds__(COUNT, 2 * THREADS / COUNT)
    stats_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    stats_shared<K> *shared = (stats_shared<K> *)(void *)shared_quads;
    const struct block_place place = place_of_block(view.channels, blockIdx.x);
    const struct stats_share share = share_of(view, place.tile);
    const unsigned channel = place.channel;
    const uint64_t result = (uint64_t)share.part * view.channels + channel;
    plane_part<K> part;
    struct stats_values values;

    if (share.index >= share.count)
        return;
    part.plane = (const kind_value<K> *)view.samples + channel * view.pitch;
    part.stride = view.stride;
    part.place = share.place;
    part.frames = share.frames;
    read_share<K, COUNT / LANES>(&part, share.index * view.leaves, view.leaves, shared);
    if (!is_last<K>(view, share.count, view.tickets + result, shared))
        return;
    if (share.count > 1)
        join_shares<K, COUNT / LANES>((stats_node<K> *)view.nodes +
                                          (blockIdx.x - (uint64_t)share.index * view.channels),
                                      view.channels, share.count, shared);
    values = take_values<K, COUNT>(&part, shared);
    if (threadIdx.x == 0)
        write_record<K>(view, share, channel, values);
}

/* ---- launches */

typedef void stats_function(const struct stats_view view);

/* The kernel for parts of up to so many leaves, and the threads of its blocks. */
static stats_function *kernel_of(enum value_kind value, uint64_t leaves, unsigned *threads)
{
    const bool wide = value == VALUE_F64;

    *threads = leaves <= 1 ? THREADS_LEAF : leaves <= FEW ? THREADS_FEW : THREADS;
    if (leaves <= 1)
        return wide ? stats_kernel<f64, THREADS_LEAF> : stats_kernel<f32, THREADS_LEAF>;
    if (leaves <= FEW)
        return wide ? stats_kernel<f64, THREADS_FEW> : stats_kernel<f32, THREADS_FEW>;
    return wide ? stats_kernel<f64, THREADS> : stats_kernel<f32, THREADS>;
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

static cudaError_t launch(const struct stats_view *view, enum value_kind value, uint64_t leaves,
                          uint64_t blocks, cudaStream_t stream)
{
    unsigned threads;
    stats_function *const kernel = kernel_of(value, leaves, &threads);

    LAUNCH(kernel, (unsigned)blocks, threads, sizeof(stats_shared<f64>), stream, *view);
    return cudaGetLastError();
}

struct records_cut {
    uint64_t blocks; /* of a plane */
    uint64_t block_leaves;
    uint64_t shares; /* of a block */
    unsigned share_leaves;
    uint64_t grid; /* UINT64_MAX: too large */
};

static struct records_cut cut_records(const struct stats_records *records, unsigned planes)
{
    const uint64_t longest = min_u64(records->every, records->frames);
    struct records_cut cut;
    uint64_t parts;

    cut.blocks = records->frames == 0 ? 1 : (records->frames - 1) / records->every + 1;
    cut.block_leaves = longest / TREE_LEAF + (longest % TREE_LEAF != 0);
    cut.grid = UINT64_MAX;
    cut.shares = 1;
    cut.share_leaves = SHARE_MOST;
    if (cut.blocks > INT32_MAX / planes)
        return cut;
    parts = cut.blocks * planes;
    cut.share_leaves = share_leaves(cut.block_leaves * parts);
    if (cut.block_leaves > cut.share_leaves)
        cut.shares = (cut.block_leaves - 1) / cut.share_leaves + 1;
    if (cut.shares <= INT32_MAX / parts)
        cut.grid = cut.shares * parts;
    return cut;
}

static uint64_t tickets_bytes(const struct records_cut *cut, unsigned planes)
{
    return cut->shares > 1 ? cuda_align(cut->blocks * planes * sizeof(unsigned)) : 0;
}

uint64_t cuda_records_bytes(const struct stats_records *records, unsigned planes)
{
    const struct records_cut cut = cut_records(records, planes);

    if (cut.grid == UINT64_MAX)
        return UINT64_MAX;
    return cut.shares == 1
               ? 0
               : tickets_bytes(&cut, planes) + cuda_align(cut.grid * sizeof(stats_node<f64>));
}

cudaError_t cuda_records_load(enum value_kind value, const struct stats_records *records)
{
    unsigned threads;

    return load_kernel(kernel_of(value, cut_records(records, 1).block_leaves, &threads));
}

cudaError_t cuda_records_run(const struct cuda_rings *rings, const struct stats_records *records,
                             void *memory, cudaStream_t stream)
{
    const struct records_cut cut = cut_records(records, rings->channels);
    const uint64_t tickets = tickets_bytes(&cut, rings->channels);
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
    if (tickets > 0)
        result = cudaMemsetAsync(memory, 0, tickets, stream);
    return THEN(result, launch(&view, rings->value, cut.block_leaves, cut.grid, stream));
}
