/* SPDX-License-Identifier: MIT */
/* Times of frames, and which frames the window of each has. */
#include "base/min_max.h"
#include "lib/lib_priv.h"
#include "window/window_maxima.h"

enum { BLOCKS = 256 }; /* blocks of windows that are checked, if there are many frames */

/* Sets how far a window reaches, and whether it has its own frame. */
static void set_reach(struct timeline *line, const gpuenv_spec *spec)
{
    const bool center = spec->align == GPUENV_ALIGN_CENTER;
    const uint64_t farthest = center ? spec->width / 2 : spec->width;
    /* An open end is this far away at most. */
    const uint64_t nearer = center ? (spec->width - 1) / 2 : spec->width - 1;
    const bool right = spec->closed < GPUENV_CLOSED_LEFT;
    const bool left = spec->closed == GPUENV_CLOSED_BOTH || spec->closed == GPUENV_CLOSED_LEFT;

    line->back = left ? farthest : nearer;
    line->ahead = !center ? 0 : right ? farthest + 1 : nearer + 1;
    line->ends_by_time = center || !right;
    line->own = center || right;
}

/* ---- where windows begin and end */

/* The first of `count` frames, from `from` on, whose time is `bound` or later; otherwise the one
 * behind them. No branch depends on times. */
static uint64_t bisect(const int64_t *time, uint64_t from, uint64_t count, int64_t bound)
{
    while (count > 0) {
        const uint64_t half = count - count / 2;

        from += time[from + half - 1] < bound ? half : 0;
        count -= half;
    }
    return from;
}

/* Searches all frames, in few steps, as the processor may mispredict each. It is a call, and so not
 * for loops that keep what they need in registers. */
static __attribute__((noinline)) uint64_t find_time(const struct timeline *line, uint64_t from,
                                                    int64_t bound)
{
    uint64_t step = 8;

    for (; step <= line->frames - from && line->time[from + step - 1] < bound; step *= 8)
        from += step;
    return bisect(line->time, from, min_u64(step - 1, line->frames - from), bound);
}

/* Searches where the time is near: compares several times at once, without a branch that depends on
 * the distances of frames. */
static inline uint64_t find_near_time(const struct timeline *line, uint64_t from, int64_t bound)
{
    const int64_t *const time = line->time + from;

    if (line->frames - from < 4)
        return find_time(line, from, bound);
    if (time[3] < bound)
        return find_time(line, from + 4, bound);
    return from + ((uint64_t)(time[0] < bound) + (time[1] < bound)) + (time[2] < bound);
}

/* Replaces a few times, which are in order, by the first frames at them or later; in bursts they
 * often have the same frame. Returns the last frame. */
static inline uint64_t find_few_times(const struct timeline *line, uint64_t from, size_t count,
                                      uint64_t *found)
{
    if (from < line->frames && line->time[from] >= (int64_t)found[count - 1]) {
        for (size_t i = 0; i < count; i++)
            found[i] = from;
        return from;
    }
    for (size_t i = 0; i < count; i++)
        found[i] = from = find_near_time(line, from, (int64_t)found[i]);
    return from;
}

/* For frames in order: found[i] is the first frame whose time is that of frame i plus `offset`, or
 * later; none lies before `from`. Each search begins at the result of the one before, so several
 * ranges are searched at once. Times are first read in order, which is fast. */
static void find_times(const struct timeline *line, uint64_t from, uint64_t frame, uint64_t offset,
                       size_t count, uint64_t *found)
{
    enum { RANGES = 4, FEW = 8 };
    const size_t each = count / RANGES / FEW * FEW;
    uint64_t at[RANGES] = {from};
    uint64_t last = from;

    for (size_t i = 0; i < count; i++)
        found[i] = (uint64_t)line->time[frame + i] + offset;
    if (each > 0)
        last = find_time(line, from, (int64_t)found[RANGES * each - 1]);
    for (size_t k = 1; k < RANGES && each > 0; k++)
        at[k] = bisect(line->time, at[k - 1], last - at[k - 1], (int64_t)found[k * each]);
    for (size_t i = 0; i < each; i += FEW) {
        for (size_t k = 0; k < RANGES; k++)
            at[k] = find_few_times(line, at[k], FEW, found + k * each + i);
    }
    if (count > RANGES * each)
        (void)find_few_times(line, last, count - RANGES * each, found + RANGES * each);
}

