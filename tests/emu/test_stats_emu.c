/* Statistics on the emulator, against those of the CPU: test_stats_emu few|most|full
 * (tests/gpu/ builds the same for a real device)
 *
 * The kernel on parts of rings that wrap around, with shares of every size; how chunks are cut into
 * parts; and the engine, whose statistics must be the same text for every cut of the stream, block
 * length, sample type, number of channels and order of the streams. */
#include "amount.h"
#include "cases.h"
#include "feed.h"

#include <stdio.h>

#include "cpu/channel.h"
#include "cuda/stats_kernel.h"
#include "emu.h"
#include "format/text/stats.h"
#include "words.h"

static unsigned long cases;

static void *must_have(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

/* ---- samples */

enum shape { NOISE, WITH_NAN, FLAT, ZEROS, ALL_NAN, STEPS, UP, DOWN, INFINITE, SHAPES };

static double sample_of(enum shape shape, size_t i)
{
    uint32_t number = random_number();

    switch (shape) {
    case FLAT:
        return -2.5;
    case ZEROS:
        return number % 2 != 0 ? 0.0 : -0.0;
    case ALL_NAN:
        return number % 2 != 0 ? (double)NAN : -(double)NAN;
    case STEPS:
        return (double)(number % 7) - 3.0;
    case UP:
        return (double)i / 7.0;
    case DOWN:
        return -(double)i / 7.0;
    case INFINITE:
        return number % 100 == 0 ? (double)INFINITY : -1.0;
    default:
        return 0;
    }
}

static void *make_samples(enum value_kind value, enum shape shape, size_t count)
{
    double *samples;

    if (shape == NOISE || shape == WITH_NAN)
        return must_have(random_values(value, count, shape == WITH_NAN));
    samples = must_have(malloc((count + 1) * sizeof *samples));
    for (size_t i = 0; i < count; i++)
        samples[i] = sample_of(shape, i);
    return pack_values(value, samples, count);
}

/* ---- the kernel */

static bool same_double(double a, double b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

static void check_values(const struct stats_values *got, enum value_kind value,
                         struct full_scale scale, const void *samples, size_t count,
                         const char *what, unsigned leaves)
{
    static struct channel_stats channel;
    const struct channel_samples of = {.kernels = cpu_kernels_pick(NULL, value),
                                       .sums = cpu_kernels_pick(NULL, value),
                                       .numbers = value,
                                       .scale = scale};
    struct stats_values due;

    channel_init(&channel);
    channel_add(&channel, &of, samples, count);
    due = channel_values(&channel);
    CHECK_THAT(same_double(got->sum, due.sum) && same_double(got->square, due.square),
               "%s: %zu by %u leaves: sum %.17g, %.17g is due", what, count, leaves, got->sum,
               due.sum);
    CHECK_THAT(got->nans == due.nans, "%s: %zu: %llu NaN", what, count,
               (unsigned long long)got->nans);
    CHECK_THAT(got->clipped == due.clipped &&
                   (due.clipped == 0 || got->clipped_at == due.clipped_at),
               "%s: %zu by %u leaves: %llu clipped from %llu", what, count, leaves,
               (unsigned long long)got->clipped, (unsigned long long)got->clipped_at);
    CHECK_THAT(due.low > due.high ? got->low > got->high
                                  : got->low == due.low && got->high == due.high,
               "%s: %zu: keys %d, %d", what, count, (int)got->low, (int)got->high);
    CHECK_THAT(due.low > due.high ||
                   (got->magnitude == due.magnitude && got->low_at == due.low_at &&
                    got->high_at == due.high_at && got->magnitude_at == due.magnitude_at),
               "%s: %zu by %u leaves: places %llu, %llu, %llu", what, count, leaves,
               (unsigned long long)got->low_at, (unsigned long long)got->high_at,
               (unsigned long long)got->magnitude_at);
    cases++;
}

/* One part of several channels, where their rings wrap around, in shares of `leaves`. Repeatedly
 * with the same memory: each run must leave it ready for the next. */
static void check_part(enum value_kind value, enum shape shape, uint64_t count, unsigned channels,
                       unsigned leaves)
{
    const size_t bytes = value_bytes(value);
    const uint64_t capacity = (count / CUDA_TILE_MOST + 2) * CUDA_TILE_MOST;
    const uint64_t place = random_number() % capacity;
    struct cuda_share *shares = must_have(calloc(count / TREE_LEAF + 1, sizeof *shares));
    const struct cuda_parts_plan plan = {
        .value = value,
        .channels = channels,
        .parts = 1,
        .shares = cuda_shares_cut(shares, leaves, 0, place, count),
    };
    char *samples = make_samples(value, shape, (size_t)count * channels);
    struct cuda_rings rings = {.value = value, .capacity = capacity, .channels = channels};
    struct cuda_stats_memory stats;
    const struct full_scale scales[] = {
        full_scale_of((struct sample_type){.kind = SAMPLE_F64}, value),
        {.known = false},
        full_scale_of((struct sample_type){.kind = SAMPLE_U8}, value),
    };
    void *memory;

    must(cudaMalloc(&rings.samples, (size_t)capacity * channels * bytes), "rings");
    must(cudaMalloc(&memory, (size_t)cuda_stats_memory_bytes(&plan)), "memory");
    must(cuda_stats_memory_lay(&stats, &plan, memory, NULL), "lay");
    must(cudaMemcpy(stats.shares, shares, plan.shares * sizeof *shares, cudaMemcpyHostToDevice),
         "shares");
    must(cudaDeviceSynchronize(), "lay");
    for (unsigned c = 0; c < channels; c++) {
        const uint64_t first = count < capacity - place ? count : capacity - place;
        char *ring = (char *)rings.samples + c * capacity * bytes;
        const char *from = samples + c * count * bytes;

        must(cudaMemcpy(ring + place * bytes, from, (size_t)first * bytes, cudaMemcpyHostToDevice),
             "copy");
        must(cudaMemcpy(ring, from + first * bytes, (size_t)(count - first) * bytes,
                        cudaMemcpyHostToDevice),
             "copy");
    }
    for (int i = 0; i < 3; i++) {
        const struct full_scale scale = scales[i];

        must(cuda_stats_run(&rings, &stats, scale, plan.shares, leaves, NULL), "statistics");
        must(cudaDeviceSynchronize(), "kernel");
        for (unsigned c = 0; c < channels; c++) {
            struct stats_values got;

            must(cudaMemcpy(&got, &stats.values[c], sizeof got, cudaMemcpyDeviceToHost), "values");
            check_values(&got, value, scale, samples + c * count * bytes, (size_t)count, "part",
                         leaves);
        }
    }
    must(cudaFree(memory), "free");
    must(cudaFree(rings.samples), "free");
    free(samples);
    free(shares);
}

static void check_kernel(enum value_kind value)
{
    static const size_t counts[] = {1, 2, 31, 32, 33, 1000, 4095, 4096, 4097, 32768, 32769, 70000};

    for (int shape = 0; shape < SHAPES; shape += is_few ? 4 : 1) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check_part(value, (enum shape)shape, counts[i], 1, CUDA_SHARE_LEAST);
        check_part(value, (enum shape)shape, 200000, 3, 8);
        check_part(value, (enum shape)shape, 400001, 1, 16);
        check_part(value, (enum shape)shape, 999, 6, 32);
    }
    /* More shares than one warp joins, and, in full, more than a block joins at once. */
    check_part(value, STEPS, 40 * 8 * TREE_LEAF + 5, 1, 8);
    check_part(value, WITH_NAN, 40 * 32 * TREE_LEAF + 7, 1, 32);
    if (is_full) {
        check_part(value, STEPS, 1100 * 8 * TREE_LEAF + 5, 1, 8);
        check_part(value, NOISE, (uint64_t)20000 * TREE_LEAF + 1, 1, CUDA_SHARE_LEAST);
    }
}

/* ---- the cut */

static bool is_part_right(const struct stats_part *part, uint64_t first, uint64_t every)
{
    uint64_t in_block = (first + part->first) % every;
    uint64_t whole = (uint64_t)TREE_LEAF << part->level;

    return part->frames > 0 && part->frames <= whole && in_block % whole == 0 &&
           (part->frames == whole || in_block + part->frames == every) &&
           part->frames <= every - in_block;
}

static void check_cut(uint64_t first, size_t count, uint64_t every, unsigned channels)
{
    struct engine_setup setup = {.chunk_frames = count, .channels = channels, .stats_every = every};
    struct cuda_rings rings = {.capacity = (count / CUDA_TILE_MOST + 3) * CUDA_TILE_MOST};
    const struct cuda_parts_plan plan = cuda_parts_plan(&setup);
    struct cuda_parts parts;
    size_t shares = 0;
    uint64_t done = 0;
    void *memory;

    memory = must_have(malloc((size_t)cuda_parts_host_bytes(&plan)));
    cuda_parts_lay(&plan, &parts, memory);
    cuda_parts_cut(&plan, &parts, &rings, first, count);
    CHECK(parts.count <= plan.parts && parts.share_count <= plan.shares);
    for (size_t i = 0; i < parts.count; i++) {
        const struct stats_part *part = &parts.part[i];

        CHECK_THAT(is_part_right(part, first, every) && part->first - done < 2 * TREE_LEAF,
                   "first %llu, count %zu, every %llu: part %zu, %llu frames at %llu, level %u",
                   (unsigned long long)first, count, (unsigned long long)every, i,
                   (unsigned long long)part->frames, (unsigned long long)part->first, part->level);
        for (uint64_t at = 0; at < part->frames; at += (uint64_t)parts.share_leaves * TREE_LEAF)
            shares++;
        done = part->first + part->frames;
    }
    CHECK(done <= count && count - done < 2 * TREE_LEAF && shares == parts.share_count);
    free(memory);
    cases++;
}

static void check_cuts(unsigned rounds)
{
    static const uint64_t lengths[] = {1024,  1025,  4095,   4096,       4097,
                                       44100, 48000, 100000, 5000000000, STATS_ALL};

    for (unsigned i = 0; i < rounds; i++) {
        uint64_t every = lengths[random_number() % 10];
        uint64_t first = random_number() % 3 == 0 ? 0 : (uint64_t)random_number() << (i % 30);
        size_t count = 1 + random_number() % (random_number() % 4 == 0 ? 3000000 : 20000);

        if (random_number() % 4 == 0)
            count = (count / TREE_LEAF + 1) * TREE_LEAF;
        check_cut(first, count, every, 1 + random_number() % 7);
    }
}

/* ---- the engine */

static const struct stats_parts no_parts;

struct text {
    struct memory_text text;
    struct stats *stats;
};

static void open_text(struct text *text, const struct engine_setup *setup)
{
    struct stats_setup stats = {
        .every = setup->stats_every,
        .sample = setup->sample,
        .full_scale = setup->full_scale,
        .channels = setup->channels,
    };

    *text = (struct text){.stats = must_have(stats_open(&stats, NULL, 0))};
}

static char *end_text(struct text *text)
{
    char *all;

    CHECK(stats_end(text->stats, &text->text) == 0);
    all = must_have(calloc(text->text.used + 1, 1));
    if (text->text.used > 0)
        memcpy(all, text->text.bytes, text->text.used);
    stats_close(text->stats);
    memory_text_free(&text->text);
    return all;
}

static void take_parts(const struct stream *stream, const struct chunk *chunk)
{
    struct text *text = stream->to;

    CHECK(stats_add(text->stats, chunk->in, NULL, chunk->in_frames, &chunk->parts, &text->text) ==
          0);
}

/* Of a stream from frame `from` on; statistics of the frames before are computed on the CPU. */
static char *text_of_engine(const struct engine_setup *setup, const unsigned char *frames,
                            size_t from, size_t n)
{
    const struct machine machine = {.device = 0};
    struct text text;
    struct stream stream = {.setup = setup, .take = take_parts, .to = &text};
    struct error error = {.reason = ""};

    open_text(&text, setup);
    CHECK(stats_add(text.stats, frames, NULL, from, &no_parts, &text.text) == 0);
    CHECK_THAT(open_stream(&stream, &machine, from, &error) == 0 &&
                   feed(&stream, frames, from, from, n, &error) == 0,
               "%s", words_of(&error));
    close_stream(&stream);
    return end_text(&text);
}

static void check_stream(const struct engine_setup *setup, enum shape shape, size_t n)
{
    size_t bytes = n * engine_in_bytes(setup);
    enum value_kind own = sample_type_value(setup->sample);
    bool native = sample_type_is_native(setup->sample, own);
    unsigned char *frames =
        native ? make_samples(own, shape, n * setup->channels) : must_have(malloc(bytes + 1));
    size_t from = random_number() % 3 == 0 && n > 0 ? random_number() % n : 0;
    struct text text;
    char *due;
    char *got;

    for (size_t i = 0; !native && i < bytes; i++)
        frames[i] = (unsigned char)(random_number() >> 9);
    open_text(&text, setup);
    CHECK(stats_add(text.stats, frames, NULL, n, &no_parts, &text.text) == 0);
    due = end_text(&text);
    emu_set_order((enum emu_order)(random_number() % EMU_ORDERS), random_number());
    got = text_of_engine(setup, frames, from, n);
    CHECK_THAT(strcmp(due, got) == 0, "shape %d, n %zu from %zu, %s:\n%.300s\n%.300s is due",
               (int)shape, n, from, setup_words(setup), got, due);
    CHECK(emu_live_objects() == 0);
    cases++;
    free(due);
    free(got);
    free(frames);
}

static void check_streams(unsigned rounds)
{
    static const unsigned channel_counts[] = {1, 2, 1, 3, 1, 6};
    static const uint64_t lengths[] = {1024, 2000, 4095, 4096,  4097,  5000,
                                       8192, 9999, 1000, 44100, 70000, STATS_ALL};
    static const struct emit_list nothing = {.count = 0};

    for (unsigned i = 0; i < rounds; i++) {
        struct engine_setup setup = {
            .emits = i % 2 != 0 ? emit_lists[i % EMIT_LISTS] : nothing,
            .nan = NAN_OMIT,
            .channels = channel_counts[i % 6],
            .stats_every = lengths[random_number() % 12],
            .chunk_frames = 1 + random_number() % (i % 5 == 0 ? 3000 : 60000),
        };
        size_t n = random_number() % (is_full ? 600000 : 120000) / setup.channels;

        set_value(&setup, i / 2 % 2 != 0 ? VALUE_F64 : VALUE_F32);
        if (i % 3 == 2)
            setup.sample.kind = (enum sample_kind)(random_number() % SAMPLE_KINDS);
        /* Otherwise the cores may have to do it all. */
        if (i % 9 != 2 && sample_type_value(setup.sample) != VALUE_I64) {
            const struct sample_type sample = setup.sample;

            set_value(&setup, sample_type_value(sample));
            setup.sample = sample;
        }
        if (i % 7 != 0)
            setup.full_scale = full_scale_of(setup.sample, sample_type_value(setup.sample));
        if (i % 11 == 0)
            n = random_number() % 40;
        window_init(&setup.window, 1 + random_number() % 3000, 1, ALIGN_VALID, EDGE_SHRINK);
        check_stream(&setup, (enum shape)(i % SHAPES), n);
    }
}

int main(int argc, char **argv)
{
    read_amount(argc, argv);
    check_cuts(is_full ? 20000 : 2000);
    check_kernel(VALUE_F32);
    check_kernel(VALUE_F64);
    check_streams(is_full ? 400 : is_few ? 30 : 90);
    CHECK(emu_live_objects() == 0);
    printf("%lu cases of kernel, cut and stream, %lu blocks\n", cases, emu_blocks_run());
    return check_result();
}
