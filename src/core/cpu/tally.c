/* SPDX-License-Identifier: MIT */
#include "cpu/tally.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "window/value.h"

static unsigned blocks_of(const struct window *window)
{
    return (unsigned)(window->width / window->hop);
}

static struct tally_sums *sums_of(struct tally *tally, unsigned blocks)
{
    return (struct tally_sums *)(void *)(tally->blocks + blocks + 1);
}

size_t tally_bytes(const struct window *window)
{
    const unsigned blocks = blocks_of(window);

    return sizeof(struct tally) + (blocks + 1) * sizeof(struct tally_block) +
           (2 * (blocks + TALLY_TOGETHER) + TALLY_TOGETHER) * sizeof(struct tally_sums);
}

/* The frames from this one up to the end of its block, where a window ends. */
static uint64_t left_from(const struct window *window, uint64_t frame)
{
    const uint64_t hop = window->hop;

    return (window->after % hop + hop - frame % hop) % hop + 1;
}

static void begin_block(struct tally *tally, const struct window *window, uint64_t first)
{
    tally->left = left_from(window, first);
    tally->begin = first;
    channel_init(&tally->stats, tally->stats.parts);
}

void tally_init(struct tally *tally, const struct engine_setup *setup, uint64_t first)
{
    const unsigned blocks = blocks_of(&setup->window);

    tally->stats.parts = channel_parts_of(&setup->emits);
    tally->waiting = 0;
    begin_block(tally, &setup->window, first);
    if (blocks == 1) /* rows of one window each begin often */
        return;
    /* Blocks before the first one have no frames, and sums of 0. */
    memset(tally->blocks, 0, tally_bytes(&setup->window) - sizeof *tally);
    for (unsigned i = 0; i <= blocks; i++)
        tally->blocks[i].values = stats_none;
    tally->since = tally->blocks[blocks];
    tally->next = 0;
    tally->place = 0;
}

static void join(struct tally_block *left, const struct tally_block *right)
{
    channel_join(&left->values, &right->values, 0);
    left->frames += right->frames;
}

/* Takes the block, the last one of a window, and the window, except its sums. From each multiple of
 * `blocks` on, `since` has the blocks that have come; of those before it, `blocks[i]` has the last
 * ones from number i on, as far as they belong to the next windows. */
static void take_block(struct tally *tally, unsigned blocks, const struct tally_block *block)
{
    const unsigned kept = blocks + TALLY_TOGETHER;
    struct tally_sums *const sums = sums_of(tally, blocks) + tally->place;
    struct tally_block *const window = &tally->windows[tally->waiting];

    sums[0] =
        (struct tally_sums){{block->values.sum, block->values.square}, block->values.deviations};
    sums[kept] = sums[0];
    tally->place = (tally->place + 1) % kept;
    tally->blocks[tally->next++] = *block;
    join(&tally->since, block);
    *window = tally->blocks[tally->next];
    join(window, &tally->since);
    if (tally->next < blocks)
        return;
    for (unsigned i = blocks - 1; i > 0; i--)
        join(&tally->blocks[i - 1], &tally->blocks[i]);
    tally->since = tally->blocks[blocks];
    tally->next = 0;
}

/* Adds up the sums of windows of `blocks` blocks, which begin with one block each, the first of
 * them at `from`. In turn, so that no addition waits for the one before it. */
static void add_up(const struct tally_sums *from, unsigned blocks, tally_pair *sums)
{
    tally_pair all[TALLY_TOGETHER] = {{0}};

    for (unsigned i = 0; i < blocks; i++) {
#pragma GCC unroll 8
        for (unsigned j = 0; j < TALLY_TOGETHER; j++)
            all[j] += from[i + j].sums;
    }
    memcpy(sums, all, sizeof all);
}

/* Writes the windows that end with the last blocks. */
static void write_waiting(struct tally *tally, const struct engine_setup *setup,
                          const struct emit_out *out, unsigned channel, size_t index)
{
    const unsigned blocks = blocks_of(&setup->window);
    const struct tally_sums *const from =
        sums_of(tally, blocks) + tally->place + TALLY_TOGETHER + 1 - tally->waiting;
    tally_pair sums[TALLY_TOGETHER] = {{0}};
    struct deviations deviations[TALLY_TOGETHER] = {{0}};

    if (tally->stats.parts >= CHANNEL_SUMS)
        add_up(from, blocks, sums);
    for (unsigned i = 0; tally->stats.parts >= CHANNEL_DEVIATIONS && i < blocks; i++)
        for (unsigned j = 0; j < tally->waiting; j++)
            deviations[j] = deviations_join(deviations[j], from[i + j].deviations);
    for (unsigned i = 0; i < tally->waiting; i++) {
        struct tally_block *const window = &tally->windows[i];

        window->values.sum = sums[i][0];
        window->values.square = sums[i][1];
        window->values.deviations = deviations[i];
        emit_stats(setup, &window->values, 1, window->frames, out, channel, index + i);
    }
    tally->waiting = 0;
}

/* The frame after the end of the block that contains this frame. */
static uint64_t next_block(const struct window *window, uint64_t frame)
{
    return frame + left_from(window, frame);
}

