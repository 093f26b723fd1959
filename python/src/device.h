/* SPDX-License-Identifier: MIT */
/* Calls on arrays of a CUDA device. gpuenv/_device.py decides about streams, and makes results. */
#ifndef GPUENV_PYTHON_DEVICE_H
#define GPUENV_PYTHON_DEVICE_H

#include "layout.h"

struct device {
    PyObject *call;    /* of gpuenv._device; NULL: the arrays are in memory */
    PyObject *library; /* makes results and workspaces; of the call */
    int own;           /* it is the library of the input, so results are given as they are */
    int entered;       /* the call has made a device and a stream the current ones */
    int number;
    void *stream;
};

/* Begins a call: opens the input, which is on the device `number` (-1: not known), and decides the
 * stream, for which NULL is the library's current one. Returns -1 with an exception. Otherwise
 * view_close() and device_end() are needed. */
int device_begin(struct device *device, struct view *view, PyObject *x, int number,
                 PyObject *stream);
void device_end(struct device *device);

/* An array for results, on the same device. */
int device_open_out(const struct device *device, struct view *view, PyObject *object);

/* A new array as a view that view_make() described, which it opens. */
PyObject *device_empty(const struct device *device, struct view *view);

/* Memory for kernels, given back with the object. */
PyObject *device_room(const struct device *device, size_t bytes, void **memory);

/* A call of the library. */
struct device_work {
    const gpuenv_spec *spec;     /* of statistics, only the width has a meaning: a block's frames */
    const gpuenv_array *array;   /* the input, and behind it the outputs of a filter */
    int arrays;                  /* on which the workspace depends */
    const gpuenv_array *columns; /* of statistics; NULL: a filter */
};

/* A workspace for calls one after the other. Release the object, NULL or not, afterwards. */
struct device_room {
    PyObject *object;
    void *memory;
    size_t bytes;
};
int device_enqueue(const struct device *device, const struct device_work *work,
                   struct device_room *room);

/* Enqueues the filter. */
int device_run(const struct device *device, const gpuenv_spec *spec, struct layout *layout);

/* Replaces an array by a copy without gaps, which it enqueues: of complex numbers their magnitudes,
 * which is what filters make of them. Returns -1 with an exception. */
int device_copy(const struct device *device, struct view *view, bool fortran, int axis);

/* Functions for gpuenv/_device.py: (pointer), and (device, stream, before, joins). */
PyObject *device_of_pointer(PyObject *module, PyObject *pointer);
PyObject *device_wait(PyObject *module, PyObject *arguments);

#endif
