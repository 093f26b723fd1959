/* The kernel of the statistics.
 *
 * One warp per leaf. Its lane j is lane j of the summation tree and adds its samples in order, so
 * no sum waits for another lane. The samples are read in rows of 32, with up to 32 rows in flight.
 * Rows and not quads, because a quad would belong to four lanes; reading one float per thread fills
 * whole lines all the same.
 *
 * In a leaf without NaN a sample takes 8 instructions: its load, its conversion, an addition, a
 * fused multiply-add (the square of a float is exact in double, so it is rounded once, as on the
 * CPU), two for its key and two for the extremes, which sm_90 takes in pairs. A NaN shows in the
 * extremes, as a key beyond an infinity's; such a leaf is read again, from the cache, with a check
 * of every sample. On devices that add only two doubles at a time per multiprocessor, these
 * additions limit the speed.
 *
 * docs/kernels.md explains the choice of 512 threads per block and 32 rows in flight.
 *
 * The kernel does not track the positions of extremes. A node only stores which leaf contains each
 * extreme; when a whole part is done, a block searches these three leaves.
 *
 * One warp joins the leaves of a share, in the order of the tree. The last block of a part to
 * finish, found by a ticket, joins the shares of that part in the same way. The host is not
 * involved in between, and the result does not depend on which block is last. */
#include "launch.cuh"

#include <math.h>

#include "stats_kernel.h"
#include "window/rules.h"

enum {
    ALIGNMENT = 256,
    THREADS = 512,
    LANES = TREE_LANES, /* of a warp too */
    WARPS = THREADS / LANES,
    BATCH = 32, /* rows read at once */
    EXTREMES = 3,
    SIBLINGS = 4, /* nodes joined by a single lane */
};

static_assert(LANES == 32, "a warp is a leaf's lanes");
static_assert((int)CUDA_SHARE_MOST == (int)LANES, "a warp puts a share's leaves together");
static_assert(TREE_LEAF % (BATCH * LANES) == 0, "a leaf is whole batches");
static_assert(TREE_LEAF % THREADS == 0, "a leaf is searched in whole turns");

/* For a launch: enough shares that every multiprocessor of a large device gets its two blocks, four
 * times over. */
static const uint64_t SHARES_WANTED = 1024;

/* The keys of the infinities. */
static const int LOWEST = (int)0x807fffffU;
static const int HIGHEST = 0x7f800000;
static const unsigned MAGNITUDE_BITS = 0x7fffffffU;

static const unsigned FULL_MASK = 0xffffffffU;

/* The statistics of a leaf or of a subtree. Leaves are numbered within the part. */
struct node {
    double sum;
    double square;
    uint64_t nans;
    int low;
    int high;
    int magnitude; /* -1: nothing but NaN */
    unsigned low_leaf;
    unsigned high_leaf;
    unsigned magnitude_leaf;
};

struct stats_view {
    const float *samples; /* rings, as in cuda_window.h */
    uint64_t capacity;
    unsigned channels;
    unsigned leaves;                 /* of a share */
    const struct cuda_share *shares; /* NULL: all are those of one part, an array */
    uint64_t frames;                 /* of that part */
    struct node *nodes;              /* one per share and channel */
    unsigned *tickets;               /* one per part and channel; all zero between launches */
    struct stats_values *values;
};

/* One channel of a part. */
struct ring_part {
    const float *ring;
    uint64_t capacity;
    uint64_t place;
    uint64_t frames;
};

struct stats_shared {
    struct node nodes[LANES];
    unsigned at[EXTREMES];
    int is_last;
};

__device__ __forceinline__ struct node node_nothing(void)
{
    struct node node;

    node.sum = 0;
    node.square = 0;
    node.nans = 0;
    node.low = KEY_ABOVE;
    node.high = KEY_BELOW;
    node.magnitude = -1;
    node.low_leaf = 0;
    node.high_leaf = 0;
    node.magnitude_leaf = 0;
    return node;
}

