/* SPDX-License-Identifier: MIT */
/* The statistics of one leaf, by one warp, for either kind of values.
 *
 * Lane j of the warp is lane j of the summation tree and adds its samples in order, so no sum waits
 * for another lane. The samples are read in rows of 32, with up to 32 rows of floats in flight, or
 * 16 of doubles. Rows and not quads, because a quad would belong to several lanes; reading one
 * sample per thread fills whole lines all the same.
 *
 * In a leaf without NaN a float takes 8 instructions: its load, its conversion, an addition, a
 * fused multiply-add (the square of a float is exact in double, so it is rounded once, as on the
 * CPU), two for its key and two for the extremes, which sm_90 takes in pairs. A double takes 15:
 * its square is rounded before it is added, and extremes of 64-bit keys take two comparisons and
 * two selections each. A NaN shows in the extremes, as a key beyond an infinity's; such a leaf is
 * read again, from the cache, with a check of every sample. On devices that add only two doubles at
 * a time per multiprocessor, these additions limit the speed. */
#ifndef GPUENV_CUDA_STATS_LEAF_CUH
#define GPUENV_CUDA_STATS_LEAF_CUH

#include "cuda_kind.cuh"

#include <math.h>

#include "stats_kernel.h"

static_assert((int)LANES == (int)TREE_LANES, "a warp is a leaf's lanes");

template <class K> struct stats_sizes {
    static const int BATCH = 128 / sizeof(kind_value<K>);        /* rows read at once */
    static const unsigned SIBLINGS = 16 / sizeof(kind_value<K>); /* nodes joined by a single lane */
};

static_assert(TREE_LEAF % (stats_sizes<f32>::BATCH * LANES) == 0, "a leaf is whole batches");

/* The extremes of a node are keys, of which the largest wins; the key of the minimum is
 * inverted. */
enum { LOWEST, HIGHEST, LARGEST, EXTREMES };

/* The statistics of a leaf or of a subtree; at first those of no samples. `at` is the leaf of each
 * extreme in the part; in a part of one leaf (stats_parts.cuh) it is the frame. The alignment lets
 * three or four accesses read a node. */
template <class K> struct alignas(16) stats_node {
    double sum = 0;
    double square = 0;
    uint64_t nans = 0;
    kind_word<K> extreme[EXTREMES] = {K::BELOW, K::BELOW, -1};
    unsigned at[EXTREMES] = {0, 0, 0};
};

/* A part of a plane. */
template <class K> struct plane_part {
    const kind_value<K> *plane;
    unsigned ring;   /* number of the plane */
    unsigned number; /* number of the part in the plane */
    uint64_t stride; /* samples from frame to frame */
    uint64_t place;
    uint64_t frames;
};

/* Joins two nodes. The first of equal extremes wins. */
template <class K> DEVICE void node_join(stats_node<K> *left, const stats_node<K> *right)
{
    left->sum += right->sum;
    left->square += right->square;
    left->nans += right->nans;
#pragma unroll
    for (int i = 0; i < EXTREMES; i++) {
        if (right->extreme[i] > left->extreme[i] ||
            (right->extreme[i] == left->extreme[i] && right->at[i] < left->at[i])) {
            left->extreme[i] = right->extreme[i];
            left->at[i] = right->at[i];
        }
    }
}

template <class K> DEVICE stats_node<K> node_from_lane(stats_node<K> node, unsigned delta)
{
    node.sum = __shfl_down_sync(WARP_ALL, node.sum, delta);
    node.square = __shfl_down_sync(WARP_ALL, node.square, delta);
    node.nans = __shfl_down_sync(WARP_ALL, node.nans, delta);
#pragma unroll
    for (int i = 0; i < EXTREMES; i++) {
        node.extreme[i] = __shfl_down_sync(WARP_ALL, node.extreme[i], delta);
        node.at[i] = __shfl_down_sync(WARP_ALL, node.at[i], delta);
    }
    return node;
}

/* Joins the nodes of all lanes, neighbours first. The result is valid in lane 0 only. */
template <class K> __device__ stats_node<K> fold_nodes(stats_node<K> node)
{
    for (unsigned delta = 1; delta < LANES; delta *= 2) {
        stats_node<K> right = node_from_lane(node, delta);

        node_join(&node, &right);
    }
    return node;
}

/* ---- a leaf */

/* A lane's part of a leaf. */
template <class K> struct stats_lane {
    double sum = 0;
    double square = 0;
    kind_word<K> low = K::ABOVE;
    kind_word<K> high = K::BELOW;
    unsigned nans = 0;
};

/* The square of a float is exact, so the multiplication may be fused with the addition. */
template <class K> DEVICE double add_square(double sum, double sample)
{
    if constexpr (sizeof(kind_value<K>) == 4)
        return fma(sample, sample, sum);
    else
        return __dadd_rn(sum, __dmul_rn(sample, sample));
}

