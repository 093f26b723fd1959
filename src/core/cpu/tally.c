/* SPDX-License-Identifier: MIT */
#include "cpu/tally.h"

#include <math.h>

#include "base/min_max.h"
#include "window/value.h"

/* The number of blocks of a window before its last one. */
static unsigned blocks_before(const struct window *window)
{
    return (unsigned)(window->width / window->hop) - 1;
}

size_t tally_bytes(const struct window *window)
{
    return sizeof(struct tally) + blocks_before(window) * sizeof(struct tally_block);
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
    tally->stats.parts = channel_parts_of(&setup->emits);
    tally->held = 0;
    tally->next = 0;
    begin_block(tally, &setup->window, first);
}

/* Adds up the blocks of a window. */
static struct tally_block join_blocks(const struct tally *tally, unsigned before,
                                      const struct tally_block *last)
{
    struct tally_block window = {.values = stats_none};

    for (unsigned i = 0; i <= tally->held; i++) {
        const struct tally_block *block =
            i < tally->held ? &tally->blocks[(tally->next + before - tally->held + i) % before]
                            : last;

        channel_join(&window.values, &block->values, 0);
        window.values.sum += block->values.sum;
        window.values.square += block->values.square;
        window.values.deviations =
            deviations_join(window.values.deviations, block->values.deviations);
        window.frames += block->frames;
    }
    return window;
}

/* Holds the block for the next windows. */
static void hold(struct tally *tally, unsigned before, const struct tally_block *block)
{
    tally->blocks[tally->next] = *block;
    tally->next = (tally->next + 1) % before;
    tally->held += tally->held < before;
}

/* The frame after the end of the block that contains this frame. */
static uint64_t next_block(const struct window *window, uint64_t frame)
{
    return frame + left_from(window, frame);
}

/* Writes the values of the window that ends with this block, if it belongs to the output. Returns
 * how many are written. */
static size_t end_window(struct tally *tally, const struct engine_setup *setup,
                         const struct tally_block *block, const struct emit_out *out,
                         unsigned channel, size_t index)
{
    const struct window *window = &setup->window;
    const unsigned before = blocks_before(window);
    const bool written = out->item[0] != NULL && next_block(window, tally->begin) > window->after;

    if (written && before == 0) {
        emit_stats(setup, &block->values, 1, block->frames, out, channel, index);
    } else if (written) {
        const struct tally_block joined = join_blocks(tally, before, block);

        emit_stats(setup, &joined.values, 1, joined.frames, out, channel, index);
    }
    if (before > 0)
        hold(tally, before, block);
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
    const unsigned before = blocks_before(window);

    while (next_block(window, tally->begin) <= to) {
        const struct tally_block block = block_so_far(tally);

        if (before > 0)
            hold(tally, before, &block);
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
            written += end_window(tally, setup, &block, out, channel, written);
            tally->begin += some;
        } else {
            if (from != NULL)
                channel_add(&tally->stats, of, from, some);
            tally->left -= some;
            if (tally->left == 0) {
                block = block_so_far(tally);
                written += end_window(tally, setup, &block, out, channel, written);
                begin_block(tally, window, next_block(window, tally->begin));
            }
        }
        if (from != NULL)
            from += some * bytes;
        count -= some;
    }
}
