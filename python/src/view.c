/* SPDX-License-Identifier: MIT */
/* The types, shapes and strides of views, and views as arrays of NumPy. */
#include <string.h>

#include "view.h"

/* ---- types of samples ---- */

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SWAPPED "<"
#else
#define SWAPPED ">"
#endif

const struct view_type view_types[TYPES] = {
    [GPUENV_F32] = {'f', 4, SWAPPED "f"},    [GPUENV_F64] = {'f', 8, SWAPPED "d"},
    [GPUENV_F16] = {'f', 2, SWAPPED "e"},    [GPUENV_S8] = {'i', 1, SWAPPED "b"},
    [GPUENV_U8] = {'u', 1, SWAPPED "B"},     [GPUENV_S16] = {'i', 2, SWAPPED "h"},
    [GPUENV_U16] = {'u', 2, SWAPPED "H"},    [GPUENV_S32] = {'i', 4, SWAPPED "i"},
    [GPUENV_U32] = {'u', 4, SWAPPED "I"},    [GPUENV_S64] = {'i', 8, SWAPPED "q"},
    [GPUENV_U64] = {'u', 8, SWAPPED "Q"},    [GPUENV_CF32] = {'c', 8, SWAPPED "Zf"},
    [GPUENV_CF64] = {'c', 16, SWAPPED "Zd"},
};

int view_type_of(char kind, Py_ssize_t bytes)
{
    for (int type = 0; type < TYPES && kind != 0; type++) {
        if (view_types[type].kind == kind && view_types[type].bytes == bytes)
            return type;
    }
    return GPUENV_TYPE_NONE;
}

int view_refuse_type(PyObject *object, const char *name)
{
    PyErr_Clear();
    Py_XDECREF(PyObject_CallFunction(shared.refuse_type, "Os", object, name));
    return -1;
}

/* ---- shapes ---- */

static int refuse_size(const char *name)
{
    return BAD_VALUE("%s is larger than the address space", name);
}

/* Strides of samples without gaps. */
static void pack(struct view *view, bool fortran)
{
    Py_ssize_t distance = view->bytes;

    for (int i = 0; i < view->dimensions; i++) {
        const int d = fortran ? i : view->dimensions - 1 - i;

        view->strides[d] = distance;
        distance *= view->shape[d] > 0 ? view->shape[d] : 1;
    }
}

int view_check_size(struct view *view, bool packed, const char *name)
{
    Py_ssize_t size = view->bytes;
    Py_ssize_t low = 0;
    Py_ssize_t high = view->bytes;

    for (int i = 0; i < view->dimensions; i++) {
        if (view->shape[i] < 0)
            return BAD_VALUE("%s has a negative length", name);
        if (view->shape[i] > 0 && __builtin_mul_overflow(size, view->shape[i], &size))
            return refuse_size(name);
    }
    if (packed)
        pack(view, false);
    for (int i = 0; i < view->dimensions && !view_is_empty(view); i++) {
        Py_ssize_t reach;

        if (__builtin_mul_overflow(view->shape[i] - 1, view->strides[i], &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
            return refuse_size(name);
    }
    if (view->data == NULL && !view_is_empty(view))
        return BAD_VALUE("%s has samples at no address", name);
    return 0;
}

void view_make(struct view *view, const Py_ssize_t *shape, int dimensions, int type, bool fortran)
{
    view_clear(view);
    view->type = type;
    view->bytes = view_types[type].bytes;
    view->dimensions = dimensions;
    memcpy(view->shape, shape, (size_t)dimensions * sizeof *shape);
    pack(view, fortran);
}

/* ---- for NumPy ---- */

PyObject *view_numpy(const struct view *view)
{
    /* The memoryview keeps the pointer. */
    const char *format = view->boolean ? SWAPPED "?" : view_types[view->type].swapped_format;
    Py_buffer buffer = {.buf = view->data, .itemsize = view->bytes, .ndim = view->dimensions};
    PyObject *memory;
    PyObject *array;

    buffer.len = (Py_ssize_t)view_samples(view) * view->bytes;
    buffer.readonly = view->readonly;
    buffer.format = (char *)(uintptr_t)(view->swapped ? format : format + 1);
    buffer.shape = (Py_ssize_t *)(uintptr_t)view->shape;
    buffer.strides = (Py_ssize_t *)(uintptr_t)view->strides;
    memory = PyMemoryView_FromBuffer(&buffer);
    if (memory == NULL)
        return NULL;
    array = PyObject_CallFunctionObjArgs(shared.asarray, memory, NULL);
    Py_DECREF(memory);
    return array;
}

uint64_t view_samples(const struct view *view)
{
    uint64_t samples = 1;

    for (int i = 0; i < view->dimensions; i++)
        samples *= (uint64_t)view->shape[i];
    return samples;
}

bool view_is_empty(const struct view *view)
{
    return view_samples(view) == 0;
}

void view_range(const struct view *view, const unsigned char **first, const unsigned char **end)
{
    *first = view->data;
    *end = *first + view->bytes;
    for (int i = 0; i < view->dimensions; i++) {
        Py_ssize_t reach = (view->shape[i] - 1) * view->strides[i];

        *(reach < 0 ? first : end) += reach;
    }
}

bool view_meet(const struct view *one, const struct view *other)
{
    const unsigned char *first[2];
    const unsigned char *end[2];

    if (view_is_empty(one) || view_is_empty(other))
        return false;
    view_range(one, &first[0], &end[0]);
    view_range(other, &first[1], &end[1]);
    return first[0] < end[1] && first[1] < end[0];
}

int view_axis(const struct view *view, Py_ssize_t axis)
{
    if (axis >= -view->dimensions && axis < view->dimensions)
        return (int)(axis < 0 ? axis + view->dimensions : axis);
    Py_XDECREF(PyObject_CallFunction(shared.check_axis, "ni", axis, view->dimensions));
    return -1;
}

bool view_is_fortran(const struct view *view)
{
    Py_ssize_t c = view->bytes;
    Py_ssize_t f = view->bytes;
    bool is_c = true;
    bool is_f = true;

    for (int i = 0; i < view->dimensions; i++) {
        int last = view->dimensions - 1 - i;

        is_f = is_f && (view->strides[i] == f || view->shape[i] == 1);
        is_c = is_c && (view->strides[last] == c || view->shape[last] == 1);
        f *= view->shape[i];
        c *= view->shape[last];
    }
    return is_f && !is_c;
}

PyObject *view_shape(const Py_ssize_t *shape, int dimensions)
{
    PyObject *tuple = PyTuple_New(dimensions);

    for (int i = 0; tuple != NULL && i < dimensions; i++) {
        PyObject *number = PyLong_FromSsize_t(shape[i]);

        if (number == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SetItem(tuple, i, number);
    }
    return tuple;
}
