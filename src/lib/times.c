/* SPDX-License-Identifier: MIT */
/* Windows of time over arrays. Where frames are at equal distances, such windows all have as many
 * frames, and gpuenv_filter() does them. Otherwise each frame is put into a queue once and taken
 * out once. Units are the channels of all rows; a task begins with the frames of its first
 * window. */
#include <stdalign.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "engine/emit.h"
#include "lib/lib_priv.h"
#include "window/value.h"
#include "window/window_maxima.h"

struct times {
    struct work work;
    const struct timeline *line;
    const struct strided *in;
    const struct strided *out;
    struct engine_setup setup; /* setup for one channel */
    bool low;                  /* Is the minimum needed? */
    bool high;
    bool finds;    /* Are positions needed? */
    bool counts;   /* Are the samples of a window counted? */
    uint64_t rows; /* length of the arrays of each channel at work */
};

/* A channel of a row at work. Its arrays lie behind it in memory. */
struct timed_channel {
    const struct times *times;
    struct max_queue low; /* queue of complemented keys */
    struct max_queue high;
    uint64_t *counts; /* samples before each frame, from `begin` on */
    uint64_t begin;   /* the first frame in the arrays */
    uint64_t row;
    uint64_t channel;
    uint64_t next;   /* frames before this one have been put into the queues */
    uint64_t before; /* frames before this one have left the windows */

    /* The windows of a block, and the frames that it adds. */
    struct maxima_windows windows;
    alignas(16) unsigned char raw[MAXIMA_BLOCK * 16];
    uint64_t samples[MAXIMA_BLOCK];

    uint64_t lows[MAXIMA_BLOCK];
    uint64_t highs[MAXIMA_BLOCK];
    int64_t lows_at[MAXIMA_BLOCK];
    int64_t highs_at[MAXIMA_BLOCK];
    uint64_t values[MAXIMA_BLOCK];
    unsigned char results[MAXIMA_BLOCK * 8];
};

/* ---- the frames of a block */

/* Are samples of the array adjacent values of this kind? They are used in place then. */
static bool are_values(const struct strided *array, const unsigned char *at, enum value_kind kind)
{
    return sample_type_is_native(array->sample, kind) && strided_is_plain(array, 1) &&
           (uintptr_t)at % array->bytes == 0;
}

static const void *decode_frames(struct timed_channel *channel, size_t count)
{
    const struct times *times = channel->times;
    const unsigned char *at = strided_at(times->in, channel->row, channel->next, channel->channel);

    if (are_values(times->in, at, times->setup.value))
        return at;
    strided_gather(times->in, at, count, 1, channel->raw);
    sample_decode(times->in->sample, times->setup.value, channel->raw, channel->samples, count);
    return channel->samples;
}

/* Makes the keys of frames for a maximum; for a minimum they are complemented. The loop over
 * float64 is vectorized. */
static void find_keys(const struct engine_setup *setup, const void *samples, size_t frames,
                      bool low, int64_t *keys)
{
    /* The key of a NaN, for both sides. */
    const int64_t nan = setup->nan == NAN_OMIT ? KEY64_BELOW : KEY64_ABOVE;
    const uint64_t turn = low ? UINT64_MAX : 0;
    const double *const doubles = samples;

    for (size_t i = 0; setup->value == VALUE_F64 && i < frames; i++)
        keys[i] =
            isnan(doubles[i]) ? nan : (int64_t)(rules_flip64(rules_bits64(doubles[i])) ^ turn);
    for (size_t i = 0; setup->value != VALUE_F64 && i < frames; i++) {
        const struct value_keys both = value_keys_of(setup->value, setup->nan, samples, i);

        keys[i] = low ? ~both.low : both.high;
    }
}

static void count_samples(struct timed_channel *channel, const void *samples, size_t frames)
{
    uint64_t *const counts = channel->counts + (channel->next - channel->begin);

    for (size_t i = 0; i < frames; i++)
        counts[i + 1] = counts[i] + !value_is_nan(channel->times->setup.value, samples, i);
}

/* Makes room for the frames of a block: frames before `first` are no longer needed. A frame is
 * moved at most once for each frame that has left. */
