/* SPDX-License-Identifier: MIT */
/* Arrays of short rows. To begin a row costs more than to process it, so many rows become one
 * stream of a single channel, which is filtered without a stop. Windows that cover parts of two
 * rows are skipped when results are put in their places. Where windows are cut at the ends of a
 * row, the stream repeats the first and last sample of the row: that does not change the extremes
 * of windows, which contain these samples anyway. */
#include <stdalign.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "cpu/block.h"
#include "lib/lib_priv.h"

enum {
    BATCH_SAMPLES = 2048, /* samples of the rows that make a stream */
    BATCH_ROWS = 4,       /* a stream has at least so many rows */
};

struct rows {
    struct work work;
    struct block_plan plan;
    struct strided in;
    struct strided out[EMIT_KINDS];
    uint64_t before; /* how often the first sample of a row is repeated */
    uint64_t behind; /* how often the last sample of a row is repeated */
    uint64_t hop;
    uint64_t batch; /* rows of a stream */
};

struct rows_room {
    unsigned char raw[BATCH_SAMPLES * 16];
    unsigned char values[EMIT_KINDS][BATCH_SAMPLES * 8];
    unsigned char results[BATCH_SAMPLES * 8];
    alignas(64) unsigned char memory[]; /* scratch memory, then a channel state */
};

/* Sets how far windows reach over the ends of their row. */
static void find_reach(const gpuenv_spec *spec, uint64_t frames, uint64_t *before, uint64_t *behind)
{
    struct window window;

    window_init(&window, spec->width, 1, (enum window_align)spec->align, EDGE_SHRINK);
    *before = min_u64(spec->width - 1 - window.after, frames - 1);
    *behind = min_u64(window.after, frames - 1);
    if (spec->align == GPUENV_ALIGN_VALID)
        *before = *behind = 0;
}

bool rows_are_short(const gpuenv_spec *spec, const struct strided *in)
{
    uint64_t before;
    uint64_t behind;

    if (in->channels != 1 || in->rows < BATCH_ROWS || in->frames == 0 ||
        in->frames > BATCH_SAMPLES / BATCH_ROWS || spec->times != NULL || spec->min_count > 1 ||
        spec->last != 0 || (spec->edge == GPUENV_EDGE_NAN && spec->align != GPUENV_ALIGN_VALID))
        return false;
    for (unsigned i = 0; i < spec->values; i++) {
        if (!emit_is_of_extremes((enum emit)spec->value[i]))
            return false;
    }
    find_reach(spec, in->frames, &before, &behind);
    return before + in->frames + behind <= BATCH_SAMPLES / BATCH_ROWS;
}

/* Makes the samples of a stream, with those that are repeated. */
static const unsigned char *stream_of(const struct rows *rows, uint64_t first, uint64_t count,
                                      unsigned char *raw)
{
    const struct strided *in = &rows->in;
    const ptrdiff_t bytes = (ptrdiff_t)in->bytes;
    const unsigned char *at = strided_at(in, first, 0, 0);
    unsigned char *to = raw;

    if (rows->before + rows->behind == 0 && in->frame == bytes &&
        in->row == bytes * (ptrdiff_t)in->frames)
        return at;
    for (uint64_t i = 0; i < count; i++, at += in->row) {
        const unsigned char *last = at + (ptrdiff_t)(in->frames - 1) * in->frame;

        strided_copy(at, 0, to, bytes, rows->before, in->bytes);
        to += rows->before * in->bytes;
        strided_copy(at, in->frame, to, bytes, in->frames, in->bytes);
        to += in->frames * in->bytes;
        strided_copy(last, 0, to, bytes, rows->behind, in->bytes);
        to += rows->behind * in->bytes;
    }
    return raw;
}

/* Puts the results of rows in their places. Results of one row are `step` bytes apart, and those of
 * neighbouring rows `row` bytes. */
