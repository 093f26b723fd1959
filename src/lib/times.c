/* Windows of time over arrays: Lemire's wedges, each frame once into them and once out. Units are
 * the channels of all rows; a task begins with the frames of its first window. */
#include <stdalign.h>
#include <stdlib.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "engine/emit.h"
#include "lib/lib_priv.h"
#include "window/value.h"
#include "window/wedge.h"

enum { BLOCK = 512 }; /* frames at a time */

struct times {
    struct work work;
    const gpuenv_spec *spec;
    const struct strided *in;
    const struct strided *out;
    struct engine_setup setup; /* of a channel */
    uint64_t reach_back;       /* how far back in time a window reaches, */
    uint64_t reach_ahead;      /* and forward, if it does */
    bool looks_ahead;
    bool own;      /* Has it its own frame? */
    uint64_t most; /* frames of a window */
    bool low;      /* Is the minimum needed? */
    bool high;
};

/* A channel of a row at work, with room behind it for the wedges. */
struct timed_channel {
    const struct times *times;
    struct wedge low; /* of complemented keys */
    struct wedge high;
    uint64_t row;
    uint64_t channel;
    unsigned char *is; /* for the frames of a window, in a ring: is a sample there? */
    uint64_t there;    /* such samples of the window */
    uint64_t next;     /* frames before this one are in the wedges, or were */
    uint64_t begin;    /* the first frame that is decoded */
    uint64_t behind;   /* the last one lies before it */
    alignas(16) unsigned char raw[BLOCK * 16];
    uint64_t samples[BLOCK];
    uint64_t lows[BLOCK];
    uint64_t highs[BLOCK];
    int64_t lows_at[BLOCK];
    int64_t highs_at[BLOCK];
    uint64_t values[BLOCK];
    bool missing[BLOCK]; /* the windows with too few samples */
    unsigned char results[BLOCK * 8];
};

/* ---- where windows begin and end */

static uint64_t distance(const struct times *times, uint64_t from, uint64_t to)
{
    return (uint64_t)times->spec->times[to] - (uint64_t)times->spec->times[from];
}

/* Which frames a window has: see struct times. */
static void set_reach(struct times *times)
{
    const uint64_t width = times->spec->width;
    const int closed = times->spec->closed;
    const bool center = times->spec->align == GPUENV_CENTER;
    const uint64_t farthest = center ? width / 2 : width;
    const uint64_t nearer = center ? (width - 1) / 2 : width - 1; /* where an end is open */

    times->reach_back =
        closed == GPUENV_CLOSED_BOTH || closed == GPUENV_CLOSED_LEFT ? farthest : nearer;
    times->own = center || closed < GPUENV_CLOSED_LEFT;
    times->looks_ahead = center;
    times->reach_ahead = closed < GPUENV_CLOSED_LEFT ? farthest : nearer;
}

/* Has a frame left the window of a later one? */
static bool has_left(const struct times *times, uint64_t frame, uint64_t window)
{
    return distance(times, frame, window) > times->reach_back;
}

/* Does a window reach a frame that has not left it? */
static bool reaches(const struct times *times, uint64_t window, uint64_t frame)
{
    return frame < window + times->own ||
           (times->looks_ahead && distance(times, window, frame) <= times->reach_ahead);
}