/* On a tie the left one's position wins, since it comes first. */
__device__ __forceinline__ void node_join(struct node *left, const struct node *right)
{
    left->sum += right->sum;
    left->square += right->square;
    left->nans += right->nans;
    if (right->low < left->low) {
        left->low = right->low;
        left->low_leaf = right->low_leaf;
    }
    if (right->high > left->high) {
        left->high = right->high;
        left->high_leaf = right->high_leaf;
    }
    if (right->magnitude > left->magnitude) {
        left->magnitude = right->magnitude;
        left->magnitude_leaf = right->magnitude_leaf;
    }
}

__device__ __forceinline__ struct node node_from_lane(struct node node, unsigned delta)
{
    node.sum = __shfl_down_sync(FULL_MASK, node.sum, delta);
    node.square = __shfl_down_sync(FULL_MASK, node.square, delta);
    node.nans = __shfl_down_sync(FULL_MASK, node.nans, delta);
    node.low = __shfl_down_sync(FULL_MASK, node.low, delta);
    node.high = __shfl_down_sync(FULL_MASK, node.high, delta);
    node.magnitude = __shfl_down_sync(FULL_MASK, node.magnitude, delta);
    node.low_leaf = __shfl_down_sync(FULL_MASK, node.low_leaf, delta);
    node.high_leaf = __shfl_down_sync(FULL_MASK, node.high_leaf, delta);
    node.magnitude_leaf = __shfl_down_sync(FULL_MASK, node.magnitude_leaf, delta);
    return node;
}

/* Joins the nodes of all lanes, neighbours first. The result is valid in lane 0 only. */
__device__ struct node fold_nodes(struct node node)
{
    for (unsigned delta = 1; delta < LANES; delta *= 2) {
        struct node right = node_from_lane(node, delta);

        node_join(&node, &right);
    }
    return node;
}

/* ---- a leaf */

/* A lane's part of a leaf. */
struct lane {
    double sum;
    double square;
    int low;
    int high;
    unsigned nans;
};

__device__ __forceinline__ void take_sample(struct lane *lane, float sample)
{
    const double wide = sample;
    const int key = (int)rules_flip(rules_bits(sample));

    lane->sum += wide;
    lane->square = fma(wide, wide, lane->square);
    lane->low = min(lane->low, key);
    lane->high = max(lane->high, key);
}

__device__ __forceinline__ struct lane lane_nothing(void)
{
    struct lane lane;

    lane.sum = 0;
    lane.square = 0;
    lane.low = KEY_ABOVE;
    lane.high = KEY_BELOW;
    lane.nans = 0;
    return lane;
}

__device__ __forceinline__ void take_with_care(struct lane *lane, float sample)
{
    if (sample != sample)
        lane->nans++;
    else
        take_sample(lane, sample);
}

/* A whole, contiguous leaf. Without CARE, NaN is treated as a number, and shows in the extremes. */
template <bool CARE> __device__ __forceinline__ struct lane read_whole(const float *leaf)
{
    struct lane lane = lane_nothing();

#pragma unroll 1
    for (int batch = 0; batch < TREE_LEAF; batch += BATCH * LANES) {
        float samples[BATCH];

#pragma unroll
        for (int row = 0; row < BATCH; row++)
            samples[row] = __ldcs(leaf + batch + row * LANES);
#pragma unroll
        for (int row = 0; row < BATCH; row++) {
            if (CARE)
                take_with_care(&lane, samples[row]);
            else
                take_sample(&lane, samples[row]);
        }
    }
    return lane;
}

__device__ __forceinline__ float sample_at(const struct ring_part *part, uint64_t place)
{
    return part->ring[place >= part->capacity ? place - part->capacity : place];
}

/* Any leaf, including a short one, or one that wraps around the ring. */
__device__ __forceinline__ struct lane read_any(const struct ring_part *part, uint64_t place,
                                                unsigned count)
{
    struct lane lane = lane_nothing();

#pragma unroll 4
    for (unsigned i = threadIdx.x % LANES; i < count; i += LANES)
        take_with_care(&lane, sample_at(part, place + i));
    return lane;
}

