/* Positions for pictures of curves. Threads share the blocks of an array. */
#include <stdalign.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "cpu/kernels.h"
#include "lib/lib_priv.h"

struct downsample {
    struct work work;
    struct strided array;
    const struct cpu_kernels *kernels;
    uint64_t blocks; /* of a channel */
    int64_t *positions;
};

/* The memory of a task. */
struct downsample_room {
    alignas(64) unsigned char raw[FIRST_MOST * 16];
    alignas(64) unsigned char values[FIRST_MOST * sizeof(double)];
};

/* Types whose samples are compared as they are in memory have a kind of values of their own. */
static enum value_kind kind_of(struct sample_type sample)
{
    for (enum value_kind kind = VALUE_F32; kind < VALUE_KINDS; kind++) {
        if (kind != VALUE_U64 && kind != VALUE_FRAME && sample_type_is_native(sample, kind))
            return kind;
    }
    return sample_type_value(sample);
}

/* The frame at which a block begins: blocks are cut, and rounded, as by tsdownsample. */
static uint64_t begin_of(const struct downsample *work, uint64_t block)
{
    const uint64_t frames = work->array.frames;
    const double length = (double)(frames - 1) / (double)work->blocks;

    return block == 0 ? 0 : min_u64((uint64_t)(length * (double)block) + 1, frames);
}

static const void *samples_at(const struct downsample *work, struct downsample_room *room,
                              const unsigned char *at, size_t count)
{
    const struct strided *array = &work->array;
    const enum value_kind kind = work->kernels->kind;
    const bool is_native = sample_type_is_native(array->sample, kind);

    if (!strided_is_plain(array, 1) || (uintptr_t)at % value_bytes(kind) != 0) {
        strided_gather(array, at, count, 1, room->raw);
        at = room->raw;
    }
    if (is_native)
        return at;
    work->kernels->decode(array->sample, at, room->values, count);
    return room->values;
}

/* Where all samples are NaN, both positions are the first one. */
static void find_extremes(const struct downsample *work, struct downsample_room *room,
                          uint64_t channel, uint64_t block, int64_t *positions)
{
    const struct strided *array = &work->array;
    const struct cpu_kernels *kernels = work->kernels;
    const uint64_t begin = begin_of(work, block);
    const uint64_t end = begin_of(work, block + 1);
    struct extremes best = {INT64_MAX, INT64_MIN};
    uint64_t low_at = begin;
    uint64_t high_at = begin;

    for (uint64_t from = begin; from < end; from += FIRST_MOST) {
        const size_t count = (size_t)min_u64(FIRST_MOST, end - from);
        const void *samples = samples_at(
            work, room,
            strided_at(array, channel / array->channels, from, channel % array->channels), count);
        size_t at[2];
        const struct extremes found = kernels->first(samples, count, at);

        if (found.low <= found.high && found.low < best.low) {
            best.low = found.low;
            low_at = from + at[0];
        }
        if (found.low <= found.high && found.high > best.high) {
            best.high = found.high;
            high_at = from + at[1];
        }
    }
    positions[0] = (int64_t)min_u64(low_at, high_at);
    positions[1] = (int64_t)max_u64(low_at, high_at);
}

/* A unit is a block of a channel. */
static void do_block(struct work *work, void *room, uint64_t unit, const struct task *task)
{
    const struct downsample *all = (const struct downsample *)work;
    const uint64_t channel = unit / all->blocks;
    const uint64_t block = unit % all->blocks;

    (void)task;
    find_extremes(all, room, channel, block, all->positions + 2 * unit);
    work_look(work, begin_of(all, block + 1) - begin_of(all, block));
}

/* Gives all positions of an array that has no more frames than are wanted. */
static void give_all(const struct strided *array, uint64_t count, int64_t *positions)
{
    for (uint64_t i = 0; i < array->rows * array->channels; i++) {
        for (uint64_t k = 0; k < array->frames; k++)
            positions[i * count + k] = (int64_t)k;
    }
}

int gpuenv_downsample(gpuenv_context *context, const gpuenv_array *array, uint64_t count,
                      int64_t *positions, gpuenv_error *error)
{
    struct downsample all = {.blocks = count / 2, .positions = positions};
    struct work_size size = {.halo = CUT_NEVER, .least = TASK_SAMPLES};
    int code;

    fault_clear(error);
    if (context == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "context", "is NULL");
    if (count == 0 || count % 2 != 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "count", "must be even, 2 or more");
    code = strided_read(&all.array, array, false, "array", error);
    if (code != GPUENV_OK)
        return code;
    size.units = all.array.rows * all.array.channels;
    if (size.units == 0 || all.array.frames == 0)
        return GPUENV_OK;
    if (positions == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "positions", "is NULL");
    if (all.array.frames <= count) {
        give_all(&all.array, count, positions);
        return GPUENV_OK;
    }
    all.kernels = cpu_kernels_pick(context->machine.isa, kind_of(all.array.sample));
    work_begin(&all.work, context);
    size.units *= all.blocks;
    size.frames = begin_of(&all, 1);
    size.threads = context->machine.threads_most;
    all.work.cut = cut_work(&size);
    all.work.run = do_block;
    all.work.room = sizeof(struct downsample_room);
    return work_run(&all.work, error);
}