static void put_rows(const struct strided *to, uint64_t first, uint64_t count,
                     const unsigned char *from, size_t row, size_t step)
{
    unsigned char *at = strided_at(to, first, 0, 0);

    for (uint64_t i = 0; to->frames <= 8 && i < to->frames; i++)
        strided_copy(from + i * step, (ptrdiff_t)row, at + (ptrdiff_t)i * to->frame, to->row, count,
                     to->bytes);
    for (uint64_t i = 0; to->frames > 8 && i < count; i++)
        strided_copy(from + i * row, (ptrdiff_t)step, at + (ptrdiff_t)i * to->row, to->frame,
                     to->frames, to->bytes);
}

static void run_batch(struct work *work, void *memory, uint64_t index, const struct task *task)
{
    struct rows *rows = (struct rows *)work;
    struct rows_room *room = memory;
    const struct engine_setup *setup = &rows->plan.setup;
    const uint64_t first = index * rows->batch;
    const uint64_t count = min_u64(rows->batch, rows->in.rows - first);
    const uint64_t length = rows->before + rows->in.frames + rows->behind;
    struct stretch stretch = {
        .frames = stream_of(rows, first, count, room->raw),
        .piece = piece_make(&setup->window, 0, count * length),
        .stream_frames = count * length,
        .channel_end = 1,
        .out = {.frame = 1, .channel = 1},
    };

    (void)task;
    for (unsigned i = 0; i < setup->emits.count; i++)
        stretch.out.item[i] = room->values[i];
    block_start(&rows->plan, room->memory + rows->plan.scratch.bytes, 0);
    block_run(&rows->plan, room->memory + rows->plan.scratch.bytes, room->memory, &stretch);
    for (unsigned i = 0; i < setup->emits.count; i++) {
        const struct strided *to = &rows->out[i];
        const unsigned char *from = sample_encoded(to->sample, setup->results[i], room->values[i],
                                                   room->results, count * length);

        /* The first windows are incomplete: the first whole one ends at frame width - 1. */
        put_rows(to, first, count, from + (setup->window.width - 1) * to->bytes, length * to->bytes,
                 rows->hop * to->bytes);
    }
    work_look(work, count * length);
}

void keep_samples(struct engine_setup *setup, const char *isa,
                  const struct strided out[GPUENV_VALUES])
{
    const struct sample_type first = out[0].sample;

    for (unsigned i = 1; i < setup->emits.count; i++) {
        if (out[i].sample.kind != first.kind || out[i].sample.big_endian != first.big_endian)
            return;
    }
    block_keep_samples(setup, isa, first);
}

int rows_filter(gpuenv_context *context, const gpuenv_spec *spec, const struct strided *in,
                const struct strided out[GPUENV_VALUES], gpuenv_error *error)
{
    const struct machine *machine = &context->machine;
    struct rows rows = {.in = *in, .hop = spec->hop};
    struct work_size work = {.threads = work_threads(context, spec), .halo = CUT_NEVER};
    struct engine_setup setup;
    gpuenv_spec stream = *spec;
    uint64_t length;
    int code;

    work_begin(&rows.work, context);
    find_reach(spec, in->frames, &rows.before, &rows.behind);
    length = rows.before + in->frames + rows.behind;
    if (spec->align != GPUENV_ALIGN_VALID)
        stream.width = rows.before + rows.behind + 1;
    stream.align = GPUENV_ALIGN_CAUSAL;
    stream.edge = GPUENV_EDGE_SHRINK;
    stream.hop = 1;
    code = spec_setup(&setup, &stream, in, out, 1, error);
    if (code != GPUENV_OK)
        return code;
    keep_samples(&setup, machine->isa, out);
    for (unsigned i = 0; i < spec->values; i++)
        rows.out[i] = out[i];
    block_plan(&rows.plan, &setup, cpu_kernels_pick(machine->isa, setup.value));
    rows.batch = BATCH_SAMPLES / length;
    work.units = (in->rows - 1) / rows.batch + 1;
    work.frames = rows.batch * length;
    work.least = TASK_SAMPLES;
    rows.work.cut = cut_work(&work);
    rows.work.run = run_batch;
    rows.work.room =
        sizeof(struct rows_room) + rows.plan.scratch.bytes + block_states_bytes(&rows.plan);
    return work_run(&rows.work, error);
}
