/* SPDX-License-Identifier: MIT */
#include "job/shard_priv.h"

#include "base/min_max.h"
#include "window/window.h"

/* floor(total * part / count) for part <= count. Below 2^32, neither product can overflow. */
static uint64_t border(uint64_t total, uint32_t part, uint32_t count)
{
    return total / count * part + total % count * part / count;
}

static struct range share(uint64_t total, uint32_t number, uint32_t count)
{
    return (struct range){border(total, number - 1, count), border(total, number, count)};
}

/* The number of the first block that starts at `frame` or later. */
static uint64_t block_at(uint64_t frame, uint64_t every)
{
    return frame == 0 ? 0 : (frame - 1) / every + 1;
}

static bool is_empty(const struct range *range)
{
    return range->from >= range->to;
}

static bool is_last(const struct shard *shard)
{
    return shard->number == shard->count;
}

/* The ends of the part's windows. No windows follow the last part's, however long the input turns
 * out to be; no windows before the first one are written anyway. */
static void cut_windows(struct shard *shard, struct stream_plan *stream)
{
    const struct window *window = &stream->setup.window;
    struct range *ends = &stream->extent.windows;

    shard->in_all = window_outputs(window, stream->frames);
    shard->outputs = share(shard->in_all, shard->number, shard->count);
    if (is_empty(&shard->outputs) && !is_last(shard))
        return;
    ends->from = shard->outputs.from == 0 ? 0 : shard->outputs.from * window->hop + window->after;
    ends->to =
        is_last(shard) ? UINT64_MAX : (shard->outputs.to - 1) * window->hop + window->after + 1;
}

/* A block belongs to the part in which it starts, and is read to its end. */
static void cut_blocks(struct shard *shard, struct stream_plan *stream)
{
    const uint64_t every = stream->stats_every;
    struct range starts = share(stream->frames, shard->number, shard->count);
    struct range *records = &shard->records;

    records->from = block_at(starts.from, every);
    records->to = block_at(starts.to, every);
    if (is_empty(records) && !is_last(shard))
        return;
    stream->extent.blocks.from = min_u64(records->from * every, stream->frames);
    stream->extent.blocks.to = is_last(shard) ? UINT64_MAX : records->to * every;
}

struct shard shard_cut(struct stream_plan *stream, uint32_t number, uint32_t count)
{
    struct shard shard = {.number = number, .count = count};
    struct extent *extent = &stream->extent;
    uint64_t limit = 0;

    *extent = (struct extent){.start = stream->frames, .own = stream->frames};
    if (stream->setup.emits.count > 0)
        cut_windows(&shard, stream);
    if (stream->stats_every > 0)
        cut_blocks(&shard, stream);
    /* The windows past the last frame need only the last frames. */
    if (!is_empty(&extent->windows)) {
        struct piece piece = piece_make(&stream->setup.window, extent->windows.from, 0);

        extent->start = min_u64(extent->start, piece.first - piece.halo);
        extent->own = min_u64(extent->own, piece.first);
        limit = extent->windows.to;
    }
    if (!is_empty(&extent->blocks)) {
        extent->start = min_u64(extent->start, extent->blocks.from);
        extent->own = min_u64(extent->own, extent->blocks.from);
        limit = max_u64(limit, extent->blocks.to);
    }
    if (limit == 0)
        *extent = (struct extent){.start = 0}; /* empty: needs no frame */
    if (!is_last(&shard))
        stream->limit = min_u64(limit, stream->frames);
    return shard;
}
