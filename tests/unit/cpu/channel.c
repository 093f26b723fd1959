/* SPDX-License-Identifier: MIT */
/* Statistics of one channel: the summation tree against its definition, its accuracy, extremes, and
 * samples at full scale; cut in any way, and put together from parts, with every kernel table. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/channel.h"
#include "cpu/level.h"
#include "cpu/tally.h"
#include "random.h"
#include "window/rules.h"

enum { SAMPLES_MOST = 1 << 20 };

static uint64_t samples[SAMPLES_MOST]; /* values of any kind */
static double doubles[SAMPLES_MOST];   /* what is summed for them */

/* ---- samples of every kind ---- */

/* A sample type, and the kernels that its samples are added with. */
struct way {
    const char *name;
    struct sample_type type;
    const struct cpu_kernels *kernels;
    struct channel_samples of;
};

static void add(const struct way *way, struct channel_stats *channel, const void *values,
                size_t count)
{
    channel_add(channel, &way->of, values, count);
}

static const void *place_of(const struct way *way, size_t at)
{
    return (const unsigned char *)samples + at * value_bytes(way->kernels->kind);
}

static void add_at(const struct way *way, struct channel_stats *channel, size_t at, size_t count)
{
    channel_add(channel, &way->of, place_of(way, at), count);
}

/* A random sample, of all the bits that its kind has; integers of all sizes. */
static void put_sample(const struct way *way, size_t i)
{
    const int64_t key = (int64_t)random_word() >> (i % 60);
    const double number = ldexp((double)key, (int)(i % 60) - 70);

    switch (sample_type_numbers(way->type)) {
    case VALUE_F32:
        ((float *)(void *)samples)[i] = (float)(int32_t)random_number() / 131072.0F;
        doubles[i] = (double)((float *)(void *)samples)[i];
        break;
    case VALUE_F64:
        ((double *)(void *)samples)[i] = number;
        doubles[i] = number;
        break;
    case VALUE_I64:
        samples[i] = (uint64_t)key;
        doubles[i] = way->type.counts ? (double)key : (double)key / 0x1p63;
        break;
    default:
        samples[i] = (uint64_t)key;
        doubles[i] = (double)((uint64_t)key + (UINT64_C(1) << 63));
        break;
    }
}

/* ---- the definition ---- */

static double leaf_sum(const double *values, size_t count, bool square)
{
    double lanes[TREE_LANES] = {0};

    for (size_t i = 0; i < count; i++)
        lanes[i % TREE_LANES] += square ? values[i] * values[i] : values[i];
    for (size_t half = TREE_LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++)
            lanes[lane] += lanes[lane + half];
    }
    return lanes[0];
}

/* Level by level; missing leaves are +0. */
static double whole_sum(const double *values, size_t count, bool square)
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

static struct tree_sums due_sums; /* of the samples that are added */

static void check_sums(const struct way *way, const struct channel_stats *channel, size_t count,
                       const char *how, size_t cut)
{
    struct tree_sums sums = tree_total(&channel->tree);

    CHECK_THAT(sums.sum == due_sums.sum && sums.square == due_sums.square, "%s, %zu, %s %zu",
               way->name, count, how, cut);
}

/* By subtrees, as large as possible up to `most` levels; the last one lacks leaves. */
static void check_subtrees(const struct way *way, size_t count, unsigned most)
{
    static struct channel_stats channel;
    static struct channel_stats part;

    channel_init(&channel, CHANNEL_SUMS);
    for (size_t at = 0; at < count;) {
        unsigned level = 0;
        size_t size;

        while (level < most && at / TREE_LEAF % (2U << level) == 0)
            level++;
        size = (size_t)TREE_LEAF << level;
        size = count - at < size ? count - at : size;
        channel_init(&part, CHANNEL_SUMS);
        add_at(way, &part, at, size);
        tree_add_subtree(&channel.tree, level, tree_total(&part.tree));
        at += size;
    }
    check_sums(way, &channel, count, "leaves by 2 to the", most);
}

static void check_order(const struct way *way, size_t count, size_t cut)
{
    static struct channel_stats channel;

    channel_init(&channel, CHANNEL_SUMS);
    for (size_t at = 0; at < count; at += cut)
        add_at(way, &channel, at, count - at < cut ? count - at : cut);
    check_sums(way, &channel, count, way->kernels->name, cut);
}

/* The tree is the same for all kinds: the deepest one is only for float32, and with sanitizers only
 * for the portable kernels. */
