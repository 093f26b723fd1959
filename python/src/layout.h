/* SPDX-License-Identifier: MIT */
/* Arrays of any number of dimensions as arrays of rows, frames and channels. */
#ifndef GPUENV_PYTHON_LAYOUT_H
#define GPUENV_PYTHON_LAYOUT_H

#include "view.h"

enum { LAYOUT_ARRAYS = 1 + GPUENV_VALUES }; /* an input and its outputs */

/* A dimension that all arrays have. */
struct layout_step {
    Py_ssize_t count;
    Py_ssize_t distance[LAYOUT_ARRAYS];
};

struct layout {
    int arrays;
    gpuenv_array array[LAYOUT_ARRAYS];
    bool empty;
    /* The dimensions that are neither rows nor channels: the arrays begin at each place of theirs
     * in turn. */
    int steps;
    struct layout_step step[PyBUF_MAX_NDIM];
    Py_ssize_t at[PyBUF_MAX_NDIM];
};

/* Dimensions whose distances allow it are joined. The views have the same shape, but for the
 * axis. */
void layout_make(struct layout *layout, const struct view *const *views, int count, int axis);

/* Goes on to the next place. Returns false after the last one. */
bool layout_next(struct layout *layout);

/* May an array that is not empty have a -0 or an infinity? Looks at float32 and float64 without
 * gaps only; for other floats, and with gaps, the answer is yes. */
bool positions_may_be_odd(const struct view *view);

/* Turns positions along an axis, of an array without gaps that is not empty, into their distances
 * from the right ends of their windows, which are the places of the results: float64. */
void positions_from_right(const struct view *at, int axis);

/* Replaces an array of bool by a copy with 0 and 1 if it has other bytes, as in views of masks of 0
 * and 255. Returns -1 with an exception. */
int layout_settle_truth(struct view *view);

/* Replaces an array that has samples by a copy of its places first .. end-1 along an axis, some of
 * which may lie beyond its ends: `beyond` is (first, end, mode of SciPy, constant). Returns -1 with
 * an exception. */
int beyond_extend(struct view *view, int axis, PyObject *beyond);

#endif
