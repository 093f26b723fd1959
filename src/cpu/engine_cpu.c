/* The cpu engine: one slider a channel, and several threads for a chunk where that pays.
 *
 * A chunk is worked on in blocks that stay in the first cache: convert a channel's samples,
 * slide, write the output frames. For threads a chunk is cut into parts. Where the window is short
 * beside the chunk, the parts are stretches of time: each but the first has a slider set of its
 * own that takes in the width-1 frames before the stretch, and the last set carries the stream on
 * to the next chunk. Else the parts are groups of channels, each on the sliders that it always has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pages.h"
#include "cpu/crew.h"
#include "cpu/kernels.h"
#include "engine/emit.h"
#include "engine/engine.h"

enum {
    BLOCK = 2048,           /* frames; three planes of floats fill half a first-level cache */
    PART_SAMPLES = 1 << 15, /* a part of fewer samples costs more to hand out than to do */
    THREADS_MOST = 256,
};

/* What one part of the work has for itself. */
struct bench {
    float samples[BLOCK];
    float low[BLOCK];
    float high[BLOCK];
};

struct part {
    struct engine *engine;
    struct bench *bench;
    unsigned set; /* of sliders */
    unsigned channel_first;
    unsigned channel_end;
    size_t begin; /* the stretch of the chunk */
    size_t end;
    size_t halo; /* frames before the stretch, to be taken in first */
    float *out;
};

struct engine {
    struct engine_setup setup;
    const struct cpu_kernels *kernels;
    unsigned sides;
    bool plain_pairs;    /* mono float32 in, min,max of every frame out */
    size_t slider_bytes; /* from one slider to the next */

    uint64_t frames; /* of the stream, so far */
    uint64_t end;    /* of the next window */

    unsigned threads; /* the most to use */
    struct crew *crew;
    const struct chunk *chunk; /* the one being worked on */
    unsigned char **sets;      /* `threads` of them, all but the first made when needed */
    struct bench *benches;     /* likewise */
    struct part parts[THREADS_MOST];
};

static struct slider *slider_of(const struct engine *engine, unsigned set, unsigned channel)
{
    return (struct slider *)(void *)(engine->sets[set] + channel * engine->slider_bytes);
}

static unsigned sides_of(const struct emit_list *emits)
{
    unsigned sides = 0;

    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN)
            sides |= SLIDER_LOW;
        else if (emits->item[i] == EMIT_MAX)
            sides |= SLIDER_HIGH;
        else
            sides |= SLIDER_BOTH;
    }
    return sides;
}

/* Bytes of one slider, rounded up to where the next may begin. UINT64_MAX: too many. */
static uint64_t slider_room(const struct cpu_kernels *kernels, const struct engine_setup *setup)
{
    uint64_t bytes = kernels->slider_bytes(setup->window.width, sides_of(&setup->emits));

    return bytes > UINT64_MAX - 63 ? UINT64_MAX : (bytes + 63) / 64 * 64;
}

static uint64_t cpu_memory(const struct engine_setup *setup)
{
    const struct cpu_kernels *kernels = cpu_kernels_pick(setup->isa);
    uint64_t room = kernels == NULL ? 0 : slider_room(kernels, setup);

    return room > UINT64_MAX / setup->channels ? UINT64_MAX : room * setup->channels;
}

static size_t set_bytes(const struct engine *engine)
{
    return engine->slider_bytes * engine->setup.channels;
}

static int make_set(struct engine *engine, unsigned set)
{
    if (engine->sets[set] == NULL)
        engine->sets[set] = pages_alloc(set_bytes(engine));
    return engine->sets[set] == NULL ? -1 : 0;
}

static void start_sliders(struct engine *engine, unsigned set)
{
    for (unsigned i = 0; i < engine->setup.channels; i++)
        engine->kernels->slider_init(slider_of(engine, set, i), engine->setup.window.width,
                                     engine->sides, engine->setup.nan);
}

/* One channel of `count` frames as float32: in place if that is what they are, else converted. */
static const float *channel_samples(const struct engine *engine, struct bench *bench,
                                    const unsigned char *frames, unsigned channel, size_t count)
{
    const struct engine_setup *setup = &engine->setup;

    if (setup->channels == 1 && sample_type_is_native(setup->sample) &&
        (uintptr_t)frames % sizeof(float) == 0)
        return (const float *)(const void *)frames;
    sample_decode_strided(setup->sample, frames + channel * sample_type_bytes(setup->sample),
                          setup->channels, bench->samples, count);
    return bench->samples;
}

