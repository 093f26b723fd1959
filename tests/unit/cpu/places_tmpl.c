/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Where the extremes of windows are: sliders with places of every kernel table that runs here,
 * against the definition: widths at which vectors, blocks and strips meet, data with equal samples
 * and with every kind of trap, cut at random, and windows past the end. Then frames of every kept
 * window, counted from any frame in either direction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "check.h"
#include "cpu/kernels.h"
#include "shapes_tmpl.h"

enum {
    SAMPLES = 5000,
    GUARD = 64, /* values behind the results */
};

/* What is found in a stream: the samples, and what there is for each window. */
struct stream {
    uint64_t width;
    unsigned side;
    enum nan_policy policy;
    enum data data;
    kind_key middle; /* the key of 0 */
    size_t count;
    size_t windows; /* some past the last sample */
    kind_value samples[SAMPLES];
    kind_value expected[2 * SAMPLES];
    size_t first[2 * SAMPLES]; /* sample with this extreme */
    kind_value extremes[2 * SAMPLES + GUARD];
    kind_value places[2 * SAMPLES + GUARD];
};

static kind_key key_of(const struct stream *stream, size_t i)
{
    const kind_value sample =
        kind_from_bits((kind_bits)(kind_to_bits(stream->samples[i]) ^ (kind_bits)stream->middle));
    const kind_key low = kind_low_key(sample, stream->policy);
    const kind_key high = kind_high_key(sample, stream->policy);

    return stream->side == SLIDER_LOW ? low : high;
}

static bool is_better(const struct stream *stream, kind_key a, kind_key b)
{
    return stream->side == SLIDER_LOW ? a < b : a > b;
}

/* Candidates are in order, each worse than the one before it: the first of equals stays. */
static void define(struct stream *stream)
{
    static size_t candidates[SAMPLES];
    size_t begin = 0;
    size_t end = 0;

    for (size_t i = 0; i < stream->windows; i++) {
        kind_bits bits;

        if (i < stream->count) {
            while (end > begin &&
                   is_better(stream, key_of(stream, i), key_of(stream, candidates[end - 1])))
                end--;
            candidates[end++] = i;
        }
        while (candidates[begin] + stream->width <= i)
            begin++;
        bits = kind_to_bits(kind_from_key(key_of(stream, candidates[begin])));
        stream->first[i] = candidates[begin];
        stream->expected[i] = kind_from_bits((kind_bits)(bits ^ (kind_bits)stream->middle));
    }
}

static void slide(struct stream *stream, const struct cpu_kernels *kernels)
{
    const size_t bytes =
        (size_t)kernels->slider_bytes(stream->width, stream->side | SLIDER_PLACES) / 64 * 64 + 64;
    struct slider *slider = aligned_alloc(64, bytes);
    size_t at = 0;

    if (slider == NULL)
        abort();
    memset(slider, 0xa5, bytes);
    memset(stream->extremes, 0xa5, sizeof stream->extremes);
    memset(stream->places, 0xa5, sizeof stream->places);
    kernels->slider_init(slider, stream->width, stream->side | SLIDER_PLACES, stream->policy);
    while (at < stream->windows) {
        const size_t most = (at < stream->count ? stream->count : stream->windows) - at;
        const size_t part = min_u64(1 + random_below(random_below(4) == 0 ? 2000 : 70), most);

        if (at < stream->count)
            kernels->slide(slider, stream->samples + at, part, stream->extremes + at,
                           stream->places + at);
        else
            kernels->slide_missing(slider, part, stream->extremes + at, stream->places + at);
        at += part;
    }
    free(slider);
}

static bool is_guarded(const kind_value *end)
{
    for (size_t i = 0; i < GUARD * sizeof *end; i++) {
        if (((const unsigned char *)end)[i] != 0xa5)
            return false;
    }
    return true;
}

