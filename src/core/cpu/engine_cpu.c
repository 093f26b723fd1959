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

#include "base/clock.h"
#include "base/pages.h"
#include "cpu/block.h"
#include "cpu/kernels.h"
#include "engine/engine.h"

enum {
    PART_SAMPLES = 1 << 15, /* a part of fewer samples costs more to hand out than to process */
    LONG_SAMPLES = 1 << 22,
    PARTS_A_THREAD = 4, /* for long chunks, so that no thread waits long for the last one */
    PACE_CHUNKS = 4,
};

/* The share of one thread in a chunk. */
struct part {
    struct engine *engine;
    struct scratch *scratch;
    unsigned set; /* of channel states */
    size_t halo;  /* frames before the stretch, to be processed first */
    struct stretch stretch;
};

/* How busy the engine was during the last chunks. */
struct pace {
    unsigned chunks;
    double busy;
    double idle;
    double last_end; /* end of the work on a chunk, by a monotonic clock; 0: none yet */
};

struct engine {
    struct block_plan plan; /* begins with the setup */
    uint64_t end;           /* of the next window */

    struct crew *crew;
    unsigned threads; /* the most to use */
    unsigned wanted;  /* how many to use now */
    unsigned parts_most;
    bool adaptive; /* `wanted` follows the need; otherwise it is set by the user */
    struct pace pace;
    unsigned char **sets;    /* of channel states; all but the first are allocated when needed */
    struct scratch *scratch; /* of the first part */
    struct scratch *others;  /* for the other parts; allocated when there are any */
    struct part *parts;
};

/* ---- channel states ---- */

static uint64_t cpu_memory(const struct machine *machine, const struct engine_setup *setup)
{
    struct block_plan plan;

    block_plan(&plan, setup, cpu_kernels_pick(machine->isa, setup->value));
    return plan.state_bytes > UINT64_MAX / setup->channels ? UINT64_MAX
                                                           : plan.state_bytes * setup->channels;
}

static size_t set_bytes(const struct engine *engine)
{
    return (size_t)engine->plan.state_bytes * engine->plan.setup.channels;
}

/* On a page: on the borders of other lines of the cache, small windows are up to 5 % slower. */
static int make_set(struct engine *engine, unsigned set)
{
    if (engine->sets[set] == NULL)
        engine->sets[set] = pages_malloc(set_bytes(engine), PAGES_SMALL);
    return engine->sets[set] == NULL ? -1 : 0;
}

/* Allocated only when needed: a batch of small files on many threads would otherwise spend much of
 * its time on mapping and unmapping scratch memory for all parts, which takes a lock shared by all
 * threads. Short streams have one part. */
static int make_others(struct engine *engine)
{
    if (engine->others == NULL)
        engine->others = pages_alloc((engine->parts_most - 1) * sizeof *engine->others);
    return engine->others == NULL ? -1 : 0;
}

/* ---- the work ---- */

