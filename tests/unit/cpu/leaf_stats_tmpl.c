/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Reductions of samples, by every kernel table that runs here, against plain loops. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "cpu/kernels.h"
#include "shapes_tmpl.h"

static void test_extremes(void)
{
    const struct cpu_kernels *kernels;
    kind_value samples[301];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int i = 0; i < 400; i++) {
            size_t count = random_below(i % 2 == 0 ? 300 : 40);
            enum nan_policy policy = i % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT;
            kind_key low = i % 3 == 0 ? -5 : KIND_ABOVE;
            kind_key high = i % 3 == 0 ? 7 : KIND_BELOW;
            struct extremes got = {low, high};

            fill((enum data)(i % DATA_KINDS), samples + 1, count);
            for (size_t k = 1; k <= count; k++) {
                kind_key low_key = kind_low_key(samples[k], policy);
                kind_key high_key = kind_high_key(samples[k], policy);

                low = low_key < low ? low_key : low;
                high = high_key > high ? high_key : high;
            }
            got = kernels->extremes(got, samples + 1, count, policy);
            CHECK_THAT(got.low == low && got.high == high, "%s, %zu samples", kernels->name, count);
        }
    }
}

#ifndef KIND_I64

/* The sums of each lane, and the extremes with NaN ordered by their bits. */
static void add_plainly(const kind_value *samples, size_t count, struct leaf_stats *leaf)
{
    for (size_t i = 0; i < count; i++) {
        double sample = samples[i];
        kind_key key = (kind_key)kind_flip(kind_to_bits(samples[i]));

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
    kind_value samples[MOST + 1];
    kind_value clean[MOST];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int i = 0; i < 20 * DATA_KINDS; i++) {
            size_t count = (1 + random_below(MOST / TREE_LANES)) * TREE_LANES;
            bool fresh = i % 3 != 0;
            struct leaf_stats due = {.sum = {1}, .square = {[TREE_LANES - 1] = 1}};
            struct leaf_stats got;
            uint32_t nans = 0;
            uint32_t found;

            due.low = fresh ? KIND_ABOVE : -5;
            due.high = fresh ? KIND_BELOW : 7;
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
                CHECK(kind_to_bits(clean[k]) == (nan ? 0 : kind_to_bits(samples[k + 1])));
            }
            CHECK_THAT(found == nans, "%s, data %d", kernels->name, i % DATA_KINDS);
        }
    }
}

/* The upper half of the lanes added to the lower one, down to one. */
static double fold(double lanes[TREE_LANES])
{
    for (size_t half = TREE_LANES / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void test_window_stats(void)
{
    const struct cpu_kernels *kernels;
    kind_value samples[301];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int i = 0; i < 400 && kernels->window_stats != NULL; i++) {
            size_t count = 1 + random_below(i % 2 == 0 ? 299 : 70);
            struct leaf_stats due = {.low = KIND_ABOVE, .high = KIND_BELOW};
            struct window_stats got;

            fill((enum data)(i % DATA_KINDS), samples + 1, count);
            add_plainly(samples + 1, count, &due);
            kernels->window_stats(samples + 1, count, &got);
            CHECK_THAT(got.low == due.low && got.high == due.high &&
                           is_same(got.sum, fold(due.sum)) && is_same(got.square, fold(due.square)),
                       "%s, data %d, %zu samples", kernels->name, i % DATA_KINDS, count);
        }
    }
}

#endif

int main(void)
{
    test_extremes();
#ifndef KIND_I64
    test_leaf_stats();
    test_window_stats();
#endif
    return check_result();
}
