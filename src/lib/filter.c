/* SPDX-License-Identifier: MIT */
/* Whole arrays on the CPU.
 *
 * A *unit* is what one set of channel states processes: a channel of a row, or a group of
 * neighbouring channels. Threads share the units, or stretches of time of each: a stretch starts
 * one halo earlier. Samples that are not adjacent, and results that are not written as they are
 * computed, go through small buffers, block by block.
 */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/past_cache.h"
#include "base/rounding.h"
#include "lib/filter_priv.h"

enum {
    /* Most channels of a unit; the larger number is for rows of at most FEW_FRAMES frames. */
    GROUP = 256,
    FEW_FRAMES_GROUP = 2048,
    FEW_FRAMES = 64,

    /* A frame of a unit without states has at most LONG_BYTES, and the frames of a window at most
     * WINDOW_BYTES: those of two windows are in the L2 cache. */
    LONG_BYTES = 16 * 1024,
    WINDOW_BYTES = 512 * 1024,

    /* Units with more than FEW_FRAMES frames need states, unless a frame has so many bytes. */
    STATELESS_BYTES = 256,
    ROOM_BYTES = 16 * 1024, /* bytes of values that go through a buffer at a time */
    KEPT_BYTES = 16 * 1024, /* most bytes of samples of a call whose plan is kept */
};

/* A step has at least one frame. */
_Static_assert((int)ROOM_BYTES >= 8 * FEW_FRAMES_GROUP, "a frame of results fits into a buffer");
_Static_assert((int)LONG_BYTES <= TASK_SAMPLES && (int)LONG_BYTES <= WORK_STEP,
               "a unit has no more channels");

/* The memory of a task. */
struct room {
    unsigned char raw[ROOM_BYTES * 4]; /* frames of samples of at most 16 bytes */
    unsigned char values[EMIT_KINDS][ROOM_BYTES];
    unsigned char results[ROOM_BYTES * 2];
    alignas(64) unsigned char memory[]; /* scratch memory, then channel states */
};

static uint64_t room_of(const struct block_plan *plan)
{
    const size_t fixed = sizeof(struct room) + plan->scratch.bytes;
    const uint64_t states = block_states_bytes(plan);

    return states > SIZE_MAX / 2 - fixed ? UINT64_MAX : fixed + states;
}

/* ---- the work ---- */

/* One set of channel states at work. */
struct unit {
    struct filter *filter;
    struct room *room;
    const struct block_plan *plan;
    uint64_t row;
    uint64_t channel;
    bool out_place; /* results are written where they belong */
    bool stateless;
};

static unsigned char *states_of(const struct unit *unit)
{
    return unit->room->memory + unit->plan->scratch.bytes;
}

/* Are all frames of a unit used where they are? */
static bool reads_in_place(const struct unit *unit)
{
    const struct strided *in = &unit->filter->in;
    const ptrdiff_t frame = (ptrdiff_t)(in->bytes * unit->plan->setup.channels);

    return unit->filter->groups.in_place ||
           (unit->plan->across != NULL && in->channel == (ptrdiff_t)in->bytes &&
            in->frame >= frame);
}

static bool writes_in_place(const struct unit *unit)
{
    const struct filter *filter = unit->filter;

    /* Channel by channel an engine writes a few at a time, so it passes several times over lines of
     * the cache that push each other out of it where their distance is a power of two. */
    return filter->out_place && (filter->groups.channels == 1 || filter->groups.count == 1 ||
                                 unit->plan->across != NULL);
}

/* Windows need no states where all the frames that they reach back to are in memory, and are few:
 * to start states, and to load them for each block, would cost more. Units of a few channels have
 * few states: for them, each frame would cost more to start. Pairs need states. */
