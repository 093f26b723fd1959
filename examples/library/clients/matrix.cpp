/* SPDX-License-Identifier: MIT */
// A matrix of Eigen, whose columns are filtered where they are: Eigen keeps columns together, so
// the filter runs down each of them. Blocks and transposed matrices only have other distances.
#include <gpuenv.h>

#include <Eigen/Dense>
#include <cstdint>
#include <iostream>
#include <stdexcept>

namespace {

template <typename Matrix> gpuenv_array array_of(const Matrix &matrix)
{
    auto array = GPUENV_INIT(gpuenv_array);

    array.data = matrix.derived().data();
    array.type = GPUENV_F64;
    array.rows = 1;
    array.frames = static_cast<std::uint64_t>(matrix.rows());
    array.channels = static_cast<std::uint64_t>(matrix.cols());
    array.frame = matrix.rowStride() * static_cast<std::ptrdiff_t>(sizeof(double));
    array.channel = matrix.colStride() * static_cast<std::ptrdiff_t>(sizeof(double));
    return array;
}

// The maxima of `width` rows, in each column.
template <typename Matrix>
Eigen::MatrixXd maxima(gpuenv_context *context, const Matrix &matrix, Eigen::Index width)
{
    auto error = GPUENV_INIT(gpuenv_error);
    auto spec = GPUENV_INIT(gpuenv_spec);
    Eigen::MatrixXd found(matrix.rows() - width + 1, matrix.cols());

    spec.width = static_cast<std::uint64_t>(width);
    spec.values = 1;
    spec.value[0] = GPUENV_MAX;
    const auto in = array_of(matrix);
    const auto out = array_of(found);
    if (gpuenv_filter(context, &spec, &in, &out, &error) != GPUENV_OK)
        throw std::runtime_error(error.text);
    return found;
}

} // namespace

int main()
{
    gpuenv_context *context = nullptr;
    Eigen::MatrixXd matrix(4, 3);

    matrix << 1, 9, 3, 4, 2, 6, 7, 5, 2, 0, 8, 1;
    if (gpuenv_open(nullptr, &context, nullptr) != GPUENV_OK)
        return 1;
    std::cout << maxima(context, matrix, 2) << '\n'
              << maxima(context, matrix.block(1, 0, 3, 2), 3) << '\n'
              << maxima(context, matrix.transpose(), 3) << '\n';
    gpuenv_close(context);
}
