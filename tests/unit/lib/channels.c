/* SPDX-License-Identifier: MIT */
/* Arrays of 1 to 10^6 channels, of every type and layout: an axis of length 1 in the middle, frames
 * that overlap, one frame again and again. They give what a few channels at a time give, and within
 * a time limit. */
#include "arrays.h"
#include "calls.h"

#include <unistd.h>

enum {
    SECONDS = 60, /* for a case; none takes one */
    SLICE = 1000, /* channels at a time */
    FRAMES = 5,   /* fewer */
    MANY = 10000, /* channels: one type for each layout */
    TILE = 4099,  /* samples that are repeated: random ones take long */
};

enum shape { PLAIN, ANY, MIDDLE, OVERLAPPING, REPEATED, SHAPES };

static const uint64_t counts[] = {1, 3, 16, 255, 2048, 2050, 8200, 20003, 1000000};

static void fill_tiles(const struct owned *owned)
{
    const size_t bytes = type_bytes(owned->array.type);
    const size_t offset =
        (size_t)((const unsigned char *)owned->array.data - owned->memory) % bytes;
    const size_t count = (owned->bytes - offset) / bytes;
    unsigned char *const first = owned->memory + offset;

    for (size_t i = 0; i < count && i < TILE; i++)
        put_random(owned->array.type, false, first + i * bytes, bytes);
    for (size_t i = TILE; i < count; i++)
        memcpy(first + i * bytes, first + (i - TILE) * bytes, bytes);
}

/* An axis of length 1 may have the distance of a dimension that was merged with the channels. */
static void make_input(struct owned *in, const struct layout *layout, int type, enum shape shape)
{
    const ptrdiff_t bytes = (ptrdiff_t)type_bytes(type);

    own(in, layout, type, shape != ANY, false);
    if (shape == MIDDLE || shape == OVERLAPPING)
        in->array.frame = (ptrdiff_t)(layout->channels / 4) * bytes;
    if (shape == REPEATED)
        in->array.frame = 0;
    in->array.broadcast = 1;
    fill_tiles(in);
}

static void filter_slices(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                          const gpuenv_array *out, unsigned values)
{
    for (uint64_t first = 0; first < in->channels; first += SLICE) {
        const uint64_t left = in->channels - first;
        gpuenv_array from = *in;
        gpuenv_array to[GPUENV_VALUES];

        from.data = sample_at(in, 0, 0, first);
        from.channels = left < SLICE ? left : SLICE;
        for (unsigned i = 0; i < values; i++) {
            to[i] = out[i];
            to[i].data = sample_at(&out[i], 0, 0, first);
            to[i].channels = from.channels;
        }
        CHECK_OK(gpuenv_filter(context, spec, &from, to, NULL));
    }
}

static void test_case(gpuenv_context *context, int type, uint64_t channels, enum shape shape)
{
    const bool is_integer = !is_float(type) && type != GPUENV_F16 && type < GPUENV_CF32;
    const struct layout layout = {1, shape == MIDDLE ? 1 : 1 + random_below(FRAMES - 1), channels};
    gpuenv_spec spec = random_spec(layout.frames, is_integer);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const unsigned values = spec.values > 0 ? spec.values : 2;
    struct layout of_out = layout;
    struct owned in;
    struct owned out[GPUENV_VALUES];
    gpuenv_array arrays[GPUENV_VALUES];
    gpuenv_array slices[GPUENV_VALUES];
    unsigned char *due[GPUENV_VALUES];

    (void)alarm(SECONDS);
    make_input(&in, &layout, type, shape);
    if (random_below(4) == 0)
        spec.value[0] = GPUENV_ARGMIN;
    CHECK_OK(gpuenv_outputs(&spec, layout.frames, &of_out.frames, &error));
    for (unsigned i = 0; i < values; i++) {
        const int value = spec.values > 0 ? spec.value[i] : (int)i;

        own(&out[i], &of_out, gpuenv_result_type(&spec, type, value), random_below(2) == 0, false);
        due[i] = malloc(out[i].bytes + 1);
        memcpy(due[i], out[i].memory, out[i].bytes);
        arrays[i] = slices[i] = out[i].array;
        slices[i].data = due[i] + ((const unsigned char *)arrays[i].data - out[i].memory);
    }
    CHECK_THAT(gpuenv_filter(context, &spec, &in.array, arrays, &error) == GPUENV_OK, "%s %s",
               error.subject, error.text);
    filter_slices(context, &spec, &in.array, slices, values);
    for (unsigned i = 0; i < values; i++) {
        CHECK_THAT(memcmp(out[i].memory, due[i], out[i].bytes) == 0,
                   "type %d, %llu channels, shape %d, w %llu, value %d", type,
                   (unsigned long long)channels, (int)shape, (unsigned long long)spec.width,
                   spec.value[i]);
        free(due[i]);
        free(out[i].memory);
    }
    free(in.memory);
}

/* Rows without frames have no NaN to look for, however many there are. */
static void test_no_frames(gpuenv_context *context)
{
    const gpuenv_spec spec = SPEC(.width = 1, .nan = GPUENV_NAN_ERROR);
    gpuenv_array in = packed(NULL, GPUENV_F32, 0, 1);
    gpuenv_array out[2];

    (void)alarm(SECONDS);
    in.rows = UINT64_C(1) << 40;
    out[0] = out[1] = in;
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, NULL));
    in.rows = 3;
    in.channels = UINT64_C(1) << 40;
    out[0] = out[1] = in;
    CHECK_OK(gpuenv_filter(context, &spec, &in, out, NULL));
}

int main(void)
{
    gpuenv_context *context = open_context(3);

    test_no_frames(context);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (unsigned k = 0; k < TYPES * SHAPES; k += counts[i] < MANY ? 1 : TYPES + 1)
            test_case(context, types[k % TYPES], counts[i], (enum shape)(k / TYPES));
    }
    gpuenv_close(context);
    return check_result();
}
