/* SPDX-License-Identifier: MIT */
/* Arrays of any library, for gpuenv.h. view_open.c opens them, view.c has their types and
 * shapes. */
#ifndef GPUENV_PYTHON_VIEW_H
#define GPUENV_PYTHON_VIEW_H

#include "inside.h"

/* Where the samples of an array are, and how to reach them. */
enum view_kind {
    PLACE_FAILED = -1, /* an exception is set */
    PLACE_CONVERT,     /* NumPy makes an array of the object: a list, a series */
    PLACE_NUMPY,       /* an array of NumPy */
    PLACE_BUFFER,
    PLACE_DLPACK,
    PLACE_DEVICE /* on a CUDA device */
};

struct view {
    unsigned char *data;
    int type; /* enum gpuenv_type */
    bool swapped;
    bool boolean; /* bool of NumPy; `type` is GPUENV_U8 */
    bool readonly;
    bool foreign; /* results go back to a library other than NumPy */
    int dimensions;
    int device;       /* CUDA device, set only for arrays that are on one */
    Py_ssize_t bytes; /* bytes of a sample */

    /* Statistics have one dimension more, which NumPy may refuse. */
    Py_ssize_t shape[PyBUF_MAX_NDIM + 1];
    Py_ssize_t strides[PyBUF_MAX_NDIM + 1]; /* in bytes */

    /* Objects that view_close() releases. */
    PyObject *array; /* of NumPy; the view is its memory */
    PyObject *held;  /* the array that NumPy made */
    PyObject *owner; /* owns the samples: a capsule of DLPack, or the array or bytes of a copy */
};

/* Decides alone what kind of array an object is. Sets `number` to that of its CUDA device, or
 * -1. */
enum view_kind view_place(PyObject *object, int *number);

/* Opens an array; `name` is that of the argument. Returns -1 with an exception. Otherwise
 * view_close() is needed. */
int view_open(struct view *view, PyObject *object, const char *name);
void view_close(struct view *view);

/* Opens an array as view_open() does. For an array on a CUDA device it opens nothing, sets `number`
 * as view_place() does, and returns 1. */
int view_open_in_memory(struct view *view, PyObject *object, const char *name, int *number);

/* Raises ValueError for an array on a CUDA device, where the array must be in memory. Returns
 * -1. */
int view_refuse_device(const char *name);

/* Raises TypeError for the type of the samples. Returns -1. */
int view_refuse_type(PyObject *object, const char *name);

/* The types that NumPy has; all members are 0 for other types. */
struct view_type {
    char kind; /* NumPy's letter */
    Py_ssize_t bytes;
    const char *swapped_format; /* format of buffers with the byte order of other machines */
};
extern const struct view_type view_types[TYPES];

/* Returns GPUENV_TYPE_NONE if there is no such type. */
int view_type_of(char kind, Py_ssize_t bytes);

/* Opens an array of NumPy; `object` is what the caller gave. */
int view_array(struct view *view, PyObject *array, PyObject *object, const char *name);

/* Refuses shapes, strides and addresses that no memory can have. Sets the strides of samples that
 * are packed, which have no gaps. */
int view_check_size(struct view *view, bool packed, const char *name);

/* Describes samples without gaps that have no memory yet, in the byte order of the machine. */
void view_make(struct view *view, const Py_ssize_t *shape, int dimensions, int type, bool fortran);

/* Makes an empty view. */
static inline void view_clear(struct view *view)
{
    view->held = NULL;
    view->owner = NULL;
    view->array = NULL;
    view->swapped = false;
    view->boolean = false;
    view->readonly = false;
    view->foreign = false;
}

/* Closes a view of the caller's array, and puts `by` in its place. */
void view_replace(struct view *view, const struct view *by);

/* Replaces a view by one of the array that a function of NumPy makes of it. `argument` may be NULL.
 * Returns -1 with an exception. */
int view_convert(struct view *view, PyObject *function, PyObject *argument);

/* Makes an ndarray of the same memory, for functions of NumPy. It must not outlive the view. */
PyObject *view_numpy(const struct view *view);

/* Finds the bytes from the first sample to the last one of a view that is not empty. */
void view_range(const struct view *view, const unsigned char **first, const unsigned char **end);

/* Do the bytes between the first and the last sample of both views overlap? */
bool view_meet(const struct view *one, const struct view *other);

static inline PyObject *view_dtype(const struct view *view)
{
    return view->boolean ? shared.dtype_bool : shared.dtypes[view->type];
}

uint64_t view_samples(const struct view *view);
bool view_is_empty(const struct view *view);

/* Is the first dimension the fastest? */
bool view_is_fortran(const struct view *view);

/* Raises numpy.exceptions.AxisError, a ValueError. Returns the axis counted from 0, or -1. */
int view_axis(const struct view *view, Py_ssize_t axis);

/* Makes a tuple of a shape. */
PyObject *view_shape(const Py_ssize_t *shape, int dimensions);

/* Makes an array of NumPy as view_make() described it in the view, which gets its memory. */
PyObject *view_empty(struct view *view);

#endif
