/* SPDX-License-Identifier: MIT */
/* Every plan's kernels, on the emulator, against the sequential reference:
 * test_window_emu few|most|full [f32|f64]
 *
 * Samples are copied into the rings directly, so that only the kernels are tested: each plan at
 * every width that it can do, even if another is better, channels, emits, hops, edges, NaN
 * policies, tasks cut at random, rings that wrap around, and memory left by an earlier stream.
 *
 * Where leaves are made ahead of the windows, some are late or made twice: the distance and the
 * number of looks go down to nothing, and the emulator runs blocks in any order. */
#include "amount.h"
#include "cases.h"

#include <float.h>
#include <stdio.h>

#include "cuda/cuda_samples.h"
#include "cuda/cuda_window.h"
#include "emu.h"

static unsigned long cases;

struct bench {
    const struct engine_setup *setup;
    struct cuda_plan plan;
    struct cuda_rings rings;
    void *memory;
    cudaStream_t stream; /* nothing else orders the work */
    char *out;           /* on the device */
    size_t most;         /* ends in a task */
    char *got;
    size_t got_frames;
};

static void open_bench(struct bench *bench, uint64_t known_from)
{
    const struct engine_setup *setup = bench->setup;
    uint64_t capacity = cuda_rings_capacity(&bench->plan, bench->most);

    must(cudaMalloc(&bench->memory, cuda_rings_bytes(&bench->plan, setup->channels, capacity)),
         "rings");
    cuda_rings_lay(&bench->rings, &bench->plan, setup->channels, capacity, known_from,
                   bench->memory);
    must(cudaMalloc((void **)&bench->out, bench->most * engine_out_bytes(setup) + 16), "out");
    must(cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking), "stream");
}

static void close_bench(struct bench *bench)
{
    must(cudaStreamDestroy(bench->stream), "stream");
    must(cudaFree(bench->memory), "free");
    must(cudaFree(bench->out), "free");
}

/* Copies frames into the rings, one channel after the other, with wrap-around. */
static void put_frames(const struct bench *bench, const void *samples, uint64_t first,
                       uint64_t count)
{
    const unsigned channels = bench->setup->channels;
    const size_t bytes = value_bytes(bench->setup->value);
    const uint64_t capacity = bench->rings.capacity;
    const char *from = samples;
    char *plane = malloc((count + 1) * bytes);

    for (unsigned c = 0; c < channels; c++) {
        for (uint64_t i = 0; i < count; i++)
            memcpy(plane + i * bytes, from + ((first + i) * channels + c) * bytes, bytes);
        for (uint64_t i = 0; i < count;) {
            uint64_t place = (first + i) % capacity;
            uint64_t room = capacity - place;
            uint64_t piece = count - i < room ? count - i : room;

            must(cudaMemcpyAsync((char *)bench->rings.samples + (c * capacity + place) * bytes,
                                 plane + i * bytes, piece * bytes, cudaMemcpyHostToDevice,
                                 bench->stream),
                 "copy in");
            i += piece;
        }
    }
    free(plane);
}

/* A stream of the widest extremes that fills the rings. The next stream starts in the same
 * memory. */
static void run_earlier(struct bench *bench, uint64_t known_from)
{
    const struct engine_setup *setup = bench->setup;
    const uint64_t count = bench->rings.capacity;
    const struct cuda_task task = {
        .count = count, .known_to = count, .kept_first = count, .nan = setup->nan};
    const double widest = setup->value == VALUE_F64 ? DBL_MAX : (double)FLT_MAX;
    double *samples = malloc(count * setup->channels * sizeof *samples);

    for (uint64_t i = 0; i < count * setup->channels; i++)
        samples[i] = i % 7 < 3 ? widest : -widest;
    pack_values(setup->value, samples, count * setup->channels);
    cuda_rings_lay(&bench->rings, &bench->plan, setup->channels, count, 0, bench->memory);
    put_frames(bench, samples, 0, count);
    must(cuda_window_run(&bench->plan, &bench->rings, &task, bench->stream), "earlier stream");
    must(cudaStreamSynchronize(bench->stream), "earlier stream");
    cuda_rings_lay(&bench->rings, &bench->plan, setup->channels, count, known_from, bench->memory);
    free(samples);
}

