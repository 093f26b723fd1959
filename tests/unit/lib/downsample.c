/* Positions for pictures against the definition: by every instruction set of this machine, types
 * that are compared as they are and others, rows, channels and gaps, NaN and both zeros, the byte
 * order, short and long blocks, threads; and what is refused. */
#include "calls.h"

#include <math.h>
#include <stdbool.h>

#include "cpu/kernels.h"
#include "lib/lib_priv.h"

enum { MOST = 20000 };

/* The first extremes of a block, in order. */
static void define(const gpuenv_array *array, const double *samples, uint64_t first, uint64_t end,
                   int64_t at[2])
{
    uint64_t low = end;
    uint64_t high = end;

    for (uint64_t i = first; i < end; i++) {
        const double sample = samples[i * array->channels];

        if (!isnan(sample) && (low == end || sample < samples[low * array->channels]))
            low = i;
        if (!isnan(sample) && (high == end || sample > samples[high * array->channels]))
            high = i;
    }
    low = low == end ? first : low;
    high = high == end ? first : high;
    at[0] = (int64_t)(low < high ? low : high);
    at[1] = (int64_t)(low < high ? high : low);
}

/* Numbers of a type, around its zero or its middle: small ones, or `wide` ones of all the bits that
 * float64 holds, too. Floats may be NaN, and wide ones infinite. */
static double random_sample(struct sample_type type, bool wide, uint64_t nan)
{
    const int bits = 8 * (int)sample_type_bytes(type);
    const bool floats = sample_type_has_nan(type);
    const int digits = floats && bits < 64 ? (bits == 16 ? 12 : 25) : bits < 32 ? bits : 32;
    const bool is_unsigned = type.kind == SAMPLE_U8 || type.kind == SAMPLE_U16 ||
                             type.kind == SAMPLE_U32 || type.kind == SAMPLE_U64;
    double sample = (double)random_below(random_below(2) == 0 ? 5 : 200) - 100;

    if (floats && random_below(100) < nan)
        return (double)NAN;
    if (wide && floats && random_below(1000) == 0)
        return random_below(2) == 0 ? (double)INFINITY : -(double)INFINITY;
    if (wide)
        sample = (double)((int32_t)random_number() >> (32 - digits));
    if (wide && (floats || bits == 64))
        sample = ldexp(sample, (int)random_below(bits == 16 ? 5 : 19));
    if (floats && sample == 0 && random_below(2) == 0)
        return -0.0;
    if (type.kind == SAMPLE_U64)
        sample *= 4096;
    return is_unsigned ? sample + ldexp(1, bits - 1) : sample;
}

/* Rows of frames of channels. */
static void test_array(gpuenv_context *context, int kind, bool swapped)
{
    static double samples[MOST];
    static unsigned char raw[MOST * sizeof(double)];
    static int64_t positions[MOST];
    const uint64_t channels = 1 + random_below(3);
    const uint64_t rows = 1 + random_below(2);
    const uint64_t frames = 1 + random_below(MOST / channels / rows);
    const uint64_t count = 2 + 2 * random_below(random_below(2) == 0 ? 3 : frames / 3 + 1);
    const uint64_t nan = random_below(3) * 50;
    const bool wide = random_below(2) == 0;
    const uint64_t lost = random_below(3) == 0 ? random_below(rows * frames * channels) : 0;
    gpuenv_array array = packed(raw, kind, frames, channels);
    struct sample_losses losses = {0, 0};
    struct sample_type type;

    CHECK(type_read(kind, swapped, false, &type));
    array.rows = rows;
    array.row = array.frame * (ptrdiff_t)frames;
    array.swapped = swapped;
    for (uint64_t i = 0; i < rows * frames * channels; i++) {
        samples[i] = random_sample(type, wide, i < lost ? 100 : nan);
        sample_encode(type, VALUE_F64, &samples[i], raw + i * sample_type_bytes(type), 1, &losses);
    }
    if (rows * channels * count > MOST)
        return;
    memset(positions, 0xff, sizeof positions);
    CHECK(gpuenv_downsample(context, &array, count, positions, NULL) == GPUENV_OK);
    for (uint64_t i = 0; i < rows * channels; i++) {
        const double *channel = samples + i / channels * frames * channels + i % channels;
        uint64_t first = 0;

        for (uint64_t k = 0; frames > count && k < count / 2; k++) {
            const uint64_t blocks = count / 2;
            const double length = (double)(frames - 1) / (double)blocks;
            const uint64_t end = (uint64_t)(length * (double)(k + 1)) + 1;
            int64_t due[2];

            define(&array, channel, first, end, due);
            CHECK_THAT(memcmp(due, positions + i * count + 2 * k, sizeof due) == 0,
                       "%s, type %d, %llu frames, %llu positions, block %llu",
                       gpuenv_context_isa(context), kind, (unsigned long long)frames,
                       (unsigned long long)count, (unsigned long long)k);
            first = end;
        }
        for (uint64_t k = 0; frames <= count && k < count; k++)
            CHECK(positions[i * count + k] == (k < frames ? (int64_t)k : -1));
    }
}

static void test_refused(gpuenv_context *context)
{
    const float samples[] = {3, 1, 4, 1, 5, 9, 2, 6};
    gpuenv_array array = packed(samples, GPUENV_F32, 8, 1);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    int64_t positions[] = {-1, -1, -1, -1};

    CHECK_REFUSED(gpuenv_downsample(NULL, &array, 4, positions, &error), "context");
    CHECK_REFUSED(gpuenv_downsample(context, NULL, 4, positions, &error), "array");
    CHECK_REFUSED(gpuenv_downsample(context, &array, 0, positions, &error), "count");
    CHECK_REFUSED(gpuenv_downsample(context, &array, 3, positions, &error), "count");
    CHECK_REFUSED(gpuenv_downsample(context, &array, 4, NULL, &error), "positions");
    array.frames = 0;
    CHECK(gpuenv_downsample(context, &array, 4, positions, &error) == GPUENV_OK);
    CHECK(positions[0] == -1 && error.code == GPUENV_OK);
    array.frames = 8;
    CHECK(gpuenv_downsample(context, &array, 4, positions, &error) == GPUENV_OK);
    CHECK(positions[0] == 1 && positions[1] == 2 && positions[2] == 5 && positions[3] == 6);
}

int main(void)
{
    static const int kinds[] = {GPUENV_F32, GPUENV_F64, GPUENV_F16, GPUENV_S8,
                                GPUENV_U8,  GPUENV_S16, GPUENV_U16, GPUENV_S32,
                                GPUENV_U32, GPUENV_S64, GPUENV_U64};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    const struct cpu_kernels *kernels;
    gpuenv_context *context;

    options.threads = 3;
    for (unsigned isa = 0; (kernels = cpu_kernels_at(isa, VALUE_F32)) != NULL; isa++) {
        options.isa = kernels->name;
        CHECK(gpuenv_open(&options, &context, NULL) == GPUENV_OK);
        for (int i = 0; i < (CHECK_FEW ? 3 : 12) * KINDS; i++)
            test_array(context, kinds[i % KINDS], i / KINDS % 4 == 0);
        test_refused(context);
        gpuenv_close(context);
    }
    return check_result();
}