/* The first frame of a window. */
static uint64_t first_of(const struct times *times, uint64_t window)
{
    uint64_t from = 0;
    uint64_t to = window;

    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;

        if (has_left(times, middle, window))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Checks the times, and counts the frames of the longest window. */
static int measure(struct times *times, gpuenv_error *error)
{
    const uint64_t frames = times->in->frames;
    uint64_t first = 0;
    uint64_t behind = 0;

    for (uint64_t i = 0; i < frames; i++) {
        if (i > 0 && times->spec->times[i] < times->spec->times[i - 1])
            return fault_set(error, GPUENV_BAD_ARGUMENT, "times", "go back at frame %llu",
                             (unsigned long long)i);
    }
    for (uint64_t i = 0; i < frames; i++) {
        while (has_left(times, first, i))
            first++;
        while (behind < frames && reaches(times, i, behind))
            behind++;
        times->most = max_u64(times->most, behind - first);
    }
    return GPUENV_OK;
}

/* ---- the work */

static void decode_row(struct timed_channel *channel)
{
    const struct times *times = channel->times;
    const struct strided *in = times->in;
    const size_t count = (size_t)min_u64(BLOCK, in->frames - channel->next);

    channel->begin = channel->next;
    channel->behind = channel->next + count;
    strided_gather(in, strided_at(in, channel->row, channel->next, channel->channel), count, 1,
                   channel->raw);
    sample_decode(in->sample, times->setup.value, channel->raw, channel->samples, count);
}

/* Adds the next frame to the wedges. */
static void add_frame(struct timed_channel *channel)
{
    const struct engine_setup *setup = &channel->times->setup;
    struct value_keys keys;
    size_t index;
    bool is;

    if (channel->next >= channel->behind)
        decode_row(channel);
    index = (size_t)(channel->next - channel->begin);
    keys = value_keys_of(setup->value, setup->nan, channel->samples, index);
    if (channel->times->low)
        wedge_push(&channel->low, channel->next, ~keys.low);
    if (channel->times->high)
        wedge_push(&channel->high, channel->next, keys.high);
    if (setup->least > 0) {
        is = !value_is_nan(setup->value, channel->samples, index);
        channel->is[channel->next % channel->times->most] = is;
        channel->there += is;
    }
    channel->next++;
}

/* The extremes of the window of a frame. */
static void take_window(struct timed_channel *channel, uint64_t frame, uint64_t *first,
                        size_t index)
{
    const struct times *times = channel->times;
    const enum value_kind kind = times->setup.value;
    const int64_t none = kind == VALUE_F32 ? KEY_BELOW : KEY64_BELOW;

    for (; has_left(times, *first, frame); ++*first) {
        /* The frame before an open window may leave without having been in one. */
        if (*first == channel->next)
            channel->next++;
        else if (times->setup.least > 0)
            channel->there -= channel->is[*first % times->most];
    }
    wedge_drop(&channel->low, *first);
    wedge_drop(&channel->high, *first);
    while (channel->next < times->in->frames && reaches(times, frame, channel->next))
        add_frame(channel);
    if (times->low) {
        value_put_key(kind, ~wedge_answer(&channel->low, none), channel->lows, index);
        channel->lows_at[index] = (int64_t)channel->low.frame[channel->low.front];
    }
    if (times->high) {
        value_put_key(kind, wedge_answer(&channel->high, none), channel->highs, index);
        channel->highs_at[index] = (int64_t)channel->high.frame[channel->high.front];
    }
    channel->missing[index] = channel->there < times->setup.least;
}

static void put_results(struct timed_channel *channel, uint64_t frame, size_t count)
{
    const struct engine_setup *setup = &channel->times->setup;
    const struct emit_windows windows = {channel->lows, channel->highs, channel->lows_at,
                                         channel->highs_at};
    struct sample_losses losses = {0, 0};

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *to = &channel->times->out[i];

        emit_values(setup, i, &windows, count, channel->values);
        for (size_t k = 0; k < count; k++) {
            if (channel->missing[k])
                value_put_nan(setup->results[i], channel->values, k);
        }
        sample_encode(to->sample, setup->results[i], channel->values, channel->results, count,
                      &losses);
        strided_scatter(to, channel->results, count, 1,
                        strided_at(to, channel->row, frame, channel->channel));
    }
}

static void run_channel(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    const struct times *times = (const struct times *)work;
    struct timed_channel *channel = room;
    uint64_t *memory = (uint64_t *)(channel + 1);
    uint64_t first = first_of(times, task->first);
    uint64_t count;

    *channel = (struct timed_channel){
        .times = times,
        .low = {memory, memory + times->most, .capacity = times->most},
        .high = {memory + 2 * times->most, memory + 3 * times->most, .capacity = times->most},
        .is = (unsigned char *)(memory + 4 * times->most),
        .row = unit / times->in->channels,
        .channel = unit % times->in->channels,
        .next = first,
        .behind = first,
    };
    for (uint64_t done = 0; done < task->count && work->stopped == 0; done += count) {
        count = min_u64(BLOCK, task->count - done);
        for (size_t i = 0; i < count; i++)
            take_window(channel, task->first + done + i, &first, i);
        put_results(channel, task->first + done, (size_t)count);
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

int times_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct strided *in,
                 const struct strided out[GPUENV_VALUES], gpuenv_error *error)
{
    struct times times = {.spec = spec, .in = in, .out = out, .most = 1};
    struct work_size work = {.units = in->rows * in->channels,
                             .frames = in->frames,
                             .least = TASK_SAMPLES,
                             .threads = context->machine.threads_most};
    int code = spec_setup(&times.setup, spec, in, out, 1, error);

    set_reach(&times);
    if (code == GPUENV_OK)
        code = measure(&times, error);
    if (code != GPUENV_OK || in->frames == 0)
        return code;
    for (unsigned i = 0; i < spec->values; i++) {
        times.low = times.low || spec->value[i] != GPUENV_MAX;
        times.high = times.high || spec->value[i] != GPUENV_MIN;
    }
    if (spec->threads > 0)
        work.threads = (unsigned)min_u64(spec->threads, work.threads);
    work.halo = times.most;
    work_begin(&times.work, context);
    times.work.cut = cut_work(&work);
    times.work.run = run_channel;
    times.work.room = sizeof(struct timed_channel) + times.most * (4 * sizeof(uint64_t) + 1);
    code =
        memory_check(context, times.work.room * min_u64(work.threads, times.work.cut.tasks), error);
    return code == GPUENV_OK ? work_run(&times.work, error) : code;
}
