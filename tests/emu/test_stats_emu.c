/* SPDX-License-Identifier: MIT */
/* The kernel of statistics on the emulator, against those of the CPU: test_stats_emu few|most|full
 * (tests/gpu/ builds the same for a real device)
 *
 * Parts of every length, of samples of every kind, that are divided into shares of every size. What
 * the library makes of arrays is test_surveys_emu's. */
#include "amount.h"
#include "cases.h"

#include <stdio.h>

#include "cpu/channel.h"
#include "cuda/stats_kernel.h"
#include "emu.h"

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

static struct stats_record due_record(enum value_kind value, const char *samples, uint64_t first,
                                      uint64_t count, unsigned channel)
{
    static struct channel_stats stats;
    const struct channel_samples of = {.kernels = cpu_kernels_pick(NULL, value),
                                       .sums = cpu_kernels_pick(NULL, value),
                                       .numbers = value};
    struct stats_record record;
    struct stats_values values;

    channel_init(&stats, CHANNEL_SUMS);
    channel_add(&stats, &of, samples + first * value_bytes(value), (size_t)count);
    values = channel_values(&stats);
    record = record_of(value, &values, first, count);
    record.size = sizeof record;
    record.channel = channel;
    record.type = 1;
    return record;
}

/* Several channels, in blocks. Repeatedly with the same memory: each run must leave it ready for
 * the next. */
static void check_planes(enum value_kind value, enum shape shape, uint64_t count, uint64_t every,
                         unsigned channels)
{
    const size_t bytes = value_bytes(value);
    const uint64_t blocks = (count - 1) / every + 1;
    char *samples = make_samples(value, shape, (size_t)count * channels);
    struct cuda_rings rings = {.value = value, .pitch = count, .stride = 1, .channels = channels};
    struct stats_records records = {.distance = sizeof(struct stats_record),
                                    .frames = count,
                                    .every = every,
                                    .channels = channels,
                                    .type = 1};
    const size_t room = (size_t)cuda_records_bytes(value, &records, channels);
    void *memory;

    must(cudaMalloc(&rings.samples, (size_t)count * channels * bytes), "planes");
    must(cudaMalloc(&memory, room + 1), "memory");
    must(cudaMalloc(&records.record, (size_t)blocks * channels * sizeof(struct stats_record)),
         "records");
    must(cudaMemcpy(rings.samples, samples, (size_t)count * channels * bytes,
                    cudaMemcpyHostToDevice),
         "copy");
    for (int i = 0; i < 2; i++) {
        must(cuda_records_run(&rings, &records, memory, NULL), "statistics");
        must(cudaDeviceSynchronize(), "kernel");
        for (uint64_t at = 0; at < blocks * channels; at++) {
            const unsigned c = (unsigned)(at % channels);
            const uint64_t first = at / channels * every;
            const uint64_t frames = count - first < every ? count - first : every;
            const struct stats_record due =
                due_record(value, samples + c * count * bytes, first, frames, c);
            struct stats_record got;

            must(cudaMemcpy(&got, (struct stats_record *)records.record + at, sizeof got,
                            cudaMemcpyDeviceToHost),
                 "record");
            CHECK_THAT(memcmp(&got, &due, sizeof got) == 0,
                       "shape %d, %llu frames from %llu, channel %u: sum %.17g, %.17g is due",
                       (int)shape, (unsigned long long)frames, (unsigned long long)first, c,
                       got.sum, due.sum);
            cases++;
        }
    }
    must(cudaFree(memory), "free");
    must(cudaFree(records.record), "free");
    must(cudaFree(rings.samples), "free");
    free(samples);
}

static void check_kernel(enum value_kind value)
{
    static const size_t counts[] = {1,   2,    7,    8,    9,    15,    16,    17,
                                    31,  32,   33,   64,   65,   100,   511,   512,
                                    513, 1000, 4095, 4096, 4097, 32768, 32769, 70000};

    for (int shape = 0; shape < SHAPES; shape += is_few ? 4 : 1) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check_planes(value, (enum shape)shape, counts[i], counts[i], 1);
        check_planes(value, (enum shape)shape, 200000, 70001, 3);
        check_planes(value, (enum shape)shape, 400001, UINT64_MAX, 1);
        check_planes(value, (enum shape)shape, 999, 100, 6);
        check_planes(value, (enum shape)shape, 333, 8, 7);
        check_planes(value, (enum shape)shape, 500, 16, 3);
        check_planes(value, (enum shape)shape, 3000, 40, 2);
    }
    if (!is_few && value == VALUE_F32) /* warps with several turns */
        check_planes(value, WITH_NAN, 140000 * 20 + 3, 20, 1);
    /* More shares than one warp joins, and, in full, more than a block joins at once. */
    check_planes(value, STEPS, 40 * 8 * TREE_LEAF + 5, UINT64_MAX, 1);
    if (!is_few)
        check_planes(value, WITH_NAN, 40 * 32 * TREE_LEAF + 7, UINT64_MAX, 1);
    if (is_full) {
        check_planes(value, STEPS, 1100 * 8 * TREE_LEAF + 5, UINT64_MAX, 1);
        check_planes(value, NOISE, (uint64_t)20000 * TREE_LEAF + 1, UINT64_MAX, 1);
    }
}

int main(int argc, char **argv)
{
    read_amount(argc, argv);
    check_kernel(VALUE_F32);
    check_kernel(VALUE_F64);
    CHECK(emu_live_objects() == 0);
    printf("%lu cases, %lu blocks\n", cases, emu_blocks_run());
    return check_result();
}
