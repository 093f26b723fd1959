/* The sequential reference as an engine: a filter of window/lemire for each channel, plain
 * conversions, no threads. `--algorithm lemire` runs it, to check the other engines with cmp. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/emit.h"
#include "engine/engine.h"
#include "window/lemire.h"

enum { BLOCK = 1024 };

struct engine {
    struct engine_setup setup;
    struct lemire **filters; /* one a channel */
    uint64_t end;            /* of the next window */
    uint64_t frames;         /* in the stream so far */
    float samples[BLOCK];
    float low[BLOCK];
    float high[BLOCK];
};

static uint64_t reference_memory(const struct engine_setup *setup)
{
    uint64_t bytes = lemire_bytes(setup->window.width);

    return bytes > UINT64_MAX / setup->channels ? UINT64_MAX : bytes * setup->channels;
}

static void reference_close(struct engine *engine)
{
    for (unsigned i = 0; engine->filters != NULL && i < engine->setup.channels; i++)
        lemire_close(engine->filters[i]);
    free(engine->filters);
    free(engine);
}

/* Takes in `count` frames, or that many windows past the end for NULL. `out` NULL: no output. */
static void reference_run(struct engine *engine, const unsigned char *frames, size_t count,
                          float *out)
{
    const struct engine_setup *setup = &engine->setup;
    size_t sample_bytes = sample_type_bytes(setup->sample);

    while (count > 0) {
        size_t block = count < BLOCK ? count : BLOCK;
        struct emit_run run;

        if (frames != NULL)
            engine->frames += block;
        emit_begin(&run, setup, engine->end, block, engine->frames, out);
        for (unsigned channel = 0; channel < setup->channels; channel++) {
            struct lemire *filter = engine->filters[channel];

            if (frames != NULL) {
                sample_decode_strided(setup->sample, frames + channel * sample_bytes,
                                      setup->channels, engine->samples, block);
                lemire_feed(filter, engine->samples, block, engine->low, engine->high);
            } else {
                lemire_drain(filter, block, engine->low, engine->high);
            }
            if (out != NULL)
                emit_channel(&run, channel, engine->low, engine->high);
        }
        engine->end += block;
        if (frames != NULL)
            frames += block * engine_in_bytes(setup);
        out = run.out_end;
        count -= block;
    }
}

static int reference_open(const struct engine_setup *setup, struct engine **engine_out,
                          struct error *error)
{
    struct engine *engine = calloc(1, sizeof *engine);

    if (engine == NULL)
        return error_system(error, "the reference engine", ENOMEM);
    engine->setup = *setup;
    engine->frames = setup->first_frame - setup->history_frames;
    engine->end = engine->frames;
    engine->filters = calloc(setup->channels, sizeof *engine->filters);
    for (unsigned i = 0; engine->filters != NULL && i < setup->channels; i++) {
        engine->filters[i] = lemire_open(setup->window.width, setup->nan);
        if (engine->filters[i] == NULL)
            goto error;
    }
    if (engine->filters == NULL)
        goto error;
    if (setup->history_frames > 0)
        reference_run(engine, setup->history, setup->history_frames, NULL);
    *engine_out = engine;
    return 0;

error:
    reference_close(engine);
    return error_system(error, "the reference engine", ENOMEM);
}

static void reference_describe(const struct engine *engine, char *text, size_t size)
{
    (void)engine;
    snprintf(text, size, "sequential reference");
}

static unsigned reference_chunks_in_flight(const struct engine *engine)
{
    (void)engine;
    return 1;
}

static int reference_attach(struct engine *engine, struct chunk *chunk, struct error *error)
{
    return engine_attach_plain(&engine->setup, chunk, error);
}

static void reference_detach(struct engine *engine, struct chunk *chunk)
{
    engine_detach_plain(&engine->setup, chunk);
}

static int reference_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    bool tail = chunk->tail > 0;
    size_t count = tail ? chunk->tail : chunk->in_frames;
    uint64_t first = tail ? window_tail_first(&engine->setup.window, engine->end) : engine->end;

    (void)error;
    for (unsigned i = 0; first > engine->end && i < engine->setup.channels; i++)
        lemire_pass(engine->filters[i], first - engine->end);
    engine->end = first;
    chunk->out_frames = (size_t)window_pick(&engine->setup.window, engine->end, count).kept;
    reference_run(engine, tail ? NULL : chunk->in, count, chunk->out);
    return 0;
}

static int reference_collect(struct engine *engine, struct chunk *chunk, struct error *error)
{
    (void)engine;
    (void)chunk;
    (void)error;
    return 0;
}

const struct engine_class engine_lemire = {
    .name = "lemire",
    .memory = reference_memory,
    .open = reference_open,
    .close = reference_close,
    .describe = reference_describe,
    .chunks_in_flight = reference_chunks_in_flight,
    .attach = reference_attach,
    .detach = reference_detach,
    .submit = reference_submit,
    .collect = reference_collect,
};
