/* The engines against the definition: every align, edge, hop, emit and NaN policy, channels, random
 * cuts, opening in mid-stream, threads and instruction sets. */
#include "check.h"
#include "words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/kernels.h"
#include "engine/engine.h"

static uint32_t random_state = 12345;

static uint32_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static float *random_samples(size_t count, bool with_nan)
{
    float *samples = malloc((count + 1) * sizeof *samples);

    for (size_t i = 0; samples != NULL && i < count; i++) {
        uint32_t number = random_number();

        samples[i] = (float)(int32_t)number / 2147483648.0f;
        if (number % 11 == 0)
            samples[i] = number % 2 != 0 ? 0.0f : -0.0f;
        if (number % 97 == 0)
            samples[i] = number % 2 != 0 ? INFINITY : -INFINITY;
        if (with_nan && number % 23 == 0)
            samples[i] = number % 2 != 0 ? NAN : -NAN;
    }
    return samples;
}

/* As the manual defines it, one output at a time. Returns the frames written to `out`. */
static size_t oracle(const struct engine_setup *setup, const float *samples, int64_t n, float *out)
{
    int64_t width = (int64_t)setup->window.width;
    size_t written = 0;

    for (int64_t k = 0; k < n; k += (int64_t)setup->window.hop) {
        int64_t from = setup->window.align == ALIGN_VALID || setup->window.align == ALIGN_FORWARD
                           ? k
                       : setup->window.align == ALIGN_CAUSAL ? k - width + 1
                                                             : k - width / 2;
        int64_t to = from + width - 1;
        bool cut = from < 0 || to >= n;

        if (setup->window.align == ALIGN_VALID && to >= n)
            break;
        from = from < 0 ? 0 : from;
        to = to >= n ? n - 1 : to;
        for (unsigned c = 0; c < setup->channels; c++) {
            int32_t low = KEY_ABOVE;
            int32_t high = KEY_BELOW;

            for (int64_t i = from; i <= to; i++) {
                float sample = samples[(size_t)i * setup->channels + c];
                int32_t low_key = rules_low_key(sample, setup->nan);
                int32_t high_key = rules_high_key(sample, setup->nan);

                low = low_key < low ? low_key : low;
                high = high_key > high ? high_key : high;
            }
            for (unsigned e = 0; e < setup->emits.count; e++) {
                float value =
                    rules_emit(setup->emits.item[e], rules_from_key(low), rules_from_key(high));

                *out++ =
                    cut && setup->window.edge == EDGE_NAN ? rules_float(RULES_NAN_BITS) : value;
            }
        }
        written++;
    }
    return written;
}

/* Sends frames from..n-1 through an engine opened at `from`, in random cuts, and the tail if
 * `with_tail`. Returns the output frames. */
static size_t run_engine(const struct engine_class *class, const struct machine *machine,
                         struct engine_setup setup, const float *samples, size_t from, size_t n,
                         bool with_tail, float *out)
{
    size_t in_floats = setup.channels;
    size_t out_floats = (size_t)setup.channels * setup.emits.count;
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
            memcpy(chunk.in, samples + at * in_floats, chunk.in_frames * in_floats * sizeof(float));
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
        memcpy(out + written * out_floats, chunk.out,
               chunk.out_frames * out_floats * sizeof(float));
        written += chunk.out_frames;
    }
    class->detach(engine, &chunk);
    class->close(engine);
    return written;
}

static const struct emit_list emit_lists[] = {
    {2, {EMIT_MIN, EMIT_MAX}},
    {1, {EMIT_MAX}},
    {1, {EMIT_MIN}},
    {1, {EMIT_ABS}},
    {5, {EMIT_MID, EMIT_RANGE, EMIT_ABS, EMIT_MAX, EMIT_MIN}},
};

static void check_case(const struct engine_setup *setup, size_t n, bool with_nan)
{
    size_t out_floats = (size_t)setup->channels * setup->emits.count;
    size_t room = (n + setup->window.width) * out_floats + 1;
    float *samples = random_samples(n * setup->channels, with_nan);
    float *expected = malloc(room * sizeof *expected);
    float *got = malloc(room * sizeof *got);
    size_t frames = oracle(setup, samples, (int64_t)n, expected);
    const struct cpu_kernels *kernels;
    const struct engine_setup one = *setup;
    struct machine machine;

    CHECK(machine_open(&machine, 1, NULL, 0) == 0);
    CHECK(frames == window_outputs(&setup->window, n));
    for (unsigned i = 0; (kernels = cpu_kernels_at(i, VALUE_F32)) != NULL; i++) {
        size_t middle = n == 0 ? 0 : random_number() % n;
        size_t first;

        machine.isa = kernels->name;
        CHECK(run_engine(&engine_cpu, &machine, one, samples, 0, n, true, got) == frames);
        CHECK_THAT(memcmp(got, expected, frames * out_floats * sizeof *got) == 0,
                   "%s w %llu n %zu align %d edge %d hop %llu emits %u channels %u nan %d",
                   kernels->name, (unsigned long long)one.window.width, n, (int)one.window.align,
                   (int)one.window.edge, (unsigned long long)one.window.hop, one.emits.count,
                   one.channels, (int)one.nan);

        /* One engine for the beginning, and another one opened where it stopped. */
        first = run_engine(&engine_cpu, &machine, one, samples, 0, middle, false, got);
        first += run_engine(&engine_cpu, &machine, one, samples, middle, n, true,
                            got + first * out_floats);
        CHECK_THAT(first == frames && memcmp(got, expected, frames * out_floats * sizeof *got) == 0,
                   "%s: opened at %zu of %zu, w %llu", kernels->name, middle, n,
                   (unsigned long long)one.window.width);
    }
    CHECK(run_engine(&engine_lemire, &machine, one, samples, 0, n, true, got) == frames);
    CHECK_THAT(memcmp(got, expected, frames * out_floats * sizeof *got) == 0, "lemire w %llu n %zu",
               (unsigned long long)one.window.width, n);
    machine_close(&machine);
    free(samples);
    free(expected);
    free(got);
}