static void test_order(const struct way *way)
{
    const struct cpu_kernels *first = cpu_kernels_at(0, VALUE_F32);
    const bool is_deep = way->kernels->kind == VALUE_F32 && (!CHECK_FEW || way->kernels == first);
    static const size_t counts[] = {0,    1,    31,   32,    33,    4095,   4096,
                                    4097, 8191, 8192, 12289, 20481, 100000, SAMPLES_MOST};
    static const size_t cuts[] = {1, 7, 32, 33, 1000, 4096, 4099, SAMPLES_MOST};
    const size_t lengths = sizeof counts / sizeof *counts - (is_deep ? 0 : 1);

    for (size_t i = 0; i < counts[lengths - 1]; i++)
        put_sample(way, i);
    for (size_t i = 0; i < lengths; i++) {
        due_sums.sum = whole_sum(doubles, counts[i], false);
        due_sums.square = whole_sum(doubles, counts[i], true);
        for (size_t j = 0; j < sizeof cuts / sizeof *cuts; j++)
            if (!CHECK_FEW || counts[i] <= 1000 * cuts[j])
                check_order(way, counts[i], cuts[j]);
        for (unsigned most = 0; most < 9; most++)
            check_subtrees(way, counts[i], most);
    }
}

/* Many values in [0,1), whose exact sum is a multiple of 2^-24. */
static void test_accuracy(void)
{
    static struct channel_stats channel;
    const struct channel_samples of = channel_samples_of(
        NULL, (struct sample_type){.kind = SAMPLE_F32}, (struct full_scale){.known = false});
    float *floats = (float *)(void *)samples;
    uint64_t exact = 0;
    uint64_t left = CHECK_FEW ? 10000000 : 100000000;
    struct tree_sums sums;

    channel_init(&channel, CHANNEL_SUMS);
    for (size_t i = 0; i < SAMPLES_MOST; i++)
        floats[i] = (float)random_below(1 << 24) * 0x1p-24F;
    while (left > 0) {
        size_t run = left < SAMPLES_MOST ? (size_t)left : SAMPLES_MOST;

        for (size_t i = 0; i < run; i++)
            exact += (uint64_t)(floats[i] * 0x1p24F);
        channel_add(&channel, &of, floats, run);
        left -= run;
    }
    sums = tree_total(&channel.tree);
    CHECK_THAT(fabs(sums.sum - (double)exact * 0x1p-24) <= 1e-12 * sums.sum, "%.17g, not %.17g",
               sums.sum, (double)exact * 0x1p-24);
}

static void set_bits(const struct cpu_kernels *kernels, void *values, size_t i, uint64_t bits)
{
    if (kernels->kind == VALUE_F32)
        ((uint32_t *)values)[i] = (uint32_t)bits;
    else
        ((uint64_t *)values)[i] = bits;
}

/* A value at every place is found there; of two, the first. */
static void test_find(const struct cpu_kernels *kernels)
{
    const uint64_t sign = UINT64_C(1) << (8 * value_bytes(kernels->kind) - 1);
    uint64_t values[200];

    for (size_t count = 0; count <= 200; count += count < 140 ? 1 : 30) {
        for (size_t i = 0; i < 200; i++)
            set_bits(kernels, values, i, sign + 1);
        CHECK(kernels->find(values, count, sign) == count);
        for (size_t place = count; place-- > 0;) {
            set_bits(kernels, values, place, sign);
            CHECK(kernels->find(values, count, sign) == place);
            CHECK(kernels->find(values, count, 0) == count);
        }
    }
}

/* Converts to the kind of floats. */
static const void *floats_of(enum value_kind kind, const double *values, size_t count)
{
    static uint64_t converted[8];

    for (size_t i = 0; i < count; i++) {
        if (kind == VALUE_F32)
            ((float *)(void *)converted)[i] = (float)values[i];
        else
            ((double *)(void *)converted)[i] = values[i];
    }
    return converted;
}

static bool is_level(struct level level, double value)
{
    return rules_bits64(level.value) == rules_bits64(value);
}