static bool is_stateless(const struct unit *unit)
{
    const struct strided *in = &unit->filter->in;
    const unsigned char *frames = strided_at(in, unit->row, 0, unit->channel);
    uint64_t most = in->frames <= FEW_FRAMES ? STATELESS_DECODED : 4;

    if (unit->plan->across == NULL || (unit->plan->pairs && unit->filter->together) ||
        !reads_in_place(unit) ||
        (in->frames > FEW_FRAMES && unit->plan->setup.channels * in->bytes < STATELESS_BYTES))
        return false;
    if (block_has_values(unit->plan, frames, (size_t)in->frame))
        most = max_u64(most, STATELESS_WIDTH / (in->bytes * in->bytes));
    return unit->plan->setup.window.width <= most;
}

static const unsigned char *frames_of(const struct unit *unit, uint64_t first, size_t count)
{
    const struct filter *filter = unit->filter;
    const unsigned char *at = strided_at(&filter->in, unit->row, first, unit->channel);

    if (reads_in_place(unit))
        return at;
    strided_gather(&filter->in, at, count, unit->plan->setup.channels, unit->room->raw);
    return unit->room->raw;
}

/* In place, results are written where they belong: a copy would wait for all results before it to
 * be written. */
static void set_out(struct emit_out *out, const struct unit *unit, uint64_t output)
{
    const struct filter *filter = unit->filter;
    const ptrdiff_t bytes = (ptrdiff_t)unit->plan->value_bytes;

    out->frame = unit->plan->setup.channels;
    out->channel = 1;
    for (unsigned i = 0; i < unit->plan->setup.emits.count; i++)
        out->item[i] = unit->out_place
                           ? strided_at(&filter->out[i], unit->row, output, unit->channel)
                           : unit->room->values[i];
    if (unit->out_place) {
        out->frame = (size_t)(filter->out[0].frame / bytes);
        out->channel = (size_t)(filter->out[0].channel / bytes);
        /* A single channel is written without gaps between its frames. */
        out->together = filter->together && (unit->plan->setup.channels > 1 ||
                                             out->frame == unit->plan->setup.emits.count);
    }
}

/* Converts a block of results, and puts them in their places. */
static void put_results(const struct unit *unit, uint64_t output, size_t count)
{
    const struct filter *filter = unit->filter;
    const struct engine_setup *setup = &unit->plan->setup;

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *to = &filter->out[i];
        unsigned char *at = strided_at(to, unit->row, output, unit->channel);
        const void *results = sample_encoded(to->sample, setup->results[i], unit->room->values[i],
                                             unit->room->results, count * setup->channels);

        if (filter->past_cache)
            copy_past_cache(at, results, count * to->bytes);
        else
            strided_scatter(to, results, count, setup->channels, at);
    }
}

/* Runs the windows of a piece. If muted, the channel states take its frames, and nothing is
 * written. */
static void run_piece(struct unit *unit, const struct piece *piece, bool muted, bool past_end)
{
    struct filter *filter = unit->filter;
    const struct engine_setup *setup = &unit->plan->setup;
    const bool whole = reads_in_place(unit) && (unit->out_place || muted);
    const size_t room = ROOM_BYTES / unit->plan->value_bytes / setup->channels;
    const size_t step = whole ? WORK_STEP / setup->channels : min_u64(unit->plan->frames, room);

    for (uint64_t done = 0; done < piece->count && filter->work.stopped == 0;) {
        uint64_t left = piece->count - done;
        size_t count = left < step ? (size_t)left : step;
        struct stretch stretch = {
            .piece = piece_make(&setup->window, piece->first + done, count),
            .stream_frames = filter->in.frames,
            .channel_end = setup->channels,
            .stateless = unit->stateless,
        };
        const size_t kept = (size_t)stretch.piece.pick.kept;

        if (!past_end || unit->stateless)
            stretch.frames = frames_of(unit, piece->first + done, count);
        if (unit->plan->across != NULL && reads_in_place(unit))
            stretch.gap = (size_t)filter->in.frame - filter->in.bytes * setup->channels;
        if (!muted && kept > 0)
            set_out(&stretch.out, unit, stretch.piece.output);
        block_run(unit->plan, states_of(unit), unit->room->memory, &stretch);
        if (!muted && kept > 0 && !unit->out_place)
            put_results(unit, stretch.piece.output, kept);
        done += count;
        work_look(&filter->work, count * setup->channels);
    }
}

