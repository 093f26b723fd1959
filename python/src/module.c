/* The module gpuenv._core. */
#include "device.h"
#include "dlpack.h"

#define WINDOW                                                                                     \
    "*, axis=None, align='valid', edge='shrink', hop=1, nan=None, min_count=None, out=None, "      \
    "threads=None, stream=None, times=None, closed='right')\n--\n\n"

PyDoc_STRVAR(
    minmax_text,
    "minmax($module, x, w, " WINDOW "Running minimum and maximum: (lo, hi).\n"
    "\n"
    "x        an array: of NumPy, CuPy, PyTorch, or any other library with DLPack, buffers or the\n"
    "         CUDA array interface. Results are arrays of the same library, with the type of x.\n"
    "         Those of a Series or DataFrame are one; result k has the label of row k*hop.\n"
    "w        the length of the window; with times, of time: a timedelta, a string ('5min', "
    "'7D'),\n"
    "         or a number.\n"
    "axis     the axis to filter along: the last one; of a DataFrame the first, its index.\n"
    "align    where the window of result k is: 'valid' (k .. k+w-1, whole windows only),\n"
    "         'causal' (k-w+1 .. k), 'center' (k-w//2 .. k+(w+1)//2-1), 'forward' (k .. k+w-1).\n"
    "edge     what windows that are cut by an end give: 'shrink' (the extremes of what is\n"
    "         there), or 'nan' (NaN; integers become floats).\n"
    "hop      keep the results 0, hop, 2*hop, ...\n"
    "nan      'propagate' (a window with a NaN gives NaN), 'omit' (NaN is ignored), or\n"
    "         'error' (ValueError). None: 'propagate', or with min_count 'omit'.\n"
    "min_count  a window with fewer samples that are not NaN gives NaN; integers become floats.\n"
    "out      a pair of arrays for the results. They may overlap x.\n"
    "threads  the most threads to use; None: all CPUs.\n"
    "stream   for arrays on a CUDA device: a stream of CuPy or PyTorch, or its address; None: the\n"
    "         library's current stream. Kernels are enqueued, and the call returns.\n"
    "times    the times of the samples, in order: datetime64, timedelta64 or numbers. There is a\n"
    "         result for each; its window has what came before it in (t-w, t] (align='causal', "
    "the\n"
    "         default), or what lies in (t-w/2, t+w/2] ('center'). hop and edge mean nothing.\n"
    "closed   the ends that belong to a window of time: 'right', 'both', 'left', or 'neither'.\n"
    "         A causal window that is open on the right ends before its sample.\n"
    "\n"
    "Complex numbers count as their magnitudes. NaT of dates is missing, and so is what is "
    "masked.\n"
    "\n"
    ">>> import numpy, gpuenv\n"
    ">>> x = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])\n"
    ">>> lo, hi = gpuenv.minmax(x, 3)\n"
    ">>> lo\n"
    "array([1, 1, 1, 1, 2, 2])\n"
    ">>> hi\n"
    "array([4, 4, 5, 9, 9, 9])\n"
    ">>> gpuenv.minmax(x, 3, align='causal')[1]\n"
    "array([3, 3, 4, 4, 5, 9, 9, 9])\n"
    ">>> gpuenv.minmax(x, 10, times=[0, 1, 5, 10, 30, 31, 39, 60])[1]\n"
    "array([3, 3, 4, 4, 5, 9, 9, 6])\n");

PyDoc_STRVAR(minimum_text,
             "minimum($module, x, w, " WINDOW
             "Running minimum. The arguments are those of minmax(); out is one array.\n"
             "\n"
             ">>> import numpy, gpuenv\n"
             ">>> gpuenv.minimum(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3)\n"
             "array([1, 1, 1, 1, 2, 2])\n");

PyDoc_STRVAR(maximum_text,
             "maximum($module, x, w, " WINDOW
             "Running maximum. The arguments are those of minmax(); out is one array.\n"
             "\n"
             ">>> import numpy, gpuenv\n"
             ">>> x = numpy.array([[3., 1., 4., 1.], [5., 9., 2., 6.]])\n"
             ">>> gpuenv.maximum(x, 3)\n"
             "array([[4., 4.],\n"
             "       [9., 9.]])\n"
             ">>> gpuenv.maximum(x, 2, axis=0)\n"
             "array([[5., 9., 4., 6.]])\n");

