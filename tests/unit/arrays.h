/* SPDX-License-Identifier: MIT */
/* Random arrays for the library: every type and layout. */
#ifndef GPUENV_TESTS_ARRAYS_H
#define GPUENV_TESTS_ARRAYS_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gpuenv.h"
#include "random.h"

struct layout {
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
};

/* An array in memory of its own, in a random order of dimensions, with gaps and turned around. */
struct owned {
    gpuenv_array array;
    unsigned char *memory;
    size_t bytes;
};

static size_t type_bytes(int type)
{
    static const unsigned char bytes[] = {
        [GPUENV_F32] = 4, [GPUENV_F64] = 8,  [GPUENV_F16] = 2,   [GPUENV_S8] = 1,
        [GPUENV_U8] = 1,  [GPUENV_S16] = 2,  [GPUENV_U16] = 2,   [GPUENV_S24] = 3,
        [GPUENV_U24] = 3, [GPUENV_S32] = 4,  [GPUENV_U32] = 4,   [GPUENV_S64] = 8,
        [GPUENV_U64] = 8, [GPUENV_CF32] = 8, [GPUENV_CF64] = 16, [GPUENV_CS16] = 4,
        [GPUENV_CS8] = 2, [GPUENV_CU8] = 2,
    };

    return bytes[type];
}

static void own(struct owned *owned, const struct layout *layout, int type, bool plain,
                bool aligned)
{
    const size_t bytes = type_bytes(type);
    uint64_t counts[3] = {layout->rows, layout->frames, layout->channels};
    ptrdiff_t distance[3];
    unsigned order[3] = {2, 1, 0}; /* the innermost first */
    ptrdiff_t next = (ptrdiff_t)bytes;
    size_t offset = (plain ? 0 : random_below(3)) * (aligned ? bytes : 1);

    if (!plain && random_below(2) == 0) {
        order[0] = 1;
        order[1] = random_below(2) == 0 ? 0 : 2;
        order[2] = 2 - order[1];
    }
    owned->array = (gpuenv_array){
        .size = sizeof owned->array,
        .type = type,
        .rows = layout->rows,
        .frames = layout->frames,
        .channels = layout->channels,
    };
    for (unsigned i = 0; i < 3; i++) {
        if (!plain && random_below(4) == 0)
            next += (ptrdiff_t)(bytes * random_below(3)); /* a gap */
        distance[order[i]] = next;
        next *= (ptrdiff_t)(counts[order[i]] > 0 ? counts[order[i]] : 1);
    }
    owned->bytes = (size_t)next + offset;
    owned->memory = malloc(owned->bytes + 1);
    memset(owned->memory, 0xa5, owned->bytes);
    owned->array.data = owned->memory + offset;
    for (unsigned i = 0; i < 3; i++) {
        if (plain || counts[i] < 2 || random_below(4) > 0)
            continue;
        owned->array.data =
            (unsigned char *)owned->array.data + distance[i] * (ptrdiff_t)(counts[i] - 1);
        distance[i] = -distance[i];
    }
    for (unsigned i = 0; i < 3; i++) { /* the distance of a single one may be any */
        if (!plain && counts[i] == 1 && random_below(4) == 0)
            distance[i] = PTRDIFF_MIN >> random_below(3);
    }
    owned->array.row = distance[0];
    owned->array.frame = distance[1];
    owned->array.channel = distance[2];
}

static unsigned char *sample_at(const gpuenv_array *array, uint64_t row, uint64_t frame,
                                uint64_t channel)
{
    return (unsigned char *)array->data + (ptrdiff_t)row * array->row +
           (ptrdiff_t)frame * array->frame + (ptrdiff_t)channel * array->channel;
}

/* May it be NaN? */
static bool is_float(int type)
{
    return type == GPUENV_F32 || type == GPUENV_F64 || type == GPUENV_CF32 || type == GPUENV_CF64;
}

static void put_random(int type, bool with_nan, unsigned char *to, size_t bytes)
{
    double number = (double)(int64_t)(random_below(1 << 20) - (1 << 19)) / 4096.0;
    float small = (float)number;

    if (random_below(12) == 0)
        number = random_below(2) == 0 ? 0.0 : -0.0;
    if (with_nan && random_below(20) == 0)
        number = (double)NAN;
    if (with_nan)
        small = (float)number;
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)random_below(256);
    if (type == GPUENV_F64 || type == GPUENV_CF64)
        memcpy(to, &number, sizeof number);
    if (type == GPUENV_CF64)
        memcpy(to + sizeof number, &number, sizeof number);
    if (type == GPUENV_F32 || type == GPUENV_CF32)
        memcpy(to, &small, sizeof small);
    if (type == GPUENV_CF32)
        memcpy(to + sizeof small, &small, sizeof small);
    if (type == GPUENV_F16 && with_nan && random_below(20) == 0)
        to[1] |= 0x7e; /* any NaN */
    else if (type == GPUENV_F16)
        to[1] &= 0xbb; /* a number */
}

static inline void fill(const struct owned *owned, bool with_nan)
{
    const gpuenv_array *array = &owned->array;

    for (uint64_t row = 0; row < array->rows; row++) {
        for (uint64_t frame = 0; frame < array->frames; frame++) {
            for (uint64_t channel = 0; channel < array->channels; channel++)
                put_random(array->type, with_nan, sample_at(array, row, frame, channel),
                           type_bytes(array->type));
        }
    }
}

static const int types[] = {GPUENV_F32,  GPUENV_F64, GPUENV_F16, GPUENV_S8,   GPUENV_U8,
                            GPUENV_S16,  GPUENV_U16, GPUENV_S24, GPUENV_U24,  GPUENV_S32,
                            GPUENV_U32,  GPUENV_S64, GPUENV_U64, GPUENV_CF32, GPUENV_CF64,
                            GPUENV_CS16, GPUENV_CS8, GPUENV_CU8};
enum { TYPES = sizeof types / sizeof *types };

static inline int random_type(bool with_longs)
{
    int type;

    do
        type =
            random_below(2) == 0 ? GPUENV_F32 + (int)random_below(2) : types[random_below(TYPES)];
    while (!with_longs && (type == GPUENV_S64 || type == GPUENV_U64));
    return type;
}

static inline gpuenv_spec random_spec(uint64_t frames, bool is_integer)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

    spec.width = 1 + random_below(random_below(4) == 0 ? 3 * frames + 5 : frames / 3 + 1);
    spec.hop = random_below(3) == 0 ? 1 + random_below(7) : 0;
    spec.align = (int)random_below(4);
    spec.edge = is_integer ? 0 : (int)random_below(2);
    spec.nan = (int)random_below(2);
    spec.scaled = (int)random_below(2);
    spec.values = (unsigned)random_below(GPUENV_VALUES + 1);
    for (unsigned i = 0; i < spec.values; i++)
        spec.value[i] = (int)random_below(GPUENV_VALUES);
    spec.threads = (unsigned)random_below(4);
    return spec;
}

#endif
