// The three execution policies of std::max_element. libtbb decides what runs in parallel.
#include "bench/cpu/max_std.h"

#include <algorithm>
#include <cmath>
#include <execution>

template <class Policy, class Value>
static size_t find_largest(Policy &&policy, const Value *samples, size_t count)
{
    return static_cast<size_t>(
        std::max_element(std::forward<Policy>(policy), samples, samples + count,
                         [](Value a, Value b) { return std::fabs(a) < std::fabs(b); }) -
        samples);
}

#define MAX_STD(policy)                                                                            \
    size_t max_std_##policy(const bench_task *task)                                                \
    {                                                                                              \
        return task->kind == VALUE_F32 ? find_largest(std::execution::policy,                      \
                                                      (const float *)task->samples, task->count)   \
                                       : find_largest(std::execution::policy,                      \
                                                      (const double *)task->samples, task->count); \
    }

MAX_STD(seq)
MAX_STD(par)
MAX_STD(par_unseq)
