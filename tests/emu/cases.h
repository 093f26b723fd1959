/* SPDX-License-Identifier: MIT */
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
#include "random.h"
#include "run_engine.h"

/* Turns doubles into an array of values of this kind, in place. */
static void *pack_values(enum value_kind value, double *doubles, size_t count)
{
    float *floats = (float *)(void *)doubles;

    for (size_t i = 0; doubles != NULL && value == VALUE_F32 && i < count; i++) {
        const float number = (float)doubles[i];

        memcpy(floats + i, &number, sizeof number);
    }
    return doubles;
}

/* With zeros, in half of the streams of both signs, infinities, plateaus and, if wanted, single NaN
 * and runs of NaN. Doubles may differ in any of their bits, or in the last ones only. */
static double *random_doubles(size_t count, bool with_nan)
{
    double *samples = calloc(count + 1, sizeof *samples);
    const bool both = random_number() % 2 != 0;
    unsigned run = 0;
    double held = 0;

    for (size_t i = 0; samples != NULL && i < count; i++) {
        uint32_t number = random_number();

        if (run > 0)
            run--;
        else
            held = (double)(int32_t)random_number() / 2147483648.0;
        if (number % 1009 == 0)
            run = number % 300;
        samples[i] = held;
        if (number % 3 == 0)
            samples[i] += (double)(number % 257) * 0x1p-53;
        if (number % 11 == 0)
            samples[i] = both && number % 2 != 0 ? -0.0 : 0.0;
        if (number % 3001 == 0)
            samples[i] = number % 2 != 0 ? (double)INFINITY : -(double)INFINITY;
        if (with_nan && number % 2503 == 0)
            samples[i] = number % 2 != 0 ? (double)NAN : -(double)NAN;
    }
    return samples;
}

__attribute__((unused)) static void *random_values(enum value_kind value, size_t count,
                                                   bool with_nan)
{
    return pack_values(value, random_doubles(count, with_nan), count);
}

/* Samples that are values already, and results of the same kind. */
__attribute__((unused)) static void set_value(struct engine_setup *setup, enum value_kind value)
{
    setup->sample.kind = value == VALUE_F64 ? SAMPLE_F64 : SAMPLE_F32;
    setup->value = value;
    for (unsigned i = 0; i < EMIT_KINDS; i++)
        setup->results[i] = value;
}

/* The words of a case that fails. */
__attribute__((unused)) static const char *setup_words(const struct engine_setup *setup)
{
    static char words[200];

    snprintf(words, sizeof words,
             "%s, value %d, w %llu, hop %llu, align %d, edge %d, nan %d, %u channels, %u emits, "
             "chunks of %zu",
             sample_type_name(setup->sample), (int)setup->value,
             (unsigned long long)setup->window.width, (unsigned long long)setup->window.hop,
             (int)setup->window.align, (int)setup->window.edge, (int)setup->nan, setup->channels,
             setup->emits.count, setup->chunk_frames);
    return words;
}

/* The output of a whole stream of `n` raw frames. Returns its frames; free `out` afterwards. */
__attribute__((unused)) static size_t reference(const struct engine_setup *setup,
                                                const void *frames, size_t n, void **out)
{
    struct engine_setup whole = *setup;

    whole.chunk_frames = n > 0 ? n : 1;
    *out = malloc((n + (size_t)window_tail(&setup->window, n) + 1) * engine_out_bytes(setup));
    return run_engine(&engine_lemire, NULL, whole, frames, 0, n, true, *out);
}

static const struct emit_list emit_lists[] = {
    {2, {EMIT_MIN, EMIT_MAX}}, {1, {EMIT_MAX}},
    {1, {EMIT_MIN}},           {1, {EMIT_ABS}},
    {2, {EMIT_MAX, EMIT_MIN}}, {5, {EMIT_MID, EMIT_RANGE, EMIT_ABS, EMIT_MAX, EMIT_MIN}},
};

enum { EMIT_LISTS = sizeof emit_lists / sizeof *emit_lists };

#endif