static void test_extremes_of_floats(const struct way *way)
{
    static struct channel_stats channel;
    const enum value_kind kind = way->kernels->kind;
    const struct sample_type type = way->type;
    const double zeros[] = {0, -0.0, (double)NAN, -0.0, 0};
    const double signs[] = {-3, 2, 3, -3, -(double)NAN, 3};
    const double ends[] = {-9, 9};
    uint64_t many[3 * TREE_LANES] = {0};

    channel_init(&channel, CHANNEL_SUMS);
    add(way, &channel, floats_of(kind, zeros, 5), 5);
    CHECK(channel.frames == 5 && channel.values.nans == 1);
    CHECK(is_level(level_of_key(type, channel.values.low), -0.0) && channel.values.low_at == 1);
    CHECK(is_level(level_of_key(type, channel.values.high), 0) && channel.values.high_at == 0);
    CHECK(channel.values.magnitude == 0 && channel.values.magnitude_at == 0);
    add(way, &channel, floats_of(kind, signs, 6), 6);
    CHECK(channel.frames == 11 && channel.values.nans == 2);
    CHECK(is_level(level_of_key(type, channel.values.low), -3) && channel.values.low_at == 5);
    CHECK(is_level(level_of_key(type, channel.values.high), 3) && channel.values.high_at == 7);
    CHECK(is_level(level_of_magnitude(type, channel.values.magnitude), 3) &&
          channel.values.magnitude_at == 5);
    CHECK(tree_total(&channel.tree).sum == 2 && tree_total(&channel.tree).square == 40);

    /* Extremes before the rows of lanes that a kernel takes at once. */
    channel_init(&channel, CHANNEL_SUMS);
    add(way, &channel, floats_of(kind, zeros, 1), 1);
    memcpy(many, floats_of(kind, ends, 2), 2 * value_bytes(kind));
    add(way, &channel, many, 3 * TREE_LANES);
    CHECK(is_level(level_of_key(type, channel.values.low), -9) && channel.values.low_at == 1);
    CHECK(is_level(level_of_key(type, channel.values.high), 9) && channel.values.high_at == 2);

    /* The first number may be the only one, and zero. */
    channel_init(&channel, CHANNEL_SUMS);
    add(way, &channel, floats_of(kind, zeros + 2, 1), 1);
    CHECK(channel.frames == 1 && channel.values.nans == 1 &&
          channel.values.low > channel.values.high);
    add(way, &channel, floats_of(kind, zeros + 1, 1), 1);
    CHECK(channel.values.magnitude == 0 && channel.values.magnitude_at == 1 &&
          channel.values.high_at == 1);
}

static void check_integers(const struct way *way, const int64_t *keys, size_t count,
                           struct stats_values due)
{
    static struct channel_stats channel;
    static struct channel_stats joined;
    const struct stats_part part = {.frames = count};
    struct stats_values values;

    channel_init(&channel, CHANNEL_SUMS);
    add(way, &channel, keys, count);
    values = channel_values(&channel);
    channel_init(&joined, CHANNEL_SUMS);
    channel_add_part(&joined, &part, &values);
    for (unsigned i = 0; i < 2; i++) {
        const struct stats_values got = channel_values(i == 0 ? &channel : &joined);

        CHECK_THAT(got.nans == 0 && got.low == due.low && got.high == due.high &&
                       got.magnitude == due.magnitude,
                   "%s: magnitude %llu", way->name, (unsigned long long)got.magnitude);
        CHECK_THAT(got.low_at == due.low_at && got.high_at == due.high_at &&
                       got.magnitude_at == due.magnitude_at,
                   "%s: places %llu, %llu, %llu", way->name, (unsigned long long)got.low_at,
                   (unsigned long long)got.high_at, (unsigned long long)got.magnitude_at);
    }
}

/* The lowest and the highest are samples like others. */
static void test_extremes_of_integers(const struct way *way)
{
    const int64_t ends[] = {INT64_MAX - 1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX};
    const bool natural = sample_type_numbers(way->type) == VALUE_U64;
    const uint64_t half = UINT64_C(1) << 63;

    check_integers(way, ends, 5,
                   (struct stats_values){
                       .low = INT64_MIN,
                       .low_at = 2,
                       .high = INT64_MAX,
                       .high_at = 1,
                       .magnitude = natural ? UINT64_MAX : half,
                       .magnitude_at = natural ? 1 : 2,
                   });
    check_integers(way, ends + 1, 1,
                   (struct stats_values){
                       .low = INT64_MAX,
                       .high = INT64_MAX,
                       .magnitude = natural ? UINT64_MAX : INT64_MAX,
                   });
    check_integers(way, ends + 2, 1,
                   (struct stats_values){
                       .low = INT64_MIN, .high = INT64_MIN, .magnitude = natural ? 0 : half});
    check_integers(way, ends + 2, 2,
                   (struct stats_values){
                       .low = INT64_MIN,
                       .high = INT64_MIN + 1,
                       .high_at = 1,
                       .magnitude = natural ? 1 : half,
                       .magnitude_at = natural ? 1 : 0,
                   });
}

