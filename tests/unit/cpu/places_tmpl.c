/* SPDX-License-Identifier: MIT */
/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Where the extremes of windows are: sliders with places of every kernel table that runs here,
 * against the definition: widths at which vectors, blocks and strips meet, data with equal samples
 * and with every kind of trap, cut at random, and windows past the end. Then frames of every kept
 * window, counted from any frame in either direction. */
#include <stdio.h>

#include "base/min_max.h"
#include "check.h"
#include "streams_tmpl.h"

enum { SAMPLES = 5000 };

/* Extremes and places of all windows, one side of a stream. */
struct found {
    kind_value *extremes;
    kind_value *places;
};

static void slide(const struct stream *stream, const struct cpu_kernels *kernels, unsigned sides,
                  const struct found *found)
{
    const size_t bytes = (size_t)kernels->slider_bytes(stream->width, sides) / 64 * 64 + 64;
    struct slider *slider = aligned_alloc(ALIGNMENT, bytes);

    if (slider == NULL)
        abort();
    memset(slider, 0xa5, bytes);
    kernels->slider_init(slider, stream->width, sides, stream->policy);
    for (size_t at = 0, part; at < stream->n + stream->tail; at += part) {
        const size_t most = at < stream->n ? stream->n - at : stream->n + stream->tail - at;

        part = min_u64(1 + random_below(random_below(4) == 0 ? 2000 : 70), most);
        if (at < stream->n)
            kernels->slide(slider, stream->samples + at, part, found->extremes + at,
                           found->places + at);
        else
            kernels->slide_missing(slider, part, found->extremes + at, found->places + at);
    }
    free(slider);
}

/* Of every `hop`th window from `begin` on. */
static bool are_frames_right(const struct stream *stream, const struct cpu_kernels *kernels,
                             unsigned side, const struct found *found, size_t begin, size_t hop)
{
    static int64_t frames[2 * SAMPLES];
    const uint64_t first = random_below(3) == 0 ? 0 : (uint64_t)random_number() << 8;
    struct places work = {.extremes = found->extremes,
                          .places = found->places,
                          .none =
                              extremes_missing_bits(kernels->kind, (unsigned)SLIDER_LOW << side),
                          .width = stream->width,
                          .hop = hop,
                          .end = first + begin,
                          .first = first,
                          .origin = (int64_t)random_below(1000),
                          .turn = random_below(2) == 0 ? 0 : -1,
                          .frames = frames};

    for (size_t i = begin; i < stream->n + stream->tail; i += hop, work.windows++) {
        found->extremes[work.windows] = found->extremes[i];
        found->places[work.windows] = found->places[i];
    }
    kernels->frames(&work);
    for (size_t i = 0; i < work.windows; i++) {
        const size_t window = begin + i * hop;
        const int64_t number = (int64_t)(first + stream->first[side][window]);
        const int64_t due = kind_is_nan_bits(kind_to_bits(stream->expected[side][window])) ? -1
                            : work.turn == 0 ? work.origin + number
                                             : work.origin - number;

        if (frames[i] != due) {
            fprintf(stderr, "window %zu: %lld, not %lld\n", window, (long long)frames[i],
                    (long long)due);
            return false;
        }
    }
    return true;
}

static void check_side(const struct stream *stream, const struct cpu_kernels *kernels,
                       unsigned side)
{
    const size_t windows = stream->n + stream->tail;
    const struct found found = {guarded_values(windows), guarded_values(windows)};
    bool right;

    slide(stream, kernels, (unsigned)SLIDER_LOW << side | SLIDER_PLACES, &found);
    right =
        memcmp(found.extremes, stream->expected[side], windows * sizeof(kind_value)) == 0 &&
        guard_is_intact(found.extremes + windows) && guard_is_intact(found.places + windows) &&
        are_frames_right(stream, kernels, side, &found, 0, 1) &&
        are_frames_right(stream, kernels, side, &found, random_below(windows), 1 + random_below(5));
    CHECK_THAT(right, "%s, kind %d, w %llu, side %u, policy %d, data %d, n %zu+%zu", kernels->name,
               (int)kernels->kind, (unsigned long long)stream->width, side, (int)stream->policy,
               (int)stream->data, stream->n, stream->tail);
    free(found.extremes);
    free(found.places);
}

static void check_width(uint64_t width, size_t n, enum value_kind kind)
{
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
        const struct stream stream =
            stream_open((enum data)random_below(DATA_KINDS), n, random_below(min_u64(width, n)),
                        width, random_below(2) == 0 ? NAN_PROPAGATE : NAN_OMIT);

        if (kind != KIND)
            stream_flip(&stream);
        check_side(&stream, kernels, (unsigned)random_below(2));
        stream_close(&stream);
    }
}

static void check_kind(enum value_kind kind)
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
            check_width(widths[w], 1 + random_below(i % 4 == 0 ? SAMPLES : 300), kind);
    }
}

int main(void)
{
    check_kind(KIND);
#ifdef KIND_UNSIGNED
    check_kind(KIND_UNSIGNED);
#endif
    return check_result();
}
