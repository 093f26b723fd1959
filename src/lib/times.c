/* Windows of time over arrays. Where frames are at equal distances, such a window has always as
 * many of them, and is left to gpuenv_filter(). Otherwise each frame goes once into a queue and
 * once out. Units are the channels of all rows; a task begins with the frames of its first window.
 */
#include <stdalign.h>
#include <stdlib.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "engine/emit.h"
#include "lib/lib_priv.h"
#include "window/max_queue.h"
#include "window/value.h"

enum { BLOCK = 512 }; /* frames at a time */

/* Which frames a window has. */
struct reach {
    uint64_t back;  /* in time, from its own frame */
    uint64_t ahead; /* likewise, if it looks ahead; else only its own frame follows, */
    bool looks_ahead;
    bool own; /* if that belongs to it */
};

struct times {
    struct work work;
    const gpuenv_spec *spec;
    const struct strided *in;
    const struct strided *out;
    struct engine_setup setup; /* of a channel */
    struct reach reach;
    uint64_t most; /* frames of a window, at most */
    bool low;      /* Is the minimum needed? */
    bool high;
    bool finds;    /* Are positions? */
    uint64_t ring; /* frames of which it is known whether a sample is there, a power of two; 0: not
                      needed */
};

/* A channel of a row at work, with room behind it for the queues and the ring. */
struct timed_channel {
    const struct times *times;
    struct max_queue low; /* of complemented keys */
    struct max_queue high;
    uint64_t row;
    uint64_t channel;
    uint64_t next;   /* frames before this one are in the queues, or were */
    uint64_t before; /* those before this one have left the windows */

    /* The windows of a block, and the frames that it adds. */
    uint64_t first[BLOCK];
    uint64_t end[BLOCK];
    alignas(16) unsigned char raw[BLOCK * 16];
    uint64_t samples[BLOCK];
    int64_t keys[BLOCK];

    uint64_t lows[BLOCK];
    uint64_t highs[BLOCK];
    int64_t lows_at[BLOCK];
    int64_t highs_at[BLOCK];
    uint64_t values[BLOCK];
    unsigned char results[BLOCK * 8];

    unsigned char *is;   /* for each frame of the ring: is a sample there? */
    uint64_t counted;    /* frames before this one were counted, */
    uint64_t dropped;    /* and before this one no longer count */
    uint64_t there;      /* the samples of the window */
    bool missing[BLOCK]; /* the windows with too few */
};

/* ---- where windows begin and end */

static struct reach reach_of(const gpuenv_spec *spec)
{
    const bool center = spec->align == GPUENV_CENTER;
    const uint64_t farthest = center ? spec->width / 2 : spec->width;
    const uint64_t nearer = center ? (spec->width - 1) / 2 : spec->width - 1; /* to an open end */
    const bool right = spec->closed < GPUENV_CLOSED_LEFT;
    const bool left = spec->closed == GPUENV_CLOSED_BOTH || spec->closed == GPUENV_CLOSED_LEFT;

    return (struct reach){
        .back = left ? farthest : nearer,
        .ahead = right ? farthest : nearer,
        .looks_ahead = center,
        .own = center || right,
    };
}

/* The first frame from `from` on whose time is `bound` or later. Not for loops that keep what they
 * need in registers. */
