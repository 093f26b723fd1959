/* Reductions of samples, by every kernel table that runs here, against plain loops. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "cpu/kernels.h"
#include "shapes.h"

static void test_extremes(void)
{
    const struct cpu_kernels *kernels;
    float samples[301];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, VALUE_F32)) != NULL; t++) {
        for (int i = 0; i < 400; i++) {
            size_t count = random_below(i % 2 == 0 ? 300 : 40);
            enum nan_policy policy = i % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT;
            int32_t low = i % 3 == 0 ? -5 : KEY_ABOVE;
            int32_t high = i % 3 == 0 ? 7 : KEY_BELOW;
            struct extremes got = {low, high};

            fill((enum data)(i % DATA_KINDS), samples + 1, count);
            for (size_t k = 1; k <= count; k++) {
                int32_t low_key = rules_low_key(samples[k], policy);
                int32_t high_key = rules_high_key(samples[k], policy);

                low = low_key < low ? low_key : low;
                high = high_key > high ? high_key : high;
            }
            got = kernels->extremes(got, samples + 1, count, policy);
            CHECK_THAT(got.low == low && got.high == high, "%s, %zu samples", kernels->name, count);
        }
    }
}

/* The sums of each lane, and the extremes with NaN ordered by their bits. */
static void add_plainly(const float *samples, size_t count, struct leaf_stats *leaf)
{
    for (size_t i = 0; i < count; i++) {
        double sample = samples[i];
        int32_t key = (int32_t)rules_flip(rules_bits(samples[i]));

        leaf->sum[i % TREE_LANES] += sample;
        leaf->square[i % TREE_LANES] += sample * sample;
        leaf->low = key < leaf->low ? key : leaf->low;
        leaf->high = key > leaf->high ? key : leaf->high;
    }
}

static bool same_sums(const double *a, const double *b)
{
    for (size_t i = 0; i < TREE_LANES; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    }
    return true;
}

static void test_leaf_stats(void)
{
    enum { MOST = 10 * TREE_LANES };
    const struct cpu_kernels *kernels;
    float samples[MOST + 1];
    float clean[MOST];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, VALUE_F32)) != NULL; t++) {
        for (int i = 0; i < 20 * DATA_KINDS; i++) {
            size_t count = (1 + random_below(MOST / TREE_LANES)) * TREE_LANES;
            bool fresh = i % 3 != 0;
            struct leaf_stats due = {.sum = {1}, .square = {[TREE_LANES - 1] = 1}};
            struct leaf_stats got;
            uint32_t nans = 0;
            uint32_t found;

            due.low = fresh ? KEY_ABOVE : -5;
            due.high = fresh ? KEY_BELOW : 7;
            got = due;
            fill((enum data)(i % DATA_KINDS), samples + 1, count);
            add_plainly(samples + 1, count, &due);
            kernels->leaf_stats(samples + 1, count, &got);
            CHECK_THAT(got.low == due.low && got.high == due.high && same_sums(got.sum, due.sum) &&
                           same_sums(got.square, due.square),
                       "%s, data %d, %zu samples", kernels->name, i % DATA_KINDS, count);
            found = kernels->clean(samples + 1, count - 1, clean);
            for (size_t k = 0; k + 1 < count; k++) {
                bool nan = isnan(samples[k + 1]);

                nans += nan;
                CHECK(rules_bits(clean[k]) == (nan ? 0 : rules_bits(samples[k + 1])));
            }
            CHECK_THAT(found == nans, "%s, data %d", kernels->name, i % DATA_KINDS);
        }
    }
}

int main(void)
{
    test_extremes();
    test_leaf_stats();
    return check_result();
}
