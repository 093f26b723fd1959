/* SPDX-License-Identifier: MIT */
// C++20: the envelope of any contiguous range of floats, with a context that closes itself.
#include <gpuenv.h>

#include <array>
#include <cstdio>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <vector>

namespace {

struct close_context {
    void operator()(gpuenv_context *context) const
    {
        gpuenv_close(context);
    }
};
using context_handle = std::unique_ptr<gpuenv_context, close_context>;

void check(int code, const gpuenv_error &error)
{
    if (code != GPUENV_OK)
        throw std::runtime_error(std::string(error.subject) + ' ' + error.text);
}

context_handle open_context()
{
    auto error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context = nullptr;

    check(gpuenv_open(nullptr, &context, &error), error);
    return context_handle(context);
}

gpuenv_array array_of(std::span<const float> samples)
{
    auto array = GPUENV_INIT(gpuenv_array);

    array.data = samples.data();
    array.type = GPUENV_F32;
    array.rows = array.channels = 1;
    array.frames = samples.size();
    array.frame = sizeof(float);
    return array;
}

std::vector<float> maxima(gpuenv_context *context, std::span<const float> samples,
                          std::uint64_t width)
{
    auto error = GPUENV_INIT(gpuenv_error);
    auto spec = GPUENV_INIT(gpuenv_spec);
    std::uint64_t count = 0;

    spec.width = width;
    spec.values = 1;
    spec.value[0] = GPUENV_MAX;
    check(gpuenv_outputs(&spec, samples.size(), &count, &error), error);
    std::vector<float> found(count);
    const auto in = array_of(samples);
    const auto out = array_of(found);
    check(gpuenv_filter(context, &spec, &in, &out, &error), error);
    return found;
}

} // namespace

int main()
{
    const auto context = open_context();
    constexpr std::array<float, 8> samples{3, 1, 4, 1, 5, 9, 2, 6};

    for (const float value : maxima(context.get(), samples, 3))
        std::printf("%g ", double{value});
    for (const float value :
         maxima(context.get(), std::span(samples).last(4), 2) | std::views::reverse)
        std::printf("%g ", double{value});
    try {
        (void)maxima(context.get(), samples, 0);
    } catch (const std::runtime_error &wrong) {
        std::puts(wrong.what());
    }
}
