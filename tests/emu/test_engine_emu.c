/* SPDX-License-Identifier: MIT */
/* The cuda engine on the emulator, against the sequential reference:
 * test_engine_emu few|most|full [DEVICE] (tests/gpu/ builds the same for a real device)
 *
 * Every sample type, channels, edges, hops; chunks cut at random, several in flight; opened or
 * restarted at any frame; on any device, while another one is current; with output pages given
 * away; streams that work at once, as late as possible, or at random; with resources kept from
 * another stream's engine; and every function of the runtime made to fail: in full at each of its
 * calls, otherwise at the first ones and at some of the others. */
#include "amount.h"
#include "cases.h"
#include "feed.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu.h"
#include "words.h"

static unsigned long cases;
static unsigned device;
static struct devices *devices;

/* What a stream has given. */
struct output {
    char *out;
    size_t frames;
};

/* What a writer does with pages that it may give away: it replaces them by others. */
static void give_pages(const struct stream *stream, const struct chunk *chunk)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = engine_out_most(stream->setup) * engine_out_bytes(stream->setup);

    CHECK((uintptr_t)chunk->out % page == 0);
    CHECK(madvise(chunk->out, size / page * page, MADV_DONTNEED) == 0);
}

static void take_frames(const struct stream *stream, const struct chunk *chunk)
{
    const size_t frame = engine_out_bytes(stream->setup);
    struct output *output = stream->to;

    memcpy(output->out + output->frames * frame, chunk->out, chunk->out_frames * frame);
    output->frames += chunk->out_frames;
    /* From here on the buffers belong to another user. */
    memset(chunk->in, 0x5a, stream->setup->chunk_frames * engine_in_bytes(stream->setup));
    memset(chunk->out, 0xa5, engine_out_most(stream->setup) * frame);
    CHECK(chunk->out_is_ours || !stream->setup->gives_pages);
    if (chunk->out_is_ours)
        give_pages(stream, chunk);
}

/* The frame at which to start an engine whose first window ends at `from`. */
static size_t halo_begin(const struct engine_setup *setup, size_t from)
{
    return from < setup->window.width - 1 ? 0 : from - (size_t)(setup->window.width - 1);
}

/* Feeds another part of the stream first, and discards its output. */
static int feed_before(struct stream *stream, const unsigned char *frames, size_t n,
                       struct error *error)
{
    struct output *output = stream->to;
    size_t before = random_number() % n;

    engine_cuda.restart(stream->engine, halo_begin(stream->setup, before));
    if (feed(stream, frames, halo_begin(stream->setup, before), before, n, error) != 0)
        return -1;
    output->frames = 0;
    return 0;
}

/* One engine for frames from .. n-1, which may have been used before. Returns -1 on failure;
 * nothing must be left behind. */
static int run(const struct engine_setup *wanted, const unsigned char *frames, size_t from,
               size_t n, bool restarted, char *out, size_t *out_frames, struct error *error)
{
    const struct engine_setup setup = *wanted;
    const struct machine machine = {.device = device, .devices = devices};
    const size_t start = halo_begin(&setup, from);
    struct output output = {.out = out};
    struct stream stream = {.setup = &setup, .take = take_frames, .to = &output};
    int result = open_stream(&stream, &machine, start, error);

    if (result == 0 && restarted) {
        result = feed_before(&stream, frames, n, error);
        if (result == 0)
            engine_cuda.restart(stream.engine, start);
    }
    if (result == 0)
        result = feed(&stream, frames, start, from, n, error);
    close_stream(&stream);
    *out_frames = output.frames;
    return result;
}

/* Raw frames, with a NaN now and then if the type has any. */
static unsigned char *random_frames(const struct engine_setup *setup, size_t samples, bool with_nan)
{
    unsigned char *raw;

    if (sample_type_is_native(setup->sample, setup->value)) {
        raw = random_values(setup->value, samples, with_nan);
        if (raw == NULL)
            abort();
        return raw;
    }
    raw = malloc(samples * sample_type_bytes(setup->sample) + 1);
    if (raw == NULL)
        abort();
    for (size_t i = 0; i < samples * sample_type_bytes(setup->sample); i++)
        raw[i] = (unsigned char)(random_number() >> 9);
    return raw;
}

