/* gpuenv._core.Stream: gpuenv_stream with frames in arrays of two dimensions, (frames, channels),
 * and results in (frames, channels, 2). gpuenv/_stream.py makes the class of users of it. */
#include <string.h>
#include <unistd.h>

#include "layout.h"

struct stream {
    PyObject_HEAD gpuenv_stream *stream;
    PyObject *dtype; /* of results */
    int type;        /* of samples */
    bool boolean;
    unsigned channels;
    pid_t owner;
    bool busy;   /* under the GIL */
    bool broken; /* samples were taken, and their results lost */
};

/* Frames of one call of the library: between two calls, signals are looked at. */
enum { STEP_SAMPLES = 1 << 24 };

static void stream_free(PyObject *self)
{
    struct stream *stream = (struct stream *)self;
    PyObject *type = (PyObject *)Py_TYPE(self);

    /* The threads of a parent are not there after a fork. */
    if (stream->owner == getpid())
        gpuenv_stream_close(stream->stream);
    Py_XDECREF(stream->dtype);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Those of a type, which come in a tuple and a dict. */
static int read_arguments(struct request *request, const struct takes *takes, PyObject *arguments,
                          PyObject *named)
{
    PyObject *values[2 + WORDS]; /* more by name are not all known: no value behind them is read */
    PyObject *names = named != NULL ? PySequence_Tuple(named) : NULL;
    const Py_ssize_t count = PyTuple_Size(arguments);
    int failed = -1;

    for (Py_ssize_t i = 0; i < count && i < 2; i++)
        values[i] = PyTuple_GetItem(arguments, i);
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_Size(names) && i < WORDS && count <= 2; i++)
        values[count + i] = PyDict_GetItem(named, PyTuple_GetItem(names, i));
    if (named == NULL || names != NULL)
        failed = request_read(request, takes, values, count, names);
    Py_XDECREF(names);
    return failed;
}

/* Stream(x, w, **window), for samples of the type and channels of x. */
static PyObject *stream_new(PyTypeObject *kind, PyObject *arguments, PyObject *named)
{
    static const struct takes takes = {"Stream",
                                       2,
                                       {WORD_X, WORD_W},
                                       1U << WORD_ALIGN | 1U << WORD_EDGE | 1U << WORD_HOP |
                                           1U << WORD_NAN | 1U << WORD_THREADS |
                                           1U << WORD_MIN_COUNT};
    struct request request;
    struct view view;
    struct stream *stream;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    int code;

    if (read_arguments(&request, &takes, arguments, named) != 0 ||
        view_open(&view, request.x, "x") != 0)
        return NULL;
    if (view.dimensions != 2 || view.shape[1] < 1 || view.shape[1] > INT32_MAX / 4) {
        view_close(&view);
        PyErr_SetString(PyExc_ValueError, "x must have the shape (frames, channels)");
        return NULL;
    }
    stream = (struct stream *)PyType_GenericAlloc(kind, 0);
    if (stream == NULL) {
        view_close(&view);
        return NULL;
    }
    stream->type = view.type;
    stream->boolean = view.boolean;
    stream->channels = (unsigned)view.shape[1];
    stream->owner = getpid();
    code = -1;
    if (shared_context() != NULL)
        code = gpuenv_stream_open(shared_context(), &request.spec, view.type, stream->channels,
                                  &stream->stream, &error);
    if (code == GPUENV_OK) {
        int result = gpuenv_stream_type(stream->stream);

        stream->dtype =
            view.boolean && result == GPUENV_U8 ? shared.dtype_bool : shared.dtypes[result];
        Py_INCREF(stream->dtype);
    } else if (code > 0) {
        (void)shared_raise(&error);
    }
    view_close(&view);
    if (code != GPUENV_OK)
        Py_CLEAR(stream);
    return (PyObject *)stream;
}

/* One thread at a time, of the process that has made it. */
static int begin(struct stream *stream)
{
    if (stream->owner != getpid()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a Stream cannot be used in a forked process: make one there");
        return -1;
    }
    if (stream->broken) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a push of this Stream was interrupted, and its results are lost");
        return -1;
    }
    if (stream->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this Stream");
        return -1;
    }
    stream->busy = true;
    return 0;
}

