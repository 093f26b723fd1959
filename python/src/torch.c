/* PyTorch. New tensors are made by an empty one on the same device: that is quicker than
 * torch.empty(device=...), and does not depend on the current device. */
#include "library.h"

enum { SEEDS = 16 };

static struct {
    PyTypeObject *tensor;
    PyObject *empty;
    PyObject
        *raw_stream; /* the current stream as an integer; NULL: this PyTorch has no such function */
    PyObject *current_stream;
    PyObject *dtypes[TYPES]; /* NULL: it has none */
    PyObject *dtype_bool;
    PyObject *word_dtype; /* a tuple of one name */
    struct {
        int device;
        PyObject *tensor;
    } seed[SEEDS];
} torch;

static PyObject *find_or_null(PyObject *module, const char *path)
{
    PyObject *found = library_find(module, path);

    if (found == NULL)
        PyErr_Clear();
    return found;
}

static int find(PyObject *module)
{
    static const char *const names[TYPES] = {
        [GPUENV_F32] = "float32",     [GPUENV_F64] = "float64", [GPUENV_F16] = "float16",
        [GPUENV_S8] = "int8",         [GPUENV_U8] = "uint8",    [GPUENV_S16] = "int16",
        [GPUENV_U16] = "uint16",      [GPUENV_S32] = "int32",   [GPUENV_U32] = "uint32",
        [GPUENV_S64] = "int64",       [GPUENV_U64] = "uint64",  [GPUENV_CF32] = "complex64",
        [GPUENV_CF64] = "complex128",
    };
    PyObject *type = library_find(module, "Tensor");

    for (int i = 0; i < TYPES; i++)
        torch.dtypes[i] = names[i] != NULL ? find_or_null(module, names[i]) : NULL;
    torch.raw_stream = find_or_null(module, "_C._cuda_getCurrentRawStream");
    torch.dtype_bool = find_or_null(module, "bool");
    torch.empty = library_find(module, "empty");
    torch.current_stream = torch.empty != NULL ? library_find(module, "cuda.current_stream") : NULL;
    torch.word_dtype = PyTuple_Pack(1, library_names[NAME_DTYPE]);
    if (type == NULL || !PyType_Check(type) || torch.current_stream == NULL ||
        torch.word_dtype == NULL) {
        Py_XDECREF(type);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "torch.Tensor is not a type");
        return -1;
    }
    torch.tensor = (PyTypeObject *)type;
    return 0;
}

static PyTypeObject *type_of_arrays(void)
{
    return torch.tensor;
}

/* 1, 0, or -1 with an exception. */
static int is_true(PyObject *found)
{
    const int answer = found != NULL ? PyObject_IsTrue(found) : -1;

    Py_XDECREF(found);
    return answer;
}

static int is_on_device(PyObject *object)
{
    return is_true(PyObject_GetAttr(object, library_names[NAME_IS_CUDA]));
}

static int refuse(PyObject *object, const char *name)
{
    int found = is_true(PyObject_GetAttr(object, library_names[NAME_REQUIRES_GRAD]));

    if (found == 1)
        PyErr_Format(PyExc_ValueError,
                     "%s requires gradients, which would be lost: use %s.detach()", name, name);
    if (found != 0)
        return -1;
    found = is_true(library_call(object, NAME_IS_NEG));
    if (found == 1)
        PyErr_Format(PyExc_ValueError, "%s has samples of the other sign: use %s.resolve_neg()",
                     name, name);
    return found != 0 ? -1 : 0;
}

static int open(struct view *view, PyObject *object, const char *name)
{
    PyObject *dtype = PyObject_GetAttr(object, library_names[NAME_DTYPE]);
    PyObject *shape;
    PyObject *strides;
    uintptr_t pointer;
    uintptr_t device;
    bool failed;

    if (dtype == NULL)
        return -1;
    view->type = GPUENV_TYPE_NONE;
    if (dtype == torch.dtype_bool) {
        view->type = GPUENV_U8;
        view->boolean = true;
    }
    for (int i = 0; i < TYPES && view->type == GPUENV_TYPE_NONE; i++) {
        if (dtype == torch.dtypes[i])
            view->type = i;
    }
    Py_DECREF(dtype);
    if (view->type == GPUENV_TYPE_NONE)
        return view_refuse_type(object, name);
    view->bytes = view_type_bytes(view->type);
    if (refuse(object, name) != 0 || library_result(object, NAME_GET_DEVICE, &device) != 0 ||
        library_result(object, NAME_DATA_PTR, &pointer) != 0)
        return -1;
    view->data = (unsigned char *)pointer;
    view->device = (int)device;
    shape = PyObject_GetAttr(object, library_names[NAME_SHAPE]);
    strides = shape != NULL ? library_call(object, NAME_STRIDE) : NULL;
    view->dimensions = library_tuple(shape, 1, view->room[0]);
    failed = view->dimensions < 0 ||
             library_tuple(strides, view->bytes, view->room[1]) != view->dimensions;
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    view->shape = view->room[0];
    view->strides = view->room[1];
    return failed ? -1 : 0;
}

