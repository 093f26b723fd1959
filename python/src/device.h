/* SPDX-License-Identifier: MIT */
/* Calls on arrays of a CUDA device. gpuenv/_device.py decides about streams, and makes results. */
#ifndef GPUENV_PYTHON_DEVICE_H
#define GPUENV_PYTHON_DEVICE_H

#include "layout.h"

struct device {
    PyObject *call;    /* call of gpuenv._device; NULL if the arrays are in memory */
    PyObject *library; /* borrowed from the call; makes results and workspaces */
    int own;           /* `library` is that of the input, so results are given as they are */
    int entered;       /* the call has made a device and a stream the current ones */
    int number;
    void *stream;
};

/* Begins a call: opens the input, which is on the device `number` (-1 if that is not known), and
 * decides the stream: NULL means the library's current one. Returns -1 with an exception. Otherwise
 * view_close() and device_end() are needed. */
int device_begin(struct device *device, struct view *view, PyObject *x, int number,
                 PyObject *stream);
void device_end(struct device *device);

/* Opens an array for results, which must be on the same device as the input. */
int device_open_out(const struct device *device, struct view *view, PyObject *object);

/* Makes a new array as view_make() described it in the view, which it completes. */
PyObject *device_empty(const struct device *device, struct view *view);

/* Allocates memory for kernels, which is given back with the object. */
PyObject *device_room(const struct device *device, size_t bytes, void **memory);

/* A call of the library. */
struct device_work {
    const gpuenv_spec *spec;     /* for statistics only the width is used: the frames of a block */
    const gpuenv_array *array;   /* the input, and for a filter its outputs behind it */
    int arrays;                  /* arrays that the workspace depends on */
    const gpuenv_array *columns; /* columns of statistics; NULL for a filter */
};

/* A workspace for calls one after the other. Release `object` afterwards, which may be NULL. */
struct device_room {
    PyObject *object;
    void *memory;
    size_t bytes;
};
int device_enqueue(const struct device *device, const struct device_work *work,
                   struct device_room *room);

/* Enqueues the filter. */
int device_run(const struct device *device, const gpuenv_spec *spec, struct layout *layout);

/* Replaces an array by a copy without gaps, which it enqueues. Complex numbers become their
 * magnitudes, as in filters. Returns -1 with an exception. */
int device_copy(const struct device *device, struct view *view, bool fortran, int axis);

/* Functions for gpuenv/_device.py, which take (pointer), and (device, stream, before, joins). */
PyObject *device_of_pointer(PyObject *module, PyObject *pointer);
PyObject *device_wait(PyObject *module, PyObject *arguments);

#endif
