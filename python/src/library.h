/* The libraries whose arrays on a CUDA device are read, and made, without a detour: CuPy and
 * PyTorch. Each is a struct, whose functions may be called once library_of() or library_any() has
 * given it. */
#ifndef GPUENV_PYTHON_LIBRARY_H
#define GPUENV_PYTHON_LIBRARY_H

#include "view.h"

struct library {
    const char *module;

    /* Looks up what the others need. Called once, when the module is there. */
    int (*find)(PyObject *module);

    /* The type of its arrays; NULL before find(). */
    PyTypeObject *(*type)(void);

    /* Is this array of the library on a CUDA device? Returns -1 with an exception. */
    int (*is_on_device)(PyObject *object);

    int (*open)(struct view *view, PyObject *object, const char *name);

    int (*current_stream)(int device, uintptr_t *stream);

    /* The device where new arrays are; -1 if the library makes them anywhere. -2: an exception. */
    int (*current_device)(void);

    /* A new array of the shape in `view`, which is completed. */
    PyObject *(*empty)(struct view *view, bool fortran);

    /* Memory, given back with the object. */
    PyObject *(*room)(int device, size_t bytes, void **memory);
};

extern const struct library library_cupy;
extern const struct library library_torch;

/* Names of attributes, functions and arguments of both. */
enum library_name {
    NAME_DATA,
    NAME_PTR,
    NAME_DEVICE_ID,
    NAME_SHAPE,
    NAME_STRIDES,
    NAME_DTYPE,
    NAME_IS_CUDA,
    NAME_GET_DEVICE,
    NAME_REQUIRES_GRAD,
    NAME_IS_NEG,
    NAME_DATA_PTR,
    NAME_STRIDE,
    NAME_CUDA_STREAM,
    NAME_NEW_EMPTY,
    NAME_NEW_EMPTY_STRIDED,
    NAME_CUDA_ARRAY,
    NAME_STREAM_PROTOCOL,
    LIBRARY_NAMES
};
extern PyObject *library_names[LIBRARY_NAMES];

/* Makes the names, when gpuenv is imported. */
int library_begin(void);

/* The library of an array on a CUDA device. NULL: neither, or the array is elsewhere, or an
 * exception. `all` is slower: it looks for modules that were imported meanwhile. */
const struct library *library_of(PyObject *object, bool all);

/* One for arrays of other libraries; imports it. NULL: an exception. */
const struct library *library_any(void);

/* A dotted name of a module. NULL: an exception. */
PyObject *library_find(PyObject *module, const char *path);

/* object.name, and what object.name() returns, as integers. Return -1 with an exception. */
int library_number(PyObject *object, enum library_name name, uintptr_t *number);
int library_result(PyObject *object, enum library_name name, uintptr_t *number);

/* The value of an integer, which is not needed any more; it may be NULL, after an exception. */
int library_take(PyObject *integer, uintptr_t *number);

/* Calls object.name(). */
PyObject *library_call(PyObject *object, enum library_name name);

/* A tuple of integers, each times `scale`. Returns how many, or -1 with an exception. */
int library_tuple(PyObject *tuple, Py_ssize_t scale, Py_ssize_t numbers[PyBUF_MAX_NDIM]);
PyObject *library_make_tuple(const Py_ssize_t *numbers, int count, Py_ssize_t scale);

#endif