/* Unit number `index` is group index % groups.count of row index / groups.count. Writes the windows
 * that end in a task's frames; those that end past the last frame as well, if the task has that
 * one. */
static void run_unit(struct work *work, void *room, uint64_t index, const struct task *task)
{
    struct filter *filter = (struct filter *)work;
    const struct window *window = &filter->plan.setup.window;
    const struct piece piece = piece_make(window, task->first, task->count);
    const struct piece before = piece_make(window, piece.first - piece.halo, piece.halo);
    struct unit unit = {
        .filter = filter,
        .room = room,
        .row = index / filter->groups.count,
        .channel = index % filter->groups.count * filter->groups.channels,
    };

    unit.plan = filter->in.channels - unit.channel < filter->groups.channels ? &filter->last_plan
                                                                             : &filter->plan;
    unit.out_place = writes_in_place(&unit);
    unit.stateless = is_stateless(&unit);
    if (!unit.stateless) {
        block_start(unit.plan, states_of(&unit), before.first);
        run_piece(&unit, &before, true, false);
    }
    run_piece(&unit, &piece, false, false);
    if (task->first + task->count == filter->in.frames && filter->tail.count > 0) {
        if (!unit.stateless && filter->tail.first > filter->in.frames)
            block_jump(unit.plan, states_of(&unit), filter->tail.first);
        run_piece(&unit, &filter->tail, false, true);
    }
}

/* ---- the plan ---- */

static bool is_place(const struct strided *array, size_t bytes)
{
    const ptrdiff_t step = (ptrdiff_t)bytes;

    return array->frame > 0 && array->channel >= 0 && array->frame % step == 0 &&
           array->channel % step == 0 && array->row % step == 0 &&
           (uintptr_t)array->data % bytes == 0;
}

/* Can the engine write results where they belong? */
static bool can_write_in_place(const struct filter *filter)
{
    const struct engine_setup *setup = &filter->plan.setup;
    const size_t bytes = filter->plan.value_bytes;

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *out = &filter->out[i];

        if (!sample_type_is_native(out->sample, setup->results[i]) || !is_place(out, bytes) ||
            out->frame != filter->out[0].frame || out->channel != filter->out[0].channel)
            return false;
    }
    return true;
}

/* Are the results of all values adjacent in frames, as an engine writes them? */
static bool are_together(const struct filter *filter)
{
    const unsigned emits = filter->plan.setup.emits.count;
    const ptrdiff_t bytes = (ptrdiff_t)filter->plan.value_bytes;
    const struct strided *out = filter->out;

    for (unsigned i = 1; i < emits; i++) {
        if (out[i].data != out[0].data + (ptrdiff_t)i * bytes || out[i].row != out[0].row)
            return false;
    }
    return filter->groups.channels == 1 || out[0].channel == (ptrdiff_t)emits * bytes;
}

static bool are_touched(const struct filter *filter)
{
    bool touched = true;

    for (unsigned i = 0; i < filter->plan.setup.emits.count; i++) {
        const struct strided *out = &filter->out[i];

        touched = touched && pages_are_touched(out->data, (size_t)out->frames * out->bytes);
    }
    return touched;
}

/* Results of this many bytes have left the caches when the caller reads them, so writing past the
 * caches takes two thirds of the time. That does not hold for memory that is touched for the first
 * time. */
static bool goes_past_cache(const struct filter *filter)
{
    const struct engine_setup *setup = &filter->plan.setup;
    uint64_t bytes = 0;

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *out = &filter->out[i];

        if (filter->groups.channels > 1 || out->frame != (ptrdiff_t)out->bytes || out->data == NULL)
            return false;
        bytes += out->rows * out->channels * out->frames * out->bytes;
    }
    return bytes >= PAST_CACHE_BYTES && are_touched(filter);
}