/* ---- samples at full scale ---- */

enum { COUNT = 20000 };

static bool reaches[COUNT];

/* The ends, their neighbours on both sides, and what is far from either. */
static void put_float(const struct way *way, size_t i, bool near)
{
    const bool narrow = way->kernels->kind == VALUE_F32;
    const double low = narrow ? (double)rules_from_key((int32_t)way->of.scale.low)
                              : rules_from_key64(way->of.scale.low);
    const double high = narrow ? (double)rules_from_key((int32_t)way->of.scale.high)
                               : rules_from_key64(way->of.scale.high);
    const double some[] = {low,
                           nextafter(low, 0) * 0.9999999,
                           low * 1.5,
                           high,
                           high * 0.9999999,
                           high * 3,
                           (double)NAN,
                           -(double)INFINITY,
                           0,
                           (double)INFINITY};
    const double value = near ? some[random_below(10)] : (double)random_below(100) / 101.0;

    reaches[i] = value <= low || value >= high;
    if (narrow)
        ((float *)(void *)samples)[i] = (float)value;
    else
        ((double *)(void *)samples)[i] = value;
}

static void put_integer(size_t i, bool near)
{
    const int64_t some[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, 0};
    const int64_t value = near ? some[random_below(5)] : (int64_t)random_number();

    reaches[i] = value == INT64_MIN || value == INT64_MAX;
    ((int64_t *)(void *)samples)[i] = value;
}

/* Full scale lies from `from` on, in one of `apart` samples. */
static void fill_near(const struct way *way, size_t from, unsigned apart)
{
    for (size_t i = 0; i < COUNT; i++) {
        const bool near = i >= from && random_below(apart) == 0;

        if (way->kernels->kind == VALUE_I64)
            put_integer(i, near);
        else
            put_float(way, i, near);
    }
}

static void check_clipped(const struct way *way, size_t cut)
{
    static struct channel_stats channel;
    static struct channel_stats joined;
    static struct channel_stats part;
    uint64_t clipped = 0;
    uint64_t first = 0;

    channel_init(&channel, CHANNEL_SUMS);
    channel_init(&joined, CHANNEL_SUMS);
    for (size_t at = 0; at < COUNT; at += cut)
        add_at(way, &channel, at, COUNT - at < cut ? COUNT - at : cut);
    for (size_t at = 0; at < COUNT; at += TREE_LEAF) {
        const size_t size = COUNT - at < TREE_LEAF ? COUNT - at : TREE_LEAF;
        const struct stats_part of = {.frames = size};
        struct stats_values of_part;

        channel_init(&part, CHANNEL_SUMS);
        add_at(way, &part, at, size);
        of_part = channel_values(&part);
        channel_add_part(&joined, &of, &of_part);
    }
    for (size_t i = 0; i < COUNT; i++) {
        first = reaches[i] && clipped == 0 ? i : first;
        clipped += reaches[i] ? 1 : 0;
    }
    CHECK_THAT(channel.values.clipped == clipped && channel.values.clipped_at == first,
               "%s, kind %d, by %zu: %llu from %llu", way->kernels->name, (int)way->kernels->kind,
               cut, (unsigned long long)channel.values.clipped,
               (unsigned long long)channel.values.clipped_at);
    CHECK(joined.values.clipped == clipped && joined.values.clipped_at == first);
}

static void test_clipped(const struct way *way)
{
    static const size_t cuts[] = {1, 31, 1000, 4096, 4099, COUNT};

    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        fill_near(way, random_below(COUNT), 1 + (unsigned)random_below(300));
        check_clipped(way, cuts[i]);
        fill_near(way, COUNT - 1, 1);
        check_clipped(way, cuts[i]);
        fill_near(way, COUNT, 1);
        check_clipped(way, cuts[i]);
    }
}

/* The values of a short block at once, also with NaN in it, against those of a channel. Where only
 * squares are summed, the other sum is 0. */
