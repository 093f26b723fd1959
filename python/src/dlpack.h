/* SPDX-License-Identifier: MIT */
/* DLPack: the structures of its ABI, which capsules "dltensor" (before version 1) and
 * "dltensor_versioned" hold, and views of them. */
#ifndef GPUENV_PYTHON_DLPACK_H
#define GPUENV_PYTHON_DLPACK_H

#include "view.h"

enum dlpack_device {
    DLPACK_CPU = 1,
    DLPACK_CUDA = 2,
    DLPACK_CUDA_HOST = 3, /* page-locked memory of the host */
    DLPACK_CUDA_MANAGED = 13
};

enum dlpack_code {
    DLPACK_INT = 0,
    DLPACK_UINT = 1,
    DLPACK_FLOAT = 2,
    DLPACK_COMPLEX = 5,
    DLPACK_BOOL = 6
};

struct dlpack_tensor {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t dimensions;
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* in samples; NULL if the last dimension is the fastest */
    uint64_t byte_offset;
};

struct dlpack_managed {
    struct dlpack_tensor tensor;
    void *context;
    void (*deleter)(struct dlpack_managed *self);
};

enum {
    DLPACK_MAJOR = 1, /* later versions may have other structures */
    DLPACK_READ_ONLY = 1 << 0,
    DLPACK_COPIED = 1 << 1
};

struct dlpack_versioned {
    uint32_t major;
    uint32_t minor;
    void *context;
    void (*deleter)(struct dlpack_versioned *self);
    uint64_t flags;
    struct dlpack_tensor tensor;
};

/* Calls the producer's __dlpack__(), for version 1 if it has that. */
PyObject *dlpack_export(PyObject *object);

/* Opens the array of a capsule; the view then owns the capsule. */
int dlpack_import(struct view *view, PyObject *capsule, PyObject *object, const char *name);

/* Is the array read-only? */
bool dlpack_is_readonly(const struct view *view, PyObject *object);

#endif
