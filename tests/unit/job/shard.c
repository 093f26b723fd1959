/* job/shard against the definition: which part writes output frame k or a block of statistics, and
 * which frames does it read? */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

#include "job/shard_priv.h"

static uint64_t border(uint64_t total, uint32_t part, uint32_t count)
{
    return (uint64_t)((double)total * part / count); /* exact for numbers this small */
}

/* A stream that is split, and the plan of one of its parts. */
struct whole {
    const struct window *window; /* NULL: no frames are written */
    uint64_t every;              /* 0: no statistics */
    uint64_t frames;
};

struct part {
    struct shard shard;
    struct stream_plan stream;
};

static struct part cut(const struct whole *whole, uint32_t number, uint32_t count)
{
    struct part part = {
        .stream = {.frames = whole->frames,
                   .limit = UINT64_MAX,
                   .setup.stats_every = whole->every,
                   .extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL}},
    };

    if (whole->window != NULL) {
        part.stream.setup.window = *whole->window;
        part.stream.setup.emits.count = 1;
    }
    part.shard = shard_cut(&part.stream, number, count);
    return part;
}

/* The number of frames that it reads. */
static uint64_t reads(const struct whole *whole, const struct part *part)
{
    const uint64_t limit = part->stream.limit;

    return (limit < whole->frames ? limit : whole->frames) - part->stream.extent.start;
}

static bool needs(const struct part *part, uint64_t first, uint64_t last)
{
    return part->stream.extent.start <= first && last < part->stream.limit;
}

/* Output frame k, the window that ends at k * hop + after, is written by one part, which reads all
 * frames of the window. */
static void check_outputs(const struct whole *whole, const struct part *part)
{
    const struct window *window = whole->window;
    const struct shard *shard = &part->shard;
    const struct range *ends = &part->stream.extent.windows;
    uint64_t outputs = window_outputs(window, whole->frames);
    uint64_t from = border(outputs, shard->number - 1, shard->count);
    uint64_t to = border(outputs, shard->number, shard->count);

    CHECK(shard->in_all == outputs);
    CHECK(shard->outputs.from == from && shard->outputs.to == to);
    for (uint64_t k = 0; k < outputs; k++) {
        uint64_t end = k * window->hop + window->after;
        bool within = ends->from <= end && end < ends->to;

        CHECK_THAT(within == (from <= k && k < to), "output %llu of %llu, part %u of %u",
                   (unsigned long long)k, (unsigned long long)outputs, shard->number, shard->count);
        if (within)
            CHECK(needs(part, end < window->width - 1 ? 0 : end - (window->width - 1),
                        end < whole->frames ? end : whole->frames - 1));
    }
}

static void check_blocks(const struct whole *whole, const struct part *part)
{
    const struct shard *shard = &part->shard;
    const struct range *blocks = &part->stream.extent.blocks;
    uint64_t from = border(whole->frames, shard->number - 1, shard->count);
    uint64_t to = border(whole->frames, shard->number, shard->count);

    for (uint64_t number = 0; number * whole->every < whole->frames; number++) {
        uint64_t first = number * whole->every;
        uint64_t last = first + whole->every - 1;
        bool is_own = from <= first && first < to;

        CHECK((shard->records.from <= number && number < shard->records.to) == is_own);
        for (uint64_t frame = first; frame <= last && frame < whole->frames; frame++) {
            bool within = blocks->from <= frame && frame < blocks->to;

            CHECK(within == is_own);
            CHECK(!within || needs(part, frame, frame));
        }
    }
}

static void check_part(const struct whole *whole, uint32_t number, uint32_t count)
{
    const struct part part = cut(whole, number, count);
    const struct extent *extent = &part.stream.extent;

    CHECK(part.shard.number == number && part.shard.count == count);
    CHECK(extent->start <= extent->own && extent->own <= whole->frames);
    if (number == count)
        CHECK(part.stream.limit == UINT64_MAX); /* errors at the end are reported */
    else
        CHECK(part.stream.limit <= whole->frames);
    CHECK(reads(whole, &part) <= whole->frames);
    if (whole->window != NULL)
        check_outputs(whole, &part);
    if (whole->every > 0)
        check_blocks(whole, &part);
    if (extent->windows.from == extent->windows.to && extent->blocks.from == extent->blocks.to)
        CHECK(reads(whole, &part) == 0);
}

static void check_stream(const struct window *window, uint64_t frames)
{
    for (uint64_t every = window == NULL ? 1 : 0; every <= 7; every += 1 + every / 2) {
        const struct whole whole = {window, every, frames};

        for (uint32_t count = 1; count <= 9; count++) {
            for (uint32_t number = 1; number <= count; number++)
                check_part(&whole, number, count);
        }
    }
}

static void test_small(void)
{
    static const enum window_align aligns[] = {ALIGN_VALID, ALIGN_CAUSAL, ALIGN_CENTER};
    struct window window;

    for (uint64_t frames = 0; frames <= 12; frames++) {
        check_stream(NULL, frames);
        for (uint64_t i = 0; i < 3 * 15 * 5; i++) {
            window_init(&window, 1 + i / 3 % 15, 1 + i / 45 * 2, aligns[i % 3], EDGE_SHRINK);
            check_stream(&window, frames);
        }
    }
}

/* A part reads its own frames and the halo, no more. */
static void test_reads(void)
{
    struct window window;
    const struct whole whole = {&window, 0, 1000};
    struct part part;

    window_init(&window, 11, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    part = cut(&whole, 3, 4);
    CHECK(part.stream.extent.start == 490 && part.stream.extent.own == 500);
    CHECK(part.stream.limit == 750 && reads(&whole, &part) == 260);
}

/* Numbers whose products have more than 64 bits. */
static void test_large(void)
{
    struct window window;
    const struct whole whole = {&window, 1000, UINT64_C(1) << 62};
    uint64_t next = 0;

    window_init(&window, 100, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    for (uint32_t i = 0; i < 3; i++) {
        const struct shard shard = cut(&whole, UINT32_MAX - 2 + i, UINT32_MAX).shard;

        CHECK(i == 0 || shard.outputs.from == next);
        CHECK(shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) ||
              shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) + 1);
        next = shard.outputs.to;
    }
    CHECK(next == whole.frames);
}

CHECK_MAIN(test_small, test_reads, test_large)
