/* SPDX-License-Identifier: MIT */
/* The kernels alone, one thread in the L2 cache: against a copy of the same shape (4 bytes read, 8
 * written for each sample) in the same run, and against Lemire's algorithm. Then decoding, and the
 * kernels for samples of 64 bits, against a copy of as many bytes.
 * Usage: perf_compute [ISA]. Exits with 1 if a bar is missed by more than the noise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "base/clock.h"
#include "base/pages.h"
#include "bench/widest.h"
#include "cpu/kernels.h"
#include "window/lemire.h"

enum {
    CACHED = 1 << 16, /* samples in a stream that fits in the L2 cache */
    PIECE = 1 << 14,  /* samples per call */
};

/* ---- what is timed ---- */

struct work {
    const struct cpu_kernels *kernels; /* NULL: the copy */
    struct lemire *lemire;             /* if set, this is timed instead */
    struct slider *slider;
    size_t slider_bytes;
    const void *samples;
    void *pairs;
    size_t bytes; /* of a value; 0: 4 */
    size_t count;
    size_t passes;
};

static void run(const struct work *work)
{
    copy_function *copy = widest()->copy;
    const size_t bytes = work->bytes == 0 ? sizeof(float) : work->bytes;

    for (size_t pass = 0; pass < work->passes; pass++) {
        for (size_t at = 0; at < work->count; at += PIECE) {
            size_t count = work->count - at < PIECE ? work->count - at : PIECE;
            const unsigned char *samples = (const unsigned char *)work->samples + at * bytes;
            unsigned char *pairs = (unsigned char *)work->pairs + 2 * at * bytes;

            if (work->lemire != NULL)
                lemire_feed(work->lemire, samples, count, pairs, pairs + count * bytes);
            else if (work->kernels != NULL)
                work->kernels->slide_pairs(work->slider, samples, count, pairs);
            else
                copy((const float *)(const void *)samples, count * (bytes / sizeof(float)),
                     (float *)(void *)pairs);
        }
    }
}

static double rate(const void *timed)
{
    const struct work *work = timed;
    double from = clock_seconds();

    run(work);
    return (double)(work->count * work->passes) / (clock_seconds() - from);
}

static struct work slide_work(const struct cpu_kernels *kernels, uint64_t width,
                              const void *samples, void *pairs)
{
    const size_t bytes = value_bytes(kernels->kind);
    struct work work = {
        .kernels = kernels,
        .slider_bytes = (size_t)kernels->slider_bytes(width, SLIDER_BOTH),
        .samples = samples,
        .pairs = pairs,
        .bytes = bytes,
        .count = CACHED * sizeof(float) / bytes,
        .passes = 1 + (1 << 22) / CACHED,
    };

    work.slider = pages_alloc(work.slider_bytes);
    if (work.slider == NULL) {
        perror("slider");
        exit(1);
    }
    kernels->slider_init(work.slider, width, SLIDER_BOTH, NAN_PROPAGATE);
    if (width > CACHED) /* the steady state of a long window */
        work.passes += 2 * (size_t)width / CACHED;
    run(&work);
    return work;
}

static void across_widths(const struct cpu_kernels *kernels, const float *samples, float *pairs)
{
    static const uint64_t widths[] = {2,   3,    8,    16,    17,    31,     32,      64,     100,
                                      500, 1000, 4096, 10000, 48000, 100000, 1 << 18, 1 << 20};
    const struct work copy = {
        .samples = samples, .pairs = pairs, .count = CACHED, .passes = 1 + (1 << 22) / CACHED};
    bool wide = strcmp(kernels->name, "avx512") == 0;
    struct work base = slide_work(kernels, 512, samples, pairs);
    char name[64];

    bars_compare("w 512, over the copy", rate, &base, rate, &copy, wide ? 0.27 : 0, 0.37, 1);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct work work = slide_work(kernels, widths[i], samples, pairs);
        bool barred = wide && widths[i] >= 32 && widths[i] <= 48000;

        snprintf(name, sizeof name, "w %llu, over the copy", (unsigned long long)widths[i]);
        bars_compare(name, rate, &work, rate, &copy, barred ? 0.24 : 0, 0.37, 1);
        snprintf(name, sizeof name, "w %llu, time over w 512", (unsigned long long)widths[i]);
        bars_compare(name, rate, &work, rate, &base, 1.3, 1.15, -1);
        pages_free(work.slider, work.slider_bytes);
    }
    pages_free(base.slider, base.slider_bytes);
}

static void against_lemire(const struct cpu_kernels *kernels, const float *samples, float *pairs)
{
    struct work work = slide_work(kernels, 512, samples, pairs);
    const struct work lemire = {.lemire = lemire_open(512, VALUE_F32, NAN_PROPAGATE),
                                .samples = samples,
                                .pairs = pairs,
                                .count = CACHED,
                                .passes = 8};

    bars_compare("w 512, over Lemire, random data", rate, &work, rate, &lemire,
                 strcmp(kernels->name, "avx512") == 0 ? 50 : 0, 70, 1);
    pages_free(work.slider, work.slider_bytes);
    lemire_close(lemire.lemire);
}

