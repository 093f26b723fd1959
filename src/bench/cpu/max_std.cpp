// The three execution policies of std::max_element. libtbb decides what runs in parallel.
#include "bench/cpu/max_std.h"

#include <algorithm>
#include <cmath>
#include <execution>

namespace {

template <class Value, class Policy> size_t find(Policy &&policy, const bench_task *task)
{
    const Value *samples = static_cast<const Value *>(task->samples);
    const Value *largest =
        std::max_element(std::forward<Policy>(policy), samples, samples + task->count,
                         [](Value a, Value b) { return std::fabs(a) < std::fabs(b); });

    return static_cast<size_t>(largest - samples);
}

template <class Policy> size_t find_any(Policy &&policy, const bench_task *task)
{
    return task->kind == VALUE_F32 ? find<float>(std::forward<Policy>(policy), task)
                                   : find<double>(std::forward<Policy>(policy), task);
}

} // namespace

size_t max_std_seq(const bench_task *task)
{
    return find_any(std::execution::seq, task);
}

size_t max_std_par(const bench_task *task)
{
    return find_any(std::execution::par, task);
}

size_t max_std_par_unseq(const bench_task *task)
{
    return find_any(std::execution::par_unseq, task);
}
