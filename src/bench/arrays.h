/* SPDX-License-Identifier: MIT */
/* Tasks as arrays of libgpuenv. */
#ifndef GPUENV_BENCH_ARRAYS_H
#define GPUENV_BENCH_ARRAYS_H

#include "bench/flavour.h"
#include "lib/gpuenv.h"

/* An array of samples of the task, or of results, at this address. */
static inline gpuenv_array array_at(const struct bench_task *task, const void *data, size_t frames)
{
    return (gpuenv_array){
        .size = sizeof(gpuenv_array),
        .data = (void *)(uintptr_t)data,
        .type = task->kind == VALUE_F32 ? GPUENV_F32 : GPUENV_F64,
        .rows = 1,
        .frames = frames,
        .channels = 1,
        .frame = (ptrdiff_t)value_bytes(task->kind),
    };
}

/* Arrays for the results at `windows`: all minima, then all maxima. */
static inline void arrays_for_windows(const struct bench_task *task, const void *windows,
                                      gpuenv_array arrays[2])
{
    const size_t count = bench_windows(task);

    arrays[0] = array_at(task, windows, count);
    arrays[1] = array_at(task, bench_place(task->kind, windows, count), count);
}

/* Sets the answer that a record of statistics gives. */
static inline void answer_from(struct bench_answer *answer, const gpuenv_record *record)
{
    answer->magnitude = record->abs.f64;
    answer->index = record->argabs;
    answer->sum = record->sum;
}

/* Returns 0, or -1 with the error of a call. */
static inline int library_result(int code, const gpuenv_error *why, struct error *error)
{
    if (code == GPUENV_OK)
        return 0;
    return error_set(error, ERROR_RESOURCE, "the library", "%s: %s", why->subject, why->text);
}

#endif
