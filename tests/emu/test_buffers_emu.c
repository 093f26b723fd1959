/* SPDX-License-Identifier: MIT */
/* cuda/buffers when memory is short: pages to give away, pinned memory to write from, or plain
 * memory; the frames are the same in each case. */
#include "cases.h"

#include "base/pages.h"
#include "base/threads.h"
#include "cuda/engine_cuda.h"
#include "emu.h"
#include "words.h"

enum { FRAMES = 300000 }; /* their output has a huge page, and part of another */

static bool pages_are_short;

/* The names are the linker's. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_pages_alloc(size_t size);
void *__wrap_pages_alloc(size_t size);

void *__wrap_pages_alloc(size_t size)
{
    return pages_are_short ? NULL : __real_pages_alloc(size);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static struct engine_setup setup = {
    .emits = {2, {EMIT_MIN, EMIT_MAX}}, .channels = 1, .chunk_frames = FRAMES, .gives_pages = true};
static void *samples;
static void *due;

/* A stream of one chunk. */
static void check_stream(struct devices *devices, bool is_ours, const char *words)
{
    const struct machine machine = {.threads = threads_open(3), .devices = devices};
    struct chunk chunk = {.in_frames = FRAMES};
    struct engine *engine;
    struct error error = {.reason = ""};
    char is_now[100];

    CHECK(machine.threads != NULL);
    CHECK_THAT(engine_cuda.open(&machine, &setup, 0, &engine, &error) == 0, "%s", words_of(&error));
    CHECK_THAT(engine_cuda.attach(engine, &chunk, &error) == 0, "%s: %s", words, words_of(&error));
    CHECK_THAT(chunk.out_is_ours == is_ours, "%s", words);
    engine_cuda.describe(engine, is_now, sizeof is_now);
    CHECK_THAT(strstr(is_now, words) != NULL, "'%s'", is_now);
    memcpy(chunk.in, samples, FRAMES * engine_in_bytes(&setup));
    chunk_place(&chunk, &setup, 0);
    CHECK_THAT(engine_cuda.submit(engine, &chunk, &error) == 0, "%s", words_of(&error));
    CHECK_THAT(engine_cuda.collect(engine, &chunk, &error) == 0, "%s", words_of(&error));
    CHECK(memcmp(chunk.out, due, chunk.out_frames * engine_out_bytes(&setup)) == 0);
    engine_cuda.detach(engine, &chunk);
    engine_cuda.close(engine);
    threads_close(machine.threads);
}

static void check_value(enum value_kind value)
{
    struct devices *devices = devices_open();

    set_value(&setup, value);
    window_init(&setup.window, 512, 1, ALIGN_VALID, EDGE_SHRINK);
    samples = random_values(value, FRAMES, true);
    if (devices == NULL || samples == NULL || reference(&setup, samples, FRAMES, &due) == 0)
        abort();
    check_stream(devices, true, "3 slots");
    pages_are_short = true;
    check_stream(devices, false, "3 slots");
    pages_are_short = false;
    check_stream(devices, true, "3 slots");
    devices_clear(devices, 0);
    emu_fail("cudaHostAlloc", 1);
    check_stream(devices, true, "not pinned");
    emu_fail(NULL, 0);
    devices_end(devices);
    CHECK(emu_live_objects() == 0);
    free(due);
    free(samples);
}

int main(void)
{
    check_value(VALUE_F32);
    if (!CHECK_THREADS) /* no other threads */
        check_value(VALUE_F64);
    return check_result();
}