__device__ __forceinline__ void fold_extremes(struct lane *lane)
{
#pragma unroll
    for (int other = LANES / 2; other > 0; other /= 2) {
        lane->low = min(lane->low, __shfl_xor_sync(FULL_MASK, lane->low, other));
        lane->high = max(lane->high, __shfl_xor_sync(FULL_MASK, lane->high, other));
    }
}

/* The place of a leaf in the ring. A part is never longer than the ring. */
__device__ __forceinline__ uint64_t leaf_place(const struct ring_part *part, uint64_t leaf)
{
    const uint64_t place = part->place + leaf * TREE_LEAF;

    return place >= part->capacity ? place - part->capacity : place;
}

__device__ __forceinline__ unsigned leaf_frames(const struct ring_part *part, uint64_t leaf)
{
    const uint64_t left = part->frames - leaf * TREE_LEAF;

    return left < TREE_LEAF ? (unsigned)left : (unsigned)TREE_LEAF;
}

/* Called by a warp; the result is in lane 0. */
__device__ __forceinline__ struct node read_leaf(const struct ring_part *part, unsigned leaf)
{
    const uint64_t place = leaf_place(part, leaf);
    const unsigned count = leaf_frames(part, leaf);
    const float *own = part->ring + place + threadIdx.x % LANES;
    struct node node = node_nothing();
    struct lane lane;

    if (count == TREE_LEAF && place + TREE_LEAF <= part->capacity) {
        lane = read_whole<false>(own);
        fold_extremes(&lane);
        if (lane.low < LOWEST || lane.high > HIGHEST) {
            lane = read_whole<true>(own);
            fold_extremes(&lane);
        }
    } else {
        lane = read_any(part, place, count);
        fold_extremes(&lane);
    }
#pragma unroll
    for (unsigned half = LANES / 2; half > 0; half /= 2) {
        lane.sum += __shfl_down_sync(FULL_MASK, lane.sum, half);
        lane.square += __shfl_down_sync(FULL_MASK, lane.square, half);
        lane.nans += __shfl_down_sync(FULL_MASK, lane.nans, half);
    }
    node.sum = lane.sum;
    node.square = lane.square;
    node.nans = lane.nans;
    if (lane.low <= lane.high) {
        node.low = lane.low;
        node.high = lane.high;
        node.magnitude = max((int)(rules_flip((uint32_t)lane.low) & MAGNITUDE_BITS),
                             (int)(rules_flip((uint32_t)lane.high) & MAGNITUDE_BITS));
    }
    node.low_leaf = leaf;
    node.high_leaf = leaf;
    node.magnitude_leaf = leaf;
    return node;
}

/* ---- a share, and a part */

/* Joins the leaves of a share into shared->nodes[0]. */
__device__ __forceinline__ void read_share(const struct ring_part *part, unsigned first,
                                           unsigned leaves, struct stats_shared *shared)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned warp = threadIdx.x / LANES;

    for (unsigned i = warp; i < LANES; i += WARPS) {
        const bool there = i < leaves && (uint64_t)(first + i) * TREE_LEAF < part->frames;
        const struct node node = there ? read_leaf(part, first + i) : node_nothing();

        if (lane == 0)
            shared->nodes[i] = node;
    }
    __syncthreads();
    if (warp == 0) {
        const struct node node = fold_nodes(shared->nodes[lane]);

        if (lane == 0)
            shared->nodes[0] = node;
    }
}

/* Publishes the block's node and takes a ticket. Returns true for all threads of the last block of
 * a part, which then sees the nodes of all others. */
