/* stats/: the summation tree against its definition, its accuracy, and the statistics of channels
 * cut in any way, with every kernel table. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "stats/channel.h"
#include "stats/stats.h"
#include "window/rules.h"

enum { SAMPLES_MOST = 1 << 20 };

static float samples[SAMPLES_MOST];

/* ---- the definition ---- */

static double value_of(float sample, bool square)
{
    return square ? (double)sample * (double)sample : (double)sample;
}

static double leaf_sum(const float *values, size_t count, bool square)
{
    double lanes[TREE_LANES] = {0};

    for (size_t i = 0; i < count; i++)
        lanes[i % TREE_LANES] += value_of(values[i], square);
    for (size_t half = TREE_LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++)
            lanes[lane] += lanes[lane + half];
    }
    return lanes[0];
}

/* Level by level; missing leaves are +0. */
static double whole_sum(const float *values, size_t count, bool square)
{
    static double nodes[SAMPLES_MOST / TREE_LEAF];
    size_t leaves = 1;

    while (leaves * TREE_LEAF < count)
        leaves *= 2;
    for (size_t i = 0; i < leaves; i++) {
        size_t at = i * TREE_LEAF < count ? i * TREE_LEAF : count;
        size_t left = count - at;

        nodes[i] = leaf_sum(values + at, left < TREE_LEAF ? left : TREE_LEAF, square);
    }
    for (; leaves > 1; leaves /= 2) {
        for (size_t i = 0; i < leaves / 2; i++)
            nodes[i] = nodes[2 * i] + nodes[2 * i + 1];
    }
    return nodes[0];
}

/* ---- the tests ---- */

static void fill(void)
{
    srand(1);
    for (size_t i = 0; i < SAMPLES_MOST; i++)
        samples[i] = (float)(rand() - RAND_MAX / 2) / 65536.0F;
}

static void check_sums(const struct channel_stats *channel, size_t count, const char *how,
                       size_t cut)
{
    struct tree_sums sums = tree_total(&channel->tree);

    CHECK_THAT(sums.sum == whole_sum(samples, count, false), "%zu, %s %zu", count, how, cut);
    CHECK_THAT(sums.square == whole_sum(samples, count, true), "%zu, %s %zu", count, how, cut);
}

/* By subtrees, as large as possible up to `most` levels; the last one lacks leaves. */
static void check_subtrees(const struct cpu_kernels *kernels, size_t count, unsigned most)
{
    static struct channel_stats channel;
    static struct channel_stats part;

    channel_init(&channel);
    for (size_t at = 0; at < count;) {
        unsigned level = 0;
        size_t size;

        while (level < most && at / TREE_LEAF % (2U << level) == 0)
            level++;
        size = (size_t)TREE_LEAF << level;
        size = count - at < size ? count - at : size;
        channel_init(&part);
        channel_add(&part, kernels, samples + at, size);
        tree_add_subtree(&channel.tree, level, tree_total(&part.tree));
        at += size;
    }
    check_sums(&channel, count, "leaves by 2 to the", most);
}

static void check_order(const struct cpu_kernels *kernels, size_t count, size_t cut)
{
    static struct channel_stats channel;

    channel_init(&channel);
    for (size_t at = 0; at < count; at += cut)
        channel_add(&channel, kernels, samples + at, count - at < cut ? count - at : cut);
    check_sums(&channel, count, kernels->name, cut);
}

static void test_order(const struct cpu_kernels *kernels)
{
    static const size_t counts[] = {0,    1,    31,   32,    33,    4095,   4096,
                                    4097, 8191, 8192, 12289, 20481, 100000, SAMPLES_MOST};
    static const size_t cuts[] = {1, 7, 32, 33, 1000, 4096, 4099, SAMPLES_MOST};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t j = 0; j < sizeof cuts / sizeof *cuts; j++)
            check_order(kernels, counts[i], cuts[j]);
        for (unsigned most = 0; most < 9; most++)
            check_subtrees(kernels, counts[i], most);
    }
}

/* 10^8 values in [0,1), whose exact sum is a multiple of 2^-24. */
static void test_accuracy(void)
{
    static struct channel_stats channel;
    const struct cpu_kernels *kernels = cpu_kernels_pick(NULL, VALUE_F32);
    uint64_t exact = 0;
    uint64_t left = 100000000;
    struct tree_sums sums;

    srand(2);
    channel_init(&channel);
    for (size_t i = 0; i < SAMPLES_MOST; i++)
        samples[i] = (float)(rand() & 0xffffff) * 0x1p-24F;
    while (left > 0) {
        size_t run = left < SAMPLES_MOST ? (size_t)left : SAMPLES_MOST;

        for (size_t i = 0; i < run; i++)
            exact += (uint64_t)(samples[i] * 0x1p24F);
        channel_add(&channel, kernels, samples, run);
        left -= run;
    }
    sums = tree_total(&channel.tree);
    CHECK_THAT(fabs(sums.sum - (double)exact * 0x1p-24) <= 1e-12 * sums.sum, "%.17g, not %.17g",
               sums.sum, (double)exact * 0x1p-24);
}