static int current_stream(int device, uintptr_t *stream)
{
    PyObject *number = PyLong_FromLong(device);
    PyObject *object;
    int failed = -1;

    if (number == NULL)
        return -1;
    if (torch.raw_stream != NULL) {
        failed = library_take(PyObject_CallOneArg(torch.raw_stream, number), stream);
    } else {
        object = PyObject_CallOneArg(torch.current_stream, number);
        if (object != NULL)
            failed = library_number(object, NAME_CUDA_STREAM, stream);
        Py_XDECREF(object);
    }
    Py_DECREF(number);
    return failed;
}

static int current_device(void)
{
    return -1;
}

/* An empty tensor of bytes on this device; borrowed. */
static PyObject *seed_of(int device)
{
    PyObject **tensor = &torch.seed[device % SEEDS].tensor;
    PyObject *arguments;
    PyObject *named;

    if (*tensor != NULL && torch.seed[device % SEEDS].device == device)
        return *tensor;
    Py_CLEAR(*tensor);
    arguments = Py_BuildValue("(i)", 0);
    named = Py_BuildValue("{s:O,s:N}", "dtype", torch.dtypes[GPUENV_U8], "device",
                          PyUnicode_FromFormat("cuda:%d", device));
    if (arguments != NULL && named != NULL)
        *tensor = PyObject_Call(torch.empty, arguments, named);
    torch.seed[device % SEEDS].device = device;
    Py_XDECREF(arguments);
    Py_XDECREF(named);
    return *tensor;
}

static PyObject *empty(struct view *view, bool fortran)
{
    PyObject *dtype = view->boolean ? torch.dtype_bool : torch.dtypes[view->type];
    PyObject *seed = seed_of(view->device);
    PyObject *arguments[4] = {seed};
    PyObject *array = NULL;
    uintptr_t pointer;
    size_t count = 1;

    view_pack(view, fortran);
    if (seed == NULL)
        return NULL;
    if (dtype == NULL) {
        PyErr_Format(PyExc_TypeError, "this PyTorch has no tensors of %S",
                     shared.dtypes[view->type]);
        return NULL;
    }
    arguments[count++] = library_make_tuple(view->shape, view->dimensions, 1);
    if (fortran)
        arguments[count++] = library_make_tuple(view->strides, view->dimensions, view->bytes);
    arguments[count] = dtype;
    if (arguments[1] != NULL && arguments[count - 1] != NULL)
        array = PyObject_VectorcallMethod(
            library_names[fortran ? NAME_NEW_EMPTY_STRIDED : NAME_NEW_EMPTY], arguments, count,
            torch.word_dtype);
    for (size_t i = 1; i < count; i++)
        Py_XDECREF(arguments[i]);
    if (array != NULL && library_result(array, NAME_DATA_PTR, &pointer) != 0)
        Py_CLEAR(array);
    if (array != NULL)
        view->data = (unsigned char *)pointer;
    return array;
}

static PyObject *room(int device, size_t bytes, void **memory)
{
    PyObject *arguments[2] = {seed_of(device), PyLong_FromSize_t(bytes)};
    PyObject *tensor = NULL;
    uintptr_t pointer;

    if (arguments[0] != NULL && arguments[1] != NULL)
        tensor = PyObject_VectorcallMethod(library_names[NAME_NEW_EMPTY], arguments, 2, NULL);
    Py_XDECREF(arguments[1]);
    if (tensor != NULL && library_result(tensor, NAME_DATA_PTR, &pointer) != 0)
        Py_CLEAR(tensor);
    if (tensor != NULL)
        *memory = (void *)pointer;
    return tensor;
}

const struct library library_torch = {
    .module = "torch",
    .find = find,
    .type = type_of_arrays,
    .is_on_device = is_on_device,
    .open = open,
    .current_stream = current_stream,
    .current_device = current_device,
    .empty = empty,
    .room = room,
};
