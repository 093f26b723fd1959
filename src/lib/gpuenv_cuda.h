/* SPDX-License-Identifier: MIT */
/* libgpuenv for arrays on a CUDA device, which a library without CUDA refuses: GPUENV_NO_DEVICE.
 * See gpuenv(3). */
#ifndef GPUENV_CUDA_H
#define GPUENV_CUDA_H

#include "gpuenv.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Filters arrays on a device: enqueues kernels on the stream (a cudaStream_t) and returns.
 * Nothing is allocated, and nothing waited for; the number of launches does not depend on the rows.
 * It may be captured into a CUDA graph and replayed.
 *
 * With `work` NULL, sets `*bytes` to the device memory that the call needs, and loads the kernels:
 * do this once before a capture. Then pass memory of at least this size, aligned to 256 bytes; it
 * is not used after the kernels. With a size of 1 it is not used at all, and any address will do.
 * The size may depend on the alignment of the arrays. With `bytes` NULL, too, the workspace is the
 * context's: one a stream, which grows where it has to (that waits for the device), and is freed
 * with the context. Destroy such a stream only when its work is done: another may get its handle,
 * and with it the workspace.
 *
 * float32 and float64 arrays are filtered where they lie if they have no gaps along the frames and
 * rows (or channels) begin on 16-byte borders; for windows of up to a few hundred frames, in many
 * other layouts, too. Others are first copied into the workspace. Samples must be aligned. Integers
 * of 64 bits, and GPUENV_NAN_ERROR, are refused.
 *
 * Page-locked memory of the host that the device can access will do as well: kernels read and write
 * it across the bus, which for small arrays takes less time than copies. */
int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error);

/* The device that has this memory. */
int gpuenv_cuda_device(const void *memory, int *device, gpuenv_error *error);

/* Makes what is enqueued on `stream` from now on wait for what is on the stream `before` now; the
 * host does not wait. A graph cannot wait for work outside of it: while only `stream` is being
 * captured, nothing is done. While only `before` is, `stream` joins the graph; with `joins` 0
 * nothing is done. */
int gpuenv_cuda_wait(int device, void *stream, void *before, int joins, gpuenv_error *error);

/* gpuenv_stats() for an array on a device, as gpuenv_filter_cuda() filters it: on the stream, with
 * `work` and `bytes` likewise. The records have the same bits, and are written to memory that the
 * device can access, its own or page-locked memory of the host, `size` bytes apart
 * (sizeof(gpuenv_record), or more). float32 and float64 arrays are read where they lie, unless
 * distances are negative or more than four channels of float32 lie side by side; others are first
 * copied into the workspace. Integers of 64 bits are refused. */
int gpuenv_stats_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                      gpuenv_record *record, size_t size, void *work, size_t *bytes, int device,
                      void *stream, gpuenv_error *error);

/* The columns of gpuenv_stats_columns_cuda(). */
enum gpuenv_column {
    /* The first five columns are GPUENV_S64. */
    GPUENV_COLUMN_FRAMES,
    GPUENV_COLUMN_NANS,

    /* These three are -1 where all samples are NaN. */
    GPUENV_COLUMN_ARGMIN,
    GPUENV_COLUMN_ARGMAX,
    GPUENV_COLUMN_ARGABS,

    /* These three are GPUENV_F64. */
    GPUENV_COLUMN_SUM,
    GPUENV_COLUMN_MEAN,
    GPUENV_COLUMN_RMS,

    /* These three have the type of the samples, or are GPUENV_F64; magnitudes of integers are
     * GPUENV_S64, GPUENV_U64 or GPUENV_F64. */
    GPUENV_COLUMN_ABS,
    GPUENV_COLUMN_MIN,
    GPUENV_COLUMN_MAX
};
enum { GPUENV_COLUMNS = 11 };

/* gpuenv_stats_cuda() with an array for each member of the records, in the place of these: `column`
 * has GPUENV_COLUMNS arrays in the order above, with the rows and channels of `array` and a frame
 * for each block. Each begins `size` bytes behind the one before. They must be aligned, and must
 * not overlap. */
int gpuenv_stats_columns_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                              const gpuenv_array *column, void *work, size_t *bytes, int device,
                              void *stream, gpuenv_error *error);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