/* Each window has its own frame, so a least number of 1 needs no counting. */
static void set_even(struct engine_setup *setup, const struct window *even)
{
    setup->window = *even;
    if (setup->least == 1)
        setup->least = 0;
}

int filter_plan(struct filter *filter, const gpuenv_spec *spec, gpuenv_error *error)
{
    const struct machine *machine = &filter->work.context->machine;
    struct work_size work = {.threads = work_threads(filter->work.context, spec)};
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    uint64_t room;
    int code;

    filter->groups =
        groups_of(&filter->in, filter->in.frames <= FEW_FRAMES ? FEW_FRAMES_GROUP : GROUP);
    code = spec_setup(&setup, spec, &filter->in, filter->out, (unsigned)filter->groups.channels,
                      error);
    if (code != GPUENV_OK)
        return code;
    if (filter->line.is_even)
        set_even(&setup, &filter->line.even);
    keep_samples(&setup, machine->isa, filter->out);
    kernels = cpu_kernels_pick(machine->isa, setup.value);
    block_plan(&filter->plan, &setup, kernels);
    filter->out_place = can_write_in_place(filter);
    filter->together = filter->out_place && are_together(filter);
    if (is_stateless(&(struct unit){.filter = filter, .plan = &filter->plan}) &&
        filter->out_place) { /* Without buffers, frames must not overlap. */
        const uint64_t most = min_u64(min_u64(LONG_BYTES, WINDOW_BYTES / setup.window.width),
                                      (uint64_t)filter->in.frame);

        filter->groups = groups_of(&filter->in, (size_t)most / filter->in.bytes);
        setup.channels = (unsigned)filter->groups.channels;
        block_plan(&filter->plan, &setup, kernels);
    }
    room = room_of(&filter->plan);
    setup.channels = (unsigned)(filter->in.channels % filter->groups.channels);
    if (setup.channels > 0) {
        block_plan(&filter->last_plan, &setup, kernels);
        room = max_u64(room, room_of(&filter->last_plan));
    }
    code = memory_check(filter->work.context, room, error);
    if (code != GPUENV_OK)
        return code;
    filter->past_cache = goes_past_cache(filter);
    if (filter->past_cache)
        filter->out_place = filter->together = false;
    filter->tail = piece_make(&setup.window, window_tail_first(&setup.window, filter->in.frames),
                              window_tail(&setup.window, filter->in.frames));
    work.units = filter->groups.count * filter->in.rows;
    work.frames = filter->in.frames;
    work.halo = setup.window.width - 1;
    work.least = TASK_SAMPLES / filter->groups.channels;
    work.threads =
        (unsigned)min_u64(work.threads, machine_memory(machine, room * work.threads) / room);
    filter->work.cut = cut_work(&work);
    filter->work.run = run_unit;
    filter->work.room = room;
    return GPUENV_OK;
}

/* ---- the call ---- */

static int find_nan(struct filter *filter, gpuenv_error *error)
{
    const struct strided *in = &filter->in;
    unsigned char block[4096];
    const size_t most = sizeof block / in->bytes;
    const bool looks = in->frames > 0 && sample_type_has_nan(in->sample);

    for (uint64_t row = 0; looks && row < in->rows; row++) {
        uint64_t found = in->frames; /* first frame of this row with a NaN */
        uint64_t found_channel = 0;

        for (uint64_t channel = 0; channel < in->channels; channel++) {
            for (uint64_t at = 0; at < found;) {
                size_t count = found - at < most ? (size_t)(found - at) : most;
                size_t index;

                strided_gather(in, strided_at(in, row, at, channel), count, 1, block);
                if (sample_find_nan(in->sample, block, count, &index)) {
                    found = at + index;
                    found_channel = channel;
                }
                at += count;
                work_look(&filter->work, count);
                if (filter->work.stopped != 0)
                    return work_fault(&filter->work, error);
            }
        }
        if (found == in->frames)
            continue;
        return fault_nan(error, row, found, found_channel);
    }
    return GPUENV_OK;
}

