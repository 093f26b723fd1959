/* Views: buffers of Python, capsules of DLPack, and what NumPy makes an array of. */
#include "view.h"

#include <string.h>

#include "dlpack.h"

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

static int type_of(char kind, Py_ssize_t bytes)
{
    for (int type = 0; type < TYPES && kind != 0; type++) {
        if (view_types[type].kind == kind && view_types[type].bytes == bytes)
            return type;
    }
    return GPUENV_TYPE_NONE;
}

/* A format of the module struct, as NumPy writes it. */
static int read_format(struct view *view, const char *format, Py_ssize_t bytes)
{
    char kind = 0;
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

    if (format == NULL)
        format = "B";
    if (*format == '>' || *format == '!')
        big = true;
    else if (*format == '<')
        big = false;
    if (strchr("@=<>!^|", *format) != NULL && *format != 0)
        format++;
    view->boolean = *format == '?';
    if (*format == 'Z')
        kind = format[1] != 0 && strchr("fd", *++format) != NULL ? 'c' : 0;
    else if (*format != 0 && strchr("bhilqn", *format) != NULL)
        kind = 'i';
    else if (*format != 0 && strchr("BHILQN?", *format) != NULL)
        kind = 'u';
    else if (*format != 0 && strchr("efd", *format) != NULL)
        kind = 'f';
    if (kind == 0 || format[1] != 0)
        return GPUENV_TYPE_NONE;
    view->swapped = bytes > 1 && big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return type_of(kind, bytes);
}

int view_refuse_type(PyObject *object, const char *name)
{
    PyObject *dtype;

    PyErr_Clear();
    if (PyObject_HasAttrString(object, "select_dtypes")) { /* a DataFrame */
        PyErr_Format(PyExc_TypeError,
                     "%s has columns of other types than numbers: %s.select_dtypes('number') "
                     "leaves them out",
                     name, name);
        return -1;
    }
    dtype = PyObject_GetAttrString(object, "dtype");
    if (dtype == NULL) {
        PyErr_Clear();
        dtype = (PyObject *)Py_TYPE(object);
        Py_INCREF(dtype);
    }
    PyErr_Format(PyExc_TypeError,
                 "%s has samples of %S: they must be bool, integers, float16, float32, float64, "
                 "complex64 or complex128",
                 name, dtype);
    Py_DECREF(dtype);
    return -1;
}

/* ---- shapes ---- */

static int refuse_size(const char *name)
{
    PyErr_Format(PyExc_ValueError, "%s is larger than the address space", name);
    return -1;
}