static __attribute__((noinline)) uint64_t find_time(const struct times *times, uint64_t from,
                                                    int64_t bound)
{
    const int64_t *const time = times->spec->times;
    uint64_t step = 1;
    uint64_t to = from;

    while (to < times->in->frames && time[to] < bound) {
        from = to + 1;
        to = step < times->in->frames - to ? to + step : times->in->frames;
        step *= 2;
    }
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;

        if (time[middle] < bound)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The same where it is near: several times are compared at once, without a branch that depends on
 * the distances of frames. */
static inline uint64_t find_near_time(const struct times *times, uint64_t from, int64_t bound)
{
    const int64_t *const time = times->spec->times + from;

    if (times->in->frames - from < 4 || time[3] < bound)
        return find_time(times, from, bound);
    return from + ((uint64_t)(time[0] < bound) + (time[1] < bound)) + (time[2] < bound);
}

/* For a few neighbours; in bursts they often find the same frame. Returns the last one found. */
static inline uint64_t find_few_times(const struct times *times, uint64_t from, uint64_t frame,
                                      uint64_t offset, size_t count, uint64_t *found)
{
    const uint64_t *const time = (const uint64_t *)times->spec->times;
    const uint64_t last = frame + count - 1;

    if (from < times->in->frames && (int64_t)time[from] >= (int64_t)(time[last] + offset)) {
        for (size_t i = 0; i < count; i++)
            found[i] = from;
        return from;
    }
    for (size_t i = 0; i < count; i++)
        found[i] = from = find_near_time(times, from, (int64_t)(time[frame + i] + offset));
    return from;
}

/* For frames in order: found[i] is the first frame whose time is that of frame i and `offset`, or
 * later; none lies before `from`. Each result is where the next search begins, so several ranges
 * are searched at once. */
static void find_times(const struct times *times, uint64_t from, uint64_t frame, uint64_t offset,
                       size_t count, uint64_t *found)
{
    enum { RANGES = 4, FEW = 8 };
    const uint64_t *const time = (const uint64_t *)times->spec->times;
    const size_t each = count / RANGES / FEW * FEW;
    uint64_t at[RANGES];

    for (size_t k = 0; k < RANGES && each > 0; k++)
        at[k] = from = find_time(times, from, (int64_t)(time[frame + k * each] + offset));
    for (size_t i = 0; i < each; i += FEW) {
        for (size_t k = 0; k < RANGES; k++)
            at[k] = find_few_times(times, at[k], frame + k * each + i, offset, FEW,
                                   found + k * each + i);
    }
    if (count > RANGES * each)
        (void)find_few_times(times, from, frame + RANGES * each, offset, count - RANGES * each,
                             found + RANGES * each);
}

/* The first frames of windows; none lies before `from`. */
static void find_firsts(const struct times *times, uint64_t window, size_t count, uint64_t from,
                        uint64_t *firsts)
{
    const int64_t *const time = times->spec->times + window;
    const uint64_t back = times->reach.back;
    size_t all = 0; /* the windows that reach back to the lowest time there is */

    for (; all < count && (uint64_t)time[all] - (uint64_t)INT64_MIN < back; all++)
        firsts[all] = from;
    find_times(times, from, window + all, -back, count - all, firsts + all);
}

/* The frames behind windows; none lies before `from`. */
static void find_ends(const struct times *times, uint64_t window, size_t count, uint64_t from,
                      uint64_t *ends)
{
    const int64_t *const time = times->spec->times + window;
    const uint64_t ahead = times->reach.ahead;

    for (size_t i = 0; !times->reach.looks_ahead && i < count; i++)
        ends[i] = window + i + times->reach.own;
    if (!times->reach.looks_ahead)
        return;
    /* Some reach the highest time there is. */
    for (; count > 0 && (uint64_t)INT64_MAX - (uint64_t)time[count - 1] <= ahead; count--)
        ends[count - 1] = times->in->frames;
    find_times(times, from, window, ahead + 1, count, ends);
}

/* Sets a limit of the frames of a window: none of a block has more than lie between the beginning
 * of its first window and the end of its last. */
static void measure(struct times *times)
{
    const uint64_t frames = times->in->frames;
    uint64_t first = 0;
    uint64_t end = 0;

    for (uint64_t block = 0; block < frames; block += BLOCK) {
        find_firsts(times, block, 1, first, &first);
        find_ends(times, min_u64(block + BLOCK, frames) - 1, 1, end, &end);
        times->most = max_u64(times->most, end - first);
    }
}

/* ---- the frames of a block */

static void decode_frames(struct timed_channel *channel, size_t count)
{
    const struct times *times = channel->times;
    const uint64_t mask = times->ring - 1;

    strided_gather(times->in, strided_at(times->in, channel->row, channel->next, channel->channel),
                   count, 1, channel->raw);
    sample_decode(times->in->sample, times->setup.value, channel->raw, channel->samples, count);
    for (size_t i = 0; times->ring > 0 && i < count; i++)
        channel->is[(channel->next + i) & mask] =
            !value_is_nan(times->setup.value, channel->samples, i);
}

/* ---- windows */

/* The newest maxima before each frame of a block, and behind the last. */
struct newest {
    int64_t key[BLOCK + 1];
    int64_t place[BLOCK + 1];
};

static inline void add_frames(const struct timed_channel *channel, struct max_queue *queue,
                              uint64_t end, struct newest *newest)
{
    const uint64_t next = channel->next;

    newest->key[queue->end - next] = queue->newest;
    newest->place[queue->end - next] = queue->place;
    while (queue->end < end) {
        max_queue_add(queue, channel->keys[queue->end - next]);
        newest->key[queue->end - next] = queue->newest;
        if (queue->places != NULL)
            newest->place[queue->end - next] = queue->place;
    }
}

/* Adds frames to a queue and takes the maxima of the windows that they complete: together those of
 * all windows that begin among the older frames, so that no branch depends on how many frames each
 * of them adds. */
static void run_queue(const struct timed_channel *channel, struct max_queue *shared, size_t frames,
                      size_t windows, int64_t *maxima, int64_t *places)
{
    const uint64_t *const first = channel->first;
    struct max_queue queue = *shared;
    struct newest newest;
    size_t behind;

    max_queue_drop(&queue, first[0]);
    for (size_t i = 0; i < windows; i = behind) {
        max_queue_drop(&queue, first[i]);
        behind = i + 1;
        while (behind < windows && first[behind] <= queue.split)
            behind++;
        add_frames(channel, &queue, channel->end[behind - 1], &newest);
        for (size_t k = i; k < behind; k++) {
            const uint64_t added = channel->end[k] - channel->next;

            queue.newest = newest.key[added];
            queue.place = newest.place[added];
            maxima[k] = max_queue_answer(&queue, first[k]);
            if (queue.places != NULL)
                places[k] = max_queue_place(&queue, first[k]);
        }
    }
    add_frames(channel, &queue, channel->next + frames, &newest);
    *shared = queue;
}

/* The keys of frames in a maximum, of the minimum complemented. float64 goes by vectors. */
static void find_keys(struct timed_channel *channel, size_t frames, bool low)
{
    const struct engine_setup *setup = &channel->times->setup;
    const int64_t nan = setup->nan == NAN_OMIT ? KEY64_BELOW : KEY64_ABOVE; /* on both sides */
    const uint64_t turn = low ? UINT64_MAX : 0;
    const double *doubles = (const double *)(void *)channel->samples;

    for (size_t i = 0; setup->value == VALUE_F64 && i < frames; i++)
        channel->keys[i] =
            isnan(doubles[i]) ? nan : (int64_t)(rules_flip64(rules_bits64(doubles[i])) ^ turn);
    for (size_t i = 0; setup->value != VALUE_F64 && i < frames; i++) {
        const struct value_keys keys = value_keys_of(setup->value, setup->nan, channel->samples, i);

        channel->keys[i] = low ? ~keys.low : keys.high;
    }
}

/* One side of the windows of a block. */
static void run_side(struct timed_channel *channel, bool low, size_t frames, size_t windows)
{
    const enum value_kind kind = channel->times->setup.value;
    const int64_t turn = low ? -1 : 0;
    uint64_t *const values = low ? channel->lows : channel->highs;
    double *const doubles = (double *)(void *)values;
    int64_t maxima[BLOCK];

    find_keys(channel, frames, low);
    run_queue(channel, low ? &channel->low : &channel->high, frames, windows, maxima,
              low ? channel->lows_at : channel->highs_at);
    for (size_t i = 0; kind != VALUE_F64 && i < windows; i++)
        value_put_key(kind, maxima[i] ^ turn, values, i);
    for (size_t i = 0; kind == VALUE_F64 && i < windows; i++) {
        const double value = rules_double(rules_flip64((uint64_t)(maxima[i] ^ turn)));

        doubles[i] = isnan(value) ? rules_double(RULES_NAN_BITS64) : value;
    }
}

static void count_samples(struct timed_channel *channel, size_t windows)
{
    const struct times *times = channel->times;
    const uint64_t mask = times->ring - 1;

    for (size_t i = 0; i < windows; i++) {
        for (; channel->counted < channel->end[i]; channel->counted++)
            channel->there += channel->is[channel->counted & mask];
        for (; channel->dropped < channel->first[i]; channel->dropped++)
            channel->there -= channel->is[channel->dropped & mask];
        channel->missing[i] = channel->there < times->setup.least;
    }
}

/* Finds the windows from this one on, up to `most`, that add the frames of a block; at least one,
 * which may add more. Returns their number. */
static size_t find_windows(struct timed_channel *channel, uint64_t window, uint64_t most)
{
    const struct times *times = channel->times;
    size_t count = (size_t)min_u64(BLOCK, most);

    find_ends(times, window, count, channel->next, channel->end);
    while (count > 1 && channel->end[count - 1] - channel->next > BLOCK)
        count--;
    find_firsts(times, window, count, channel->before, channel->first);
    channel->before = channel->first[count - 1];
    return count;
}

/* The extremes of windows that have been found. */
static void run_windows(struct timed_channel *channel, size_t windows)
{
    const struct times *times = channel->times;
    const uint64_t end = channel->end[windows - 1];
    bool done = false;

    while (!done) {
        const size_t frames = (size_t)min_u64(BLOCK, end - channel->next);

        done = channel->next + frames == end;
        decode_frames(channel, frames);
        if (times->low)
            run_side(channel, true, frames, done ? windows : 0);
        if (times->high)
            run_side(channel, false, frames, done ? windows : 0);
        channel->next += frames;
    }
    if (times->ring > 0)
        count_samples(channel, windows);
}

static void put_results(struct timed_channel *channel, uint64_t frame, size_t count)
{
    const struct engine_setup *setup = &channel->times->setup;
    const struct emit_windows windows = {channel->lows, channel->highs, channel->lows_at,
                                         channel->highs_at};
    struct sample_losses losses = {0, 0};

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *to = &channel->times->out[i];
        const void *results = channel->values;

        emit_values(setup, i, &windows, count, channel->values);
        for (size_t k = 0; channel->times->ring > 0 && k < count; k++) {
            if (channel->missing[k])
                value_put_nan(setup->results[i], channel->values, k);
        }
        if (!sample_type_is_native(to->sample, setup->results[i])) {
            sample_encode(to->sample, setup->results[i], channel->values, channel->results, count,
                          &losses);
            results = channel->results;
        }
        strided_scatter(to, results, count, 1,
                        strided_at(to, channel->row, frame, channel->channel));
    }
}

