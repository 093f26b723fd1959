/* The statistics of a short tree at once, by every kernel table that runs here, against plain
 * loops. Other reductions are tested by what calls them: channel.c, hopper_tmpl.c. A template:
 * compiled for both kinds of floats. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "cpu/kernels.h"
#include "shapes_tmpl.h"

/* The sums of each lane, and the extremes with NaN ordered by their bits. */
static void add_plainly(const kind_value *samples, size_t count, struct leaf_stats *leaf)
{
    for (size_t i = 0; i < count; i++) {
        double sample = (double)samples[i];
        kind_key key = (kind_key)kind_flip(kind_to_bits(samples[i]));

        leaf->sum[i % TREE_LANES] += sample;
        leaf->square[i % TREE_LANES] += sample * sample;
        leaf->low = key < leaf->low ? key : leaf->low;
        leaf->high = key > leaf->high ? key : leaf->high;
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

/* A NaN shows, and no more. */
static bool are_alike(struct extremes a, struct extremes b)
{
    return extremes_have_nan(KIND, a) ? extremes_have_nan(KIND, b)
                                      : a.low == b.low && a.high == b.high;
}

int main(void)
{
    const struct cpu_kernels *kernels;
    kind_value samples[301];

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int i = 0; i < 400; i++) {
            size_t count = 1 + random_below(i % 2 == 0 ? 299 : 70);
            struct leaf_stats due = {.low = KIND_ABOVE, .high = KIND_BELOW};
            struct window_stats got;

            fill((enum data)(i % DATA_KINDS), samples + 1, count);
            add_plainly(samples + 1, count, &due);
            kernels->window_stats(samples + 1, count, &got);
            CHECK_THAT(are_alike((struct extremes){due.low, due.high},
                                 (struct extremes){got.low, got.high}) &&
                           is_same(got.sum, fold(due.sum)) && is_same(got.square, fold(due.square)),
                       "%s, data %d, %zu samples", kernels->name, i % DATA_KINDS, count);
        }
    }
    return check_result();
}