int view_check_size(struct view *view, const char *name)
{
    Py_ssize_t size = view->bytes;
    Py_ssize_t low = 0;
    Py_ssize_t high = view->bytes;

    for (int i = 0; i < view->dimensions; i++) {
        if (view->shape[i] < 0) {
            PyErr_Format(PyExc_ValueError, "%s has a negative length", name);
            return -1;
        }
        if (view->shape[i] > 0 && __builtin_mul_overflow(size, view->shape[i], &size))
            return refuse_size(name);
    }
    if (view->strides == NULL)
        view_pack(view, false);
    for (int i = 0; i < view->dimensions && !view_is_empty(view); i++) {
        Py_ssize_t reach;

        if (__builtin_mul_overflow(view->shape[i] - 1, view->strides[i], &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
            return refuse_size(name);
    }
    return 0;
}

void view_pack(struct view *view, bool fortran)
{
    Py_ssize_t distance = view->bytes;

    for (int i = 0; i < view->dimensions; i++) {
        const int d = fortran ? i : view->dimensions - 1 - i;

        view->room[1][d] = distance;
        distance *= view->shape[d] > 0 ? view->shape[d] : 1;
    }
    view->strides = view->room[1];
}

/* ---- buffers ---- */

int view_buffer(struct view *view, PyObject *exporter, PyObject *object, const char *name)
{
    const Py_buffer *buffer = &view->buffer;

    if (PyObject_GetBuffer(exporter, &view->buffer, PyBUF_RECORDS_RO) != 0) {
        /* Dates, for one, are in no buffer. */
        if (PyObject_TypeCheck(exporter, shared.ndarray) &&
            PyErr_ExceptionMatches(PyExc_ValueError))
            return view_refuse_type(object, name);
        return -1;
    }
    view->type = read_format(view, buffer->format, buffer->itemsize);
    if (view->type == GPUENV_TYPE_NONE || buffer->ndim > PyBUF_MAX_NDIM) {
        PyBuffer_Release(&view->buffer);
        return view_refuse_type(object, name);
    }
    view->data = buffer->buf;
    view->readonly = buffer->readonly != 0;
    view->dimensions = buffer->ndim;
    view->bytes = buffer->itemsize;
    view->shape = buffer->shape;
    view->strides = buffer->strides; /* arrays of ctypes have none */
    if (view_check_size(view, name) == 0)
        return 0;
    PyBuffer_Release(&view->buffer);
    return -1;
}

/* ---- where they are ---- */

/* object.name; NULL without an exception if there is none. */
static PyObject *find_attribute(PyObject *object, PyObject *name)
{
    PyObject *found = PyObject_GetAttr(object, name);

    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return found;
}

static enum view_kind place_of(PyObject *device, int *number)
{
    PyObject *index;
    int kind;

    if (!PyTuple_Check(device) || !PyArg_ParseTuple(device, "iO", &kind, &index)) {
        PyErr_SetString(PyExc_TypeError, "__dlpack_device__() gave no device");
        return PLACE_FAILED;
    }
    if (kind == DLPACK_CPU || kind == DLPACK_CUDA_HOST)
        return PLACE_DLPACK;
    if (kind == DLPACK_CUDA || kind == DLPACK_CUDA_MANAGED) {
        *number = PyLong_Check(index) ? (int)PyLong_AsLong(index) : -1;
        return PyErr_Occurred() ? PLACE_FAILED : PLACE_DEVICE;
    }
    PyErr_Format(PyExc_ValueError,
                 "the array is on a device of DLPack's kind %d, which is not supported", kind);
    return PLACE_FAILED;
}

/* The types of arrays of CuPy and PyTorch, whose __dlpack_device__() takes long. */
static struct {
    PyTypeObject *type;
    int always; /* on a device */
} known[2];
enum { KNOWN = sizeof known / sizeof *known };

PyObject *view_register(PyObject *module, PyObject *arguments)
{
    PyTypeObject *type;
    int always;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!p:register", &PyType_Type, &type, &always))
        return NULL;
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].type != NULL)
            continue;
        Py_INCREF((PyObject *)type);
        known[i].type = type;
        known[i].always = always;
        break;
    }
    Py_RETURN_NONE;
}

/* Is it such an array, on a device? */
static bool is_known(PyObject *object)
{
    PyObject *found;

    for (int i = 0; i < KNOWN && known[i].type != NULL; i++) {
        if (!PyObject_TypeCheck(object, known[i].type))
            continue;
        if (known[i].always)
            return true;
        found = PyObject_GetAttr(object, shared.is_cuda);
        Py_XDECREF(found);
        return found == Py_True;
    }
    return false;
}

enum view_kind view_place(PyObject *object, int *number)
{
    PyObject *found;
    PyObject *device;
    enum view_kind place = PLACE_FAILED;

    *number = -1;
    if (PyObject_TypeCheck(object, shared.ndarray))
        return PLACE_BUFFER;
    if (is_known(object))
        return PLACE_DEVICE;
    if (PyErr_Occurred())
        return PLACE_FAILED;
    found = find_attribute(object, shared.dlpack_device);
    if (found != NULL) {
        device = PyObject_CallNoArgs(found);
        Py_DECREF(found);
        if (device != NULL)
            place = place_of(device, number);
        Py_XDECREF(device);
        return place;
    }
    if (!PyErr_Occurred())
        found = find_attribute(object, shared.cuda_interface);
    if (PyErr_Occurred())
        return PLACE_FAILED;
    Py_XDECREF(found);
    return found != NULL                  ? PLACE_DEVICE
           : PyObject_CheckBuffer(object) ? PLACE_BUFFER
                                          : PLACE_CONVERT;
}

/* ---- what NumPy converts ---- */

