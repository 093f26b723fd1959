/* SPDX-License-Identifier: MIT */
/* Arrays in capsules of DLPack. */
#include "dlpack.h"

/* Returns NumPy's letter of the type, or 0 if it has none. */
static char kind_of(const struct dlpack_tensor *tensor)
{
    static const char kinds[] = {
        [DLPACK_INT] = 'i',     [DLPACK_UINT] = 'u', [DLPACK_FLOAT] = 'f',
        [DLPACK_COMPLEX] = 'c', [DLPACK_BOOL] = 'u',
    };

    if (tensor->lanes != 1 || tensor->bits % 8 != 0 || tensor->code >= sizeof kinds)
        return 0;
    return kinds[tensor->code];
}

/* A capsule of a version before 1 does not say this: buffers and the CUDA array interface do. */
bool dlpack_is_readonly(const struct view *view, PyObject *object)
{
    PyObject *interface;
    PyObject *data;
    Py_buffer buffer;
    bool readonly = view->readonly;

    if (view->owner == NULL || !PyCapsule_IsValid(view->owner, "dltensor"))
        return readonly;
    interface = PyObject_GetAttr(object, shared.words[WORD_CUDA_INTERFACE]);
    if (PyObject_CheckBuffer(object) &&
        PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) == 0) {
        readonly = buffer.readonly != 0;
        PyBuffer_Release(&buffer);
    } else if (interface != NULL && PyDict_Check(interface)) {
        data = PyDict_GetItemString(interface, "data");
        readonly = data != NULL && PyTuple_Check(data) && PyTuple_Size(data) == 2 &&
                   PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1;
    }
    Py_XDECREF(interface);
    PyErr_Clear();
    return readonly;
}

/* Returns the tensor in a capsule, or NULL with an exception. */
static const struct dlpack_tensor *tensor_of(struct view *view, PyObject *capsule)
{
    const struct dlpack_managed *managed;
    const struct dlpack_versioned *versioned;

    if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        managed = PyCapsule_GetPointer(capsule, "dltensor");
        return managed != NULL ? &managed->tensor : NULL;
    }
    versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (versioned->major > DLPACK_MAJOR) {
        PyErr_Format(PyExc_BufferError, "an array came by version %u of DLPack, which is not known",
                     (unsigned)versioned->major);
        return NULL;
    }
    view->readonly = (versioned->flags & (DLPACK_READ_ONLY | DLPACK_COPIED)) != 0;
    return &versioned->tensor;
}

static int read_tensor(struct view *view, const struct dlpack_tensor *tensor, PyObject *object,
                       const char *name)
{
    view->boolean = tensor->code == DLPACK_BOOL;
    view->bytes = tensor->bits / 8;
    view->type = view_type_of(kind_of(tensor), view->bytes);
    if (view->type == GPUENV_TYPE_NONE || tensor->dimensions < 0 ||
        tensor->dimensions > PyBUF_MAX_NDIM)
        return view_refuse_type(object, name);
    if (tensor->shape == NULL && tensor->dimensions > 0)
        return BAD_VALUE("%s came by DLPack without a shape", name);
    view->data = (unsigned char *)tensor->data + tensor->byte_offset;
    view->device = tensor->device_id;
    view->dimensions = tensor->dimensions;
    for (int i = 0; i < view->dimensions; i++) {
        view->shape[i] = (Py_ssize_t)tensor->shape[i];
        if (tensor->strides != NULL &&
            __builtin_mul_overflow(tensor->strides[i], view->bytes, &view->strides[i]))
            view->strides[i] = PY_SSIZE_T_MAX; /* a size that view_check_size() refuses */
    }
    return view_check_size(view, tensor->strides == NULL, name);
}

PyObject *dlpack_export(PyObject *object)
{
    PyObject *function = PyObject_GetAttr(object, shared.words[WORD_DLPACK]);
    PyObject *capsule =
        function != NULL ? PyObject_Call(function, shared.nothing, shared.dlpack_version) : NULL;

    Py_XDECREF(function);
    if (capsule != NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
        return capsule;
    PyErr_Clear();
    return PyObject_CallMethodObjArgs(object, shared.words[WORD_DLPACK], NULL);
}

int dlpack_import(struct view *view, PyObject *capsule, PyObject *object, const char *name)
{
    const struct dlpack_tensor *tensor = tensor_of(view, capsule);

    if (tensor == NULL || read_tensor(view, tensor, object, name) != 0) {
        Py_DECREF(capsule);
        return -1;
    }
    /* The destructor of the capsule frees the tensor, because the capsule keeps its name. */
    view->owner = capsule;
    return 0;
}