/* A value at every place is found there; of two, the first. */
static void test_find(const struct cpu_kernels *kernels)
{
    float values[200];

    for (size_t count = 0; count <= 200; count += count < 140 ? 1 : 30) {
        for (size_t i = 0; i < 200; i++)
            values[i] = -1;
        CHECK(kernels->find(values, count, rules_bits(-0.0F)) == count);
        for (size_t place = count; place-- > 0;) {
            values[place] = -0.0F;
            CHECK(kernels->find(values, count, rules_bits(-0.0F)) == place);
            CHECK(kernels->find(values, count, rules_bits(0.0F)) == count);
        }
    }
}

static void test_extremes(const struct cpu_kernels *kernels)
{
    static struct channel_stats channel;
    const float zeros[] = {0.0F, -0.0F, NAN, -0.0F, 0.0F};
    const float signs[] = {-3, 2, 3, -3, NAN, 3};

    channel_init(&channel);
    channel_add(&channel, kernels, zeros, 5);
    CHECK(channel.frames == 5 && channel.nans == 1);
    CHECK(rules_bits(rules_from_key((int32_t)channel.low)) == rules_bits(-0.0F) &&
          channel.low_at == 1);
    CHECK(rules_bits(rules_from_key((int32_t)channel.high)) == 0 && channel.high_at == 0);
    CHECK(channel.magnitude == 0 && channel.magnitude_at == 0);
    channel_add(&channel, kernels, signs, 6);
    CHECK(channel.frames == 11 && channel.nans == 2);
    CHECK(rules_from_key((int32_t)channel.low) == -3 && channel.low_at == 5);
    CHECK(rules_from_key((int32_t)channel.high) == 3 && channel.high_at == 7);
    CHECK(rules_float((uint32_t)channel.magnitude) == 3 && channel.magnitude_at == 5);
    CHECK(tree_total(&channel.tree).sum == 2 && tree_total(&channel.tree).square == 40);

    /* The first number may be the only one, and zero. */
    channel_init(&channel);
    channel_add(&channel, kernels, zeros + 2, 1);
    CHECK(channel.frames == 1 && channel.nans == 1);
    channel_add(&channel, kernels, zeros + 1, 1);
    CHECK(channel.magnitude == 0 && channel.magnitude_at == 1 && channel.high_at == 1);
}

/* ---- whole streams ---- */

/* The text, including the header line, and the number of records. */
static uint64_t records_of(struct stats_text *text)
{
    const struct stats_setup setup = {
        .format = STATS_TSV, .every = 10000, .sample = {.kind = SAMPLE_F32}, .channels = 3};
    const struct stats_parts none = {.count = 0};
    struct stats *stats = stats_open(&setup, 5);
    uint64_t records = 0;

    *text = (struct stats_text){.used = 0};
    CHECK(stats != NULL);
    if (stats == NULL)
        return 0;
    CHECK(stats_add(stats, samples, 25000, &none, text) == 0 && stats_end(stats, text) == 0);
    records = stats_records(stats);
    stats_close(stats);
    return records;
}

/* The memory may have been used by an earlier stream. */
static void test_used_memory(void)
{
    size_t size = (size_t)stats_memory(3);
    void *block = pages_borrow(size);
    struct stats_text first;
    struct stats_text second;

    CHECK(block != NULL);
    if (block == NULL)
        return;
    memset(block, 0, size);
    pages_return(block, size);
    CHECK(records_of(&first) == 9 && first.used > 0 && strncmp(first.bytes, "frame\t", 6) == 0);
    block = pages_borrow(size);
    memset(block, 0xff, size);
    pages_return(block, size);
    CHECK(records_of(&second) == 9 && second.used == first.used && first.bytes != NULL &&
          second.bytes != NULL && memcmp(first.bytes, second.bytes, first.used) == 0);
    stats_text_free(&first);
    stats_text_free(&second);
}

int main(void)
{
    const struct cpu_kernels *kernels;

    fill();
    for (unsigned i = 0; (kernels = cpu_kernels_at(i, VALUE_F32)) != NULL; i++) {
        test_order(kernels);
        test_find(kernels);
        test_extremes(kernels);
    }
    test_accuracy();
    test_used_memory();
    return check_result();
}