static void across_data(const struct cpu_kernels *kernels, const float *samples, float *pairs)
{
    static const char *const kinds[] = {"sorted", "falling", "constant", "subnormal"};
    struct work base = slide_work(kernels, 512, samples, pairs);
    float *other = pages_alloc(CACHED * sizeof *other);

    for (size_t i = 0; other != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        struct work work;
        char name[64];

        bars_fill(other, CACHED, kinds[i]);
        work = slide_work(kernels, 512, other, pairs);
        snprintf(name, sizeof name, "%s data, time over random", kinds[i]);
        bars_compare(name, rate, &work, rate, &base, 1.05, 1.03, -1);
        pages_free(work.slider, work.slider_bytes);
    }
    pages_free(other, CACHED * sizeof *other);
    pages_free(base.slider, base.slider_bytes);
}

/* Raw samples to the values that are worked on, one piece over and over; memcpy() only reads as
 * much. */
struct decoding {
    const struct cpu_kernels *kernels; /* NULL: the copy */
    struct sample_type type;
    const void *raw;
    void *values;
};

static double decode_rate(const void *timed)
{
    enum { PASSES = 128 };
    const struct decoding *decoding = timed;
    double from = clock_seconds();

    for (size_t pass = 0; pass < PASSES; pass++) {
        if (decoding->kernels != NULL)
            decoding->kernels->decode(decoding->type, decoding->raw, decoding->values, PIECE);
        else
            memcpy(decoding->values, decoding->raw, PIECE * sample_type_bytes(decoding->type));
    }
    return (double)PASSES * PIECE / (clock_seconds() - from);
}

static void decoding(const char *isa, const void *raw, void *values)
{
    static const char *const names[] = {
        "f32be", "s8",  "u8",  "s16",   "s16be", "u16", "s24", "s24be", "u24",  "f16",  "s32",
        "s32be", "u32", "f64", "f64be", "s64",   "u64", "cu8", "cs8",   "cs16", "cf32", "cf64"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct decoding ours = {.raw = raw, .values = values};
        struct decoding copy;
        char name[64];

        if (!sample_type_parse(names[i], false, &ours.type))
            continue;
        copy = ours;
        ours.kernels = cpu_kernels_pick(isa, sample_type_value(ours.type));
        snprintf(name, sizeof name, "decode %s, over memcpy", names[i]);
        bars_compare(name, decode_rate, &ours, decode_rate, &copy, 0, 0, 1);
    }
}

/* Float64 and integers: numbers of as many bits as there are, without NaN. */
static void wide_values(const char *isa, void *samples, void *pairs)
{
    static const uint64_t widths[] = {2, 16, 64, 512, 4096, 48000};
    const size_t count = CACHED / 2;
    const struct work copy = {
        .samples = samples, .pairs = pairs, .bytes = 8, .count = count, .passes = 128};
    uint64_t bits = 1;

    for (int kind = VALUE_F64; kind <= VALUE_I64; kind++) {
        const struct cpu_kernels *kernels = cpu_kernels_pick(isa, (enum value_kind)kind);
        double bar = strcmp(kernels->name, "avx512") == 0 ? 0.27
                     : strcmp(kernels->name, "avx2") == 0 ? 0.08
                                                          : 0;

        for (size_t i = 0; i < count; i++) {
            bits = bits * 6364136223846793005U + 1442695040888963407U;
            if (kind == VALUE_F64)
                ((double *)samples)[i] = (double)(int64_t)bits;
            else
                ((uint64_t *)samples)[i] = bits;
        }
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            struct work work = slide_work(kernels, widths[i], samples, pairs);
            char name[64];

            snprintf(name, sizeof name, "%s, w %llu, over the copy",
                     kind == VALUE_F64 ? "float64" : "int64", (unsigned long long)widths[i]);
            bars_compare(name, rate, &work, rate, &copy, kind == VALUE_F64 ? bar : 0,
                         kind == VALUE_F64 ? 0.4 : 0, 1);
            pages_free(work.slider, work.slider_bytes);
        }
    }
}

int main(int argc, char **argv)
{
    const struct cpu_kernels *kernels = cpu_kernels_pick(argc > 1 ? argv[1] : NULL, VALUE_F32);
    float *samples = pages_alloc(CACHED * sizeof *samples);
    float *pairs = pages_alloc(2 * CACHED * sizeof *pairs);

    if (kernels == NULL || samples == NULL || pairs == NULL) {
        fprintf(stderr, "perf_compute: no such instruction set here, or no memory\n");
        return 1;
    }
    printf("%s kernels; 10^9 samples a second, ratio, its spread, bar, reach\n", kernels->name);
    bars_fill(samples, CACHED, "random");
    across_widths(kernels, samples, pairs);
    against_lemire(kernels, samples, pairs);
    across_data(kernels, samples, pairs);
    decoding(argc > 1 ? argv[1] : NULL, samples, pairs);
    wide_values(argc > 1 ? argv[1] : NULL, samples, pairs);
    pages_free(samples, CACHED * sizeof *samples);
    pages_free(pairs, 2 * CACHED * sizeof *pairs);
    return bars_end();
}