static void check_case(const struct engine_setup *setup, size_t n, bool with_nan)
{
    unsigned char *frames = random_frames(setup, n * setup->channels, with_nan);
    size_t frame = engine_out_bytes(setup);
    struct error error = {.reason = ""};
    void *expected;
    size_t expected_frames = reference(setup, frames, n, &expected);
    char *got = malloc((expected_frames + 1) * frame);
    size_t from = n > 0 && random_number() % 2 == 0 ? random_number() % n : 0;
    size_t skipped = from == 0 ? 0 : (size_t)window_pick(&setup->window, 0, from).kept;
    bool restarted = n > 0 && cases % 3 == 1;
    size_t got_frames = 0;

    emu_set_order((enum emu_order)(random_number() % EMU_ORDERS), random_number());
    CHECK_THAT(run(setup, frames, from, n, restarted, got, &got_frames, &error) == 0, "%s",
               words_of(&error));
    CHECK_THAT(got_frames == expected_frames - skipped &&
                   memcmp(got, (char *)expected + skipped * frame, got_frames * frame) == 0,
               "n %zu from %zu%s: %s", n, from, restarted ? ", restarted" : "", setup_words(setup));
    CHECK(devices != NULL || emu_live_objects() == 0);
    cases++;
    free(got);
    free(expected);
    free(frames);
}

static void check_width(uint64_t width, unsigned rounds)
{
    static const unsigned channel_counts[] = {1, 1, 2, 1, 3, 6};
    static const uint64_t hops[] = {1, 1, 2, 441};
    static unsigned turn;

    for (unsigned i = 0; i < rounds; i++, turn++) {
        struct engine_setup setup = {
            .emits = emit_lists[turn % EMIT_LISTS],
            .nan = turn % 4 != 0 ? NAN_PROPAGATE : NAN_OMIT,
            .channels = channel_counts[turn / 2 % 6],
            .chunk_frames = 1 + random_number() % 6000,
            .gives_pages = turn % 5 == 2,
        };
        size_t n = (size_t)width * (turn % 3) + random_number() % 12000;

        set_value(&setup, turn / 2 % 2 != 0 ? VALUE_F64 : VALUE_F32);
        if (turn % 3 == 1)
            setup.sample.kind = (enum sample_kind)(random_number() % SAMPLE_KINDS);
        setup.sample.counts = turn % 2 != 0;
        if (sample_type_bytes(setup.sample) > 1 && turn % 7 == 0)
            setup.sample.big_endian = true;
        if (setup.sample.kind == SAMPLE_CS8 || setup.sample.kind == SAMPLE_CU8)
            setup.sample.big_endian = false;
        if (n * setup.channels > (is_full ? 200000 : 60000))
            n = (is_full ? 200000 : 60000) / setup.channels;
        /* Thousands of tiny chunks would only take long. */
        if (!is_full && n > 100 * setup.chunk_frames)
            n = 100 * setup.chunk_frames;
        window_init(&setup.window, width, hops[turn / 2 % 4], (enum window_align)(turn % 3),
                    turn / 3 % 2 != 0 ? EDGE_NAN : EDGE_SHRINK);
        check_case(&setup, n, turn % 5 < 3);
    }
}

/* Chunks that fill the rings: a copy that is too early overwrites what a kernel still needs. */
static void check_full_rings(unsigned rounds)
{
    static const uint64_t widths[] = {100, 16, 4000, 20000};

    for (unsigned i = 0; i < rounds; i++) {
        struct engine_setup setup = {
            .emits = emit_lists[0],
            .channels = 1,
            .chunk_frames = 20000 + random_number() % 10000,
        };

        set_value(&setup, i % 8 < 4 ? VALUE_F32 : VALUE_F64);
        setup.gives_pages = i % 8 == 1;
        window_init(&setup.window, widths[i % 4], 1, ALIGN_VALID, EDGE_SHRINK);
        check_case(&setup, 300000, false);
    }
}