static void run_task(struct bench *bench, uint64_t known_from, uint64_t known_to, uint64_t first,
                     uint64_t count)
{
    const struct engine_setup *setup = bench->setup;
    struct window_pick picked = window_pick(&setup->window, first, count);
    bool nan_edge = setup->window.edge == EDGE_NAN;
    struct cuda_task task = {
        .first = first,
        .count = count,
        .known_from = known_from,
        .known_to = known_to,
        .kept_first = picked.kept > 0 ? first + picked.start : first + count,
        .hop = setup->window.hop,
        .whole_from = nan_edge ? setup->window.width - 1 : 0,
        .whole_to = nan_edge ? known_to : UINT64_MAX,
        .nan = setup->nan,
        .emits = setup->emits,
    };
    size_t bytes = (size_t)picked.kept * engine_out_bytes(setup);

    /* Half of the tasks without the shift: then stores are narrow. */
    task.out = bench->out;
    if (random_number() % 2 == 0)
        task.out = bench->out + cuda_task_shift(&task, setup->value, setup->channels);
    must(cuda_window_run(&bench->plan, &bench->rings, &task, bench->stream), "run");
    if (bytes > 0)
        must(cudaMemcpyAsync(bench->got + bench->got_frames * engine_out_bytes(setup), task.out,
                             bytes, cudaMemcpyDeviceToHost, bench->stream),
             "copy out");
    must(cudaStreamSynchronize(bench->stream), "kernel");
    bench->got_frames += (size_t)picked.kept;
}

/* Levels that change a few times per tile, so that a window's extremes may be in any of its tiles;
 * infinities and NaN are rare. */
static double *level_samples(size_t count, bool with_nan)
{
    double *samples = malloc((count + 1) * sizeof *samples);
    double level = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t number = random_number();

        if (number % 1500 == 0)
            level = (double)(int32_t)random_number() / 2147483648.0;
        samples[i] = level + (double)(number % 1024) * (number % 2 != 0 ? 1e-6 : 0x1p-52);
        if (number % 90001 == 0)
            samples[i] = number % 2 != 0 ? (double)INFINITY : -(double)INFINITY;
        if (with_nan && number % 60013 == 0)
            samples[i] = (double)NAN;
    }
    return samples;
}

/* The highest or the lowest samples, at most one per tile, within a few frames of the beginning of
 * its suffix. */
static void raise_some(double *samples, size_t n, unsigned channels, uint64_t width, unsigned tile)
{
    const uint64_t cut = tile - (width - 1) % tile;

    for (uint64_t first = 0; first < n; first += tile) {
        const uint64_t frame = first + cut + random_number() % 5 - 2;

        if (frame < n && random_number() % 2 == 0)
            samples[frame * channels + random_number() % channels] =
                (random_number() % 2 == 0 ? 2.0 : -2.0) * (double)(1 + random_number() % 100);
    }
}

/* All samples of one sign, with few zeros of either: for many windows a zero is the extreme, and
 * its sign depends on one sample. */
static void single_out_zeros(double *samples, size_t count)
{
    const double sign = random_number() % 2 != 0 ? 1.0 : -1.0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t number = random_number();

        samples[i] = isnan(samples[i])    ? samples[i]
                     : number % 1201 == 0 ? copysign(0.0, number % 2 != 0 ? 1.0 : -1.0)
                                          : sign * (fabs(samples[i]) + 0x1p-20);
    }
}

/* Windows without a single number that begin near the ends of tiles that have some. */
static void blank_some(double *samples, size_t n, unsigned channels, uint64_t width, unsigned tile)
{
    const size_t count = (size_t)(width + width / 4);

    for (size_t end = tile; end < n; end += 2 * count / tile * tile) {
        const size_t from = end - random_number() % 300 - 1;
        const size_t to = n - from > count ? from + count : n;

        for (size_t k = from * channels; k < to * channels; k++)
            samples[k] = (double)NAN;
    }
}