/* Takes memory for a queue from `memory`. */
static void start_queue(const struct times *times, struct max_queue *queue, uint64_t first,
                        int64_t **memory)
{
    const uint64_t room = times->most + 1;

    *queue = (struct max_queue){.keys = *memory, .maxima = *memory + room, .capacity = room};
    *memory += 2 * room;
    if (times->finds) {
        queue->places = *memory;
        *memory += room;
    }
    max_queue_start(queue, first, times->setup.value == VALUE_F32 ? KEY_BELOW : KEY64_BELOW);
}

static uint64_t room_bytes(const struct times *times)
{
    const uint64_t arrays = (times->finds ? 3 : 2) * ((uint64_t)times->low + times->high);

    return sizeof(struct timed_channel) + arrays * (times->most + 1) * sizeof(int64_t) +
           times->ring;
}

static void run_channel(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    const struct times *times = (const struct times *)work;
    struct timed_channel *channel = room;
    int64_t *memory = (int64_t *)(channel + 1);
    uint64_t first;
    size_t count;

    find_firsts(times, task->first, 1, 0, &first);
    channel->times = times;
    channel->row = unit / times->in->channels;
    channel->channel = unit % times->in->channels;
    channel->next = channel->before = channel->counted = channel->dropped = first;
    channel->there = 0;
    if (times->low)
        start_queue(times, &channel->low, first, &memory);
    if (times->high)
        start_queue(times, &channel->high, first, &memory);
    channel->is = (unsigned char *)memory;
    for (uint64_t done = 0; done < task->count && work->stopped == 0; done += count) {
        count = find_windows(channel, task->first + done, task->count - done);
        run_windows(channel, count);
        put_results(channel, task->first + done, count);
        work_look(work, count);
    }
}