__device__ __forceinline__ bool is_last(const struct stats_view &view, unsigned count,
                                        unsigned *ticket, struct stats_shared *shared)
{
    if (threadIdx.x == 0) {
        shared->is_last = 1;
        if (count > 1) {
            view.nodes[blockIdx.x] = shared->nodes[0];
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

/* Joins up to SIBLINGS nodes from `first` on, in the order of the tree. All loads are issued before
 * the first result is needed. */
__device__ __forceinline__ struct node join_siblings(const struct node *nodes, uint64_t stride,
                                                     unsigned first, unsigned count)
{
    struct node own[SIBLINGS];

#pragma unroll
    for (unsigned i = 0; i < SIBLINGS; i++)
        own[i] = first + i < count ? nodes[(first + i) * stride] : node_nothing();
    node_join(&own[0], &own[1]);
    node_join(&own[2], &own[3]);
    node_join(&own[0], &own[2]);
    return own[0];
}

/* Joins the shares of a part into shared->nodes[0], a warp's worth at a time. A result replaces the
 * first of its nodes, which no other thread reads. */
__device__ void join_shares(struct node *nodes, uint64_t stride, unsigned count,
                            struct stats_shared *shared)
{
    const unsigned together = LANES * SIBLINGS;
    const unsigned lane = threadIdx.x % LANES;

    for (; count > 1; count = (count + together - 1) / together, stride *= together) {
        for (unsigned first = threadIdx.x / LANES * together; first < count;
             first += WARPS * together) {
            const struct node node =
                fold_nodes(join_siblings(nodes, stride, first + lane * SIBLINGS, count));

            if (lane == 0)
                nodes[first * stride] = node;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        shared->nodes[0] = nodes[0];
    __syncthreads();
}

/* Finds, for each extreme, the first sample of its leaf with the given bits under the mask. The
 * positions go to at[], which must hold TREE_LEAF initially. */
__device__ __forceinline__ void find(const struct ring_part *part, const unsigned *leaf,
                                     const unsigned *mask, const unsigned *bits, unsigned *at)
{
    unsigned found[EXTREMES];

#pragma unroll
    for (int i = 0; i < EXTREMES; i++)
        found[i] = TREE_LEAF;
#pragma unroll 4
    for (int turn = TREE_LEAF / THREADS - 1; turn >= 0; turn--) {
        const unsigned frame = (unsigned)turn * THREADS + threadIdx.x;

#pragma unroll
        for (int i = 0; i < EXTREMES; i++) {
            if (frame < leaf_frames(part, leaf[i]) &&
                (__float_as_uint(sample_at(part, leaf_place(part, leaf[i]) + frame)) & mask[i]) ==
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

/* Finds the positions, and writes the results of a part. */
__device__ __forceinline__ void
write_values(const struct ring_part *part, struct stats_shared *shared, struct stats_values *values)
{
    const struct node *node = &shared->nodes[0];

    if (threadIdx.x < EXTREMES)
        shared->at[threadIdx.x] = TREE_LEAF;
    __syncthreads();
    if (node->low <= node->high) {
        const unsigned leaves[EXTREMES] = {node->low_leaf, node->high_leaf, node->magnitude_leaf};
        const unsigned masks[EXTREMES] = {~0U, ~0U, MAGNITUDE_BITS};
        const unsigned bits[EXTREMES] = {rules_flip((uint32_t)node->low),
                                         rules_flip((uint32_t)node->high),
                                         (unsigned)node->magnitude};

        find(part, leaves, masks, bits, shared->at);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        values->sum = node->sum;
        values->square = node->square;
        values->nans = node->nans;
        values->low_at = (uint64_t)node->low_leaf * TREE_LEAF + shared->at[0];
        values->high_at = (uint64_t)node->high_leaf * TREE_LEAF + shared->at[1];
        values->magnitude_at = (uint64_t)node->magnitude_leaf * TREE_LEAF + shared->at[2];
        values->low = node->low;
        values->high = node->high;
        values->magnitude = (uint64_t)(uint32_t)node->magnitude;
    }
}

__device__ __forceinline__ struct cuda_share share_at(const struct stats_view &view,
                                                      unsigned number)
{
    struct cuda_share share;

    if (view.shares != NULL)
        return view.shares[number];
    share.place = 0;
    share.frames = view.frames;
    share.index = number;
    share.count = gridDim.x;
    share.part = 0;
    share.unused = 0;
    return share;
}

/* Block b does share b / channels of channel b % channels. */
static __global__ void __launch_bounds__(THREADS, 2) stats_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(struct stats_shared, shared);
    const struct block_place place = place_of_block(view.channels);
    const struct cuda_share share = share_at(view, place.tile);
    const unsigned channel = place.channel;
    const uint64_t result = (uint64_t)share.part * view.channels + channel;
    struct ring_part part;

    part.ring = view.samples + channel * view.capacity;
    part.capacity = view.capacity;
    part.place = share.place;
    part.frames = share.frames;
    read_share(&part, share.index * view.leaves, view.leaves, shared);
    if (!is_last(view, share.count, view.tickets + result, shared))
        return;
    if (share.count > 1)
        join_shares(view.nodes + (blockIdx.x - (uint64_t)share.index * view.channels),
                    view.channels, share.count, shared);
    write_values(&part, shared, view.values + result);
}

/* ---- launches */

cudaError_t cuda_stats_load(void)
{
    return load_kernel(stats_kernel);
}

unsigned cuda_share_leaves(uint64_t leaves)
{
    unsigned share = CUDA_SHARE_MOST;

    while (share > CUDA_SHARE_LEAST && leaves / share < SHARES_WANTED)
        share /= 2;
    return share;
}

static uint64_t align(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t cuda_stats_memory_bytes(unsigned channels, uint64_t parts, uint64_t shares)
{
    return align(shares * sizeof(struct cuda_share)) +
           align(parts * channels * sizeof(struct stats_values)) +
           align(shares * channels * sizeof(struct node)) +
           align(parts * channels * sizeof(unsigned));
}

cudaError_t cuda_stats_memory_lay(struct cuda_stats_memory *stats, unsigned channels,
                                  uint64_t parts, uint64_t shares, void *memory,
                                  cudaStream_t stream)
{
    char *at = (char *)memory;

    stats->shares = (struct cuda_share *)memory;
    at += align(shares * sizeof(struct cuda_share));
    stats->values = (struct stats_values *)(void *)at;
    at += align(parts * channels * sizeof(struct stats_values));
    stats->nodes = at;
    at += align(shares * channels * sizeof(struct node));
    stats->tickets = (unsigned *)(void *)at;
    return cudaMemsetAsync(stats->tickets, 0, parts * channels * sizeof(unsigned), stream);
}

cudaError_t cuda_stats_run(const struct cuda_rings *rings, const struct cuda_stats_memory *stats,
                           uint64_t shares, unsigned leaves, cudaStream_t stream)
{
    struct stats_view view;

    if (shares == 0)
        return cudaSuccess;
    view.samples = rings->samples;
    view.capacity = rings->capacity;
    view.channels = rings->channels;
    view.leaves = leaves;
    view.shares = stats->shares;
    view.frames = 0;
    view.nodes = (struct node *)stats->nodes;
    view.tickets = stats->tickets;
    view.values = stats->values;
    /* A share uses 80 bytes of device memory, so memory is exhausted long before the grid
     * overflows. */
    LAUNCH(stats_kernel, (unsigned)(shares * view.channels), THREADS, sizeof(struct stats_shared),
           stream, view);
    return cudaGetLastError();
}

static uint64_t leaves_of(uint64_t count)
{
    return count / TREE_LEAF + (count % TREE_LEAF != 0 ? 1 : 0);
}

static uint64_t shares_of(uint64_t count, unsigned leaves)
{
    const uint64_t shares = (leaves_of(count) + leaves - 1) / leaves;

    return shares > 0 ? shares : 1;
}

uint64_t cuda_stats_array_bytes(uint64_t count)
{
    const uint64_t shares = shares_of(count, cuda_share_leaves(leaves_of(count)));

    return align(sizeof(unsigned)) + shares * sizeof(struct node);
}

cudaError_t cuda_stats_array(const float *samples, uint64_t count, void *memory,
                             struct stats_values *values, cudaStream_t stream)
{
    struct stats_view view;

    view.samples = samples;
    view.capacity = UINT64_MAX / sizeof(float); /* this ring never wraps around */
    view.channels = 1;
    view.leaves = cuda_share_leaves(leaves_of(count));
    view.shares = NULL;
    view.frames = count;
    view.nodes = (struct node *)(void *)((char *)memory + align(sizeof(unsigned)));
    view.tickets = (unsigned *)memory;
    view.values = values;
    LAUNCH(stats_kernel, (unsigned)shares_of(count, view.leaves), THREADS,
           sizeof(struct stats_shared), stream, view);
    return cudaGetLastError();
}
