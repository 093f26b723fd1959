/* job/shard against the definition: which part writes output frame k or a block of statistics, and
 * which frames does it read? */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

#include "job/shard.h"

static uint64_t border(uint64_t total, uint32_t part, uint32_t count)
{
    return (uint64_t)((double)total * part / count); /* exact for numbers this small */
}

static bool needs(const struct shard *shard, uint64_t first, uint64_t last)
{
    return shard->extent.start <= first && last < shard->limit;
}

/* Output frame k, the window that ends at k * hop + after, is written by one part, which reads all
 * frames of the window. */
static void check_outputs(const struct shard_whole *whole, const struct shard *shard)
{
    const struct window *window = whole->window;
    uint64_t outputs = window_outputs(window, whole->frames);
    uint64_t from = border(outputs, shard->number - 1, shard->count);
    uint64_t to = border(outputs, shard->number, shard->count);

    CHECK(shard->in_all == outputs);
    CHECK(shard->outputs.from == from && shard->outputs.to == to);
    for (uint64_t k = 0; k < outputs; k++) {
        uint64_t end = k * window->hop + window->after;
        bool within = shard->extent.windows.from <= end && end < shard->extent.windows.to;

        CHECK_THAT(within == (from <= k && k < to), "output %llu of %llu, part %u of %u",
                   (unsigned long long)k, (unsigned long long)outputs, shard->number, shard->count);
        if (within)
            CHECK(needs(shard, end < window->width - 1 ? 0 : end - (window->width - 1),
                        end < whole->frames ? end : whole->frames - 1));
    }
}

static void check_blocks(const struct shard_whole *whole, const struct shard *shard)
{
    uint64_t from = border(whole->frames, shard->number - 1, shard->count);
    uint64_t to = border(whole->frames, shard->number, shard->count);

    for (uint64_t number = 0; number * whole->every < whole->frames; number++) {
        uint64_t first = number * whole->every;
        uint64_t last = first + whole->every - 1;
        bool is_own = from <= first && first < to;

        CHECK((shard->records.from <= number && number < shard->records.to) == is_own);
        for (uint64_t frame = first; frame <= last && frame < whole->frames; frame++) {
            bool within = shard->extent.blocks.from <= frame && frame < shard->extent.blocks.to;

            CHECK(within == is_own);
            CHECK(!within || needs(shard, frame, frame));
        }
    }
}

static void check_part(const struct shard_whole *whole, uint32_t number, uint32_t count)
{
    struct shard shard;

    shard_cut(&shard, whole, number, count);
    CHECK(shard.number == number && shard.count == count);
    CHECK(shard.extent.start <= shard.extent.own && shard.extent.own <= whole->frames);
    if (number == count)
        CHECK(shard.limit == whole->limit); /* errors at the end are reported */
    else
        CHECK(shard.limit <= whole->frames);
    CHECK(shard_frames(&shard, whole) <= whole->frames);
    if (whole->window != NULL)
        check_outputs(whole, &shard);
    if (whole->every > 0)
        check_blocks(whole, &shard);
    if (shard.extent.windows.from == shard.extent.windows.to &&
        shard.extent.blocks.from == shard.extent.blocks.to)
        CHECK(shard_frames(&shard, whole) == 0);
}

static void check_stream(const struct window *window, uint64_t frames)
{
    for (uint64_t every = window == NULL ? 1 : 0; every <= 7; every += 1 + every / 2) {
        const struct shard_whole whole = {window, every, frames, UINT64_MAX};

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
    const struct shard_whole whole = {&window, 0, 1000, UINT64_MAX};
    struct shard shard;

    window_init(&window, 11, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    shard_cut(&shard, &whole, 3, 4);
    CHECK(shard.extent.start == 490 && shard.extent.own == 500 && shard.limit == 750);
    CHECK(shard_frames(&shard, &whole) == 260);
}

/* Numbers whose products have more than 64 bits. */
static void test_large(void)
{
    struct window window;
    const struct shard_whole whole = {&window, 1000, UINT64_C(1) << 62, UINT64_MAX};
    uint64_t next = 0;
    struct shard shard;

    window_init(&window, 100, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    for (uint32_t i = 0; i < 3; i++) {
        shard_cut(&shard, &whole, UINT32_MAX - 2 + i, UINT32_MAX);
        CHECK(i == 0 || shard.outputs.from == next);
        CHECK(shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) ||
              shard.outputs.to - shard.outputs.from == (UINT64_C(1) << 30) + 1);
        next = shard.outputs.to;
    }
    CHECK(next == whole.frames);
}

int main(void)
{
    test_small();
    test_reads();
    test_large();
    return check_result();
}