static void shift_arrays(struct timed_channel *channel, uint64_t first)
{
    const struct times *times = channel->times;
    const uint64_t live = channel->next - first;
    const uint64_t gone = first - channel->begin;

    if (gone < live + MAXIMA_BLOCK)
        return;
    if (times->low)
        max_queue_shift(&channel->low, first, channel->next);
    if (times->high)
        max_queue_shift(&channel->high, first, channel->next);
    if (times->counts)
        memmove(channel->counts, channel->counts + gone, (live + 1) * sizeof *channel->counts);
    channel->begin = first;
}

/* ---- windows */

/* Runs one side of the windows of a block. A NaN of float64 may have any bits. */
static void run_side(struct timed_channel *channel, bool low, const void *samples, size_t frames,
                     size_t windows)
{
    const struct times *times = channel->times;
    const enum value_kind kind = times->setup.value;
    const int64_t turn = low ? -1 : 0;
    const uint64_t *const first = channel->windows.first;
    struct max_queue *const queue = low ? &channel->low : &channel->high;
    uint64_t *const values = low ? channel->lows : channel->highs;
    double *const doubles = (double *)(void *)values;
    int64_t maxima[MAXIMA_BLOCK];

    find_keys(&times->setup, samples, frames, low, queue->keys + (channel->next - queue->begin));
    window_maxima(queue, channel->next, frames, &channel->windows, windows, maxima,
                  low ? channel->lows_at : channel->highs_at);
    for (size_t i = 0; !times->line->own && i < windows; i++)
        maxima[i] = first[i] < channel->windows.end[i] ? maxima[i] : queue->none;
    for (size_t i = 0; kind != VALUE_F64 && i < windows; i++)
        value_put_key(kind, maxima[i] ^ turn, values, i);
    for (size_t i = 0; kind == VALUE_F64 && i < windows; i++)
        doubles[i] = rules_double(rules_flip64((uint64_t)(maxima[i] ^ turn)));
}

/* Finds the windows from number `window` on, up to `most`, that end in the frames of a block: at
 * least one, which may need more frames. Returns their number. */
static size_t find_windows(struct timed_channel *channel, uint64_t window, uint64_t most)
{
    const struct timeline *line = channel->times->line;
    struct maxima_windows *windows = &channel->windows;
    size_t count = (size_t)min_u64(MAXIMA_BLOCK, most);

    timeline_ends(line, window, count, channel->next, windows->end);
    while (count > 1 && windows->end[count - 1] - channel->next > MAXIMA_BLOCK)
        count--;
    timeline_firsts(line, window, count, channel->before, windows->first);
    windows->count = count;
    maxima_windows_close(windows);
    channel->before = windows->first[count - 1];
    return count;
}

/* Computes the extremes of windows that have been found. */
static void run_windows(struct timed_channel *channel, size_t windows)
{
    const struct times *times = channel->times;
    const uint64_t end = channel->windows.end[windows - 1];
    bool done = false;

    while (!done) {
        const size_t frames = (size_t)min_u64(MAXIMA_BLOCK, end - channel->next);
        const void *samples = decode_frames(channel, frames);

        done = channel->next + frames == end;
        shift_arrays(channel, min_u64(channel->windows.first[0], channel->next));
        if (times->low)
            run_side(channel, true, samples, frames, done ? windows : 0);
        if (times->high)
            run_side(channel, false, samples, frames, done ? windows : 0);
        if (times->counts)
            count_samples(channel, samples, frames);
        channel->next += frames;
    }
}

/* Makes the values of windows with too few samples NaN. */
static void put_missing(const struct timed_channel *channel, enum value_kind kind, size_t count,
                        void *values)
{
    const uint64_t *const counts = channel->counts;

    for (size_t i = 0; i < count; i++) {
        const uint64_t before = counts[channel->windows.first[i] - channel->begin];

        if (counts[channel->windows.end[i] - channel->begin] - before < channel->times->setup.least)
            value_put_nan(kind, values, i);
    }
}

static void put_results(struct timed_channel *channel, uint64_t frame, size_t count)
{
    const struct times *times = channel->times;
    const struct engine_setup *setup = &times->setup;
    const struct emit_windows windows = {channel->lows, channel->highs, channel->lows_at,
                                         channel->highs_at};

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *to = &times->out[i];
        unsigned char *at = strided_at(to, channel->row, frame, channel->channel);
        const enum value_kind kind = setup->results[i];
        const bool in_place = are_values(to, at, kind);
        void *values = in_place ? (void *)at : channel->values;

        emit_values(setup, i, &windows, count, values);
        if (times->counts)
            put_missing(channel, kind, count, values);
        if (!in_place)
            strided_scatter(to, sample_encoded(to->sample, kind, values, channel->results, count),
                            count, 1, at);
    }
}

