/* SPDX-License-Identifier: MIT */
/* job/shard: what a part reads, and parts of streams of any length. Which part writes what is
 * asserted by tests/pieces/shards.py. */
#include "check.h"

#include <stdint.h>

#include "job/shard_priv.h"

/* One part of a stream, and its plan. */
struct part {
    struct shard shard;
    struct stream_plan stream;
};

/* Of causal windows, a frame apart (width 0: none), and of records (every 0: none). */
static struct part cut(uint64_t width, uint64_t every, uint64_t frames, uint32_t number,
                       uint32_t count)
{
    struct part part = {
        .stream = {.frames = frames,
                   .limit = UINT64_MAX,
                   .stats_every = every,
                   .setup = {.emits.count = width > 0},
                   .extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL}},
    };

    window_init(&part.stream.setup.window, width, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    part.shard = shard_cut(&part.stream, number, count);
    return part;
}

static void check_reads(const struct part *part, uint64_t start, uint64_t own, uint64_t limit)
{
    CHECK(part->stream.extent.start == start && part->stream.extent.own == own);
    CHECK(part->stream.limit == limit);
}

/* A part reads its own frames and the halo, no more, or whole blocks; the last one reads to the
 * end, whose errors are reported. One without frames reads none. */
static void test_reads(void)
{
    const struct part windows = cut(11, 0, 1000, 3, 4);
    const struct part records = cut(0, 300, 1000, 2, 4);
    const struct part both = cut(11, 300, 1000, 2, 4);
    const struct part last = cut(11, 0, 1000, 4, 4);
    const struct part nothing = cut(11, 0, 3, 2, 9);

    check_reads(&windows, 490, 500, 750);
    check_reads(&records, 300, 300, 600);
    check_reads(&both, 240, 250, 600);
    check_reads(&last, 740, 750, UINT64_MAX);
    check_reads(&nothing, 0, 0, 0);
    CHECK(records.shard.in_all == 0 && nothing.shard.in_all == 3);
}

/* Numbers whose products have more than 64 bits. */
static void test_large(void)
{
    const uint64_t frames = UINT64_C(1) << 62;
    uint64_t next = 0;

    for (uint32_t i = 0; i < 3; i++) {
        const struct shard shard = cut(100, 1000, frames, UINT32_MAX - 2 + i, UINT32_MAX).shard;

        CHECK(i == 0 || shard.outputs.from == next);
        CHECK(shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) ||
              shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) + 1);
        next = shard.outputs.to;
    }
    CHECK(next == frames);
}

CHECK_MAIN(test_reads, test_large)
