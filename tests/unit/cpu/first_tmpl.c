/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Where the first minimum and the first maximum of samples are, by every kernel table that runs
 * here, against a plain loop. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "cpu/kernels.h"
#include "shapes_tmpl.h"

/* A number in the order of samples, of which -0 equals 0. */
static int64_t order(kind_value sample, kind_key middle)
{
    const kind_bits bits = (kind_bits)(kind_to_bits(sample) ^ (kind_bits)middle);
    const kind_key key = (kind_key)kind_flip(bits);

    return KIND_HAS_NAN && key == -1 ? 0 : key;
}

static void define(const kind_value *samples, size_t count, kind_key middle, size_t at[2])
{
    bool found = false;

    at[0] = at[1] = 0;
    for (size_t i = 0; i < count; i++) {
        if (kind_is_nan_bits(kind_to_bits(samples[i])))
            continue;
        if (!found || order(samples[i], middle) < order(samples[at[0]], middle))
            at[0] = i;
        if (!found || order(samples[i], middle) > order(samples[at[1]], middle))
            at[1] = i;
        found = true;
    }
}

static bool are_nan(const kind_value *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!kind_is_nan_bits(kind_to_bits(samples[i])))
            return false;
    }
    return true;
}

static void test_table(const struct cpu_kernels *kernels, kind_key middle)
{
    static kind_value samples[FIRST_MOST + 1];

    for (int i = 0; i < (CHECK_FEW ? 100 : 1000); i++) {
        const size_t count = 1 + random_below(i % 3 == 0 ? FIRST_MOST : i % 3 == 1 ? 300 : 40);
        const enum data data = (enum data)(i % DATA_KINDS);
        struct extremes got;
        size_t due[2];
        size_t at[2];

        fill(data, samples + 1, count);
        define(samples + 1, count, middle, due);
        got = kernels->first(samples + 1, count, at);
        CHECK_THAT(at[0] == due[0] && at[1] == due[1],
                   "%s, kind %d, data %d, %zu samples: %zu and %zu, not %zu and %zu", kernels->name,
                   kernels->kind, data, count, at[0], at[1], due[0], due[1]);
        CHECK((got.low > got.high) == are_nan(samples + 1, count));
        /* Keys of other calls are in the same order. */
        samples[0] = samples[1 + random_below(count)];
        if (!are_nan(samples, 1)) {
            const int64_t key = kernels->first(samples, 1, at).low;

            CHECK((key == got.low) ==
                  (order(samples[0], middle) == order(samples[1 + due[0]], middle)));
            CHECK((key < got.high) ==
                  (order(samples[0], middle) < order(samples[1 + due[1]], middle)));
        }
    }
}

int main(void)
{
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++)
        test_table(kernels, 0);
#ifdef KIND_UNSIGNED
    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND_UNSIGNED)) != NULL; t++)
        test_table(kernels, KIND_BELOW);
#endif
    return check_result();
}