void timeline_firsts(const struct timeline *line, uint64_t window, size_t count, uint64_t from,
                     uint64_t *firsts)
{
    const int64_t *const time = line->time + window;
    size_t all = 0; /* windows that reach back to the lowest time there is */

    for (; all < count && (uint64_t)time[all] - (uint64_t)INT64_MIN < line->back; all++)
        firsts[all] = from;
    find_times(line, from, window + all, -line->back, count - all, firsts + all);
}

void timeline_ends(const struct timeline *line, uint64_t window, size_t count, uint64_t from,
                   uint64_t *ends)
{
    const int64_t *const time = line->time + window;

    for (size_t i = 0; i < count; i++)
        ends[i] = window + 1 + i;
    if (!line->ends_by_time)
        return;
    /* The last windows may reach the highest time there is. */
    for (; count > 0 && (uint64_t)INT64_MAX - (uint64_t)time[count - 1] < line->ahead; count--)
        ends[count - 1] = line->frames;
    find_times(line, from, window, line->ahead, count, ends);
}

/* ---- a look at all times */

struct timeline_check {
    struct work work;
    const struct timeline *line;
    uint64_t distance; /* distance of the first two frames */
    uint64_t block;    /* windows of a block */
    _Atomic bool falls;
    _Atomic bool is_uneven;
    _Atomic uint64_t most;
};

static void look_at_order(struct timeline_check *check, uint64_t first, uint64_t end)
{
    const int64_t *const time = check->line->time;
    uint64_t i = first = max_u64(first, 1);

    while (i < end && time[i] >= time[i - 1])
        i++;
    if (i < end)
        check->falls = true;
    i = check->is_uneven ? end : first;
    while (i < end && (uint64_t)time[i] - (uint64_t)time[i - 1] == check->distance)
        i++;
    if (i < end)
        check->is_uneven = true;
}

/* Checks the blocks of a task. No window of a block has more frames than lie between the beginning
 * of its first window and the end of its last. */
static void look_at_task(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    struct timeline_check *check = (struct timeline_check *)work;
    const uint64_t end = task->first + task->count;
    uint64_t first = 0;
    uint64_t behind;
    uint64_t next;

    (void)room;
    (void)unit;
    for (uint64_t at = task->first; at < end && work->stopped == 0; at = next) {
        uint64_t most = check->most;

        next = min_u64(at + check->block, end);
        look_at_order(check, at, next);
        timeline_firsts(check->line, at, 1, first, &first);
        timeline_ends(check->line, next - 1, 1, at, &behind);
        while (behind - first > most &&
               !atomic_compare_exchange_weak(&check->most, &most, behind - first))
            ;
        work_look(work, next - at);
    }
}

/* Sets the window of frames that equals windows of time over frames at this distance. Returns false
 * if it would have more frames than there are, or windows leave out their own frame. */
static bool set_window(struct timeline *line, uint64_t distance)
{
    const uint64_t back = line->back / distance;
    const uint64_t ahead = line->ends_by_time ? (line->ahead - 1) / distance : 0;

    if (!line->own || back >= line->frames || ahead >= line->frames - back)
        return false;
    window_init(&line->even, back + 1 + ahead, 1, ahead > 0 ? ALIGN_FORWARD : ALIGN_CAUSAL,
                EDGE_SHRINK);
    line->even.after = ahead;
    return true;
}

int timeline_read(struct timeline *line, gpuenv_context *context, const gpuenv_spec *spec,
                  uint64_t frames, gpuenv_error *error)
{
    const int64_t *const times = spec->times;
    const struct work_size size = {.units = 1,
                                   .frames = frames,
                                   .least = TASK_SAMPLES,
                                   .threads = work_threads(context, spec)};
    struct timeline_check check = {.line = line, .block = max_u64(frames / BLOCKS, MAXIMA_BLOCK)};
    uint64_t i = 1;
    int code;

    *line = (struct timeline){.time = times, .frames = frames};
    set_reach(line, spec);
    if (frames == 0)
        return GPUENV_OK;
    check.distance = frames < 2 ? 0 : (uint64_t)times[1] - (uint64_t)times[0];
    work_begin(&check.work, context);
    check.work.cut = cut_work(&size);
    check.work.run = look_at_task;
    check.work.room = 1;
    code = work_run(&check.work, error);
    if (code != GPUENV_OK)
        return code;
    while (check.falls && times[i] >= times[i - 1])
        i++;
    if (check.falls)
        return REFUSE(error, "times", "go back at frame %llu%s", (unsigned long long)i,
                      times[i] == INT64_MIN ? " (NaT)" : "");
    line->most = check.most;
    line->is_even = !check.is_uneven && check.distance > 0 && set_window(line, check.distance);
    return GPUENV_OK;
}