static int open_converted(struct view *view, PyObject *object, const char *name)
{
    PyObject *array = PyObject_CallFunctionObjArgs(shared.asarray, object, NULL);

    if (array == NULL)
        return -1;
    if (view_buffer(view, array, object, name) != 0) {
        Py_DECREF(array);
        return -1;
    }
    view->held = array;
    return 0;
}

/* ---- DLPack ---- */

static char kind_of(const struct dlpack_tensor *tensor)
{
    switch (tensor->lanes == 1 && tensor->bits % 8 == 0 ? tensor->code : UINT8_MAX) {
    case DLPACK_INT:
        return 'i';
    case DLPACK_UINT:
    case DLPACK_BOOL:
        return 'u';
    case DLPACK_FLOAT:
        return 'f';
    case DLPACK_COMPLEX:
        return 'c';
    default:
        return 0;
    }
}

/* Before version 1 a capsule did not say whether its samples may be written to: buffers and the
 * CUDA array interface do. */
bool view_is_readonly(const struct view *view, PyObject *object)
{
    PyObject *interface;
    PyObject *data;
    Py_buffer buffer;
    bool readonly = view->readonly;

    if (view->capsule == NULL || !PyCapsule_IsValid(view->capsule, "dltensor"))
        return readonly;
    interface = PyObject_GetAttr(object, shared.cuda_interface);
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

/* The tensor in a capsule. NULL: an exception is set. */
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
    view->type = type_of(kind_of(tensor), view->bytes);
    if (view->type == GPUENV_TYPE_NONE || tensor->dimensions < 0 ||
        tensor->dimensions > PyBUF_MAX_NDIM)
        return view_refuse_type(object, name);
    view->data = (unsigned char *)tensor->data + tensor->byte_offset;
    view->device = tensor->device_id;
    view->dimensions = tensor->dimensions;
    for (int i = 0; i < view->dimensions; i++) {
        view->room[0][i] = (Py_ssize_t)tensor->shape[i];
        if (tensor->strides != NULL &&
            __builtin_mul_overflow(tensor->strides[i], view->bytes, &view->room[1][i]))
            return refuse_size(name);
    }
    view->shape = view->room[0];
    view->strides = tensor->strides != NULL ? view->room[1] : NULL;
    return view_check_size(view, name);
}