/* Takes frames into the sliders of a part, without output. */
static void take_in(const struct part *part, const unsigned char *frames, size_t count)
{
    const struct engine *engine = part->engine;

    while (count > 0) {
        size_t block = count < BLOCK ? count : BLOCK;

        for (unsigned i = part->channel_first; i < part->channel_end; i++)
            engine->kernels->slide(slider_of(engine, part->set, i),
                                   channel_samples(engine, part->bench, frames, i, block), block,
                                   NULL, NULL);
        frames += block * engine_in_bytes(&engine->setup);
        count -= block;
    }
}

static void filter_part(void *context, unsigned index)
{
    const struct part *part = (const struct part *)context + index;
    struct engine *engine = part->engine;
    const struct engine_setup *setup = &engine->setup;
    struct bench *bench = part->bench;
    size_t frame_bytes = engine_in_bytes(setup);
    float *out = part->out;

    if (part->halo > 0) {
        start_sliders(engine, part->set);
        take_in(part, engine->chunk->in + (part->begin - part->halo) * frame_bytes, part->halo);
    }
    for (size_t at = part->begin; at < part->end; at += BLOCK) {
        size_t block = part->end - at < BLOCK ? part->end - at : BLOCK;
        const unsigned char *frames = engine->chunk->in + at * frame_bytes;
        struct emit_run run;

        emit_begin(&run, setup, engine->end + at, block, engine->frames, out);
        for (unsigned i = part->channel_first; i < part->channel_end; i++) {
            struct slider *slider = slider_of(engine, part->set, i);
            const float *samples = channel_samples(engine, bench, frames, i, block);

            if (engine->plain_pairs && run.kept == block) {
                engine->kernels->slide_pairs(slider, samples, block, out);
                emit_cut(&run, i);
            } else if (run.kept == 0) {
                engine->kernels->slide(slider, samples, block, NULL, NULL);
            } else {
                engine->kernels->slide(slider, samples, block, bench->low, bench->high);
                emit_channel(&run, i, bench->low, bench->high);
            }
        }
        out = run.out_end;
    }
}

/* The next windows past the end of the stream. */
static float *filter_tail(struct engine *engine, size_t count, float *out)
{
    struct bench *bench = engine->benches;

    while (count > 0) {
        size_t block = count < BLOCK ? count : BLOCK;
        struct emit_run run;

        emit_begin(&run, &engine->setup, engine->end, block, engine->frames, out);
        for (unsigned i = 0; i < engine->setup.channels; i++) {
            engine->kernels->slide_missing(slider_of(engine, 0, i), block, bench->low, bench->high);
            emit_channel(&run, i, bench->low, bench->high);
        }
        out = run.out_end;
        engine->end += block;
        count -= block;
    }
    return out;
}

/* Into how many parts is a chunk cut? */
static unsigned parts_for(const struct engine *engine, size_t frames)
{
    size_t parts = frames * engine->setup.channels / PART_SAMPLES;

    if (parts > engine->threads)
        parts = engine->threads;
    return parts > 1 ? (unsigned)parts : 1;
}

/* The crew, the slider sets and the benches for this many parts. Less is there when memory or
 * threads are short: then the chunk gets fewer parts. */
static unsigned man_parts(struct engine *engine, unsigned parts, bool sets)
{
    if (engine->crew == NULL)
        engine->crew = crew_open(engine->threads);
    if (engine->crew == NULL)
        return 1;
    if (parts > crew_size(engine->crew))
        parts = crew_size(engine->crew);
    for (unsigned i = 1; sets && i < parts; i++) {
        if (make_set(engine, i) != 0)
            return i;
    }
    return parts;
}

/* Cuts the chunk's `frames` into parts. Returns how many. */
static unsigned cut_into_parts(struct engine *engine, size_t frames, float *out)
{
    const struct engine_setup *setup = &engine->setup;
    const struct part whole = {
        .engine = engine,
        .bench = engine->benches,
        .channel_end = setup->channels,
        .end = frames,
        .out = out,
    };
    unsigned parts = parts_for(engine, frames);
    /* A stretch pays when what it takes in first is short beside it. */
    bool in_time = parts > 1 && (setup->window.width - 1) < frames / parts / 2;

    if (!in_time && parts > setup->channels)
        parts = setup->channels;
    if (parts > 1)
        parts = man_parts(engine, parts, in_time);
    for (unsigned i = 0; i < parts; i++) {
        struct part *part = &engine->parts[i];

        *part = whole;
        part->bench = &engine->benches[i];
        if (in_time) {
            uint64_t kept;

            part->begin = frames / parts * i;
            part->end = i + 1 == parts ? frames : frames / parts * (i + 1);
            part->set = i;
            part->halo = i == 0 ? 0 : (size_t)setup->window.width - 1;
            kept = window_pick(&setup->window, engine->end, part->begin).kept;
            part->out = out + (size_t)kept * setup->emits.count * setup->channels;
        } else {
            part->channel_first = (unsigned)((uint64_t)setup->channels * i / parts);
            part->channel_end = (unsigned)((uint64_t)setup->channels * (i + 1) / parts);
        }
        /* A stretch that takes in nothing still starts its own sliders. */
        if (in_time && i > 0 && part->halo == 0)
            start_sliders(engine, i);
    }
    return parts;
}