static void check_small(void)
{
    static const uint64_t widths[] = {1, 2, 3, 7, 16, 17, 31, 32, 33, 64, 100, 512};
    static const uint64_t hops[] = {1, 2, 5, 64, 97, 300};
    unsigned turn = 0;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += CHECK_FEW ? 4 : 1) {
        uint64_t w = widths[i];
        const size_t sizes[] = {0, 1, w - 1, w, w + 1, 2 * w, 200, 900};

        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            for (unsigned k = 0; k < 4 * 2 * 6; k += CHECK_FEW ? 7 : 1, turn++) {
                struct engine_setup setup = {
                    .emits = emit_lists[turn % 5],
                    .nan = turn % 7 < 4 ? NAN_PROPAGATE : NAN_OMIT,
                    .channels = turn % 3 == 0 ? 1 + turn % 6 : 1,
                    .chunk_frames = 1 + random_number() % 150,
                };

                window_init(&setup.window, w, hops[k % 6], (enum window_align)(k / 6 % 4),
                            k / 24 != 0 ? EDGE_NAN : EDGE_SHRINK);
                check_case(&setup, sizes[j], turn % 2 == 0);
            }
        }
    }
}

/* Chunks large enough to be spread over threads, against the sequential reference. */
static void check_threads(void)
{
    static const uint64_t widths[] = {1, 2, 100, 1000, 4096, 26000, 40000, 60000};
    const size_t n = 300000;

    for (size_t i = 0; i < 8 * 3; i += CHECK_FEW ? 5 : 1) {
        struct engine_setup setup = {
            .emits = emit_lists[i % 5],
            .nan = NAN_PROPAGATE,
            .channels = i % 3 == 0 ? 1 : (unsigned)i % 3 * 2,
            .chunk_frames = 1 << 17,
        };
        size_t floats = n * setup.channels * setup.emits.count;
        float *samples = random_samples(n * setup.channels, true);
        float *expected = malloc(floats * sizeof *expected);
        float *got = malloc(floats * sizeof *got);
        size_t frames;

        window_init(&setup.window, widths[i % 8],
                    i % 4 == 3   ? 7
                    : i % 4 == 2 ? 1000
                                 : 1,
                    i % 2 == 0 ? ALIGN_CENTER : ALIGN_FORWARD, EDGE_NAN);
        frames = run_engine(&engine_lemire, NULL, setup, samples, 0, n, true, expected);
        for (unsigned threads = 1; threads <= 5; threads++) {
            struct machine machine;

            CHECK(machine_open(&machine, threads, NULL, 0) == 0);
            CHECK(run_engine(&engine_cpu, &machine, setup, samples, 0, n, true, got) == frames);
            CHECK_THAT(memcmp(got, expected,
                              frames * setup.channels * setup.emits.count * sizeof *got) == 0,
                       "w %llu, %u channels, %u threads", (unsigned long long)widths[i % 8],
                       setup.channels, threads);
            machine_close(&machine);
        }
        free(samples);
        free(expected);
        free(got);
    }
}

/* Of this process. */
static uint64_t address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    char line[64] = "";

    CHECK(file != NULL && fgets(line, sizeof line, file) != NULL);
    if (file != NULL)
        fclose(file);
    return strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A batch opens an engine for each of many small files. What opening maps and unmaps must not grow
 * with the number of available threads, only with those that work. */
static void check_opening(void)
{
    const struct engine_setup setup = {
        .emits = emit_lists[0],
        .window = {.width = 512, .hop = 1, .align = ALIGN_VALID},
        .channels = 1,
        .chunk_frames = 1 << 16,
    };
    struct machine machine;
    struct engine *engine;
    struct error error;
    uint64_t before;

    CHECK(machine_open(&machine, 64, NULL, 0) == 0);
    before = address_space();
    CHECK(engine_cpu.open(&machine, &setup, 0, &engine, &error) == 0);
    CHECK_THAT(address_space() - before < 2 << 20, "%llu bytes",
               (unsigned long long)(address_space() - before));
    engine_cpu.close(engine);
    machine_close(&machine);
}

int main(void)
{
    check_opening();
    check_small();
    check_threads();
    return check_result();
}