static void check_case(const struct engine_setup *setup, const struct cuda_plan *plan, size_t n,
                       bool with_nan, bool in_mid_stream)
{
    double *samples = plan->width > CUDA_TILE_MOST ? level_samples(n * setup->channels, with_nan)
                                                   : random_doubles(n * setup->channels, with_nan);
    const bool has_leaves = plan->has_leaves;
    void *expected;
    size_t frames;
    uint64_t past = window_tail_first(&setup->window, n); /* the ends in between are not needed */
    uint64_t ends = past + window_tail(&setup->window, n);
    uint64_t start = in_mid_stream && n > 1 ? random_number() % n : 0;
    uint64_t known_from = start < plan->width - 1 ? 0 : start - (plan->width - 1);
    size_t frame = engine_out_bytes(setup);
    size_t skipped = start == 0 ? 0 : (size_t)window_pick(&setup->window, 0, start).kept;
    /* A task is half of a short stream, and mostly a small part of a long one. */
    size_t most = n < 100000 || random_number() % 4 == 0 ? n / 2 + 100 : 30000;
    struct bench bench = {.setup = setup, .plan = *plan, .most = most};
    struct cuda_task history = {.count = start,
                                .known_from = known_from,
                                .known_to = start,
                                .kept_first = start,
                                .nan = setup->nan};

    if (random_number() % 3 == 0)
        single_out_zeros(samples, n * setup->channels);
    else if (has_leaves)
        raise_some(samples, n, setup->channels, plan->width, plan->tile);
    if (has_leaves && with_nan && setup->nan == NAN_OMIT)
        blank_some(samples, n, setup->channels, plan->width, plan->tile);
    pack_values(setup->value, samples, n * setup->channels);
    frames = reference(setup, samples, n, &expected);
    bench.got = malloc((frames + 1) * frame);
    open_bench(&bench, known_from);
    if (has_leaves)
        run_earlier(&bench, known_from);
    if (start > known_from) {
        put_frames(&bench, samples, known_from, start - known_from);
        must(cuda_window_run(&bench.plan, &bench.rings, &history, bench.stream), "history");
    }
    for (uint64_t at = start < n ? start : past; at < ends;) {
        uint64_t end = at < n ? n : ends;
        uint64_t count =
            random_number() % 4 == 0 ? 1 + random_number() % 40 : 1 + random_number() % bench.most;

        if (count > end - at)
            count = end - at;
        if (at < n)
            put_frames(&bench, samples, at, count);
        run_task(&bench, known_from, at < n ? at + count : n, at, count);
        at += count;
        if (at == n)
            at = past;
    }
    close_bench(&bench);
    cases++;
    CHECK(bench.got_frames == frames - skipped);
    CHECK_THAT(memcmp(bench.got, (char *)expected + skipped * frame, bench.got_frames * frame) == 0,
               "%s, n %zu from %llu: %s", cuda_plan_name(plan), n, (unsigned long long)start,
               setup_words(setup));
    free(bench.got);
    free(expected);
    free(samples);
}

/* Spans of up to all leaves of a middle, for windows of any width that needs more than one warp. */
static void vary_spans(struct cuda_plan *plan)
{
    static const unsigned lags[] = {0, 1, 5, 12, 40, 124};
    const uint64_t whole = (plan->width - 1 - plan->tile) / plan->tile;
    const unsigned lag = lags[random_number() % 6];
    uint64_t least;
    uint64_t most;

    if (whole < 256)
        plan->span = 0;
    if (whole < 32 || whole < 2 * lag + 9)
        return;
    plan->lag = lag;
    least = (whole - 2 * lag + 255) / 256;
    most = whole - 2 * lag - 8;
    plan->span = random_number() % 4 == 0   ? least
                 : random_number() % 4 == 0 ? most
                                            : least + random_number() % (most - least + 1);
}

/* As fitted, or with other parameters. */
static void vary_ahead(struct cuda_plan *plan)
{
    static const unsigned distances[] = {0, 1, 3, 40};
    static const unsigned looks[] = {0, 1, 20};

    if (random_number() % 3 == 0)
        return;
    plan->ahead = distances[random_number() % 4];
    plan->looks = looks[random_number() % 3];
    vary_spans(plan);
}

static void check_width(enum cuda_plan_kind kind, enum value_kind value, uint64_t width,
                        unsigned rounds)
{
    static const unsigned channel_counts[] = {1, 1, 2, 1, 3, 6};
    static const uint64_t hops[] = {1, 1, 1, 2, 7, 441, 100000};
    static unsigned turn;
    struct cuda_plan plan;

    if (!cuda_plan_force(&plan, kind, value, width))
        return;
    emu_set_order((enum emu_order)(random_number() % EMU_ORDERS), random_number());
    must(cuda_plan_fit(&plan), "plan");
    for (unsigned i = 0; i < rounds; i++, turn++) {
        struct engine_setup setup = {
            .emits = emit_lists[turn % EMIT_LISTS],
            .nan = turn % 5 < 3 ? NAN_PROPAGATE : NAN_OMIT,
            .channels = channel_counts[turn / 2 % 6],
        };
        size_t n = random_number() % 3 == 0 ? random_number() % 3000 : random_number() % 14000;

        if (n < 3 * width && turn % 4 != 0)
            n = (size_t)(width + width / 4 + random_number() % 9000);
        if (!is_full && n * setup.channels > 40000)
            n = 40000 / setup.channels;
        set_value(&setup, value);
        window_init(&setup.window, width, hops[turn % 7], (enum window_align)(turn / 3 % 3),
                    turn / 4 % 2 != 0 ? EDGE_NAN : EDGE_SHRINK);
        vary_ahead(&plan);
        check_case(&setup, &plan, n, turn % 3 != 0, turn % 5 == 4);
    }
}