template <class K> DEVICE void take_sample(stats_lane<K> *lane, kind_value<K> sample)
{
    const double wide = sample;
    const kind_word<K> key = (kind_word<K>)K::flip(K::bits_of(sample));

    lane->sum += wide;
    lane->square = add_square<K>(lane->square, wide);
    lane->low = min(lane->low, key);
    lane->high = max(lane->high, key);
}

template <class K> DEVICE void take_with_care(stats_lane<K> *lane, kind_value<K> sample)
{
    if (sample != sample)
        lane->nans++;
    else
        take_sample<K>(lane, sample);
}

/* Reads a whole, contiguous leaf. Without CARE, NaN is treated as a number, and shows in the
 * extremes. */
template <class K, bool CARE> DEVICE stats_lane<K> read_whole(const kind_value<K> *leaf)
{
    const int rows = stats_sizes<K>::BATCH;
    stats_lane<K> lane;

#pragma unroll 1
    for (int batch = 0; batch < TREE_LEAF; batch += rows * LANES) {
        kind_value<K> samples[rows];

#pragma unroll
        for (int row = 0; row < rows; row++)
            samples[row] = __ldcs(leaf + batch + row * LANES);
#pragma unroll
        for (int row = 0; row < rows; row++) {
            if (CARE)
                take_with_care<K>(&lane, samples[row]);
            else
                take_sample<K>(&lane, samples[row]);
        }
    }
    return lane;
}

template <class K> DEVICE kind_value<K> sample_at(const plane_part<K> *part, uint64_t place)
{
    return part->plane[place * part->stride];
}

/* Reads any leaf, including a short one, and one with gaps. */
template <class K>
DEVICE stats_lane<K> read_any(const plane_part<K> *part, uint64_t place, unsigned count)
{
    stats_lane<K> lane;

#pragma unroll 4
    for (unsigned i = threadIdx.x % LANES; i < count; i += LANES)
        take_with_care<K>(&lane, sample_at(part, place + i));
    return lane;
}

template <class K> DEVICE void fold_extremes(stats_lane<K> *lane)
{
#pragma unroll
    for (int other = LANES / 2; other > 0; other /= 2) {
        lane->low = min(lane->low, __shfl_xor_sync(WARP_ALL, lane->low, other));
        lane->high = max(lane->high, __shfl_xor_sync(WARP_ALL, lane->high, other));
    }
}

template <class K> DEVICE uint64_t leaf_place(const plane_part<K> *part, uint64_t leaf)
{
    return part->place + leaf * TREE_LEAF;
}

template <class K> DEVICE unsigned leaf_frames(const plane_part<K> *part, uint64_t leaf)
{
    const uint64_t left = part->frames - leaf * TREE_LEAF;

    return left < TREE_LEAF ? (unsigned)left : (unsigned)TREE_LEAF;
}

template <class K> DEVICE kind_word<K> magnitude_of(kind_word<K> key)
{
    return (kind_word<K>)(K::flip((typename K::bits)key) & K::MAGNITUDE);
}

/* The key that a sample would have as this extreme. */
template <class K> DEVICE kind_word<K> extreme_of(int extreme, kind_value<K> sample)
{
    const kind_word<K> key = (kind_word<K>)K::flip(K::bits_of(sample));

    return extreme == LOWEST ? ~key : extreme == HIGHEST ? key : magnitude_of<K>(key);
}

/* Reads a leaf with a warp; the result is in lane 0. */
template <class K> DEVICE stats_node<K> read_leaf(const plane_part<K> *part, unsigned leaf)
{
    const uint64_t place = leaf_place(part, leaf);
    const unsigned count = leaf_frames(part, leaf);
    const kind_value<K> *own = part->plane + place + threadIdx.x % LANES;
    const bool is_whole = count == TREE_LEAF && part->stride == 1;
    stats_lane<K> lane = is_whole ? read_whole<K, false>(own) : read_any(part, place, count);
    stats_node<K> node;

    fold_extremes(&lane);
    if (is_whole && (lane.low < ~K::INFINITE || lane.high > K::INFINITE)) {
        lane = read_whole<K, true>(own);
        fold_extremes(&lane);
    }
#pragma unroll
    for (unsigned half = LANES / 2; half > 0; half /= 2) {
        lane.sum += __shfl_down_sync(WARP_ALL, lane.sum, half);
        lane.square += __shfl_down_sync(WARP_ALL, lane.square, half);
        lane.nans += __shfl_down_sync(WARP_ALL, lane.nans, half);
    }
    node.sum = lane.sum;
    node.square = lane.square;
    node.nans = lane.nans;
    if (lane.low <= lane.high) {
        node.extreme[LOWEST] = ~lane.low;
        node.extreme[HIGHEST] = lane.high;
        node.extreme[LARGEST] = max(magnitude_of<K>(lane.low), magnitude_of<K>(lane.high));
    }
#pragma unroll
    for (int i = 0; i < EXTREMES; i++)
        node.at[i] = leaf;
    return node;
}

#endif