/* ---- the call */

int times_refuse(const gpuenv_spec *spec, gpuenv_error *error)
{
    return spec->times == NULL
               ? GPUENV_OK
               : fault_set(error, GPUENV_BAD_ARGUMENT, "times", "are for gpuenv_filter()");
}

/* Windows of time over frames at this distance have as many frames each. False: some have more
 * than there are, or none of them ends as a window of frames can. */
static bool set_window(struct window *window, const struct reach *reach, uint64_t distance,
                       uint64_t frames)
{
    const uint64_t back = reach->back / distance;
    const uint64_t ahead = reach->looks_ahead ? reach->ahead / distance : 0;

    if (!reach->own || back >= frames || ahead >= frames - back)
        return false;
    window_init(window, back + 1 + ahead, 1, ahead > 0 ? ALIGN_FORWARD : ALIGN_CAUSAL, EDGE_SHRINK);
    window->after = ahead;
    return true;
}

int times_read(const gpuenv_spec *spec, uint64_t frames, struct window *window, bool *is_even,
               gpuenv_error *error)
{
    const int64_t *const times = spec->times;
    const uint64_t distance = frames < 2 ? 0 : (uint64_t)times[1] - (uint64_t)times[0];
    const struct reach reach = reach_of(spec);
    uint64_t i;

    for (i = 1; i < frames; i++) {
        if (times[i] < times[i - 1])
            return fault_set(error, GPUENV_BAD_ARGUMENT, "times", "go back at frame %llu",
                             (unsigned long long)i);
    }
    for (i = 1; i < frames && (uint64_t)times[i] - (uint64_t)times[i - 1] == distance;)
        i++;
    *is_even = i == frames && distance > 0 && set_window(window, &reach, distance, frames);
    return GPUENV_OK;
}