PyDoc_STRVAR(
    absmax_text,
    "absmax($module, x, w, " WINDOW
    "Running maximum of magnitudes, as the envelope of a sound. The arguments are those of\n"
    "minmax(); out is one array. Results of integers are float32, or float64 where float32\n"
    "does not hold them.\n"
    "\n"
    ">>> import numpy, gpuenv\n"
    ">>> gpuenv.absmax(numpy.array([1., -3., 2., 0.5]), 2)\n"
    "array([3., 3., 2.])\n");

PyDoc_STRVAR(ptp_text,
             "ptp($module, x, w, " WINDOW
             "Running peak to peak: maximum - minimum. Types and arguments are those of absmax().\n"
             "\n"
             ">>> import numpy, gpuenv\n"
             ">>> gpuenv.ptp(numpy.array([1., -3., 2., 0.5]), 2)\n"
             "array([4. , 5. , 1.5])\n");

PyDoc_STRVAR(mid_text,
             "mid($module, x, w, " WINDOW
             "Running (minimum + maximum) / 2. Types and arguments are those of absmax().\n"
             "\n"
             ">>> import numpy, gpuenv\n"
             ">>> gpuenv.mid(numpy.array([1., -3., 2., 0.5]), 2)\n"
             "array([-1.  , -0.5 ,  1.25])\n");

PyDoc_STRVAR(
    zoom_text,
    "zoom($module, x, n, *, emit='min,max', axis=None, nan='propagate', out=None, threads=None, "
    "stream=None)\n--\n\n"
    "Minimum and maximum of each n samples, as in the overview of a waveform: (lo, hi).\n"
    "The last ones may be fewer. emit names other values, up to five, in the order of the results: "
    "min, max,\n"
    "abs, range, mid, mean, rms (both float64, with the bits of stats()), count (of samples that "
    "are no\n"
    "NaN). A single name gives a single array. mean, rms and count are not for arrays on a "
    "device.\n"
    "\n"
    ">>> import numpy, gpuenv\n"
    ">>> gpuenv.zoom(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3)\n"
    "(array([1, 1, 2]), array([4, 9, 6]))\n"
    ">>> gpuenv.zoom(numpy.array([3, 1, 4, 1, 5, 9, 2, 6]), 3, emit='mean,count')\n"
    "(array([2.66666667, 5.        , 4.        ]), array([3, 3, 2]))\n");

#define METHOD(name, function)                                                                     \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, name##_text \
    }