/* Updates the channel states with the frames just before `to`, without output. */
static void take_in(const struct engine *engine, unsigned set, struct scratch *scratch,
                    const unsigned char *frames, uint64_t to, size_t count)
{
    const struct stretch stretch = {
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
    const struct part *part = (const struct part *)context + index;
    struct engine *engine = part->engine;
    const struct stretch *stretch = &part->stretch;

    if (part->set > 0)
        take_in(engine, part->set, part->scratch,
                stretch->frames - part->halo * engine_in_bytes(&engine->plan.setup),
                stretch->piece.first, part->halo);
    block_run(&engine->plan, engine->sets[part->set], part->scratch, stretch);
}

/* The next windows past the end of the stream. */
static void run_tail(struct engine *engine, struct chunk *chunk)
{
    const struct stretch stretch = {
        .piece = chunk->piece,
        .stream_frames = chunk->stream_frames,
        .channel_end = engine->plan.setup.channels,
        .out = emit_out_frames(&engine->plan.setup, chunk->out),
    };

    if (chunk->piece.first > engine->end)
        block_jump(&engine->plan, engine->sets[0], chunk->piece.first);
    block_run(&engine->plan, engine->sets[0], engine->scratch, &stretch);
}

/* ---- threads ---- */

/* As long as one thread keeps up with input and output, a second one costs as much as it gains.
 * Uses more threads only when the engine is the bottleneck, and fewer again when it idles. */
static void adapt(struct engine *engine, double begin, double end)
{
    struct pace *pace = &engine->pace;

    if (pace->last_end > 0) {
        pace->idle += begin - pace->last_end;
        pace->busy += end - begin;
        pace->chunks++;
    }
    pace->last_end = end;
    if (pace->chunks < PACE_CHUNKS)
        return;
    if (pace->busy > 0.9 * (pace->busy + pace->idle))
        engine->wanted =
            engine->wanted * 2 < engine->threads ? engine->wanted * 2 : engine->threads;
    else if (pace->busy < 0.4 * (pace->busy + pace->idle) && engine->wanted > 1)
        engine->wanted /= 2;
    *pace = (struct pace){.last_end = end};
}

/* The number of parts for a chunk. */
static unsigned parts_for(const struct engine *engine, size_t frames)
{
    const struct engine_setup *setup = &engine->plan.setup;
    size_t samples = frames * setup->channels;
    size_t parts = samples / PART_SAMPLES;
    /* A long chunk pays for all threads at any pace. */
    size_t threads = samples >= LONG_SAMPLES ? engine->threads : engine->wanted;
    size_t many = threads * PARTS_A_THREAD;

    if (threads == 1)
        return 1;
    /* More than one part per thread only where the costs of taking a part and of its halo are
     * negligible. */
    if (parts < 4 * many || frames / many < 16 * setup->window.width)
        many = threads;
    if (parts > many)
        parts = many;
    return parts > 1 ? (unsigned)parts : 1;
}

/* Allocates the threads, scratch memory and sets of channel states for this many parts. Returns
 * fewer parts if memory or threads are short. */
static unsigned prepare_parts(struct engine *engine, unsigned parts, bool sets)
{
    unsigned threads = crew_call(engine->crew, parts);

    if (parts > threads * PARTS_A_THREAD)
        parts = threads * PARTS_A_THREAD;
    if (threads == 1 || make_others(engine) != 0)
        return 1;
    for (unsigned i = 1; sets && i < parts; i++) {
        if (make_set(engine, i) != 0)
            return i;
    }
    return parts;
}

/* How many stretches of time, at most `parts`; 1: groups of channels are better. A stretch is at
 * least as long as its halo. Stretches pay if the halo is short, because every group of channels
 * decodes all frames again, and if stretch and halo together are well below a group's work. */
static unsigned stretches_for(const struct engine_setup *setup, size_t frames, unsigned parts)
{
    uint64_t halo = setup->window.width - 1;
    uint64_t groups = setup->channels < parts ? setup->channels : parts;
    uint64_t most = halo > 0 ? frames / halo : parts;
    uint64_t length;
    bool is_short;
    bool is_ahead;

    if (most < parts)
        parts = (unsigned)most;
    if (parts <= 1)
        return 1;
    length = frames / parts;
    is_short = halo < length / 2;
    is_ahead = length + halo < frames / groups / 5 * 4;
    return is_short || is_ahead ? parts : 1;
}

/* Makes the part, initially the whole chunk, a stretch of time: number `index` of `parts`. */
static void cut_in_time(struct part *part, unsigned index, unsigned parts)
{
    const struct engine_setup *setup = &part->engine->plan.setup;
    struct stretch *stretch = &part->stretch;
    struct piece piece = piece_part(&setup->window, &stretch->piece, index, parts);
    size_t before = (size_t)(piece.first - stretch->piece.first);
    uint64_t outputs = piece.output - stretch->piece.output;
    /* The halo, rounded up: the kernels are fastest in whole vectors. */
    size_t halo = (size_t)(piece.halo + 63) / 64 * 64;

    part->set = index;
    part->halo = halo < before ? halo : before;
    stretch->frames += before * engine_in_bytes(setup);
    emit_out_skip(&stretch->out, setup, outputs);
    stretch->piece = piece;
}

/* Cuts the chunk into parts. Returns their number. */
static unsigned cut_into_parts(struct engine *engine, const struct chunk *chunk)
{
    const struct engine_setup *setup = &engine->plan.setup;
    unsigned parts = parts_for(engine, chunk->in_frames);
    unsigned stretches = stretches_for(setup, chunk->in_frames, parts);
    bool in_time = stretches > 1;

    if (in_time)
        parts = stretches;
    else if (parts > setup->channels)
        parts = setup->channels;
    if (parts > 1)
        parts = prepare_parts(engine, parts, in_time);
    for (unsigned i = 0; i < parts; i++) {
        struct part *part = &engine->parts[i];

        *part = (struct part){
            .engine = engine,
            .scratch = i == 0 ? engine->scratch : &engine->others[i - 1],
            .stretch = {.frames = chunk->in,
                        .piece = chunk->piece,
                        .stream_frames = chunk->stream_frames,
                        .channel_end = setup->channels,
                        .out = emit_out_frames(setup, chunk->out)},
        };
        if (in_time) {
            cut_in_time(part, i, parts);
        } else {
            part->stretch.channel_first = (unsigned)((uint64_t)setup->channels * i / parts);
            part->stretch.channel_end = (unsigned)((uint64_t)setup->channels * (i + 1) / parts);
        }
    }
    return parts;
}

static void run_chunk(struct engine *engine, const struct chunk *chunk)
{
    double begin = engine->adaptive ? clock_seconds() : 0;
    unsigned parts;
    unsigned last;
    unsigned char *set;

    parts = cut_into_parts(engine, chunk);
    if (parts == 1)
        run_part(engine->parts, 0);
    else
        crew_run(engine->crew, parts, run_part, engine->parts);
    /* The channel states that saw the end of the chunk continue the stream. */
    last = engine->parts[parts - 1].set;
    set = engine->sets[0];
    engine->sets[0] = engine->sets[last];
    engine->sets[last] = set;
    if (engine->adaptive)
        adapt(engine, begin, clock_seconds());
}

/* ---- the class ---- */

static void cpu_close(struct engine *engine)
{
    for (unsigned i = 0; engine->sets != NULL && i < engine->parts_most; i++)
        free(engine->sets[i]);
    free(engine->sets);
    free(engine->parts);
    free(engine->scratch);
    pages_free(engine->others, (engine->parts_most - 1) * sizeof *engine->others);
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

    if (engine == NULL || cpu_memory(machine, setup) > SIZE_MAX / 2) {
        free(engine);
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    }
    block_plan(&engine->plan, setup, cpu_kernels_pick(machine->isa, setup->value));
    engine->crew = machine->crew;
    engine->threads = machine->threads > 0 ? machine->threads : 1;
    engine->adaptive = !machine->threads_given && engine->threads > 1;
    engine->wanted = engine->adaptive ? 1 : engine->threads;
    engine->parts_most = engine->threads == 1 ? 1 : engine->threads * PARTS_A_THREAD;
    engine->sets = calloc(engine->parts_most, sizeof *engine->sets);
    engine->parts = calloc(engine->parts_most, sizeof *engine->parts);
    engine->scratch = pages_malloc(sizeof *engine->scratch, PAGES_LINE);
    if (engine->sets == NULL || engine->parts == NULL || engine->scratch == NULL ||
        make_set(engine, 0) != 0) {
        cpu_close(engine);
        return error_system(error, ERROR_RESOURCE, "the cpu engine", ENOMEM);
    }
    cpu_restart(engine, start);
    *engine_out = engine;
    return 0;
}

static void cpu_describe(const struct engine *engine, char *text, size_t size)
{
    snprintf(text, size, "%s, up to %u thread%s", engine->plan.kernels->name, engine->threads,
             engine->threads == 1 ? "" : "s");
}

/* Synchronous: overlapping is done by the threads of the pipeline. */
static int cpu_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)error;
    if (chunk->in_frames > 0)
        run_chunk(engine, chunk);
    else
        run_tail(engine, chunk);
    engine->end = chunk->piece.first + chunk->piece.count;
    return 0;
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
