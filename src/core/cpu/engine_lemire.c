/* SPDX-License-Identifier: MIT */
/* The sequential reference as an engine: one filter of window/lemire per channel, plain
 * conversions, no threads. One tally per channel gives the values made of sums. Use `--algorithm
 * lemire` to check the other engines with cmp. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu/tally.h"
#include "engine/emit.h"
#include "engine/engine.h"
#include "window/lemire.h"

enum { BLOCK = 1024 };

struct engine {
    struct engine_setup setup;
    struct lemire **filters; /* one per channel; none where there are tallies */
    unsigned char *tallies;  /* one per channel; may be NULL */
    struct channel_samples of;
    uint64_t end;            /* the end of the next window */
    uint64_t samples[BLOCK]; /* values of any kind */
    uint64_t low[BLOCK];
    uint64_t high[BLOCK];
    int64_t low_at[BLOCK];
    int64_t high_at[BLOCK];
    uint64_t start; /* the frame of the input at which the filters began */
};

static uint64_t reference_memory(const struct machine *machine, const struct engine_setup *setup)
{
    uint64_t bytes = emits_need_sums(&setup->emits)
                         ? tally_bytes(&setup->window)
                         : lemire_bytes(setup->window.width, setup->value);

    (void)machine;
    return bytes > UINT64_MAX / setup->channels ? UINT64_MAX : bytes * setup->channels;
}

static struct tally *tally_of(const struct engine *engine, unsigned channel)
{
    return (struct tally *)(void *)(engine->tallies + channel * tally_bytes(&engine->setup.window));
}

static void reference_close(struct engine *engine)
{
    for (unsigned i = 0; engine->filters != NULL && i < engine->setup.channels; i++)
        lemire_close(engine->filters[i]);
    free(engine->filters);
    free(engine->tallies);
    free(engine);
}

/* Passes samples, or windows past the end, one by one through the filter, and asks it where the
 * extremes are. */
static void find_positions(struct engine *engine, struct lemire *filter, bool past_end,
                           size_t count)
{
    const size_t bytes = value_bytes(engine->setup.value);

    for (size_t i = 0; i < count; i++) {
        unsigned char *low = (unsigned char *)engine->low + i * bytes;
        unsigned char *high = (unsigned char *)engine->high + i * bytes;
        struct lemire_frames frames;

        if (past_end)
            lemire_drain(filter, 1, low, high);
        else
            lemire_feed(filter, (unsigned char *)engine->samples + i * bytes, 1, low, high);
        frames = lemire_frames(filter);
        engine->low_at[i] = (int64_t)(engine->start + frames.low);
        engine->high_at[i] = (int64_t)(engine->start + frames.high);
    }
}

/* Passes a block of one channel through its filter, and writes its windows if there is a place for
 * them. `raw` is its first sample, or NULL for a block past the end of the stream. */
static void run_channel(struct engine *engine, unsigned channel, const struct emit_run *run,
                        const unsigned char *raw, size_t count)
{
    const struct engine_setup *setup = &engine->setup;
    const enum value_kind kind = engine->tallies != NULL ? engine->of.kernels->kind : setup->value;
    const struct emit_windows windows = {engine->low, engine->high, engine->low_at,
                                         engine->high_at};
    const bool written = run->out->item[0] != NULL;
    struct lemire *filter = engine->filters[channel];

    if (raw != NULL)
        sample_decode_strided(setup->sample, kind, raw, setup->channels, engine->samples, count);
    if (engine->tallies != NULL)
        tally_run(tally_of(engine, channel), &engine->of, setup,
                  raw != NULL ? engine->samples : NULL, count, run->out, channel);
    else if (emits_positions(&setup->emits) > 0)
        find_positions(engine, filter, raw == NULL, count);
    else if (raw != NULL)
        lemire_feed(filter, engine->samples, count, engine->low, engine->high);
    else
        lemire_drain(filter, count, engine->low, engine->high);
    if (written && engine->tallies != NULL)
        emit_cut(run, channel);
    else if (written)
        emit_channel(run, channel, &windows);
}

