/* SPDX-License-Identifier: MIT */
/* The module gpuenv._core. */
#include "device.h"
#include "dlpack.h"
#include <texts.h> /* made by the build */

/* core.pyi has its signature and its text. */
#define METHOD(name, ...)                                                                          \
    {#name, (PyCFunction)(void (*)(void))(filter_##name), METH_FASTCALL | METH_KEYWORDS,           \
     PyDoc_STR(TEXT_##name)},

static PyMethodDef methods[] = {
    ALL_FILTERS(METHOD) /* each ends with a comma */
    {"check", view_check, METH_O, NULL},
    {"boxes", boxes_of, METH_VARARGS, NULL},
    {"decimals", decimals_of, METH_O, NULL},
    {"records", stats_of_array, METH_VARARGS, NULL},
    {"device_records", stats_of_device_array, METH_VARARGS, NULL},
    {"stream", (PyCFunction)(void (*)(void))stream_open, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Stream(x, w, axis=axis, **window), for samples of the type and shape of x")},
    {"register", view_register, METH_VARARGS, NULL},
    {"device_of", device_of_pointer, METH_O, NULL},
    {"wait", device_wait, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "gpuenv._core", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

/* ---- what is shared ---- */

static int find_words(void)
{
#define TEXT_OF(word, text) text,
    static const char *const words[] = {ALL_WORDS(TEXT_OF)};

    for (int i = 0; i < WORDS; i++) {
        shared.words[i] = PyUnicode_InternFromString(words[i]);
        if (shared.words[i] == NULL)
            return -1;
    }
    shared.dlpack_version = Py_BuildValue("{s(ii)}", "max_version", DLPACK_MAJOR, 0);
    shared.nothing = PyTuple_New(0);
    return shared.dlpack_version != NULL && shared.nothing != NULL ? 0 : -1;
}

static int find_dtypes(void)
{
    PyObject *dtype = shared_import("numpy", "dtype");
    bool failed = dtype == NULL;

    for (int i = 0; i < TYPES && !failed; i++) {
        if (view_types[i].kind == 0)
            continue;
        shared.dtypes[i] = PyObject_CallFunction(
            dtype, "N", PyUnicode_FromFormat("%c%zd", view_types[i].kind, view_types[i].bytes));
        failed = shared.dtypes[i] == NULL;
    }
    if (!failed)
        shared.dtype_bool = PyObject_CallFunction(dtype, "s", "?");
    Py_XDECREF(dtype);
    return shared.dtype_bool != NULL ? 0 : -1;
}

static int import_all(void)
{
    PyObject *functions;

#define IMPORT(name, module)                                                                       \
    shared.name = shared_import(module, #name);                                                    \
    if (shared.name == NULL)                                                                       \
        return -1;
    ALL_IMPORTS(IMPORT)
    functions = shared_import("numpy._core._multiarray_umath", "_ARRAY_API"); /* NumPy 2 */
    if (functions == NULL) {
        PyErr_Clear();
        functions = shared_import("numpy.core._multiarray_umath", "_ARRAY_API");
    }
    if (functions == NULL)
        return -1;
    shared.make_empty = ((numpy_empty **)PyCapsule_GetPointer(functions, NULL))[NUMPY_EMPTY];
    return 0;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module;

    shared.stream = stream_type();
    if (shared.stream == NULL || find_words() != 0 || find_dtypes() != 0 || import_all() != 0)
        return NULL;
    module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddStringConstant(module, "__version__", PACKAGE_VERSION) != 0)
        Py_CLEAR(module);
    return module;
}
