/* What CuPy and PyTorch have in common. */
#include "library.h"

#include <string.h>

PyObject *library_names[LIBRARY_NAMES];

static const struct library *const libraries[] = {&library_cupy, &library_torch};
enum { LIBRARIES = 2 };

int library_begin(void)
{
    static const char *const texts[LIBRARY_NAMES] = {
        [NAME_DATA] = "data",
        [NAME_PTR] = "ptr",
        [NAME_DEVICE_ID] = "device_id",
        [NAME_SHAPE] = "shape",
        [NAME_STRIDES] = "strides",
        [NAME_DTYPE] = "dtype",
        [NAME_IS_CUDA] = "is_cuda",
        [NAME_GET_DEVICE] = "get_device",
        [NAME_REQUIRES_GRAD] = "requires_grad",
        [NAME_IS_NEG] = "is_neg",
        [NAME_DATA_PTR] = "data_ptr",
        [NAME_STRIDE] = "stride",
        [NAME_CUDA_STREAM] = "cuda_stream",
        [NAME_NEW_EMPTY] = "new_empty",
        [NAME_NEW_EMPTY_STRIDED] = "new_empty_strided",
        [NAME_CUDA_ARRAY] = "__cuda_array_interface__",
        [NAME_STREAM_PROTOCOL] = "__cuda_stream__",
    };

    for (int i = 0; i < LIBRARY_NAMES; i++) {
        library_names[i] = PyUnicode_InternFromString(texts[i]);
        if (library_names[i] == NULL)
            return -1;
    }
    return 0;
}

/* ---- which library */

/* Looks at the modules that the program has imported. */
static int find_imported(const struct library *library)
{
    PyObject *module;

    if (library->type() != NULL)
        return 0;
    module = PyDict_GetItemString(PyImport_GetModuleDict(), library->module);
    /* One that is being imported has no arrays so far. */
    if (module != NULL && PyObject_HasAttrString(module, "empty"))
        return library->find(module);
    return 0;
}

const struct library *library_of(PyObject *object, bool all)
{
    for (int i = 0; i < LIBRARIES; i++) {
        const struct library *library = libraries[i];
        PyTypeObject *type;

        if (all && find_imported(library) != 0)
            return NULL;
        type = library->type();
        if (type == NULL || !PyObject_TypeCheck(object, type))
            continue;
        return library->is_on_device(object) == 1 ? library : NULL;
    }
    return NULL;
}

const struct library *library_any(void)
{
    static const struct library *chosen;
    PyObject *functions;
    PyObject *name;
    const char *text;

    if (chosen != NULL)
        return chosen;
    functions = PyImport_ImportModule("gpuenv._device");
    name = functions != NULL ? PyObject_CallMethod(functions, "library", NULL) : NULL;
    Py_XDECREF(functions);
    text = name != NULL ? PyUnicode_AsUTF8(name) : NULL;
    for (int i = 0; text != NULL && i < LIBRARIES; i++) {
        if (strcmp(text, libraries[i]->module) == 0 && find_imported(libraries[i]) == 0 &&
            libraries[i]->type() != NULL)
            chosen = libraries[i];
    }
    Py_XDECREF(name);
    if (chosen == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_ImportError, "neither CuPy nor PyTorch can be used");
    return chosen;
}

/* ---- attributes */

PyObject *library_find(PyObject *module, const char *path)
{
    PyObject *found = module;
    char name[64];

    Py_INCREF(found);
    while (found != NULL && *path != 0) {
        const size_t length = strcspn(path, ".");
        PyObject *next;

        snprintf(name, sizeof name, "%.*s", (int)length, path);
        next = PyObject_GetAttrString(found, name);
        Py_DECREF(found);
        found = next;
        path += length + (path[length] == '.');
    }
    return found;
}

int library_take(PyObject *integer, uintptr_t *number)
{
    *number = integer != NULL ? (uintptr_t)PyLong_AsUnsignedLongLong(integer) : 0;
    Py_XDECREF(integer);
    return integer == NULL || (*number == UINTPTR_MAX && PyErr_Occurred()) ? -1 : 0;
}

PyObject *library_call(PyObject *object, enum library_name name)
{
    return PyObject_VectorcallMethod(library_names[name], &object,
                                     1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

int library_number(PyObject *object, enum library_name name, uintptr_t *number)
{
    return library_take(PyObject_GetAttr(object, library_names[name]), number);
}

int library_result(PyObject *object, enum library_name name, uintptr_t *number)
{
    return library_take(library_call(object, name), number);
}

/* ---- shapes */

int library_tuple(PyObject *tuple, Py_ssize_t scale, Py_ssize_t numbers[PyBUF_MAX_NDIM])
{
    Py_ssize_t count;

    if (tuple == NULL)
        return -1;
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > PyBUF_MAX_NDIM) {
        PyErr_SetString(PyExc_ValueError,
                        "an array has a shape of more than 64 numbers, or of none");
        return -1;
    }
    count = PyTuple_GET_SIZE(tuple);
    for (Py_ssize_t i = 0; i < count; i++) {
        const Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, i));

        if (number == -1 && PyErr_Occurred())
            return -1;
        numbers[i] = number * scale;
    }
    return (int)count;
}

PyObject *library_make_tuple(const Py_ssize_t *numbers, int count, Py_ssize_t scale)
{
    PyObject *tuple = PyTuple_New(count);

    for (int i = 0; tuple != NULL && i < count; i++) {
        PyObject *number = PyLong_FromSsize_t(numbers[i] / scale);

        if (number == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, number);
    }
    return tuple;
}
