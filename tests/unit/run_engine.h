/* SPDX-License-Identifier: MIT */
/* A stream through any engine, one chunk after the other. */
#ifndef GPUENV_TESTS_RUN_ENGINE_H
#define GPUENV_TESTS_RUN_ENGINE_H

#include "check.h"

#include <string.h>

#include "engine/engine.h"
#include "random.h"
#include "words.h"

/* Sends frames from..n-1 through an engine opened at `from`, in random cuts, and the tail if
 * `with_tail`. Returns the output frames. */
static size_t run_engine(const struct engine_class *class, const struct machine *machine,
                         struct engine_setup setup, const void *samples, size_t from, size_t n,
                         bool with_tail, unsigned char *out)
{
    const unsigned char *frames = samples;
    size_t in_bytes = engine_in_bytes(&setup);
    size_t out_bytes = engine_out_bytes(&setup);
    size_t at = from < setup.window.width - 1 ? 0 : from - (size_t)(setup.window.width - 1);
    uint64_t tail = with_tail ? window_tail(&setup.window, n) : 0;
    uint64_t past = window_tail_first(&setup.window, n);
    struct engine *engine = NULL;
    struct chunk chunk = {0};
    struct error error;
    size_t written = 0;

    if (class->open(machine, &setup, at, &engine, &error) != 0 ||
        class->attach(engine, &chunk, &error) != 0) {
        CHECK_THAT(false, "%s", words_of(&error));
        return 0;
    }
    while (at < n || tail > 0) {
        size_t cut = random_number() % setup.chunk_frames + 1;
        size_t left = at < from ? from - at : n - at;

        if (at < n) {
            chunk.in_frames = cut < left ? cut : left;
            memcpy(chunk.in, frames + at * in_bytes, chunk.in_frames * in_bytes);
            chunk_place(&chunk, &setup, at);
            if (at < from)
                chunk_mute(&chunk);
            at += chunk.in_frames;
        } else {
            cut = cut < tail ? cut : (size_t)tail;
            chunk_place_tail(&chunk, &setup, n, past, cut);
            past += cut;
            tail -= cut;
        }
        CHECK(class->submit(engine, &chunk, &error) == 0);
        CHECK(class->collect(engine, &chunk, &error) == 0);
        memcpy(out + written * out_bytes, chunk.out, chunk.out_frames * out_bytes);
        written += chunk.out_frames;
    }
    class->detach(engine, &chunk);
    class->close(engine);
    return written;
}

#endif
