/* SPDX-License-Identifier: MIT */
/* Deviations, leaf by leaf: of all samples at once, and of parts that are joined, with numbers
 * missing anywhere. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "cpu/channel.h"

enum { LEAVES = 8, COUNT = LEAVES * TREE_LEAF - 1000, OFFSET = 1000000000 };

static double samples[COUNT];
static struct channel_samples of;

static void add(struct channel_stats *channel, size_t from, size_t count, size_t cut)
{
    for (size_t end = from + count; from < end; from += cut)
        channel_add(channel, &of, samples + from, end - from < cut ? end - from : cut);
}

static void check_parts(struct deviations due, unsigned level)
{
    static struct channel_stats joined;
    static struct channel_stats one;
    const size_t size = (size_t)TREE_LEAF << level;
    struct deviations got;

    channel_init(&joined, CHANNEL_LEAVES);
    for (size_t at = 0; at < COUNT; at += size) {
        const struct stats_part part = {.frames = COUNT - at < size ? COUNT - at : size,
                                        .level = level};
        struct stats_values values;

        channel_init(&one, CHANNEL_LEAVES);
        add(&one, at, (size_t)part.frames, 777);
        values = channel_values(&one);
        channel_add_part(&joined, &part, &values);
    }
    got = channel_values(&joined).deviations;
    CHECK_THAT(got.count == due.count && got.mean == due.mean && got.squares == due.squares,
               "level %u: %.17g, not %.17g", level, got.squares, due.squares);
}

static void check_missing(int in, size_t leaf)
{
    static struct channel_stats channel;
    double sum = 0;
    struct deviations due;

    for (size_t i = 0; i < COUNT; i++) {
        samples[i] = OFFSET + (double)(i % 2);
        if (rand() % in == 0 || i / TREE_LEAF == leaf)
            samples[i] = (double)NAN;
    }
    channel_init(&channel, CHANNEL_LEAVES);
    add(&channel, 0, COUNT, 31);
    due = channel_values(&channel).deviations;
    for (size_t i = 0; i < COUNT; i++)
        sum += isnan(samples[i]) ? 0 : (samples[i] - due.mean) * (samples[i] - due.mean);
    CHECK_THAT(fabs(due.squares - sum) < 1e-6 * sum, "%.17g, not %.17g", due.squares, sum);
    for (unsigned level = 0; level <= 3; level++)
        check_parts(due, level);
}

static void test_leaves(void)
{
    of = channel_samples_of(NULL, (struct sample_type){.kind = SAMPLE_F64},
                            (struct full_scale){.known = false});
    check_missing(RAND_MAX, LEAVES);
    check_missing(3, LEAVES);
    check_missing(100, 0);
    check_missing(100, 2);
    check_missing(100, LEAVES - 1);
}

CHECK_MAIN(test_leaves)