/* Takes memory for a queue from `memory`. */
static void start_queue(const struct times *times, struct max_queue *queue, uint64_t first,
                        int64_t **memory)
{
    *queue = (struct max_queue){.keys = *memory};
    *memory += times->rows;
    if (times->finds) {
        queue->places = *memory;
        *memory += times->rows;
    }
    max_queue_start(queue, first, times->setup.value == VALUE_F32 ? KEY_BELOW : KEY64_BELOW);
}

static uint64_t room_bytes(const struct times *times)
{
    const uint64_t arrays = (times->finds ? 2 : 1) * ((uint64_t)times->low + times->high);

    return sizeof(struct timed_channel) + (arrays + times->counts) * times->rows * sizeof(int64_t);
}

/* Prefetches what the next block needs. A block is about a page, and processors do not prefetch
 * past the end of a page. */
static void prefetch_block(const struct timed_channel *channel, uint64_t window)
{
    enum { STEP = 8 }; /* frames: a cache line of times */
    const uint64_t behind = (uint64_t)2 * MAXIMA_BLOCK;
    const struct times *times = channel->times;

    if (max_u64(window, channel->next) + behind > times->in->frames)
        return;
    for (uint64_t i = MAXIMA_BLOCK; i < behind; i += STEP) {
        __builtin_prefetch(&times->line->time[window + i]);
        __builtin_prefetch(
            strided_at(times->in, channel->row, channel->next + i, channel->channel));
    }
}

static void run_channel(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    const struct times *times = (const struct times *)work;
    struct timed_channel *channel = room;
    int64_t *memory = (int64_t *)(channel + 1);
    uint64_t first;
    size_t count;

    timeline_firsts(times->line, task->first, 1, 0, &first);
    channel->times = times;
    channel->row = unit / times->in->channels;
    channel->channel = unit % times->in->channels;
    channel->begin = channel->next = channel->before = first;
    if (times->low)
        start_queue(times, &channel->low, first, &memory);
    if (times->high)
        start_queue(times, &channel->high, first, &memory);
    channel->counts = (uint64_t *)memory;
    if (times->counts)
        channel->counts[0] = 0;
    for (uint64_t done = 0; done < task->count && work->stopped == 0; done += count) {
        prefetch_block(channel, task->first + done);
        count = find_windows(channel, task->first + done, task->count - done);
        run_windows(channel, count);
        put_results(channel, task->first + done, count);
        work_look(work, count);
    }
}

/* ---- the call */

int times_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct timeline *line,
                 const struct strided *in, const struct strided out[GPUENV_VALUES],
                 gpuenv_error *error)
{
    struct times times = {.line = line, .in = in, .out = out};
    const struct work_size work = {.units = in->rows * in->channels,
                                   .frames = in->frames,
                                   .halo = line->most,
                                   .least = TASK_SAMPLES,
                                   .threads = work_threads(context, spec)};
    int code = spec_setup(&times.setup, spec, in, out, 1, error);

    if (code != GPUENV_OK || in->frames == 0)
        return code;
    for (unsigned i = 0; i < spec->values; i++) {
        times.low = times.low || (spec->value[i] != GPUENV_MAX && spec->value[i] != GPUENV_ARGMAX);
        times.high =
            times.high || (spec->value[i] != GPUENV_MIN && spec->value[i] != GPUENV_ARGMIN);
        times.finds = times.finds || spec_is_position(spec->value[i]);
    }
    /* A window without a number gives NaN without counting, unless integers are compared. */
    times.counts =
        times.setup.least > 1 || (times.setup.least > 0 && times.setup.value == VALUE_I64);
    times.rows = 2 * (line->most + MAXIMA_BLOCK) + 1;
    work_begin(&times.work, context);
    times.work.cut = cut_work(&work);
    times.work.run = run_channel;
    times.work.room = room_bytes(&times);
    code =
        memory_check(context, times.work.room * min_u64(work.threads, times.work.cut.tasks), error);
    return code == GPUENV_OK ? work_run(&times.work, error) : code;
}
