/* SPDX-License-Identifier: MIT */
/* The cpu engine: a state for each channel (cpu/block.h), and several threads per chunk where that
 * pays.
 *
 * A chunk is processed in blocks that stay in the L1 cache: decode a channel's samples, slide,
 * write the output frames. Several threads share a chunk in parts. For short windows, a part is a
 * stretch of time. Each stretch except the first has channel states of its own, which process its
 * halo first; those of the last stretch continue the stream in the next chunk. For longer windows,
 * a part is a group of channels, which keep their states. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cut.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/threads.h"
#include "cpu/block.h"
#include "cpu/engine_cpu.h"
#include "cpu/kernels.h"
#include "engine/engine.h"

/* With fewer samples of all channels, threads do not share a chunk by channels, nor in time where
 * halos are long. Some of the channels take more than their share of the time, because their
 * samples lie apart. */
enum { SHARED_SAMPLES = 1 << 18 };

/* The share of one thread in a chunk. */
struct chunk_task {
    struct engine *engine;
    unsigned char *scratch;
    unsigned set; /* index of the set of channel states */
    size_t halo;  /* frames before the stretch that are processed first */
    struct stretch stretch;
};

struct engine {
    struct block_plan plan;  /* begins with the setup */
    struct block_plan alone; /* the plan for a single channel, whose state is equal */
    uint64_t end;            /* the end of the next window */

    struct threads *threads;
    unsigned threads_most; /* the most threads to use */
    unsigned parts_most;
    unsigned char **sets; /* sets of channel states; all but the first are allocated when needed */
    unsigned char *scratch; /* scratch memory of the first part */
    unsigned char *others;  /* scratch memory of the other parts, allocated when there are any */
    struct chunk_task *parts;
};

/* ---- channel states ---- */

static uint64_t cpu_memory(const struct machine *machine, const struct engine_setup *setup)
{
    struct block_plan plan;

    block_plan(&plan, setup, cpu_kernels_pick(machine->isa, setup->value));
    return block_states_bytes(&plan);
}

static size_t set_bytes(const struct engine *engine)
{
    return (size_t)block_states_bytes(&engine->plan);
}

/* Allocates a set of channel states on a page border. On borders of other cache lines, small
 * windows are up to 5 % slower. */
static int make_set(struct engine *engine, unsigned set)
{
    if (engine->sets[set] == NULL)
        engine->sets[set] = pages_malloc(set_bytes(engine), PAGES_SMALL);
    return engine->sets[set] == NULL ? -1 : 0;
}

/* Allocates scratch memory for the other parts. It is called only when needed: a batch of small
 * files on many threads would otherwise spend much of its time on mapping and unmapping this
 * memory, which takes a lock shared by all threads. Short streams have one part. */
static int make_others(struct engine *engine)
{
    if (engine->others == NULL)
        engine->others = pages_alloc((engine->parts_most - 1) * engine->plan.scratch.bytes);
    return engine->others == NULL ? -1 : 0;
}

/* ---- the work ---- */

/* Updates the channel states with the frames just before `to`, without output. */
static void take_in(const struct engine *engine, unsigned set, unsigned char *scratch,
                    const unsigned char *frames, uint64_t to, size_t count)
{
    struct stretch stretch = {
        .frames = frames,
        .piece = piece_make(&engine->plan.setup.window, to - count, count),
        .stream_frames = to,
        .channel_end = engine->plan.setup.channels,
    };

    block_start(&engine->plan, engine->sets[set], to - count);
    block_run(&engine->plan, engine->sets[set], scratch, &stretch);
}

static void run_part(void *context, unsigned index)
{
    struct chunk_task *part = (struct chunk_task *)context + index;
    struct engine *engine = part->engine;
    struct stretch *stretch = &part->stretch;

    if (part->set > 0)
        take_in(engine, part->set, part->scratch,
                stretch->frames - part->halo * engine_in_bytes(&engine->plan.setup),
                stretch->piece.first, part->halo);
    block_run(&engine->plan, engine->sets[part->set], part->scratch, stretch);
}

/* Processes a chunk in one stretch: the windows of the plan's channels, all of them or a single
 * one. */