/* Takes a block that has ended. Returns 1 if a window of the output ends with it, otherwise 0. The
 * window is written now or later: `index` is its place. */
static size_t end_block(struct tally *tally, const struct engine_setup *setup,
                        const struct tally_block *block, const struct emit_out *out,
                        unsigned channel, size_t index)
{
    const unsigned blocks = blocks_of(&setup->window);
    const bool written =
        out->item[0] != NULL && next_block(&setup->window, tally->begin) > setup->window.after;

    if (blocks > 1) {
        if (tally->waiting == TALLY_TOGETHER)
            write_waiting(tally, setup, out, channel, index - tally->waiting);
        take_block(tally, blocks, block);
        tally->waiting += written;
    } else if (written) {
        emit_stats(setup, &block->values, 1, block->frames, out, channel, index);
    }
    return written;
}

static struct tally_block block_so_far(const struct tally *tally)
{
    struct tally_block block = {channel_values(&tally->stats), tally->stats.frames};

    block.values.low_at += tally->begin;
    block.values.high_at += tally->begin;
    return block;
}

void tally_jump(struct tally *tally, const struct window *window, uint64_t to)
{
    while (next_block(window, tally->begin) <= to) {
        const struct tally_block block = block_so_far(tally);

        if (blocks_of(window) > 1)
            take_block(tally, blocks_of(window), &block);
        begin_block(tally, window, next_block(window, tally->begin));
    }
    tally->left = next_block(window, tally->begin) - to;
}

/* Are all wanted values made of sums, and none of squares? */
static bool wants_plain_sums(const struct engine_setup *setup)
{
    const struct emit_list *emits = &setup->emits;

    return emits->count == (unsigned)emits_have(emits, EMIT_MEAN) + emits_have(emits, EMIT_SUM) +
                               emits_have(emits, EMIT_COUNT);
}

/* Apart, because a function with so large an array touches all its pages. */
static __attribute__((noinline)) void sum_integers(const struct channel_samples *of,
                                                   const void *samples, size_t width,
                                                   size_t windows, double *sums)
{
    double doubles[TREE_LEAF];

    channel_make_doubles(of, samples, windows * width, doubles);
    of->sums->window_sums(doubles, width, windows, sums);
}

/* Writes windows that are one block each, of at most TREE_LEAF samples in all. All windows belong
 * to the output. */
static void run_windows(const struct channel_samples *of, const struct engine_setup *setup,
                        const unsigned char *samples, size_t windows, const struct emit_out *out,
                        unsigned channel, size_t written)
{
    const size_t hop = (size_t)setup->window.hop;
    const size_t bytes = hop * value_bytes(of->kernels->kind);
    const bool plain = wants_plain_sums(setup);
    struct stats_values values[EMIT_STATS_MOST];
    double sums[EMIT_STATS_MOST];

    if (plain && of->kernels->kind == VALUE_I64)
        sum_integers(of, samples, hop, windows, sums);
    else if (plain)
        of->sums->window_sums(samples, hop, windows, sums);
    for (size_t i = 0; i < windows; i++) {
        if (!plain || isnan(sums[i])) {
            (void)channel_values_of(of, samples + i * bytes, hop, &values[i]);
        } else {
            values[i].sum = sums[i];
            values[i].nans = 0;
        }
    }
    emit_stats(setup, values, windows, hop, out, channel, written);
}

void tally_run(struct tally *tally, const struct channel_samples *of,
               const struct engine_setup *setup, const void *samples, size_t count,
               const struct emit_out *out, unsigned channel)
{
    const struct window *window = &setup->window;
    const size_t bytes = value_bytes(of->kernels->kind);
    const bool sums_only =
        emits_positions(&setup->emits) == 0 && tally->stats.parts < CHANNEL_DEVIATIONS;
    const bool together = sums_only && samples != NULL && out->item[0] != NULL &&
                          window->hop == window->width && window->hop <= TREE_LEAF &&
                          (of->kernels->window_stats != NULL || wants_plain_sums(setup));
    const unsigned char *from = samples;
    size_t written = 0;

    while (count > 0) {
        const size_t some = (size_t)min_u64(tally->left, count);
        struct tally_block block = {.frames = some};

        if (together && some == window->hop && tally->begin + some > window->after) {
            const size_t windows =
                min_u64(count / some, min_u64(TREE_LEAF / some, EMIT_STATS_MOST));

            run_windows(of, setup, from, windows, out, channel, written);
            written += windows;
            tally->begin += windows * some;
            from += windows * some * bytes;
            count -= windows * some;
            continue;
        }
        /* Most blocks are short, and all of their samples are in memory. */
        if (some == window->hop && sums_only && channel_values_of(of, from, some, &block.values)) {
            written += end_block(tally, setup, &block, out, channel, written);
            tally->begin += some;
        } else {
            if (from != NULL)
                channel_add(&tally->stats, of, from, some);
            tally->left -= some;
            if (tally->left == 0) {
                block = block_so_far(tally);
                written += end_block(tally, setup, &block, out, channel, written);
                begin_block(tally, window, next_block(window, tally->begin));
            }
        }
        if (from != NULL)
            from += some * bytes;
        count -= some;
    }
    if (tally->waiting > 0)
        write_waiting(tally, setup, out, channel, written - tally->waiting);
}
