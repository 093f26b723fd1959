/* Arrays of any library on the host, as the library gpuenv reads them. */
#ifndef GPUENV_PYTHON_VIEW_H
#define GPUENV_PYTHON_VIEW_H

#include "inside.h"

/* Where the samples of an array are, and how they are reached. */
enum place {
    PLACE_FAILED = -1, /* with an exception */
    PLACE_CONVERT,     /* NumPy makes an array of it: lists, series */
    PLACE_BUFFER,
    PLACE_DLPACK,
    PLACE_DEVICE /* of CUDA */
};

struct dlpack;

struct view {
    unsigned char *data;
    int type; /* enum gpuenv_type */
    bool swapped;
    bool boolean; /* of type GPUENV_U8 */
    bool readonly;
    bool foreign; /* results go back to another library than NumPy */
    int dimensions;
    Py_ssize_t bytes; /* of a sample */
    const Py_ssize_t *shape;
    const Py_ssize_t *strides; /* in bytes */

    /* What is given back at the end. */
    Py_buffer buffer;
    PyObject *held;
    PyObject *capsule;
    Py_ssize_t room[2][PyBUF_MAX_NDIM];
};

/* The one place where the kind of a device is decided. */
enum place view_place(PyObject *object);

/* Returns -1 with an exception; `name` is that of the argument. Otherwise view_close() is needed.
 */
int view_open(struct view *view, PyObject *object, const char *name);
void view_close(struct view *view);

/* An ndarray of the same memory, for functions of NumPy. It must not outlive the view. */
PyObject *view_numpy(const struct view *view);

/* Do the bytes between the first and the last sample meet? */
bool view_meet(const struct view *one, const struct view *other);

bool view_is_empty(const struct view *view);

/* Raises numpy.exceptions.AxisError, a ValueError. Returns the axis counted from 0, or -1. */
int view_axis(const struct view *view, Py_ssize_t axis);

/* numpy.empty() with this shape, in the order of `like`. */
PyObject *view_empty(const struct view *like, const Py_ssize_t *shape, PyObject *dtype);

#endif
