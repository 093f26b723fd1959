/* SPDX-License-Identifier: MIT */
/* The kernel of standard deviations, of parts of any length: a warp has one.
 *
 * The warp gathers the numbers of a part, without NaN, until each of its lanes has a block of them
 * (src/core/cpu/variance.h). Lanes make the deviations of their blocks, and join them in pairs, and
 * pairs in pairs. Blocks that are too few for all lanes are joined by one. */
#ifndef GPUENV_CUDA_STATS_DEVIATIONS_CUH
#define GPUENV_CUDA_STATS_DEVIATIONS_CUH

#include "stats_parts.cuh"

#include "cpu/variance.h"

enum {
    WARPS_DEVIATIONS = 4, /* warps of a block */
    GROUP = LANES * VARIANCE_BLOCK,
    GROUP_LEVEL = 5,
};

static_assert(LANES == 1 << GROUP_LEVEL, "a group is a subtree");

/* Shared memory of a warp. Rows are longer than blocks, so that lanes read from different banks. */
struct deviations_room {
    struct variance variance; /* has the blocks */
    struct deviations block[LANES];
    double numbers[LANES + 1][VARIANCE_BLOCK + 1]; /* a row for each lane, and the next group */
};

DEVICE struct deviations deviations_from_lane(struct deviations own, unsigned delta)
{
    own.count = __shfl_down_sync(WARP_ALL, own.count, delta);
    own.mean = __shfl_down_sync(WARP_ALL, own.mean, delta);
    own.squares = __shfl_down_sync(WARP_ALL, own.squares, delta);
    return own;
}

/* Makes the deviations of a group, and begins the next one, which has `next` numbers. */
DEVICE void end_group(struct deviations_room *room, unsigned next)
{
    const unsigned lane = threadIdx.x % LANES;
    struct deviations own;

    __syncwarp();
    own = deviations_of(room->numbers[lane], VARIANCE_BLOCK);
    for (unsigned delta = 1; delta < LANES; delta *= 2)
        own = deviations_join(own, deviations_from_lane(own, delta));
    if (lane == 0)
        variance_add_blocks(&room->variance, GROUP_LEVEL, own);
    __syncwarp();
    if (lane < next)
        room->numbers[0][lane] = room->numbers[LANES][lane];
}

/* Makes the deviations of a part, whose last group may have fewer numbers. The result is valid in
 * lane 0. */
DEVICE struct deviations end_part(struct deviations_room *room, unsigned filled)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned begin = min(lane * VARIANCE_BLOCK, filled);
    const unsigned whole = filled / VARIANCE_BLOCK;

    __syncwarp();
    room->block[lane] =
        deviations_of(room->numbers[lane], min(filled - begin, (unsigned)VARIANCE_BLOCK));
    __syncwarp();
    for (unsigned i = 0; lane == 0 && i < whole; i++)
        variance_add_blocks(&room->variance, 0, room->block[i]);
    return lane == 0 ? variance_join(&room->variance, VARIANCE_LEVELS, room->block[whole])
                     : room->block[lane];
}

template <class K>
__global__ void __launch_bounds__(WARPS_DEVIATIONS *LANES, 5)
    deviations_kernel(const struct stats_view view)
{
    SHARED_DYNAMIC(struct deviations_room, rooms);
    const unsigned lane = threadIdx.x % LANES;
    const unsigned index = blockIdx.x * WARPS_DEVIATIONS + threadIdx.x / LANES;
    struct deviations_room *room = rooms + threadIdx.x / LANES;
    const plane_part<K> part = find_part<K>(view, min(index, view.parts - 1));
    struct deviations all;
    unsigned filled = 0;

    if (lane == 0)
        room->variance.blocks = 0;
    for (uint64_t first = 0; first < part.frames; first += LANES) {
        const double number = first + lane < part.frames
                                  ? (double)sample_at(&part, part.place + first + lane)
                                  : (double)NAN;
        const unsigned found = __ballot_sync(WARP_ALL, number == number);
        const unsigned at = filled + (unsigned)__popc(found & ((1U << lane) - 1));

        if (number == number)
            room->numbers[at / VARIANCE_BLOCK][at % VARIANCE_BLOCK] = number;
        filled += (unsigned)__popc(found);
        if (filled >= GROUP) {
            filled -= GROUP;
            end_group(room, filled);
        }
    }
    all = end_part(room, filled);
    if (lane == 0 && index < view.parts) {
        const bool none = view.records.columns.spoil && all.count < (double)part.frames;

        put_number(place_of_cells(view, part), MEMBER_STD,
                   none ? rules_double(RULES_NAN_BITS64) : record_number(deviations_std(all)));
    }
}

#endif
