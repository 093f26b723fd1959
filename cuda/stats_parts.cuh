/* SPDX-License-Identifier: MIT */
/* The kernel for parts of one leaf; a warp has several of them.
 *
 * A part has a *team* of threads: one, if it has up to 64 bytes, which are read at once; eight, if
 * it is short; or all of a warp. Thread t reads samples t, t + TEAM, ... of the part, a batch of
 * them before it needs the first, and has lanes t, t + TEAM, ... of the tree. The positions of
 * extremes are kept with them. After all its turns, the threads of a warp write the results of its
 * parts, one part each: a single lane would take as long for one part as some 500 samples take. */
#ifndef GPUENV_CUDA_STATS_PARTS_CUH
#define GPUENV_CUDA_STATS_PARTS_CUH

#include "stats_view.cuh"

enum {
    THREADS_PARTS = 256, /* threads of a block */
    WARPS_PARTS = THREADS_PARTS / LANES,
    PART_BYTES = 64, /* bytes that a thread reads at once */
    TEAM_SHORT = 8,  /* threads for parts of up to TEAM_FRAMES */
    TEAM_FRAMES = 512,
};

template <class K, int TEAM> struct team_sizes {
    static const bool ONCE = TEAM == 1; /* a thread reads one batch */
    static const int BATCH =
        (TEAM == TEAM_SHORT ? PART_BYTES / 2 : PART_BYTES) / sizeof(kind_value<K>);
    static const int OWN = LANES / TEAM < BATCH ? LANES / TEAM : BATCH; /* lanes of the tree */
};

/* Finds the place of a part. Neighbouring parts are of one plane where the frames of a plane are
 * adjacent. */
template <class K> DEVICE plane_part<K> find_part(const struct stats_view &view, unsigned index)
{
    const bool in_planes = view.stride == 1;
    const struct block_place place = place_of_block(in_planes ? view.blocks : view.channels, index);

    return in_planes ? part_of<K>(view, place.tile, place.channel)
                     : part_of<K>(view, place.channel, place.tile);
}

/* Fetches a batch of a thread's samples, which begin at `frame`; a missing sample is NaN. */
template <class K, int TEAM>
DEVICE void fetch_batch(const plane_part<K> &part, unsigned frame, kind_value<K> *samples)
{
    const kind_value<K> *from = &part.plane[(part.place + frame) * part.stride];

#pragma unroll
    for (int i = 0; i < team_sizes<K, TEAM>::BATCH; i++) {
        samples[i] = frame < (unsigned)part.frames ? *from : (kind_value<K>)NAN;
        from += TEAM * part.stride;
        frame += TEAM;
    }
}

/* What a thread knows of a part. */
template <class K> struct part_extremes {
    kind_word<K> low = K::ABOVE;
    kind_word<K> high = K::BELOW;
    unsigned low_at = 0;
    unsigned high_at = 0;
    unsigned numbers = 0;
};

template <class K>
DEVICE void take_number(part_extremes<K> *extremes, kind_value<K> sample, unsigned frame)
{
    const kind_word<K> key = (kind_word<K>)K::flip(K::bits_of(sample));

    if (sample != sample)
        return;
    extremes->numbers++;
    if (key < extremes->low) {
        extremes->low = key;
        extremes->low_at = frame;
    }
    if (key > extremes->high) {
        extremes->high = key;
        extremes->high_at = frame;
    }
}

/* Makes a node. The lowest or the highest sample has the largest magnitude, and is the first that
 * has it. */
template <class K> DEVICE stats_node<K> node_of(const part_extremes<K> &extremes)
{
    const kind_word<K> low = magnitude_of<K>(extremes.low);
    const kind_word<K> high = magnitude_of<K>(extremes.high);
    stats_node<K> node;

    node.nans = extremes.numbers; /* this counts numbers while nodes are joined */
    node.extreme[LOWEST] = ~extremes.low;
    node.extreme[HIGHEST] = extremes.high;
    node.at[LOWEST] = extremes.low_at;
    node.at[HIGHEST] = extremes.high_at;
    if (extremes.numbers > 0) {
        node.extreme[LARGEST] = max(low, high);
        node.at[LARGEST] = low > high   ? extremes.low_at
                           : low < high ? extremes.high_at
                                        : min(extremes.low_at, extremes.high_at);
    }
    return node;
}

/* The sum of the lanes FIRST, FIRST + STEP, ... of COUNT, in the order of the tree: the upper half
 * of the lanes is added to the lower half first. */
template <int COUNT, int FIRST, int STEP> DEVICE double fold_lanes(const double *lanes)
{
    if constexpr (STEP < COUNT)
        return fold_lanes<COUNT, FIRST, 2 * STEP>(lanes) +
               fold_lanes<COUNT, FIRST + STEP, 2 * STEP>(lanes);
    else
        return lanes[FIRST];
}

/* Reads a part with a team; the result is valid in its first thread. A missing sample counts as +0,
 * like NaN. */
template <class K, int TEAM> DEVICE stats_node<K> read_part(const plane_part<K> &part)
{
    typedef team_sizes<K, TEAM> sizes;
    const unsigned frames = (unsigned)part.frames;
    const unsigned thread = threadIdx.x % TEAM;
    part_extremes<K> extremes;
    double sum[sizes::OWN] = {};
    double square[sizes::OWN] = {};
    stats_node<K> node;

#pragma unroll 1
    for (unsigned first = 0; first < (sizes::ONCE ? 1 : frames); first += sizes::BATCH * TEAM) {
        kind_value<K> samples[sizes::BATCH];

        fetch_batch<K, TEAM>(part, first + thread, samples);
#pragma unroll
        for (int i = 0; i < sizes::BATCH; i++) {
            const double wide = samples[i] != samples[i] ? 0 : samples[i];

            take_number(&extremes, samples[i], first + thread + (unsigned)i * TEAM);
            sum[i % sizes::OWN] += wide;
            square[i % sizes::OWN] = add_square<K>(square[i % sizes::OWN], wide);
        }
    }
    node = node_of(extremes);
    node.sum = fold_lanes<sizes::OWN, 0, 1>(sum);
    node.square = fold_lanes<sizes::OWN, 0, 1>(square);
#pragma unroll
    for (unsigned half = TEAM / 2; half > 0; half /= 2) {
        const stats_node<K> other = node_from_lane(node, half);

        node_join(&node, &other);
    }
    node.nans = frames - node.nans;
    return node;
}

/* Where a thread reads one batch, it would spill with as few registers as the other kernels
 * have. */
template <class K, int TEAM>
__global__ void __launch_bounds__(THREADS_PARTS, team_sizes<K, TEAM>::ONCE ? 3 : 4)
    part_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(int4, shared_quads);
    const unsigned together = LANES / TEAM;
    const unsigned warp = threadIdx.x / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned first = (blockIdx.x * WARPS_PARTS + warp) * view.turns * together;
    const unsigned end = min(first + view.turns * together, view.parts);
    const unsigned nowhere[EXTREMES] = {0, 0, 0};
    stats_node<K> *nodes = (stats_node<K> *)(void *)shared_quads + warp * LANES;

#pragma unroll 1
    for (unsigned at = first; at < end; at += together) {
        const unsigned own = at + lane / TEAM;
        const stats_node<K> node = read_part<K, TEAM>(find_part<K>(view, min(own, end - 1)));

        if (lane % TEAM == 0)
            nodes[own - first] = node;
    }
    __syncwarp();
    if (first + lane < end)
        write_results(view, find_part<K>(view, first + lane), node_values(nodes[lane], 1, nowhere));
}

#endif