/* Processes the frames of a piece. `frames` is NULL for a piece past the end of the stream. If `to`
 * is NULL, nothing is written. */
static void reference_run(struct engine *engine, const struct piece *piece,
                          const unsigned char *frames, uint64_t stream_frames, void *to)
{
    const struct engine_setup *setup = &engine->setup;
    size_t sample_bytes = sample_type_bytes(setup->sample);
    struct emit_out out;

    emit_out_frames(&out, setup, to);
    for (uint64_t done = 0; done < piece->count;) {
        uint64_t left = piece->count - done;
        size_t block = left < BLOCK ? (size_t)left : BLOCK;
        struct emit_run run;

        emit_begin(&run, setup, piece, done, block, stream_frames, &out);
        for (unsigned channel = 0; channel < setup->channels; channel++)
            run_channel(engine, channel, &run,
                        frames == NULL ? NULL : frames + channel * sample_bytes, block);
        if (frames != NULL)
            frames += block * engine_in_bytes(setup);
        emit_out_skip(&out, setup, run.kept);
        done += block;
    }
    engine->end = piece->first + piece->count;
}

/* Returns -1 if memory runs out. */
static int open_channels(struct engine *engine, uint64_t start)
{
    const struct engine_setup *setup = &engine->setup;

    engine->filters = calloc(setup->channels, sizeof *engine->filters);
    if (emits_need_sums(&setup->emits)) {
        engine->of = channel_samples_for("scalar", setup);
        engine->tallies = calloc(setup->channels, tally_bytes(&setup->window));
        for (unsigned i = 0; engine->tallies != NULL && i < setup->channels; i++)
            tally_init(tally_of(engine, i), setup, start);
        return engine->filters != NULL && engine->tallies != NULL ? 0 : -1;
    }
    for (unsigned i = 0; engine->filters != NULL && i < setup->channels; i++) {
        engine->filters[i] = lemire_open(setup->window.width, setup->value, setup->nan);
        if (engine->filters[i] == NULL)
            return -1;
    }
    return engine->filters != NULL ? 0 : -1;
}

static int reference_open(const struct machine *machine, const struct engine_setup *setup,
                          uint64_t start, struct engine **engine_out, struct error *error)
{
    struct engine *engine = calloc(1, sizeof *engine);

    (void)machine;
    if (engine == NULL)
        return error_system(error, ERROR_RESOURCE, "the reference engine", ENOMEM);
    engine->setup = *setup;
    engine->end = start;
    engine->start = setup->origin + start;
    if (open_channels(engine, start) != 0) {
        reference_close(engine);
        return error_system(error, ERROR_RESOURCE, "the reference engine", ENOMEM);
    }
    *engine_out = engine;
    return 0;
}

static void reference_describe(const struct engine *engine, char *text, size_t size)
{
    (void)engine;
    snprintf(text, size, "sequential reference");
}

static int reference_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    const struct piece *piece = &chunk->piece;

    (void)error;
    for (unsigned i = 0; piece->first > engine->end && i < engine->setup.channels; i++) {
        if (engine->tallies != NULL)
            tally_jump(tally_of(engine, i), &engine->setup.window, piece->first);
        else
            lemire_pass(engine->filters[i], piece->first - engine->end);
    }
    reference_run(engine, piece, chunk->in_frames > 0 ? chunk->in : NULL, chunk->stream_frames,
                  chunk->out);
    return 0;
}

const struct engine_class engine_lemire = {
    .name = "lemire",
    .chunk_bytes = ENGINE_CHUNK_BYTES,
    .in_flight = 1,
    .memory = reference_memory,
    .open = reference_open,
    .close = reference_close,
    .describe = reference_describe,
    .attach = plain_attach,
    .detach = plain_detach,
    .submit = reference_submit,
    .collect = plain_collect,
};