static void end_keep(void)
{
    devices_end(devices);
    devices = NULL;
    CHECK(emu_live_objects() == 0);
}

/* A pool with the resources of an engine for smaller chunks. */
static void begin_keep(const struct engine_setup *setup, const unsigned char *frames, size_t n)
{
    struct engine_setup smaller = *setup;
    char *got = malloc((n + (size_t)window_tail(&setup->window, n) + 1) * engine_out_bytes(setup));
    size_t got_frames;
    struct error error = {.reason = ""};

    smaller.chunk_frames = setup->chunk_frames / 2;
    devices = devices_open();
    CHECK(devices != NULL);
    CHECK_THAT(run(&smaller, frames, 0, n, false, got, &got_frames, &error) == 0, "%s",
               words_of(&error));
    CHECK(emu_live_objects() > 0);
    free(got);
}

/* Makes every call of every function fail once. If plain memory can replace pinned memory, the
 * bytes are right; otherwise there is one error, and nothing is left behind, even if something was
 * `kept` before. */
static void check_failures_at(uint64_t width, unsigned channels, enum value_kind value,
                              enum sample_kind sample, bool gives_pages, bool kept)
{
    struct engine_setup setup = {
        .emits = emit_lists[0],
        .channels = channels,
        .chunk_frames = is_full ? 2500 : 1000,
        .gives_pages = gives_pages,
    };
    const size_t n = (is_few ? 3 : 8) * setup.chunk_frames;
    const size_t from = setup.chunk_frames + setup.chunk_frames / 5;
    const unsigned long stride = is_full ? 1 : is_few ? 201 : 7;
    unsigned char *frames;
    void *expected;
    char *got;
    size_t frame;
    size_t expected_frames;
    const char *function;

    set_value(&setup, value);
    setup.sample.kind = sample;
    window_init(&setup.window, width, 1, ALIGN_CENTER, EDGE_SHRINK);
    frames = random_frames(&setup, n * channels, false);
    expected_frames = reference(&setup, frames, n, &expected);
    frame = engine_out_bytes(&setup);
    got = malloc(expected_frames * frame);
    for (unsigned i = 0; (function = emu_function(i)) != NULL; i++) {
        unsigned long step = 1;

        for (unsigned long nth = 1;; nth += step) {
            struct error error = {.reason = ""};
            size_t got_frames = 0;
            unsigned long calls;
            int result;

            random_state = 99; /* the same cuts each time */
            emu_set_order(EMU_EAGER, 1);
            emu_fail(NULL, 0);
            if (kept)
                begin_keep(&setup, frames, setup.chunk_frames);
            random_state = 99;
            emu_fail(function, nth);
            result = run(&setup, frames, from, n, false, got, &got_frames, &error);
            calls = emu_calls(function);
            if (calls < nth) {
                end_keep();
                break;
            }
            emu_reset_fault();
            CHECK_THAT((kept && result == 0) || emu_live_objects() == 0, "%s fails at call %lu",
                       function, nth);
            end_keep();
            if (result == 0) {
                size_t skipped = (size_t)window_pick(&setup.window, 0, from).kept;

                CHECK_THAT(memcmp(got, (char *)expected + skipped * frame, got_frames * frame) == 0,
                           "%s fails at call %lu", function, nth);
                CHECK_THAT(strcmp(function, "cudaHostAlloc") == 0 ||
                               (kept && strcmp(function, "cudaMalloc") == 0) ||
                               strcmp(function, "cudaStreamSynchronize") == 0 ||
                               strcmp(function, "cudaSetDevice") == 0,
                           "%s fails at call %lu, and nobody notices", function, nth);
            } else {
                CHECK_THAT(words_of(&error)[0] != '\0' &&
                               (error.status == STATUS_FAILED || error.status == STATUS_NO_DEVICE),
                           "%s fails at call %lu: '%s'", function, nth, words_of(&error));
            }
            cases++;
            step = nth < (is_few ? 2 : 8) ? 1 : stride;
        }
        emu_fail(NULL, 0);
    }
    free(got);
    free(expected);
    free(frames);
}