/* Reverses an array: the last of equals is the first one of an array that is read from its end. */
static void turn(struct strided *array)
{
    if (array->frames < 2) /* the distance is unused then, and may have no negative */
        return;
    array->data += (ptrdiff_t)(array->frames - 1) * array->frame;
    array->frame = -array->frame;
}

static void turn_arrays(struct filter *filter, bool last, unsigned values)
{
    if (!last)
        return;
    turn(&filter->in);
    for (unsigned i = 0; i < values; i++)
        turn(&filter->out[i]);
}

/* ---- repeated calls ---- */

/* A short call of samples without gaps. Its plan stays in the context, for calls that differ only
 * in the addresses of their arrays. */
struct kept_call {
    gpuenv_spec spec;
    gpuenv_array in;
    gpuenv_array out[GPUENV_VALUES];
    struct filter filter;
};

static unsigned char *place_of(const gpuenv_array *array)
{
    return array->out != NULL ? array->out : (unsigned char *)(uintptr_t)array->data;
}

/* Compares all but addresses and padding. */
static bool are_equal(const gpuenv_array *one, const gpuenv_array *other)
{
    const size_t from = offsetof(gpuenv_array, type);

    return one->size == sizeof *one && place_of(one) != NULL &&
           memcmp(&one->type, &other->type, offsetof(gpuenv_array, broadcast) - from) == 0 &&
           one->broadcast == other->broadcast;
}

static bool is_equal(const gpuenv_spec *one, const gpuenv_spec *other)
{
    return one->size == sizeof *one && memcmp(one, other, offsetof(gpuenv_spec, threads)) == 0 &&
           one->threads == other->threads && one->times == other->times &&
           one->closed == other->closed && one->result == other->result &&
           one->min_count == other->min_count && one->last == other->last;
}

static bool lie_apart(const struct strided *one, const struct strided *other)
{
    return one->data + one->frames * one->bytes <= other->data ||
           other->data + other->frames * other->bytes <= one->data;
}

/* Sets the addresses of a call. Returns false if the call is not the one that is kept. */
static bool is_again(struct kept_call *kept, const gpuenv_spec *spec, const gpuenv_array *in,
                     const gpuenv_array *out)
{
    struct filter *filter = &kept->filter;
    bool again = spec != NULL && in != NULL && out != NULL && is_equal(spec, &kept->spec) &&
                 are_equal(in, &kept->in);

    filter->in.data = again ? place_of(in) : NULL;
    for (unsigned i = 0; again && i < filter->plan.setup.emits.count; i++) {
        again = are_equal(&out[i], &kept->out[i]);
        filter->out[i].data = again ? place_of(&out[i]) : NULL;
        again = again && (uintptr_t)filter->out[i].data % filter->out[i].bytes == 0 &&
                lie_apart(&filter->in, &filter->out[i]);
        for (unsigned k = 0; again && k < i; k++)
            again = lie_apart(&filter->out[k], &filter->out[i]);
    }
    return again;
}

static bool is_kept(const struct filter *filter, const gpuenv_spec *spec, const gpuenv_array *in,
                    const gpuenv_array *out)
{
    const struct strided *array = &filter->in;
    bool plain = spec->size == sizeof *spec && spec->nan != GPUENV_NAN_ERROR &&
                 spec->times == NULL && in->size == sizeof *in && array->rows == 1 &&
                 array->channels == 1 && strided_is_plain(array, 1) &&
                 array->frames * array->bytes <= KEPT_BYTES && filter->work.cut.tasks == 1;

    for (unsigned i = 0; plain && i < filter->plan.setup.emits.count; i++)
        plain = out[i].size == sizeof *out && filter->out[i].frames > 1 &&
                strided_is_plain(&filter->out[i], 1) &&
                (uintptr_t)filter->out[i].data % filter->out[i].bytes == 0;
    return plain;
}