static void filter_chunk(struct engine *engine, const struct chunk *chunk)
{
    unsigned parts;

    engine->chunk = chunk;
    engine->frames += chunk->in_frames;
    parts = cut_into_parts(engine, chunk->in_frames, chunk->out);
    if (parts == 1)
        filter_part(engine->parts, 0);
    else
        crew_run(engine->crew, parts, filter_part, engine->parts);
    if (engine->parts[parts - 1].set != 0) {
        unsigned last = engine->parts[parts - 1].set;
        unsigned char *set = engine->sets[0];

        engine->sets[0] = engine->sets[last];
        engine->sets[last] = set;
    }
    engine->end += chunk->in_frames;
}

static void cpu_close(struct engine *engine)
{
    crew_close(engine->crew);
    for (unsigned i = 0; engine->sets != NULL && i < engine->threads; i++)
        pages_free(engine->sets[i], set_bytes(engine));
    free(engine->sets);
    pages_free(engine->benches, engine->threads * sizeof *engine->benches);
    free(engine);
}

static unsigned most_threads(const struct engine_setup *setup)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = setup->threads;

    if (threads == 0)
        threads = online > 0 ? (unsigned)online : 1;
    return threads < THREADS_MOST ? threads : THREADS_MOST;
}

static int cpu_open(const struct engine_setup *setup, struct engine **engine_out,
                    struct error *error)
{
    uint64_t bytes = cpu_memory(setup);
    struct engine *engine = calloc(1, sizeof *engine);

    if (engine == NULL || bytes > SIZE_MAX / 2) {
        free(engine);
        return error_system(error, "the cpu engine", ENOMEM);
    }
    engine->setup = *setup;
    engine->kernels = cpu_kernels_pick(setup->isa);
    engine->sides = sides_of(&setup->emits);
    engine->slider_bytes = (size_t)slider_room(engine->kernels, setup);
    engine->plain_pairs = setup->channels == 1 && setup->emits.count == 2 &&
                          setup->emits.item[0] == EMIT_MIN && setup->emits.item[1] == EMIT_MAX;
    engine->frames = setup->first_frame - setup->history_frames;
    engine->end = engine->frames;
    engine->threads = most_threads(setup);
    engine->sets = calloc(engine->threads, sizeof *engine->sets);
    engine->benches = pages_alloc(engine->threads * sizeof *engine->benches);
    if (engine->sets == NULL || engine->benches == NULL || make_set(engine, 0) != 0) {
        cpu_close(engine);
        return error_system(error, "the cpu engine", ENOMEM);
    }
    start_sliders(engine, 0);
    if (setup->history_frames > 0) {
        const struct part all = {
            .engine = engine,
            .bench = engine->benches,
            .channel_end = setup->channels,
        };

        take_in(&all, setup->history, setup->history_frames);
        engine->frames += setup->history_frames;
        engine->end = engine->frames;
    }
    *engine_out = engine;
    return 0;
}

static void cpu_describe(const struct engine *engine, char *text, size_t size)
{
    snprintf(text, size, "%s, up to %u thread%s", engine->kernels->name, engine->threads,
             engine->threads == 1 ? "" : "s");
}

/* submit() does the work there and then: the threads that overlap are the pipeline's. */
static unsigned cpu_chunks_in_flight(const struct engine *engine)
{
    (void)engine;
    return 1;
}

static int cpu_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    return engine_attach_plain(&engine->setup, chunk, error);
}

static void cpu_detach(struct engine *engine, struct chunk *chunk)
{
    engine_detach_plain(&engine->setup, chunk);
}

static int cpu_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)error;
    if (chunk->tail > 0) {
        const float *end = filter_tail(engine, chunk->tail, chunk->out);

        chunk->out_frames =
            (size_t)(end - chunk->out) / (engine->setup.emits.count * engine->setup.channels);
    } else {
        chunk->out_frames =
            (size_t)window_pick(&engine->setup.window, engine->end, chunk->in_frames).kept;
        filter_chunk(engine, chunk);
    }
    return 0;
}

static int cpu_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)engine;
    (void)chunk;
    (void)error;
    return 0;
}

const struct engine_class engine_cpu = {
    .name = "cpu",
    .memory = cpu_memory,
    .open = cpu_open,
    .close = cpu_close,
    .describe = cpu_describe,
    .chunks_in_flight = cpu_chunks_in_flight,
    .attach = cpu_attach,
    .detach = cpu_detach,
    .submit = cpu_submit,
    .collect = cpu_collect,
};