/* Streams that wrap around their rings, and the rings of every level of the tree, several times. */
static void check_long(enum cuda_plan_kind kind, enum value_kind value, uint64_t width, size_t n,
                       unsigned rounds)
{
    static unsigned turn;
    struct cuda_plan plan;
    struct engine_setup setup = {.channels = 1};

    if (!cuda_plan_force(&plan, kind, value, width))
        return;
    must(cuda_plan_fit(&plan), "plan");
    set_value(&setup, value);
    for (unsigned i = 0; i < rounds; i++) {
        setup.emits = emit_lists[i % 3];
        setup.nan = turn++ / 2 % 2 != 0 ? NAN_PROPAGATE : NAN_OMIT;
        window_init(&setup.window, width, i % 4 == 3 ? 50000 : 1, ALIGN_CENTER, EDGE_SHRINK);
        vary_ahead(&plan);
        check_case(&setup, &plan, n, i % 2 != 0, i % 2 != 0);
    }
}

/* Frames of the tiles of the plan far/4096. */
static uint64_t tile_of(enum value_kind value)
{
    return value == VALUE_F64 ? 2048 : 4096;
}

/* Middles of many tiles, with several channels and other options. */
static void check_many(enum value_kind value)
{
    const uint64_t tile = tile_of(value);
    const uint64_t widths[] = {33 * tile + 1,   34 * tile + 736, 45 * tile,
                               73 * tile + 993, 256 * tile + 1,  257 * tile + 2};
    const size_t count = sizeof widths / sizeof *widths;

    for (size_t i = 0; i < (is_full ? count : is_few ? 1 : 4); i++) {
        const unsigned rounds = !is_full || i > 3 ? 2 : 6;
        struct cuda_plan plan;

        cuda_plan_force(&plan, CUDA_PLAN_FAR_4096, value, widths[i]);
        must(cuda_plan_fit(&plan), "plan");
        for (unsigned j = 0; j < rounds; j++) {
            struct engine_setup setup = {
                .emits = emit_lists[(i + j) % EMIT_LISTS],
                .nan = j % 2 == 0 ? NAN_OMIT : NAN_PROPAGATE,
                .channels = i > 3 ? 1 : 1 + (unsigned)(i + j + 1) % 4,
            };

            set_value(&setup, value);
            window_init(&setup.window, widths[i], j % 2 == 0 ? 1 : 441,
                        (enum window_align)((i + j) % 3), j % 3 == 0 ? EDGE_NAN : EDGE_SHRINK);
            vary_ahead(&plan);
            check_case(&setup, &plan, (size_t)widths[i] + 30000, true, j % 2 != 0);
        }
    }
}

/* Leaves made ahead of the windows: middles with no whole tile and with the most possible, with and
 * without a suffix, and the first width that takes more than one warp. */
static void check_ahead(enum value_kind value)
{
    static const struct {
        uint64_t tiles;
        uint64_t more;
    } widths[] = {
        {1, 1}, {1, 2},    {1, 4095}, {2, 0},  {2, 1},  {2, 2},     {3, 0},  {3, 1},  {3, 2},
        {4, 1}, {17, 369}, {31, 1},   {32, 0}, {32, 1}, {32, 4095}, {33, 0}, {33, 1},
    };
    const uint64_t tile = tile_of(value);

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += is_few ? 4 : 1) {
        const unsigned rounds = is_full ? 8 : is_few || widths[i].tiles > 4 ? 1 : 2;

        emu_set_order((enum emu_order)(i % EMU_ORDERS), random_number());
        for (unsigned j = 1; j <= 2; j++) {
            const uint64_t width = widths[i].tiles * tile / j + widths[i].more % (tile / j);

            check_long(j == 1 ? CUDA_PLAN_FAR_4096 : CUDA_PLAN_FAR_2048, value, width,
                       (size_t)(width + 27 * tile / j), rounds);
        }
    }
}

static bool same_number(enum value_kind value, const void *a, const void *b)
{
    if (value == VALUE_F64)
        return memcmp(a, b, sizeof(double)) == 0 ||
               (isnan(*(const double *)a) && isnan(*(const double *)b));
    return memcmp(a, b, sizeof(float)) == 0 ||
           (isnan(*(const float *)a) && isnan(*(const float *)b));
}