static PyObject *make_results(const struct stream *stream, uint64_t frames, struct view *view)
{
    struct view like = {.dimensions = 3, .shape = like.room[0], .strides = like.room[1]};
    const Py_ssize_t shape[] = {(Py_ssize_t)frames, (Py_ssize_t)stream->channels, 2};
    PyObject *results;

    results = view_empty(&like, shape, stream->dtype);
    if (results != NULL && view_open(view, results, "out") != 0)
        Py_CLEAR(results);
    return results;
}

static int push(struct stream *stream, const struct view *in, unsigned char *to, uint64_t room,
                Py_ssize_t result_bytes)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const uint64_t frames = (uint64_t)in->shape[0];
    const uint64_t step = 1 + STEP_SAMPLES / stream->channels;
    const uint64_t frame_bytes = (uint64_t)in->bytes * stream->channels;
    PyThreadState *state = PyEval_SaveThread();
    bool taken = false;
    int code = GPUENV_OK;

    for (uint64_t done = 0; done < frames && code == GPUENV_OK; done += step) {
        uint64_t count = frames - done < step ? frames - done : step;
        uint64_t got;

        code = gpuenv_stream_push(stream->stream, in->data + done * frame_bytes, count, to, room,
                                  &got, &error);
        room -= got;
        to += got * 2 * stream->channels * (uint64_t)result_bytes;
        taken = taken || code == GPUENV_OK;
        if (code == GPUENV_OK && done + count < frames && shared_interrupted(NULL) != 0)
            error.code = code = GPUENV_INTERRUPTED;
    }
    PyEval_RestoreThread(state);
    stream->broken = taken && code != GPUENV_OK;
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

static PyObject *stream_push(PyObject *self, PyObject *object)
{
    struct stream *stream = (struct stream *)self;
    struct view in;
    struct view out;
    PyObject *results = NULL;
    uint64_t outputs;

    if (view_open(&in, object, "x") != 0)
        return NULL;
    if (in.type != stream->type || in.boolean != stream->boolean) {
        PyErr_SetString(PyExc_TypeError, "x has not the stream's type");
    } else if (layout_settle_truth(&in) != 0) {
        /* An exception is set. */
    } else if (in.dimensions != 2 || in.shape[1] != (Py_ssize_t)stream->channels || in.swapped ||
               (in.shape[0] > 1 && in.strides[0] != in.bytes * in.shape[1]) ||
               (in.shape[1] > 1 && in.shape[0] > 0 && in.strides[1] != in.bytes)) {
        PyErr_SetString(PyExc_ValueError, "x must be packed frames of the stream's channels");
    } else if (begin(stream) == 0) {
        outputs = gpuenv_stream_outputs(stream->stream, (uint64_t)in.shape[0]);
        results = make_results(stream, outputs, &out);
        if (results != NULL) {
            if (push(stream, &in, out.data, outputs, out.bytes) != 0)
                Py_CLEAR(results);
            view_close(&out);
        }
        stream->busy = false;
    }
    view_close(&in);
    return results;
}

/* The results of the windows that the end cuts, and no more than `room` frames: fewer are the last.
 */
static PyObject *stream_finish(PyObject *self, PyObject *room)
{
    struct stream *stream = (struct stream *)self;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const unsigned long long most = PyLong_AsUnsignedLongLong(room);
    struct view out;
    PyObject *results;
    PyObject *kept = NULL;
    PyThreadState *state;
    uint64_t got;
    int code;

    if (most == (unsigned long long)-1 && PyErr_Occurred())
        return NULL;
    if (begin(stream) != 0)
        return NULL;
    results = make_results(stream, most, &out);
    if (results != NULL) {
        state = PyEval_SaveThread();
        code = gpuenv_stream_finish(stream->stream, out.data, most, &got, &error);
        PyEval_RestoreThread(state);
        view_close(&out);
        if (code == GPUENV_OK)
            kept = PySequence_GetSlice(results, 0, (Py_ssize_t)got);
        else
            (void)shared_raise(&error);
        Py_DECREF(results);
    }
    stream->busy = false;
    return kept;
}

static PyMethodDef methods[] = {
    {"push", stream_push, METH_O, NULL},
    {"finish", stream_finish, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyObject *stream_type(void)
{
    PyType_Slot slots[] = {
        {Py_tp_new, (void *)(uintptr_t)stream_new},
        {Py_tp_dealloc, (void *)(uintptr_t)stream_free},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "gpuenv._core.Stream",
        .basicsize = sizeof(struct stream),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };

    return PyType_FromSpec(&spec);
}
