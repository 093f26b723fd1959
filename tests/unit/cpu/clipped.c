/* stats/: samples at full scale, against a count one by one, with every kernel table, cut in any
 * way, and put together from parts. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/channel.h"
#include "window/rules.h"

enum { COUNT = 20000 };

static uint64_t values[COUNT]; /* of any kind */
static bool reaches[COUNT];

struct way {
    struct sample_type type;
    const struct cpu_kernels *kernels;
    struct channel_samples of;
    struct full_scale scale;
};

/* ---- what full scale is */

static bool has_ends(struct sample_type type, double low, double high)
{
    const enum value_kind kind = sample_type_value(type);
    const struct full_scale scale = full_scale_of(type, kind);

    if (kind == VALUE_F32)
        return scale.known && (double)rules_from_key((int32_t)scale.low) == low &&
               (double)rules_from_key((int32_t)scale.high) == high;
    return scale.known && rules_from_key64(scale.low) == low &&
           rules_from_key64(scale.high) == high;
}

static void test_scales(void)
{
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F32}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F16}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F64}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U8}, -1, 127.0 / 128));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S8}, -1, 127.0 / 128));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S16}, -1, 32767.0 / 32768));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U16}, -1, 32767.0 / 32768));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U24}, -1, 8388607.0 / 8388608));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S32}, -1, 2147483647.0 / 2147483648));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S32, .bits = 24}, -1, 8388607.0 / 8388608));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S16, .bits = 8}, -1, 127.0 / 128));
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CS16}, VALUE_F32).known);
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CF64}, VALUE_F64).known);
    CHECK(
        !full_scale_of((struct sample_type){.kind = SAMPLE_S16, .counts = true}, VALUE_F32).known);
}

/* ---- samples */

/* The ends, their neighbours on both sides, and what is far from either. */
static void put_float(const struct way *way, size_t i, bool near)
{
    const bool narrow = way->kernels->kind == VALUE_F32;
    const double low =
        narrow ? (double)rules_from_key((int32_t)way->scale.low) : rules_from_key64(way->scale.low);
    const double high = narrow ? (double)rules_from_key((int32_t)way->scale.high)
                               : rules_from_key64(way->scale.high);
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
    const double value = near ? some[rand() % 10] : rand() % 100 / 101.0;

    reaches[i] = value <= low || value >= high;
    if (narrow)
        ((float *)(void *)values)[i] = (float)value;
    else
        ((double *)(void *)values)[i] = value;
}

static void put_integer(size_t i, bool near)
{
    const int64_t some[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, 0};
    const int64_t value = near ? some[rand() % 5] : rand();

    reaches[i] = value == INT64_MIN || value == INT64_MAX;
    ((int64_t *)(void *)values)[i] = value;
}

/* Full scale lies from `from` on, in one of `apart` samples. */
static void fill(const struct way *way, size_t from, int apart)
{
    for (size_t i = 0; i < COUNT; i++) {
        const bool near = i >= from && rand() % apart == 0;

        if (way->kernels->kind == VALUE_I64)
            put_integer(i, near);
        else
            put_float(way, i, near);
    }
}

/* ---- the count */

static void add(const struct way *way, struct channel_stats *channel, size_t at, size_t count)
{
    const void *from = (const unsigned char *)values + at * value_bytes(way->kernels->kind);

    channel_add(channel, &way->of, from, count);
}

static void check_clipped(const struct way *way, size_t cut)
{
    static struct channel_stats channel;
    static struct channel_stats joined;
    static struct channel_stats part;
    uint64_t clipped = 0;
    uint64_t first = 0;

    channel_init(&channel);
    channel_init(&joined);
    for (size_t at = 0; at < COUNT; at += cut)
        add(way, &channel, at, COUNT - at < cut ? COUNT - at : cut);
    for (size_t at = 0; at < COUNT; at += TREE_LEAF) {
        const size_t size = COUNT - at < TREE_LEAF ? COUNT - at : TREE_LEAF;
        const struct stats_part of = {.frames = size};
        struct stats_values of_part;

        channel_init(&part);
        add(way, &part, at, size);
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

static void test_way(const struct way *way)
{
    static const size_t cuts[] = {1, 31, 1000, 4096, 4099, COUNT};

    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        fill(way, (size_t)rand() % COUNT, 1 + rand() % 300);
        check_clipped(way, cuts[i]);
        fill(way, COUNT - 1, 1);
        check_clipped(way, cuts[i]);
        fill(way, COUNT, 1);
        check_clipped(way, cuts[i]);
    }
}

static void test_unknown(void)
{
    static struct channel_stats channel;
    const struct channel_samples of = channel_samples_of(
        NULL, (struct sample_type){.kind = SAMPLE_F32}, (struct full_scale){.known = false});
    const float samples[] = {-1, 1, 0, 2};

    channel_init(&channel);
    channel_add(&channel, &of, samples, 4);
    CHECK(channel.values.clipped == 0);
}

int main(void)
{
    static const struct sample_type types[] = {
        {.kind = SAMPLE_F32}, {.kind = SAMPLE_F64}, {.kind = SAMPLE_U8},  {.kind = SAMPLE_S16},
        {.kind = SAMPLE_S24}, {.kind = SAMPLE_U32}, {.kind = SAMPLE_S64}, {.kind = SAMPLE_U64},
    };

    srand(1);
    test_scales();
    test_unknown();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const enum value_kind kind = sample_type_value(types[i]);
        struct way way = {.type = types[i], .scale = full_scale_of(types[i], kind)};

        for (unsigned isa = 0; (way.kernels = cpu_kernels_at(isa, kind)) != NULL; isa++) {
            way.of = (struct channel_samples){
                .kernels = way.kernels,
                .sums = cpu_kernels_at(isa, kind == VALUE_I64 ? VALUE_F64 : kind),
                .numbers = sample_type_numbers(way.type),
                .unit = sample_type_unit(way.type),
                .scale = way.scale,
            };
            test_way(&way);
        }
    }
    return check_result();
}