static void run_whole(struct engine *engine, const struct block_plan *plan, unsigned char *states,
                      const struct chunk *chunk)
{
    const bool tail = chunk->in_frames == 0;
    struct stretch stretch;

    /* Each member is set separately: clearing the struct first takes a tenth of the time of a small
     * chunk. */
    stretch.frames = tail ? NULL : chunk->in;
    stretch.gap = 0;
    stretch.stateless = false;
    stretch.piece = chunk->piece;
    stretch.stream_frames = chunk->stream_frames;
    stretch.channel_first = 0;
    stretch.channel_end = plan->setup.channels;
    emit_out_frames(&stretch.out, &plan->setup, chunk->out);
    if (tail && chunk->piece.first > engine->end)
        block_jump(plan, states, chunk->piece.first);
    block_run(plan, states, engine->scratch, &stretch);
}

/* ---- threads ---- */

/* How to cut a chunk: in time, or into groups of channels. Each group decodes all frames. */
static struct cut cut_chunk(const struct engine *engine, size_t frames)
{
    const struct engine_setup *setup = &engine->plan.setup;
    struct work_size work = {
        .units = 1,
        .frames = frames,
        .halo = setup->window.width - 1,
        .least = max_u64(TASK_SAMPLES / setup->channels, 1),
        .threads = engine->threads_most,
    };
    const bool few = (uint64_t)frames * setup->channels < SHARED_SAMPLES;
    const struct cut in_time = cut_work(&work);
    struct cut by_channel;

    work.units = setup->channels / engine->plan.state_channels;
    work.halo = CUT_NEVER;
    work.least = TASK_SAMPLES / engine->plan.state_channels;
    by_channel = cut_work(&work);
    /* The halo of the second stretch lies in the first stretch. A frame of a cut in time has all
     * channels. */
    if (in_time.tasks > 1 && frames / in_time.tasks >= setup->window.width - 1 &&
        2 * in_time.time * work.units < 3 * by_channel.time &&
        (!few || 3 * in_time.time < 2 * (uint64_t)frames))
        return in_time;
    work.threads = 1;
    return few ? cut_work(&work) : by_channel;
}

/* Allocates the scratch memory and the sets of channel states for the parts. False if memory is
 * short. */
static bool make_memory(struct engine *engine, const struct cut *cut)
{
    if (make_others(engine) != 0)
        return false;
    for (unsigned i = 1; i < cut->stretches; i++) {
        if (make_set(engine, i) != 0)
            return false;
    }
    return true;
}

static void make_part(struct engine *engine, const struct chunk *chunk, const struct cut *cut,
                      unsigned index)
{
    const struct engine_setup *setup = &engine->plan.setup;
    const struct task task = cut_task(cut, index);
    const bool in_time = cut->stretches > 1;
    const unsigned of_state = engine->plan.state_channels; /* the last unit has the rest */
    struct piece piece = piece_make(&setup->window, chunk->piece.first + task.first, task.count);
    /* The halo, rounded up: the kernels are fastest in whole vectors. */
    const uint64_t halo = (piece.halo + 63) / 64 * 64;
    struct chunk_task *part = &engine->parts[index];

    if (chunk->piece.pick.kept == 0)
        piece.pick = chunk->piece.pick;
    *part = (struct chunk_task){
        .engine = engine,
        .scratch = index == 0 ? engine->scratch
                              : engine->others + (index - 1) * engine->plan.scratch.bytes,
        .set = in_time ? index : 0,
        .halo = (size_t)min_u64(halo, task.first),
        .stretch = {.frames = chunk->in + task.first * engine_in_bytes(setup),
                    .piece = piece,
                    .stream_frames = chunk->stream_frames,
                    .channel_first = in_time ? 0 : (unsigned)task.unit * of_state,
                    .channel_end = in_time || task.unit_end == cut->units
                                       ? setup->channels
                                       : (unsigned)task.unit_end * of_state},
    };
    emit_out_frames(&part->stretch.out, setup, chunk->out);
    emit_out_skip(&part->stretch.out, setup, piece.output - chunk->piece.output);
}

static void run_parts(struct engine *engine, const struct chunk *chunk, const struct cut *cut)
{
    unsigned last;
    unsigned char *set;

    for (unsigned i = 0; i < cut->tasks; i++)
        make_part(engine, chunk, cut, i);
    threads_run(engine->threads, (unsigned)cut->tasks, cut->threads, run_part, engine->parts);
    /* The channel states that saw the end of the chunk continue the stream. */
    last = engine->parts[cut->tasks - 1].set;
    set = engine->sets[0];
    engine->sets[0] = engine->sets[last];
    engine->sets[last] = set;
}