static void test_short(const struct way *way)
{
    static struct channel_stats channel;
    struct channel_samples of = way->of;

    for (size_t i = 0; i < 300; i++) {
        const size_t count = 1 + random_below(i % 2 == 0 ? 300 : 12);
        const size_t at = random_below(COUNT - count);
        struct stats_values got;
        struct stats_values due;

        if (i % 50 == 0)
            fill_near(way, 0, 1 + (unsigned)i);
        channel_init(&channel, CHANNEL_SUMS);
        add_at(way, &channel, at, count);
        due = channel_values(&channel);
        of.squares = i % 3 == 0;
        due.sum = of.squares ? 0 : due.sum;
        CHECK(channel_values_of(&of, place_of(way, at), count, &got));
        CHECK_THAT(got.nans == due.nans && (got.sum == due.sum || isnan(due.sum)) &&
                       isnan(got.sum) == isnan(due.sum) && got.square == due.square,
                   "%s: %zu samples, %llu NaN", way->kernels->name, count,
                   (unsigned long long)due.nans);
        CHECK(due.nans == count ? got.low > got.high : got.low == due.low && got.high == due.high);
    }
}

static void test_unknown(void)
{
    static struct channel_stats channel;
    const struct channel_samples of = channel_samples_of(
        NULL, (struct sample_type){.kind = SAMPLE_F32}, (struct full_scale){.known = false});
    const float some[] = {-1, 1, 0, 2};

    channel_init(&channel, CHANNEL_SUMS);
    channel_add(&channel, &of, some, 4);
    CHECK(channel.values.clipped == 0);
}

static void test_way(const struct way *way)
{
    test_find(way->kernels);
    test_order(way);
    if (way->kernels->kind == VALUE_I64)
        test_extremes_of_integers(way);
    if (way->kernels->kind == VALUE_I64)
        return;
    test_extremes_of_floats(way);
    test_short(way);
}

/* Every kind, with every instruction set of this machine. */
static void test_ways(void)
{
    static const char *const types[] = {"u8",  "s16", "s24", "u32", "f32",
                                        "f64", "s64", "u64", "s64", "u64"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct way way = {.name = types[i]};
        const bool known = sample_type_parse(types[i], false, &way.type);
        const enum value_kind kind = sample_type_value(way.type);

        CHECK(known);
        way.type.counts = i > 7;
        for (unsigned isa = 0; (way.kernels = cpu_kernels_at(isa, kind)) != NULL; isa++) {
            way.of = (struct channel_samples){
                .kernels = way.kernels,
                .sums = cpu_kernels_at(isa, kind == VALUE_I64 ? VALUE_F64 : kind),
                .numbers = sample_type_numbers(way.type),
                .unit = sample_type_unit(way.type),
                .scale = full_scale_of(way.type, kind),
            };
            if (sample_type_bytes(way.type) == value_bytes(kind))
                test_way(&way);
            if (way.of.scale.known)
                test_clipped(&way);
        }
    }
}

static const struct cpu_kernels *summing;
static size_t summed; /* windows */

static void count_windows(const void *values, size_t count, size_t windows, double *sums)
{
    summed += windows;
    summing->window_sums(values, count, windows, sums);
}

/* The means of windows that all have a NaN: few of them are summed more than once. */
static void test_nan_means(void)
{
    enum { WIDTH = 16, WINDOWS = 4096 };
    static float means[WINDOWS];
    struct engine_setup setup = {.value = VALUE_F32, .nan = NAN_OMIT, .channels = 1};
    const struct emit_out out = {.item = {means}, .frame = 1, .channel = 1};
    struct channel_samples of = channel_samples_of(NULL, (struct sample_type){.kind = SAMPLE_F32},
                                                   (struct full_scale){.known = false});
    struct cpu_kernels counting = *of.sums;
    struct tally *tally;
    float *floats = (float *)(void *)samples;

    window_init(&setup.window, WIDTH, WIDTH, ALIGN_VALID, EDGE_SHRINK);
    setup.emits.count = 1;
    setup.emits.item[0] = EMIT_MEAN;
    tally = malloc(tally_bytes(&setup.window));
    summing = of.sums;
    counting.window_sums = count_windows;
    of.sums = &counting;
    for (size_t i = 0; i < (size_t)WIDTH * WINDOWS; i++)
        floats[i] = i % WIDTH == 0 ? NAN : 2;
    tally_init(tally, &setup, 0);
    tally_run(tally, &of, &setup, samples, (size_t)WIDTH * WINDOWS, &out, 0);
    CHECK_THAT(summed < (size_t)2 * WINDOWS, "%zu", summed);
    for (size_t i = 0; i < WINDOWS; i++)
        CHECK(means[i] == 2);
    free(tally);
}

CHECK_MAIN(test_unknown, test_ways, test_accuracy, test_nan_means)
