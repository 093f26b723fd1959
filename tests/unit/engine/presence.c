/* SPDX-License-Identifier: MIT */
/* The count of samples in a window against the definition, in random steps: windows longer and
 * shorter than a block, hops, and NaN that are rare, frequent and everywhere. */
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "engine/presence_priv.h"

enum { FRAMES = 3000, MISSING = 100 /* frames behind the last sample */ };

struct stream {
    struct engine_setup setup;
    enum value_kind kind;
    bool is[FRAMES];
    float floats[FRAMES];
    double doubles[FRAMES];
    double out[FRAMES]; /* 1, and NaN where a window has too few samples */
};

static void make(struct stream *stream)
{
    const uint64_t width = 1 + random_below(random_below(2) == 0 ? 12 : 700);
    const uint64_t rates[] = {0, 1, 100, 5000, 10000}; /* NaN among 10,000 */
    uint64_t rate = 0;

    memset(stream, 0, sizeof *stream);
    stream->kind = random_below(2) == 0 ? VALUE_F32 : VALUE_F64;
    stream->setup.window.width = width;
    stream->setup.window.hop = random_below(3) == 0 ? 1 + random_below(300) : 1;
    stream->setup.least = random_below(8) == 0 ? UINT64_MAX : 1 + random_below(width + 1);
    stream->setup.emits.count = 1;
    stream->setup.results[0] = VALUE_F64;
    for (size_t i = 0; i < FRAMES; i++) {
        if (i % 500 == 0)
            rate = rates[random_below(5)];
        stream->is[i] = i < FRAMES - MISSING && random_below(10000) >= rate;
        stream->doubles[i] = stream->is[i] ? INFINITY : random_below(2) == 0 ? NAN : -NAN;
        stream->floats[i] = (float)stream->doubles[i];
        stream->out[i] = 1;
    }
}

/* Passes all frames, and returns the number of output frames. The first frames are muted. */
static size_t run(struct stream *stream, struct presence *presence, size_t muted)
{
    const uint64_t hop = stream->setup.window.hop;
    size_t kept = 0;
    uint64_t next = muted;

    presence_start(presence, stream->setup.window.width);
    for (size_t from = 0, end; from < FRAMES; from = end) {
        const size_t limit = from < muted              ? muted
                             : from < FRAMES - MISSING ? FRAMES - MISSING
                                                       : FRAMES;
        const void *samples = stream->kind == VALUE_F32 ? (const void *)&stream->floats[from]
                                                        : (const void *)&stream->doubles[from];
        struct emit_out out = {{from < muted ? NULL : &stream->out[kept]}, 1, 1, true};
        struct emit_run part = {.setup = &stream->setup, .out = &out};

        end = min_u64(from + 1 + random_below(random_below(2) == 0 ? 5 : 1000), limit);
        part.start = next - from;
        part.kept = from >= muted && next < end ? (end - 1 - next) / hop + 1 : 0;
        presence_run(presence, &part, 0, stream->kind, from < FRAMES - MISSING ? samples : NULL,
                     end - from);
        kept += part.kept;
        next += part.kept * hop;
    }
    return kept;
}

static void check(const struct stream *stream, size_t muted, size_t kept)
{
    const uint64_t width = stream->setup.window.width;

    CHECK(kept == (FRAMES - 1 - muted) / stream->setup.window.hop + 1);
    for (size_t i = 0; i < kept; i++) {
        const size_t end = muted + i * stream->setup.window.hop;
        uint64_t there = 0;

        for (size_t frame = end + 1 - min_u64(width, end + 1); frame <= end; frame++)
            there += stream->is[frame];
        CHECK_THAT(isnan(stream->out[i]) == (there < stream->setup.least),
                   "width %llu, hop %llu, window %zu", (unsigned long long)width,
                   (unsigned long long)stream->setup.window.hop, i);
    }
}

int main(void)
{
    struct stream *stream = malloc(sizeof *stream);

    for (int round = 0; stream != NULL && round < (CHECK_FEW ? 30 : 300); round++) {
        const size_t muted = random_below(2) == 0 ? 0 : random_below(FRAMES - MISSING);
        struct presence *presence;

        make(stream);
        presence = malloc(presence_bytes(stream->setup.window.width));
        if (presence != NULL)
            check(stream, muted, run(stream, presence, muted));
        free(presence);
    }
    free(stream);
    CHECK(presence_bytes(UINT64_MAX) == UINT64_MAX);
    CHECK(presence_bytes(1000000) < 1001000); /* a byte a frame */
    return check_result();
}
