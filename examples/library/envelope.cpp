/* SPDX-License-Identifier: MIT */
// The running minimum and maximum of a std::vector.
#include <gpuenv.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Envelope {
    std::vector<double> low;
    std::vector<double> high;
};

using Context = std::unique_ptr<gpuenv_context, void (*)(gpuenv_context *)>;

static void check(int code, const gpuenv_error &error)
{
    if (code != GPUENV_OK)
        throw std::runtime_error(std::string(error.subject) + " " + error.text);
}

static gpuenv_array array_of(const std::vector<double> &values)
{
    gpuenv_array array = GPUENV_INIT(gpuenv_array);

    array.data = values.data();
    array.type = GPUENV_F64;
    array.frames = values.size();
    return array;
}

static Envelope envelope(gpuenv_context *context, const std::vector<double> &samples,
                         std::uint64_t width)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    std::uint64_t outputs = 0;

    spec.width = width;
    check(gpuenv_outputs(&spec, samples.size(), &outputs, &error), error);
    Envelope result = {std::vector<double>(outputs), std::vector<double>(outputs)};
    const gpuenv_array in = array_of(samples);
    const gpuenv_array out[] = {array_of(result.low), array_of(result.high)};
    check(gpuenv_filter(context, &spec, &in, out, &error), error);
    return result;
}

int main()
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *opened = nullptr;

    check(gpuenv_open(nullptr, &opened, &error), error);
    const Context context(opened, gpuenv_close);
    const Envelope result = envelope(context.get(), {0.5, 0.25, 4, -1, 2, 2, 8}, 3);
    for (std::size_t i = 0; i < result.low.size(); i++)
        std::cout << result.low[i] << " " << result.high[i] << "\n";
}
