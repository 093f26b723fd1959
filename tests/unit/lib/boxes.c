/* SPDX-License-Identifier: MIT */
/* Boxes of images against two calls of gpuenv_filter(), along the rows and down the columns. */
#include "calls.h"

#include <math.h>
#include <stdlib.h>

enum {
    CASES = CHECK_FEW ? 300 : 800,
    SIDE = 90,
    CHANNELS = 9,
    MOST = 3 * SIDE * (SIDE * (CHANNELS + 1) + 2)
};

static _Alignas(64) unsigned char image[MOST * 8];
static _Alignas(64) unsigned char middle[MOST * 8];
static _Alignas(64) unsigned char expected[MOST * 8];
static _Alignas(64) unsigned char found[MOST * 8];

struct shape {
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
    uint64_t gap;   /* samples behind each row */
    uint64_t apart; /* samples behind each frame */
};

static gpuenv_array array_of(void *data, int type, const struct shape *shape)
{
    const ptrdiff_t bytes = (ptrdiff_t)gpuenv_type_bytes(type);
    gpuenv_array array = packed(data, type, shape->frames, shape->channels);

    array.out = data;
    array.rows = shape->rows;
    array.frame += bytes * (ptrdiff_t)shape->apart;
    array.row = array.frame * (ptrdiff_t)shape->frames + bytes * (ptrdiff_t)shape->gap;
    return array;
}

/* Columns as rows. */
static gpuenv_array turned(gpuenv_array array)
{
    gpuenv_array turned = array;

    turned.rows = array.frames;
    turned.row = array.frame;
    turned.frames = array.rows;
    turned.frame = array.row;
    return turned;
}

/* Bits of every kind, and numbers, a few of which are NaN. */
static void fill(int type, size_t samples)
{
    for (size_t i = 0; i < samples; i++)
        ((uint64_t *)(void *)image)[i] = random_word();
    for (size_t i = 0; type == GPUENV_F32 && i < samples; i++)
        ((float *)(void *)image)[i] =
            random_below(50) == 0 ? (float)NAN : (float)random_below(1000) - 500;
}

static uint64_t side_of(uint64_t width, int align, uint64_t length)
{
    const gpuenv_spec spec = SPEC(.width = width, .align = align);
    uint64_t outputs;

    CHECK_OK(gpuenv_outputs(&spec, length, &outputs, NULL));
    return outputs;
}

static uint64_t width_of(uint64_t length, int align)
{
    const uint64_t few[] = {1, 2, 3, 5, 15};
    const uint64_t width = random_below(2) == 0 ? few[random_below(5)] : 1 + random_below(length);

    return align == GPUENV_ALIGN_VALID && width > length ? length : width;
}

static void check_case(gpuenv_context *context)
{
    static const int types[] = {GPUENV_U8,  GPUENV_S16, GPUENV_U16, GPUENV_S32, GPUENV_F16,
                                GPUENV_F32, GPUENV_F64, GPUENV_S64, GPUENV_U64};
    const int type = types[random_below(9)];
    const struct shape shape = {1 + random_below(random_below(4) == 0 ? 3 * SIDE : SIDE),
                                1 + random_below(SIDE), 1 + random_below(CHANNELS), random_below(2),
                                random_below(4) == 0};
    gpuenv_spec spec = SPEC(.values = 1);
    struct shape half = {.rows = shape.rows, .channels = shape.channels};
    struct shape whole = {.channels = shape.channels, .gap = random_below(3), .apart = shape.apart};
    gpuenv_array in = array_of(image, type, &shape);
    gpuenv_array between;
    gpuenv_array out;
    uint64_t height;

    fill(type, shape.rows * (shape.frames * (shape.channels + shape.apart) + shape.gap));
    memset(expected, 0xa5, sizeof expected);
    memset(found, 0xa5, sizeof found);
    spec.align = (int)random_below(4);
    spec.nan = (int)random_below(2);
    spec.value[0] = random_below(2) == 0 ? GPUENV_MIN : GPUENV_MAX;
    spec.threads = 1 + (unsigned)random_below(4);
    spec.width = width_of(shape.frames, spec.align);
    height = width_of(shape.rows, spec.align);
    whole.frames = half.frames = side_of(spec.width, spec.align, shape.frames);
    whole.rows = side_of(height, spec.align, shape.rows);
    between = array_of(middle, type, &half);
    out = array_of(found, type, &whole);
    in.swapped = between.swapped = out.swapped = random_below(4) == 0;
    CHECK_OK(gpuenv_filter_boxes(context, &spec, height, &in, &out, NULL));
    CHECK_OK(gpuenv_filter(context, &spec, &in, &between, NULL));
    spec.width = height;
    between = turned(between);
    out.data = out.out = expected;
    out = turned(out);
    CHECK_OK(gpuenv_filter(context, &spec, &between, &out, NULL));
    CHECK_THAT(memcmp(found, expected, sizeof found) == 0,
               "type %d, %llu x %llu x %llu, %llu high, align %d", type,
               (unsigned long long)shape.rows, (unsigned long long)shape.frames,
               (unsigned long long)shape.channels, (unsigned long long)height, spec.align);
}

