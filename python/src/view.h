/* SPDX-License-Identifier: MIT */
/* Arrays of any library, as the library gpuenv reads them. view_open.c opens them, view.c has their
 * types and shapes. */
#ifndef GPUENV_PYTHON_VIEW_H
#define GPUENV_PYTHON_VIEW_H

#include "inside.h"

/* Where the samples of an array are, and how they are reached. */
enum view_kind {
    PLACE_FAILED = -1, /* with an exception */
    PLACE_CONVERT,     /* NumPy makes an array of it: lists, series */
    PLACE_BUFFER,
    PLACE_DLPACK,
    PLACE_DEVICE /* of CUDA */
};

struct view {
    unsigned char *data;
    int type; /* enum gpuenv_type */
    bool swapped;
    bool boolean; /* of type GPUENV_U8 */
    bool readonly;
    bool foreign; /* results go back to another library than NumPy */
    int dimensions;
    int device;       /* of CUDA, for arrays that are there; else not set */
    Py_ssize_t bytes; /* of a sample */
    const Py_ssize_t *shape;
    const Py_ssize_t *strides; /* in bytes */

    /* What is given back at the end. */
    Py_buffer buffer;
    PyObject *held;  /* the array that NumPy made */
    PyObject *owner; /* of the samples: a capsule of DLPack, or the array or the bytes of a copy */
    Py_ssize_t room[2][PyBUF_MAX_NDIM];
};

/* The one place where the kind of a device is decided. `number` is that of a CUDA device, or -1. */
enum view_kind view_place(PyObject *object, int *number);

/* Returns -1 with an exception; `name` is that of the argument. Otherwise view_close() is needed.
 */
int view_open(struct view *view, PyObject *object, const char *name);
void view_close(struct view *view);

/* As view_open(), but returns 1 for an array on a CUDA device, which is not opened, and sets
 * `number` as view_place() does. */
int view_open_in_memory(struct view *view, PyObject *object, const char *name, int *number);

/* Raises ValueError for an array on a CUDA device, where there has to be one in memory. Returns -1.
 */
int view_refuse_device(const char *name);

/* Raises TypeError for the type of the samples. Returns -1. */
int view_refuse_type(PyObject *object, const char *name);

/* The types that NumPy has; of others all is 0. */
struct view_type {
    char kind; /* NumPy's letter */
    Py_ssize_t bytes;
    const char *swapped_format; /* of buffers; with the byte order of other machines */
};
extern const struct view_type view_types[TYPES];

/* GPUENV_TYPE_NONE: there is none. */
int view_type_of(char kind, Py_ssize_t bytes);

/* Opens a buffer; `object` is what the caller gave. */
int view_buffer(struct view *view, PyObject *exporter, PyObject *object, const char *name);

/* Refuses shapes, strides and addresses that no memory can have. Without strides the samples have
 * no gaps. */
int view_check_size(struct view *view, const char *name);

/* A view of samples without gaps, which have no place yet; in the byte order of the machine. */
void view_make(struct view *view, const Py_ssize_t *shape, int dimensions, int type, bool fortran);

/* A view of nothing. */
static inline void view_clear(struct view *view)
{
    view->held = NULL;
    view->owner = NULL;
    view->buffer.obj = NULL;
    view->swapped = false;
    view->boolean = false;
    view->readonly = false;
    view->foreign = false;
}

/* Puts another one in the place of a view of the caller's array, which it closes. */
void view_replace(struct view *view, const struct view *by);

/* Replaces a view by that of what a function of NumPy makes of the array, with an argument or
 * NULL. Returns -1 with an exception. */
int view_convert(struct view *view, PyObject *function, PyObject *argument);

/* An ndarray of the same memory, for functions of NumPy. It must not outlive the view. */
PyObject *view_numpy(const struct view *view);

/* Do the bytes between the first and the last sample meet? */
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

/* A shape as a tuple. */
PyObject *view_shape(const Py_ssize_t *shape, int dimensions);

/* An array of NumPy as a view that view_make() described, which it opens. */
PyObject *view_empty(struct view *view);

#endif