/* Keeps a call, in the memory of the one before it if there is one. */
static struct kept_call *keep_call(struct kept_call *kept, const struct filter *filter,
                                   const gpuenv_spec *spec, const gpuenv_array *in,
                                   const gpuenv_array *out)
{
    if (kept == NULL)
        kept = malloc(sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->spec = *spec;
    kept->in = *in;
    memcpy(kept->out, out, filter->plan.setup.emits.count * sizeof *out);
    kept->filter = *filter;
    return kept;
}

/* ---- any call ---- */

static int filter_any(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                      const gpuenv_array *out, struct kept_call **kept, gpuenv_error *error)
{
    struct filter filter;
    gpuenv_spec wanted;
    bool short_rows;
    bool by_time;
    int code;

    if (context == NULL)
        return REFUSE(error, "context", "is NULL");
    code = spec_read(&wanted, spec, error);
    if (code != GPUENV_OK)
        return code;
    work_begin(&filter.work, context);
    code = arrays_read(&filter.in, filter.out, &wanted, 1, in, out, error);
    if (code != GPUENV_OK || filter.in.rows == 0 || filter.in.channels == 0)
        return code;
    short_rows = rows_are_short(&wanted, &filter.in);
    turn_arrays(&filter, wanted.last != 0, wanted.values);
    filter.line.is_even = false;
    if (wanted.times != NULL)
        code = timeline_read(&filter.line, context, &wanted, filter.in.frames, error);
    by_time = wanted.times != NULL && !filter.line.is_even;
    if (code == GPUENV_OK && filter.out[0].frames > 0 && !by_time && !short_rows)
        code = filter_plan(&filter, &wanted, error);
    turn_arrays(&filter, wanted.last != 0,
                wanted.values); /* they are kept as the caller has them */
    if (code == GPUENV_OK && filter.out[0].frames > 0 && is_kept(&filter, spec, in, out))
        *kept = keep_call(*kept, &filter, spec, in, out);
    if (code == GPUENV_OK && wanted.nan == GPUENV_NAN_ERROR) {
        const uint64_t rounding = rounding_begin();

        code = find_nan(&filter, error);
        rounding_end(rounding);
    }
    turn_arrays(&filter, wanted.last != 0, wanted.values);
    if (code == GPUENV_OK && by_time)
        return times_filter(context, &wanted, &filter.line, &filter.in, filter.out, error);
    if (code == GPUENV_OK && short_rows && filter.out[0].frames > 0)
        return rows_filter(context, &wanted, &filter.in, filter.out, error);
    return code == GPUENV_OK && filter.out[0].frames > 0 ? work_run(&filter.work, error) : code;
}

int gpuenv_filter(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                  const gpuenv_array *out, gpuenv_error *error)
{
    struct kept_call *kept = context != NULL ? atomic_exchange(&context->kept, NULL) : NULL;
    int code;

    fault_clear(error);
    if (kept != NULL && is_again(kept, spec, in, out)) {
        const struct engine_setup *setup = &kept->filter.plan.setup;

        work_begin(&kept->filter.work, context);
        turn_arrays(&kept->filter, setup->backwards, setup->emits.count);
        code = work_run(&kept->filter.work, error);
        turn_arrays(&kept->filter, setup->backwards, setup->emits.count);
    } else {
        code = filter_any(context, spec, in, out, &kept, error);
    }
    if (kept != NULL)
        free(atomic_exchange(&context->kept, kept));
    return code;
}

int gpuenv_filter_at(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                     const void *in_data, const gpuenv_array *out, void *out_data, size_t step,
                     gpuenv_error *error)
{
    unsigned char *at = out_data;
    gpuenv_array from;
    gpuenv_array to[GPUENV_VALUES];

    if (array_at(&from, in, in_data, "in", error) != GPUENV_OK ||
        array_at(&to[0], out, at, "out", error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    for (unsigned i = 1; i < GPUENV_VALUES; i++) {
        to[i] = to[0];
        to[i].data = at != NULL ? at + i * step : NULL;
    }
    return gpuenv_filter(context, spec, &from, to, error);
}