/* Calls that create something, since the last emu_fail(). */
static unsigned long count_made(void)
{
    return emu_calls("cudaMalloc") + emu_calls("cudaHostAlloc") +
           emu_calls("cudaStreamCreateWithFlags") + emu_calls("cudaEventCreateWithFlags");
}

/* Streams of every kind one after another, each with the resources of the previous one; and streams
 * of one kind, the second of which creates nothing. */
static void check_keeping(unsigned rounds)
{
    static const uint64_t widths[] = {100, 16, 20000, 700, 9000};
    struct engine_setup setup = {
        .emits = emit_lists[0], .sample.kind = SAMPLE_S16, .channels = 2, .chunk_frames = 4000};

    devices = devices_open();
    CHECK(devices != NULL);
    for (unsigned i = 0; i < rounds; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            check_width(widths[w], is_few ? 1 : 2);
    }
    window_init(&setup.window, 100, 1, ALIGN_VALID, EDGE_SHRINK);
    check_case(&setup, 9000, false);
    emu_fail(NULL, 0);
    for (unsigned i = 0; i < 5; i++) {
        setup.chunk_frames = 4000 - 10 * i; /* like those of ever shorter files */
        check_case(&setup, 9000, false);
    }
    if (!emu_is_real())
        CHECK_THAT(count_made() == 0, "%lu made anew", count_made());
    for (unsigned i = 0; i < (is_few ? 5 : 20); i++) {
        setup.chunk_frames = 4000 + 10 * i;
        check_case(&setup, 4500, false);
    }
    /* A block that was too small is replaced by one twice as large: one more for each. */
    if (!emu_is_real())
        CHECK_THAT(count_made() <= 40, "%lu made anew", count_made());
    end_keep();
}

/* Kept resources do not take memory from others: large ones are not kept for long, and none if
 * memory is short. */
static void check_kept_memory(void)
{
    struct engine_setup setup = {.emits = emit_lists[0], .channels = 1, .chunk_frames = 1000};
    const uint64_t widths[] = {100, 5000000, 100, 6000000};
    size_t total = 0;
    size_t free_before = 0;
    size_t free_after = 0;

    CHECK(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
    devices = devices_open();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        window_init(&setup.window, widths[i], 1, ALIGN_VALID, EDGE_SHRINK);
        check_case(&setup, 3000, false);
        CHECK(cudaMemGetInfo(&free_after, &total) == cudaSuccess);
        if (widths[i] == 100)
            CHECK_THAT(free_before - free_after < 1000000, "%zu bytes", free_before - free_after);
    }
    /* Another engine's memory is all that is left, apart from kept resources. */
    emu_set_memory(30000000);
    {
        const struct machine machine = {.device = device, .devices = devices};
        struct engine *engines[2] = {NULL, NULL};
        struct error error = {.reason = ""};

        window_init(&setup.window, 100, 1, ALIGN_VALID, EDGE_SHRINK);
        for (int i = 0; i < 2; i++)
            CHECK_THAT(engine_cuda.open(&machine, &setup, 0, &engines[i], &error) == 0, "%s",
                       words_of(&error));
        engine_cuda.close(engines[1]);
        window_init(&setup.window, 7000000, 1, ALIGN_VALID, EDGE_SHRINK);
        CHECK_THAT(engine_cuda.open(&machine, &setup, 0, &engines[1], &error) == 0, "%s",
                   words_of(&error));
        engine_cuda.close(engines[1]); /* its rings are kept */
        engine_cuda.close(engines[0]);
        CHECK(engine_cuda.open(&machine, &setup, 0, &engines[0], &error) == 0);
        engine_cuda.close(engines[0]);
    }
    emu_set_memory((size_t)1 << 30);
    end_keep();
}

static void expect_error(unsigned number, const struct engine_setup *setup, enum status status,
                         const char *words)
{
    const struct machine machine = {.device = number};
    struct error error = {.reason = ""};
    struct engine *engine;
    int result = engine_cuda.open(&machine, setup, 0, &engine, &error);

    CHECK_THAT(result != 0 && error.status == status && strstr(words_of(&error), words) != NULL,
               "expected '%s', got '%s'", words, words_of(&error));
    CHECK(emu_live_objects() == 0);
}

