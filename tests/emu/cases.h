/* Shared by the emulator's tests: random streams, and the sequential reference for them. */
#ifndef GPUENV_TESTS_EMU_CASES_H
#define GPUENV_TESTS_EMU_CASES_H

#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

static uint32_t random_state = 12345;

static uint32_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* With signed zeros, infinities, plateaus and, if wanted, single NaN and runs of NaN. */
static float *random_samples(size_t count, bool with_nan)
{
    float *samples = calloc(count + 1, sizeof *samples);
    unsigned run = 0;
    float held = 0;

    for (size_t i = 0; samples != NULL && i < count; i++) {
        uint32_t number = random_number();

        if (run > 0)
            run--;
        else
            held = (float)(int32_t)random_number() / 2147483648.0f;
        if (number % 1009 == 0)
            run = number % 300;
        samples[i] = held;
        if (number % 11 == 0)
            samples[i] = number % 2 != 0 ? 0.0f : -0.0f;
        if (number % 3001 == 0)
            samples[i] = number % 2 != 0 ? INFINITY : -INFINITY;
        if (with_nan && number % 2503 == 0)
            samples[i] = number % 2 != 0 ? NAN : -NAN;
    }
    return samples;
}

/* The output of a whole stream of `n` raw frames. Returns its frames; free `out` afterwards. */
__attribute__((unused)) static size_t reference(const struct engine_setup *setup,
                                                const void *frames, size_t n, float **out)
{
    struct engine_setup whole = *setup;
    size_t tail = (size_t)window_tail(&setup->window, n);
    size_t frame = (size_t)setup->emits.count * setup->channels;
    struct chunk chunk = {0};
    struct engine *engine;
    struct error error;
    size_t written = 0;

    *out = malloc((n + tail + 1) * frame * sizeof **out);
    whole.chunk_frames = n > tail ? n : tail;
    whole.chunk_frames += whole.chunk_frames == 0 ? 1 : 0;
    if (*out == NULL || engine_lemire.open(NULL, &whole, 0, &engine, &error) != 0)
        abort();
    if (engine_lemire.attach(engine, &chunk, &error) != 0)
        abort();
    if (n > 0)
        memcpy(chunk.in, frames, n * engine_in_bytes(setup));
    for (int i = 0; i < 2; i++) {
        if ((i == 0 ? n : tail) == 0)
            continue;
        chunk.in_frames = n;
        if (i == 0)
            chunk_place(&chunk, &whole, 0);
        else
            chunk_place_tail(&chunk, &whole, n, window_tail_first(&whole.window, n), tail);
        (void)engine_lemire.submit(engine, &chunk, &error);
        (void)engine_lemire.collect(engine, &chunk, &error);
        memcpy(*out + written * frame, chunk.out, chunk.out_frames * frame * sizeof **out);
        written += chunk.out_frames;
    }
    engine_lemire.detach(engine, &chunk);
    engine_lemire.close(engine);
    return written;
}

static const struct emit_list emit_lists[] = {
    {2, {EMIT_MIN, EMIT_MAX}}, {1, {EMIT_MAX}},
    {1, {EMIT_MIN}},           {1, {EMIT_ABS}},
    {2, {EMIT_MAX, EMIT_MIN}}, {5, {EMIT_MID, EMIT_RANGE, EMIT_ABS, EMIT_MAX, EMIT_MIN}},
};

enum { EMIT_LISTS = sizeof emit_lists / sizeof *emit_lists };

#endif