/* What the producer exports, by version 1 if it has that. */
static PyObject *export(PyObject *object)
{
    PyObject *function = PyObject_GetAttr(object, shared.dlpack);
    PyObject *capsule =
        function != NULL ? PyObject_Call(function, shared.nothing, shared.dlpack_version) : NULL;

    Py_XDECREF(function);
    if (capsule != NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
        return capsule;
    PyErr_Clear();
    return PyObject_CallMethodObjArgs(object, shared.dlpack, NULL);
}

int view_import(struct view *view, PyObject *capsule, PyObject *object, const char *name)
{
    const struct dlpack_tensor *tensor = tensor_of(view, capsule);

    if (tensor == NULL || read_tensor(view, tensor, object, name) != 0) {
        Py_DECREF(capsule);
        return -1;
    }
    /* Its destructor frees the tensor, because the capsule keeps its name. */
    view->capsule = capsule;
    return 0;
}

static int open_dlpack(struct view *view, PyObject *object, const char *name)
{
    PyObject *capsule = export(object);

    view->foreign = true;
    if (capsule != NULL)
        return view_import(view, capsule, object, name);
    /* Libraries do not export all types, for one bool, that they convert for NumPy. */
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return -1;
    PyErr_Clear();
    return open_converted(view, object, name);
}

/* ---- all of them ---- */

int view_refuse_device(const char *name)
{
#ifdef GPUENV_WITH_CUDA
    PyErr_Format(PyExc_ValueError,
                 "%s is on a CUDA device, and has to be in main memory here: copy it, as by "
                 "%s.get() of CuPy or %s.cpu() of PyTorch",
                 name, name, name);
#else
    PyErr_Format(PyExc_ValueError, "%s is on a CUDA device, and this build of gpuenv has no CUDA",
                 name);
#endif
    return -1;
}

int view_open(struct view *view, PyObject *object, const char *name)
{
    int number;
    const int opened = view_open_in_memory(view, object, name, &number);

    return opened == 1 ? view_refuse_device(name) : opened;
}

int view_open_in_memory(struct view *view, PyObject *object, const char *name, int *number)
{
    view_clear(view);
    if (Py_TYPE(object) == shared.ndarray)
        return view_buffer(view, object, object, name);
    if (PyObject_TypeCheck(object, shared.masked_array)) {
        PyErr_Format(PyExc_TypeError,
                     "%s is a masked array, whose mask would be lost: use "
                     "%s.astype(float).filled(numpy.nan) with nan='omit'",
                     name, name);
        return -1;
    }
    switch (view_place(object, number)) {
    case PLACE_BUFFER:
        return view_buffer(view, object, object, name);
    case PLACE_DLPACK:
        return open_dlpack(view, object, name);
    case PLACE_CONVERT:
        return open_converted(view, object, name);
    case PLACE_DEVICE:
        return 1;
    case PLACE_FAILED:
    default:
        return -1;
    }
}

void view_close(struct view *view)
{
    if (view->buffer.obj != NULL)
        PyBuffer_Release(&view->buffer);
    Py_CLEAR(view->capsule);
    Py_CLEAR(view->held);
}

PyObject *view_check(PyObject *module, PyObject *object)
{
    struct view view;

    (void)module;
    if (view_open(&view, object, "x") != 0)
        return NULL;
    view_close(&view);
    Py_RETURN_NONE;
}

/* ---- for NumPy ---- */

PyObject *view_numpy(const struct view *view)
{
    /* The memoryview keeps the pointer. */
    const char *format = view->boolean ? SWAPPED "?" : view_types[view->type].swapped_format;
    Py_ssize_t count = 1;
    Py_buffer buffer = {.buf = view->data, .itemsize = view->bytes, .ndim = view->dimensions};
    PyObject *memory;
    PyObject *array;

    for (int i = 0; i < view->dimensions; i++)
        count *= view->shape[i];
    buffer.len = count * view->bytes;
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

bool view_is_empty(const struct view *view)
{
    for (int i = 0; i < view->dimensions; i++) {
        if (view->shape[i] == 0)
            return true;
    }
    return false;
}

static void byte_range(const struct view *view, uintptr_t *first, uintptr_t *end)
{
    *first = (uintptr_t)view->data;
    *end = *first + (uintptr_t)view->bytes;
    for (int i = 0; i < view->dimensions; i++) {
        Py_ssize_t reach = (view->shape[i] - 1) * view->strides[i];

        *(reach < 0 ? first : end) += (uintptr_t)reach;
    }
}

bool view_meet(const struct view *one, const struct view *other)
{
    uintptr_t first[2];
    uintptr_t end[2];

    if (view_is_empty(one) || view_is_empty(other))
        return false;
    byte_range(one, &first[0], &end[0]);
    byte_range(other, &first[1], &end[1]);
    return first[0] < end[1] && first[1] < end[0];
}

int view_axis(const struct view *view, Py_ssize_t axis)
{
    PyObject *raised;

    if (axis >= -view->dimensions && axis < view->dimensions)
        return (int)(axis < 0 ? axis + view->dimensions : axis);
    raised = PyObject_CallFunction(shared.axis_error, "ni", axis, view->dimensions);
    if (raised != NULL) {
        PyErr_SetObject(shared.axis_error, raised);
        Py_DECREF(raised);
    }
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

/* A function of NumPy makes it. */
static PyObject *make(PyObject *function, const struct view *like, const Py_ssize_t *shape,
                      PyObject *dtype)
{
    const bool one = like->dimensions == 1;
    PyObject *lengths = one ? PyLong_FromSsize_t(shape[0]) : view_shape(shape, like->dimensions);
    PyObject *result;

    if (lengths == NULL)
        return NULL;
    result = PyObject_CallFunctionObjArgs(
        function, lengths, dtype, !one && view_is_fortran(like) ? shared.order_f : NULL, NULL);
    Py_DECREF(lengths);
    return result;
}

PyObject *view_empty(const struct view *like, const Py_ssize_t *shape, PyObject *dtype)
{
    return make(shared.empty, like, shape, dtype);
}

PyObject *view_zeros(const struct view *like, const Py_ssize_t *shape)
{
    return make(shared.zeros, like, shape,
                like->boolean ? shared.dtype_bool : shared.dtypes[like->type]);
}
