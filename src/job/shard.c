#include "job/shard.h"

#include "base/least.h"
#include "window/piece.h"

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
static void cut_windows(struct shard *shard, const struct shard_whole *whole)
{
    const struct window *window = whole->window;
    struct range *ends = &shard->extent.windows;

    shard->in_all = window_outputs(window, whole->frames);
    shard->outputs = share(shard->in_all, shard->number, shard->count);
    if (is_empty(&shard->outputs) && !is_last(shard))
        return;
    ends->from = shard->outputs.from == 0 ? 0 : shard->outputs.from * window->hop + window->after;
    ends->to =
        is_last(shard) ? UINT64_MAX : (shard->outputs.to - 1) * window->hop + window->after + 1;
}

/* A block belongs to the part in which it starts, and is read to its end. */
static void cut_blocks(struct shard *shard, const struct shard_whole *whole)
{
    struct range starts = share(whole->frames, shard->number, shard->count);
    struct range *records = &shard->records;

    records->from = block_at(starts.from, whole->every);
    records->to = block_at(starts.to, whole->every);
    if (is_empty(records) && !is_last(shard))
        return;
    shard->extent.blocks.from = least(records->from * whole->every, whole->frames);
    shard->extent.blocks.to = is_last(shard) ? UINT64_MAX : records->to * whole->every;
}

void shard_cut(struct shard *shard, const struct shard_whole *whole, uint32_t number,
               uint32_t count)
{
    uint64_t start = UINT64_MAX;
    uint64_t own = UINT64_MAX;
    uint64_t limit = 0;

    *shard = (struct shard){.number = number, .count = count};
    if (whole->window != NULL) {
        cut_windows(shard, whole);
        if (!is_empty(&shard->extent.windows)) {
            start = shard->extent.windows.from -
                    piece_make(whole->window, shard->extent.windows.from, 0).halo;
            own = shard->extent.windows.from;
            limit = shard->extent.windows.to;
        }
    }
    if (whole->every > 0) {
        cut_blocks(shard, whole);
        if (!is_empty(&shard->extent.blocks)) {
            start = least(start, shard->extent.blocks.from);
            own = least(own, shard->extent.blocks.from);
            limit = limit > shard->extent.blocks.to ? limit : shard->extent.blocks.to;
        }
    }
    if (limit == 0)
        return; /* empty: needs no frame */
    /* The windows past the last frame need only the last frames. */
    shard->extent.start = least(start, whole->frames);
    shard->extent.own = least(own, whole->frames);
    shard->limit = is_last(shard) ? whole->limit : least(limit, whole->frames);
}

uint64_t shard_frames(const struct shard *shard, const struct shard_whole *whole)
{
    return least(shard->limit, whole->frames) - shard->extent.start;
}