int times_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct strided *in,
                 const struct strided out[GPUENV_VALUES], gpuenv_error *error)
{
    struct times times = {.spec = spec, .in = in, .out = out, .reach = reach_of(spec), .most = 1};
    struct work_size work = {.units = in->rows * in->channels,
                             .frames = in->frames,
                             .least = TASK_SAMPLES,
                             .threads = context->machine.threads_most};
    int code = spec_setup(&times.setup, spec, in, out, 1, error);

    if (code != GPUENV_OK || in->frames == 0)
        return code;
    measure(&times);
    for (unsigned i = 0; i < spec->values; i++) {
        times.low = times.low || (spec->value[i] != GPUENV_MAX && spec->value[i] != GPUENV_ARGMAX);
        times.high =
            times.high || (spec->value[i] != GPUENV_MIN && spec->value[i] != GPUENV_ARGMIN);
        times.finds = times.finds || spec_is_position(spec->value[i]);
    }
    /* A window without a number gives NaN by itself, unless integers are compared. */
    if (times.setup.least > 1 || (times.setup.least > 0 && times.setup.value == VALUE_I64)) {
        times.ring = 1;
        while (times.ring < 2 * (times.most + BLOCK))
            times.ring *= 2;
    }
    if (spec->threads > 0)
        work.threads = (unsigned)min_u64(spec->threads, work.threads);
    work.halo = times.most;
    work_begin(&times.work, context);
    times.work.cut = cut_work(&work);
    times.work.run = run_channel;
    times.work.room = room_bytes(&times);
    code =
        memory_check(context, times.work.room * min_u64(work.threads, times.work.cut.tasks), error);
    return code == GPUENV_OK ? work_run(&times.work, error) : code;
}