static PyMethodDef methods[] = {
    METHOD(minmax, filter_minmax),
    METHOD(minimum, filter_minimum),
    METHOD(maximum, filter_maximum),
    METHOD(absmax, filter_absmax),
    METHOD(ptp, filter_ptp),
    METHOD(mid, filter_mid),
    METHOD(zoom, filter_zoom),
    {"check", view_check, METH_O, NULL},
    {"records", stats_of_array, METH_VARARGS, NULL},
    {"device_records", stats_of_device_array, METH_VARARGS, NULL},
    {"register", view_register, METH_VARARGS, NULL},
    {"device_of", device_of_pointer, METH_O, NULL},
    {"wait", device_wait, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "gpuenv._core", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

/* ---- what is shared ---- */

static int find_texts(void)
{
    const struct {
        PyObject **object;
        const char *text;
    } texts[] = {
        {&shared.order_c, "C"},
        {&shared.order_f, "F"},
        {&shared.empty_name, "empty"},
        {&shared.close_name, "close"},
        {&shared.dlpack, "__dlpack__"},
        {&shared.dlpack_device, "__dlpack_device__"},
        {&shared.cuda_interface, "__cuda_array_interface__"},
        {&shared.is_cuda, "is_cuda"},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i].object = PyUnicode_InternFromString(texts[i].text);
        if (*texts[i].object == NULL)
            return -1;
    }
    shared.dlpack_version = Py_BuildValue("{s(ii)}", "max_version", DLPACK_MAJOR, 0);
    shared.nothing = PyTuple_New(0);
    return shared.dlpack_version != NULL && shared.nothing != NULL ? 0 : -1;
}

static int find_words(void)
{
    static const char *const words[WORDS] = {
        [WORD_X] = "x",
        [WORD_W] = "w",
        [WORD_N] = "n",
        [WORD_AXIS] = "axis",
        [WORD_ALIGN] = "align",
        [WORD_EDGE] = "edge",
        [WORD_HOP] = "hop",
        [WORD_NAN] = "nan",
        [WORD_OUT] = "out",
        [WORD_THREADS] = "threads",
        [WORD_STREAM] = "stream",
        [WORD_EMIT] = "emit",
        [WORD_TIMES] = "times",
        [WORD_CLOSED] = "closed",
        [WORD_MIN_COUNT] = "min_count",
    };

    for (int i = 0; i < WORDS; i++) {
        shared.words[i] = PyUnicode_InternFromString(words[i]);
        if (shared.words[i] == NULL)
            return -1;
    }
    return find_texts();
}

static int add_type(PyObject *dtype, int type)
{
    PyObject *number = PyLong_FromLong(type);
    const int failed =
        number == NULL || shared.types == NULL ? -1 : PyDict_SetItem(shared.types, dtype, number);

    Py_XDECREF(number);
    return failed;
}

static int find_dtypes(void)
{
    PyObject *dtype = shared_import("numpy", "dtype");
    bool failed = dtype == NULL;

    shared.types = PyDict_New();
    for (int i = 0; i < TYPES && !failed; i++) {
        if (view_types[i].kind == 0)
            continue;
        shared.dtypes[i] = PyObject_CallFunction(
            dtype, "N", PyUnicode_FromFormat("%c%zd", view_types[i].kind, view_types[i].bytes));
        failed = shared.dtypes[i] == NULL || add_type(shared.dtypes[i], i) != 0;
    }
    if (!failed)
        shared.dtype_bool = PyObject_CallFunction(dtype, "s", "?");
    Py_XDECREF(dtype);
    return failed || shared.dtype_bool == NULL ? -1 : add_type(shared.dtype_bool, GPUENV_U8);
}

static int find_numpy(void)
{
    shared.ndarray = (PyTypeObject *)shared_import("numpy", "ndarray");
    shared.masked_array = (PyTypeObject *)shared_import("numpy.ma", "MaskedArray");
    shared.empty = shared_import("numpy", "empty");
    shared.array = shared_import("numpy", "array");
    shared.asarray = shared_import("numpy", "asarray");
    shared.shares_memory = shared_import("numpy", "shares_memory");
    shared.give_back = shared_import("gpuenv._arrays", "give_back");
    shared.pack = shared_import("gpuenv._arrays", "pack");
    shared.like = shared_import("gpuenv._arrays", "like");
    shared.read_times = shared_import("gpuenv._times", "read");
    if (shared.ndarray == NULL || shared.masked_array == NULL || shared.empty == NULL ||
        shared.array == NULL || shared.asarray == NULL || shared.shares_memory == NULL ||
        shared.give_back == NULL || shared.pack == NULL || shared.like == NULL ||
        shared.read_times == NULL)
        return -1;
    /* NumPy 1.25 and later have it here. */
    shared.axis_error = shared_import("numpy.exceptions", "AxisError");
    if (shared.axis_error == NULL) {
        PyErr_Clear();
        shared.axis_error = shared_import("numpy", "AxisError");
    }
    return shared.axis_error != NULL ? 0 : -1;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module;
    PyObject *stream;

    if (find_words() != 0 || find_dtypes() != 0 || find_numpy() != 0)
        return NULL;
    module = PyModule_Create(&definition);
    if (module == NULL)
        return NULL;
    stream = stream_type();
    if (stream == NULL || PyModule_AddObject(module, "Stream", stream) != 0) {
        Py_XDECREF(stream);
        Py_DECREF(module);
        return NULL;
    }
    if (PyModule_AddStringConstant(module, "__version__", gpuenv_version()) != 0)
        Py_CLEAR(module);
    return module;
}