static void run_chunk(struct engine *engine, const struct chunk *chunk)
{
    const struct cut cut = cut_chunk(engine, chunk->in_frames);

    if (cut.tasks > 1 && make_memory(engine, &cut))
        run_parts(engine, chunk, &cut);
    else
        run_whole(engine, &engine->plan, engine->sets[0], chunk);
}

/* ---- the class ---- */

static void cpu_close(struct engine *engine)
{
    for (unsigned i = 0; engine->sets != NULL && i < engine->parts_most; i++)
        free(engine->sets[i]);
    free(engine->sets);
    free(engine->parts);
    free(engine->scratch);
    pages_free(engine->others, (engine->parts_most - 1) * engine->plan.scratch.bytes);
    free(engine);
}

static void cpu_restart(struct engine *engine, uint64_t start)
{
    block_start(&engine->plan, engine->sets[0], start);
    engine->end = start;
}

static int cpu_open(const struct machine *machine, const struct engine_setup *setup, uint64_t start,
                    struct engine **engine_out, struct error *error)
{
    struct engine *engine = calloc(1, sizeof *engine);
    struct engine_setup alone = *setup;
    size_t scratch_bytes;

    if (engine == NULL || cpu_memory(machine, setup) > SIZE_MAX / 2) {
        free(engine);
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    }
    block_plan(&engine->plan, setup, cpu_kernels_pick(machine->isa, setup->value));
    alone.channels = 1;
    block_plan(&engine->alone, &alone, engine->plan.kernels);
    scratch_bytes = max_u64(engine->plan.scratch.bytes, engine->alone.scratch.bytes);
    engine->threads = machine->threads;
    engine->threads_most = machine->threads_most > 0 ? machine->threads_most : 1;
    engine->parts_most = engine->threads_most == 1 ? 1 : engine->threads_most * TASKS_A_THREAD;
    engine->sets = calloc(engine->parts_most, sizeof *engine->sets);
    engine->parts = calloc(engine->parts_most, sizeof *engine->parts);
    engine->scratch = pages_malloc(scratch_bytes, PAGES_LINE);
    if (engine->sets == NULL || engine->parts == NULL || engine->scratch == NULL ||
        make_set(engine, 0) != 0) {
        cpu_close(engine);
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    }
    if (machine->touches) {
        memset(engine->scratch, 0, scratch_bytes);
        memset(engine->sets[0], 0, set_bytes(engine));
    }
    cpu_restart(engine, start);
    *engine_out = engine;
    return 0;
}

static void cpu_describe(const struct engine *engine, char *text, size_t size)
{
    snprintf(text, size, "%s, up to %u thread%s", engine->plan.kernels->name, engine->threads_most,
             engine->threads_most == 1 ? "" : "s");
}

/* Computes at once: the threads of the pipeline overlap the work of chunks. */
static int cpu_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)error;
    if (chunk->in_frames > 0 && engine->threads_most > 1 && !chunk->alone)
        run_chunk(engine, chunk);
    else
        run_whole(engine, &engine->plan, engine->sets[0], chunk);
    engine->end = chunk->piece.first + chunk->piece.count;
    return 0;
}

bool cpu_slides_across(const struct engine *engine)
{
    return engine->plan.across != NULL;
}

void cpu_submit_channel(struct engine *engine, const struct chunk *chunk, unsigned channel)
{
    unsigned char *state = engine->sets[0] + channel * engine->plan.state_bytes;

    run_whole(engine, &engine->alone, state, chunk);
    if (channel + 1 == engine->plan.setup.channels)
        engine->end = chunk->piece.first + chunk->piece.count;
}

const struct engine_class engine_cpu = {
    .name = "cpu",
    .chunk_bytes = ENGINE_CHUNK_BYTES,
    .in_flight = 1,
    .memory = cpu_memory,
    .open = cpu_open,
    .close = cpu_close,
    .restart = cpu_restart,
    .describe = cpu_describe,
    .attach = plain_attach,
    .detach = plain_detach,
    .submit = cpu_submit,
    .collect = plain_collect,
};