/* Every `hop`th window from `begin` on. */
static bool are_frames_right(struct stream *stream, const struct cpu_kernels *kernels, size_t begin,
                             size_t hop)
{
    static int64_t frames[2 * SAMPLES];
    const uint64_t first = random_below(3) == 0 ? 0 : (uint64_t)random_number() << 8;
    struct places work = {.extremes = stream->extremes,
                          .places = stream->places,
                          .none = extremes_missing_bits(kernels->kind, stream->side),
                          .width = stream->width,
                          .hop = hop,
                          .end = first + begin,
                          .first = first,
                          .origin = (int64_t)random_below(1000),
                          .turn = random_below(2) == 0 ? 0 : -1,
                          .frames = frames};
    bool right = true;

    for (size_t i = begin; i < stream->windows; i += hop, work.windows++) {
        stream->extremes[work.windows] = stream->extremes[i];
        stream->places[work.windows] = stream->places[i];
    }
    kernels->frames(&work);
    for (size_t i = 0; i < work.windows && right; i++) {
        const size_t window = begin + i * hop;
        const int64_t number = (int64_t)(first + stream->first[window]);
        const bool is_nan = kind_is_nan_bits(kind_to_bits(stream->expected[window]));

        right = frames[i] == (is_nan           ? -1
                              : work.turn == 0 ? work.origin + number
                                               : work.origin - number);
        if (!right)
            fprintf(stderr, "window %zu of %zu: %lld\n", window, stream->windows,
                    (long long)frames[i]);
    }
    return right;
}

static void check_stream(struct stream *stream, const struct cpu_kernels *kernels)
{
    bool right;

    stream->middle = kernels->kind == KIND ? 0 : (kind_key)extremes_missing_bits(KIND, SLIDER_HIGH);
    define(stream);
    slide(stream, kernels);
    right = memcmp(stream->extremes, stream->expected, stream->windows * sizeof(kind_value)) == 0 &&
            is_guarded(stream->extremes + stream->windows) &&
            is_guarded(stream->places + stream->windows);
    right = right && are_frames_right(stream, kernels, 0, 1) &&
            are_frames_right(stream, kernels, random_below(stream->windows), 1 + random_below(5));
    CHECK_THAT(right, "%s, kind %d, w %llu, side %u, policy %d, data %d, n %zu+%zu", kernels->name,
               (int)kernels->kind, (unsigned long long)stream->width, stream->side,
               (int)stream->policy, (int)stream->data, stream->count,
               stream->windows - stream->count);
}

static void check_width(struct stream *stream, uint64_t width, size_t count, enum value_kind kind)
{
    const struct cpu_kernels *kernels;

    stream->width = width;
    stream->count = count;
    stream->windows = count + random_below(min_u64(width, count));
    for (unsigned t = 0; (kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
        stream->data = (enum data)random_below(DATA_KINDS);
        stream->side = random_below(2) == 0 ? SLIDER_LOW : SLIDER_HIGH;
        stream->policy = random_below(2) == 0 ? NAN_PROPAGATE : NAN_OMIT;
        fill(stream->data, stream->samples, count);
        check_stream(stream, kernels);
    }
}

static void check_kind(struct stream *stream, enum value_kind kind)
{
    static const uint64_t widths[] = {1,   2,   3,   5,    7,    8,    9,    15,   16,
                                      17,  31,  32,  33,   51,   63,   64,   65,   100,
                                      127, 128, 129, 160,  161,  177,  200,  256,  320,
                                      512, 640, 641, 1000, 1024, 1500, 2048, 3000, 4001};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        /* A place must tell the samples of a window apart. */
        if (widths[w] - 1 > UINT64_MAX >> (64 - 8 * KIND_BYTES))
            break;
        for (int i = 0; i < 20; i++)
            check_width(stream, widths[w], 1 + random_below(i % 4 == 0 ? SAMPLES : 300), kind);
    }
}

int main(void)
{
    static struct stream stream;

    check_kind(&stream, KIND);
#ifdef KIND_UNSIGNED
    check_kind(&stream, KIND_UNSIGNED);
#endif
    return check_result();
}