/* Random samples of every type, in rings, against sample_decode(). */
static void check_decode(struct sample_type type, enum value_kind value, unsigned channels)
{
    enum { FRAMES = 700, CAPACITY = 4096 };
    const size_t size = value_bytes(value);
    size_t bytes = (size_t)FRAMES * channels * sample_type_bytes(type);
    unsigned char *raw = malloc(bytes);
    char *expected = malloc(FRAMES * size);
    struct cuda_rings rings = {.value = value, .capacity = CAPACITY, .channels = channels};
    uint64_t first = 3 * CAPACITY - 300;
    void *device;
    char *got = malloc(CAPACITY * size);

    for (size_t i = 0; i < bytes; i++)
        raw[i] = (unsigned char)(random_number() >> 8);
    must(cudaMalloc(&rings.samples, CAPACITY * channels * size), "rings");
    /* Everything is copied back, not only the decoded samples. */
    must(cudaMemset(rings.samples, 0, CAPACITY * channels * size), "clear");
    must(cudaMalloc(&device, bytes), "raw");
    must(cudaMemcpy(device, raw, bytes, cudaMemcpyHostToDevice), "copy in");
    must(cuda_decode(&rings, type, device, first, FRAMES, NULL), "decode");
    for (unsigned c = 0; c < channels; c++) {
        unsigned long different = 0;

        must(cudaMemcpy(got, (char *)rings.samples + c * CAPACITY * size, CAPACITY * size,
                        cudaMemcpyDeviceToHost),
             "copy out");
        sample_decode_strided(type, value, raw + c * sample_type_bytes(type), channels, expected,
                              FRAMES);
        for (size_t i = 0; i < FRAMES; i++)
            different +=
                !same_number(value, got + (first + i) % CAPACITY * size, expected + i * size);
        CHECK_THAT(different == 0, "%s to %d: %lu samples", sample_type_name(type), (int)value,
                   different);
    }
    must(cudaFree(rings.samples), "free");
    must(cudaFree(device), "free");
    free(raw);
    free(got);
    free(expected);
}

static void check_decoding(enum value_kind value)
{
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        for (unsigned i = 0; i < 8; i++) {
            struct sample_type type = {
                .kind = (enum sample_kind)kind, .big_endian = i % 2 != 0, .counts = i / 2 % 2 != 0};

            check_decode(type, value, i < 4 ? 1 : 3);
        }
    }
}

/* Every plan, at widths around its borders. */
static void check_plans(enum value_kind value)
{
    static const uint64_t widths_f32[] = {1,    2,    3,    15,   16,   17,    31,   32,   33,
                                          100,  500,  512,  800,  1000, 1024,  1025, 2048, 3500,
                                          4096, 4097, 5000, 8192, 8193, 20000, 70001};
    static const uint64_t widths_f64[] = {1,    2,    3,    7,    8,    9,    10,    15,   16,
                                          17,   50,   250,  256,  400,  500,  512,   513,  1024,
                                          1750, 2048, 2049, 2500, 4096, 4097, 10000, 35001};
    const bool wide = value == VALUE_F64;
    const size_t count =
        wide ? sizeof widths_f64 / sizeof *widths_f64 : sizeof widths_f32 / sizeof *widths_f32;

    for (int kind = 0; kind < CUDA_PLANS; kind++) {
        for (uint64_t w = 4; is_full && w < 64; w++)
            check_width((enum cuda_plan_kind)kind, value, w, 4);
        for (size_t i = 0; i < count; i++)
            check_width((enum cuda_plan_kind)kind, value, wide ? widths_f64[i] : widths_f32[i],
                        is_full  ? 40
                        : is_few ? 1
                                 : 4);
    }
}

int main(int argc, char **argv)
{
    static const enum value_kind values[] = {VALUE_F32, VALUE_F64};
    const char *only = argc > 2 ? argv[2] : "";

    read_amount(argc, argv);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const enum value_kind value = values[i];
        const uint64_t tile = tile_of(value);

        if (strcmp(only, value == VALUE_F64 ? "f32" : "f64") == 0)
            continue;
        check_decoding(value);
        check_plans(value);
        check_ahead(value);
        check_many(value);
        check_long(CUDA_PLAN_FAR_4096, value, 34 * tile + 1473, 200 * tile, is_few ? 1 : 4);
        check_long(CUDA_PLAN_FAR_4096, value, 68 * tile + 1, 171 * tile, is_few ? 1 : 2);
        if (is_full)
            check_long(CUDA_PLAN_FAR_4096, value, 2197 * tile, 6103 * tile, 2);
    }
    CHECK(emu_live_objects() == 0);
    printf("%lu cases of plan, width and channels, %lu blocks\n", cases, emu_blocks_run());
    return check_result();
}
