// The three execution policies of std::max_element. libtbb decides what runs in parallel.
#include "bench/cpu/max_std.h"

#include <algorithm>
#include <cmath>
#include <execution>

namespace {

template <class Policy> size_t find(Policy &&policy, const float *samples, size_t count)
{
    const float *largest =
        std::max_element(std::forward<Policy>(policy), samples, samples + count,
                         [](float a, float b) { return std::fabs(a) < std::fabs(b); });

    return static_cast<size_t>(largest - samples);
}

} // namespace

size_t max_std_seq(const float *samples, size_t count)
{
    return find(std::execution::seq, samples, count);
}

size_t max_std_par(const float *samples, size_t count)
{
    return find(std::execution::par, samples, count);
}

size_t max_std_par_unseq(const float *samples, size_t count)
{
    return find(std::execution::par_unseq, samples, count);
}
