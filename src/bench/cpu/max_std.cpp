/* SPDX-License-Identifier: MIT */
// std::max_element with the execution policies of C++17, as in the published comparison of ways to
// find the largest magnitude. libtbb decides what runs in parallel; a build without it lists them
// as not available.
extern "C" {
#include "bench/flavour.h"
}

#ifdef GPUENV_BENCH_TBB

#include <algorithm>
#include <cmath>
#include <execution>

template <class Policy, class Value>
static size_t find_largest(const Policy &policy, const Value *samples, size_t count)
{
    return static_cast<size_t>(
        std::max_element(policy, samples, samples + count,
                         [](Value a, Value b) { return std::fabs(a) < std::fabs(b); }) -
        samples);
}

template <const auto &policy> static int run(void *state, bench_answer *answer, struct error *)
{
    const auto *task = static_cast<const bench_task *>(state);

    answer->index = task->kind == VALUE_F32
                        ? find_largest(policy, (const float *)task->samples, task->count)
                        : find_largest(policy, (const double *)task->samples, task->count);
    answer->magnitude = std::fabs(bench_value(task->kind, task->samples, answer->index));
    return 0;
}

#define CANNOT nullptr
#define RUN(policy) run<std::execution::policy>

#else

static const char *cannot(const bench_flavour *, const bench_task *)
{
    return "left out of this build: needs a C++ compiler and libtbb-dev";
}

#define CANNOT cannot
#define RUN(policy) nullptr

#endif

// In the order of the members: of the flags, only takes_f64 is set.
#define STD(name, policy, words)                                                                   \
    {                                                                                              \
        name, words, BENCH_MAX, false, true, false, false, nullptr, CANNOT, nullptr, RUN(policy),  \
            nullptr                                                                                \
    }

const bench_flavour bench_cpu_std[] = {
    STD("std-seq", seq, "std::max_element, std::execution::seq"),
    STD("std-par", par, "std::max_element, std::execution::par, on libtbb"),
    STD("std-par-unseq", par_unseq, "std::max_element, std::execution::par_unseq, on libtbb"),
    {},
};