static void test_boxes(void)
{
    gpuenv_context *context = open_context(4);

    for (int i = 0; i < CASES; i++)
        check_case(context);
    gpuenv_close(context);
}

/* Results that are written past the caches, and tiles that stand side by side. */
static void test_large(void)
{
    enum { ROWS = 1050, FRAMES = 4000, BYTES = 4 * ROWS * FRAMES };
    const struct shape shape = {ROWS, FRAMES, 1, 0, 0};
    unsigned char *data = malloc(BYTES);
    unsigned char *between = malloc(BYTES);
    unsigned char *got = malloc(BYTES);
    gpuenv_array in = array_of(data, GPUENV_S32, &shape);
    gpuenv_array middle_of = array_of(between, GPUENV_S32, &shape);
    gpuenv_array out = array_of(got, GPUENV_S32, &shape);
    gpuenv_context *context = open_context(3);
    gpuenv_spec spec = SPEC(.width = 5, .align = GPUENV_CENTER, .values = 1, .value = {GPUENV_MAX});

    for (size_t i = 0; i < BYTES / 4; i++)
        ((uint32_t *)(void *)data)[i] = (uint32_t)random_word();
    memset(got, 0, BYTES); /* it is not written for the first time */
    CHECK_OK(gpuenv_filter_boxes(context, &spec, 3, &in, &out, NULL));
    CHECK_OK(gpuenv_filter(context, &spec, &in, &middle_of, NULL));
    spec.width = 3;
    middle_of = turned(middle_of);
    in = turned(in);
    CHECK_OK(gpuenv_filter(context, &spec, &middle_of, &in, NULL));
    CHECK(memcmp(got, data, BYTES) == 0);
    gpuenv_close(context);
    free(data);
    free(between);
    free(got);
}

static void test_refused(void)
{
    const struct shape shape = {4, 4, 1, 0, 0};
    gpuenv_spec spec = SPEC(.width = 3, .align = GPUENV_CENTER, .values = 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array in = array_of(image, GPUENV_U8, &shape);
    gpuenv_array out = array_of(found, GPUENV_U8, &shape);
    gpuenv_context *context = open_context(1);

#define REFUSED(height, name)                                                                      \
    CHECK_REFUSED(gpuenv_filter_boxes(context, &spec, height, &in, &out, &error), name)
    REFUSED(0, "height");
    spec.value[0] = GPUENV_ABS;
    REFUSED(3, "value");
    spec.value[0] = GPUENV_MAX;
    spec.hop = 2;
    REFUSED(3, "hop");
    spec.hop = 1;
    spec.edge = GPUENV_EDGE_NAN;
    REFUSED(3, "edge");
    spec.edge = GPUENV_EDGE_SHRINK;
    spec.nan = GPUENV_NAN_ERROR;
    REFUSED(3, "nan");
    spec.nan = GPUENV_NAN_OMIT;
    out.type = GPUENV_S8;
    REFUSED(3, "out[0]");
    out.type = GPUENV_U8;
    out.rows = 3;
    REFUSED(3, "out[0]");
    out.rows = 4;
    out.data = out.out = image;
    REFUSED(3, "out[0]");
    gpuenv_close(context);
    CHECK_BAD(gpuenv_filter_boxes(NULL, &spec, 3, &in, &out, &error));
}

CHECK_MAIN(test_boxes, test_large, test_refused)
