/* Calls on arrays of a CUDA device: on which one, on which stream, and who makes results. */
#ifndef GPUENV_PYTHON_DEVICE_H
#define GPUENV_PYTHON_DEVICE_H

#include "layout.h"
#include "library.h"

struct device {
    const struct library *library; /* of results and workspaces; NULL: the arrays are in memory */
    bool foreign;                  /* results are for another library */
    int number;
    void *stream;
    PyObject *within; /* makes device and stream current for the library; NULL: they are */
    unsigned readers;
    void *reader[LAYOUT_ARRAYS]; /* streams on which other libraries read results */
};

/* Begins a call: opens the input, and decides the stream, for which NULL is the library's current
 * one. Returns -1 with an exception. Otherwise view_close() and device_end() are needed. */
int device_begin(struct device *device, struct view *view, PyObject *x, PyObject *stream);
void device_end(struct device *device);

/* An array for results, on the same device. */
int device_open_out(struct device *device, struct view *view, PyObject *object);

/* A new array for results of this type, in the order of `like`. */
PyObject *device_empty(const struct device *device, struct view *view, const struct view *like,
                       const Py_ssize_t *shape, int type, bool boolean);

/* Enqueues the filter. */
int device_run(const struct device *device, const gpuenv_spec *spec, struct layout *layout);

/* The result for the caller. */
PyObject *device_give(const struct device *device, PyObject *x, PyObject *result);

#endif
