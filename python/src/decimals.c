/* SPDX-License-Identifier: MIT */
/* Times in seconds as whole nanoseconds. */
#include <math.h>
#include <string.h>

#include "inside.h"
#include "view.h"

/* Is a number what floats make of a decimal with nine places, with the error of a multiplication?
 * Sets its billionths. */
static bool is_decimal(double number, int64_t *billionths)
{
    const double large = number * 1e9;
    double counts;
    double most;

    if (!(fabs(number) < 0x1p53 / 1e9))
        return false;
    *billionths = llrint(large);
    counts = (double)*billionths;
    most = fabs(counts) * 0x1p-51;
    return fabs(large - counts) <= (most < 0.25 ? most : 0.25);
}

static bool convert(const struct view *times, const struct view *to)
{
    const unsigned char *from = times->data;
    int64_t *counts = (int64_t *)(void *)to->data;
    bool all = true;

    for (Py_ssize_t i = 0; all && i < times->shape[0]; i++, from += times->strides[0]) {
        double number;

        memcpy(&number, from, sizeof number);
        all = is_decimal(number, &counts[i]);
    }
    return all;
}

/* Returns the billionths of each time in an array of one dimension, or None if some times are no
 * decimals or the type is not float64. */
PyObject *decimals_of(PyObject *module, PyObject *object)
{
    struct view times;
    struct view to;
    PyObject *result;
    bool all = false;

    (void)module;
    if (view_open(&times, object, "times") != 0)
        return NULL;
    view_make(&to, times.shape, 1, GPUENV_S64, false);
    result = view_empty(&to);
    if (result != NULL)
        all = times.type == GPUENV_F64 && !times.swapped && convert(&times, &to);
    view_close(&times);
    if (result == NULL || all)
        return result;
    Py_DECREF(result);
    Py_RETURN_NONE;
}