static void check_refusals(void)
{
    struct engine_setup setup = {.emits = emit_lists[0], .channels = 1, .chunk_frames = 1000};

    window_init(&setup.window, 100, 1, ALIGN_VALID, EDGE_SHRINK);
    emu_set_devices(-1);
    expect_error(0, &setup, STATUS_NO_DEVICE, "no CUDA driver");
    emu_set_devices(0);
    expect_error(0, &setup, STATUS_NO_DEVICE, "no CUDA device");
    emu_set_devices(2);
    expect_error(2, &setup, STATUS_NO_DEVICE, "cuda:2: no such device: this machine has 2");
    emu_set_without_image(1);
    expect_error(1, &setup, STATUS_NO_DEVICE,
                 "--device cuda:1: emulated device, of compute capability 9.0, cannot run the "
                 "kernels of this gpuenv: no kernel image");
    emu_set_without_image(-1);
    emu_set_capability(7, 0);
    expect_error(0, &setup, STATUS_NO_DEVICE,
                 "--device cuda:0: emulated device, of compute capability 7.0, cannot run");
    emu_set_capability(9, 0);
    emu_set_devices(1);
    emu_set_memory(10000000);
    window_init(&setup.window, 5000000, 1, ALIGN_VALID, EDGE_SHRINK);
    expect_error(0, &setup, STATUS_FAILED,
                 "a window of 5000000 frames, in chunks of 1000, needs 19.2 MiB");
    expect_error(0, &setup, STATUS_FAILED, " of its memory, 9.5 MiB are free");
    set_value(&setup, VALUE_F64);
    expect_error(0, &setup, STATUS_FAILED, "needs 38.5 MiB of its memory");
    window_init(&setup.window, INT64_MAX, 1, ALIGN_VALID, EDGE_SHRINK);
    expect_error(0, &setup, STATUS_FAILED, "more bytes of memory than can be counted");
    emu_set_memory((size_t)1 << 30);
    setup.value = VALUE_I64;
    expect_error(0, &setup, STATUS_USAGE, "only the cores work on integers of 64 bits");
}

/* Devices differ in shared memory, which decides the plan. */
static void choose_device(unsigned turn)
{
    static const int capabilities[][2] = {{9, 0}, {7, 5}, {8, 0}, {8, 6}};

    emu_set_devices(3);
    emu_set_capability(capabilities[turn % 4][0], capabilities[turn % 4][1]);
    device = turn % 3;
}

int main(int argc, char **argv)
{
    static const uint64_t widths[] = {1,    2,    3,    15,   16,    17,   31,   32,
                                      33,   100,  500,  512,  800,   1000, 1024, 1025,
                                      3000, 4096, 8192, 8193, 20000, 70001};

    read_amount(argc, argv);
    device = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    if (!emu_is_real())
        check_refusals();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += CHECK_FEW ? 5 : is_few ? 2 : 1) {
        if (!emu_is_real())
            choose_device((unsigned)i);
        check_width(widths[i], is_full ? 40 : is_few ? 1 : 4);
    }
    if (!emu_is_real())
        choose_device(1); /* a device without the larger blocks */
    check_full_rings(is_full ? 32 : is_few ? 2 : 8);
    if (!emu_is_real())
        choose_device(0);
    if (!is_few) {
        check_failures_at(100, 1, VALUE_F32, SAMPLE_F32, false, false);
        check_failures_at(is_full ? 20000 : 9000, 2, VALUE_F32, SAMPLE_F32, false, false);
        check_failures_at(9000, 1, VALUE_F64, SAMPLE_F64, false, false);
    }
    check_failures_at(1000, 1, VALUE_F32, SAMPLE_S16, true, false);
    check_failures_at(1000, is_few ? 1 : 2, VALUE_F64, SAMPLE_S32, false, true);
    check_keeping(is_full ? 6 : is_few ? 1 : 2);
    if (!emu_is_real())
        check_kept_memory();
    printf("%lu cases of stream and failure, %lu blocks\n", cases, emu_blocks_run());
    return check_result();
}
