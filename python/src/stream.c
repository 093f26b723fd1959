/* SPDX-License-Identifier: MIT */
/* Streams with arrays of any shape, whose frames lie along an axis: gpuenv_stream.
 * gpuenv/_stream.py makes the class for users of it. */
#include <string.h>

#include "layout.h"

enum {
    /* Signals are handled after so many samples. */
    STEP_SAMPLES = 1 << 24,
    PLANAR_SAMPLES = 1 << 16, /* larger chunks are interleaved, so that threads share them */
    PLANAR_CHANNELS = 64,
};

struct stream {
    PyObject_HEAD gpuenv_stream *stream;
    struct view like; /* samples that the stream was made for; only type and shape are used */
    int axis;
    Py_ssize_t outer; /* channels are outer x inner: the dimensions before, and after, the axis */
    Py_ssize_t inner;
    unsigned channels; /* channels of the library's stream, which has at least one */
    bool busy;         /* a thread uses the stream; read and set with the GIL */
    bool broken;       /* results of samples that were pushed are lost */
};

static void stream_free(PyObject *self)
{
    struct stream *stream = (struct stream *)self;
    PyObject *type = (PyObject *)Py_TYPE(self);

    gpuenv_stream_close(stream->stream);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Keeps the type and shape of the first samples. */
static int take_shape(struct stream *stream, const struct view *view, Py_ssize_t axis)
{
    stream->axis = view_axis(view, axis);
    if (stream->axis < 0)
        return -1;
    view_make(&stream->like, view->shape, view->dimensions, view->type, false);
    stream->like.boolean = view->boolean;
    stream->outer = stream->inner = 1;
    for (int i = 0; i < view->dimensions; i++) {
        if (i != stream->axis)
            *(i < stream->axis ? &stream->outer : &stream->inner) *= view->shape[i];
    }
    if (stream->outer * stream->inner > INT32_MAX / 4)
        return BAD_VALUE("x has too many channels");
    stream->channels = (unsigned)(stream->outer * stream->inner);
    if (stream->channels == 0)
        stream->channels = 1;
    return 0;
}

static int open_stream(struct stream *stream, const gpuenv_spec *spec)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    if (shared_context() == NULL)
        return -1;
    if (gpuenv_stream_open(shared_context(), spec, stream->like.type, stream->channels,
                           &stream->stream, &error) != GPUENV_OK)
        return shared_raise(&error);
    return 0;
}

PyObject *stream_open(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                      PyObject *names)
{
    static const struct takes takes = {
        "Stream",
        BY_WIDTH,
        BIT(WORD_X) | BIT(WORD_W) | BIT(WORD_AXIS) | BIT(WORD_ALIGN) | BIT(WORD_EDGE) |
            BIT(WORD_HOP) | BIT(WORD_NAN) | BIT(WORD_THREADS) | BIT(WORD_MIN_COUNT),
    };
    struct request request;
    struct view view;
    struct stream *stream;

    (void)module;
    if (request_read(&request, &takes, arguments, count, names) != 0 ||
        view_open(&view, request.value[WORD_X], "x") != 0)
        return NULL;
    stream = (struct stream *)PyType_GenericAlloc((PyTypeObject *)shared.stream, 0);
    if (stream != NULL &&
        (take_shape(stream, &view, request.axis) != 0 || open_stream(stream, &request.spec) != 0))
        Py_CLEAR(stream);
    view_close(&view);
    return (PyObject *)stream;
}

/* Reserves the stream for this thread. The library refuses the streams of a parent process. */
static int begin(struct stream *stream)
{
    if (stream->broken)
        return shared_refuse(PyExc_RuntimeError,
                             "a push of this Stream was interrupted, and its results are lost");
    if (stream->busy)
        return shared_refuse(PyExc_RuntimeError, "another thread is using this Stream");
    stream->busy = true;
    return 0;
}

/* ---- results ---- */

/* Splits pairs of a minimum and a maximum. `bytes` is a constant in each call. */
static inline __attribute__((always_inline)) void
split_by(const size_t bytes, const unsigned char *pairs, size_t count, unsigned char *to[2])
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to[0] + i * bytes, pairs + 2 * i * bytes, bytes);
        memcpy(to[1] + i * bytes, pairs + (2 * i + 1) * bytes, bytes);
    }
}

static void split(size_t bytes, const unsigned char *pairs, size_t count, unsigned char *to[2])
{
    if (bytes == 1)
        split_by(1, pairs, count, to);
    else if (bytes == 2)
        split_by(2, pairs, count, to);
    else if (bytes == 4)
        split_by(4, pairs, count, to);
    else
        split_by(8, pairs, count, to);
}

/* Splits pairs, which are in frames of all channels or planar, into arrays of the shape of x. */
static void split_all(const struct stream *stream, const unsigned char *pairs, size_t bytes,
                      Py_ssize_t frames, bool planar, const struct view *out)
{
    const bool whole = planar || stream->outer == 1; /* pairs and results are in the same order */
    const Py_ssize_t inner = whole ? frames * (Py_ssize_t)stream->channels : stream->inner;
    const Py_ssize_t rows = whole ? 1 : frames;

    for (Py_ssize_t o = 0; o < (whole ? 1 : stream->outer); o++) {
        for (Py_ssize_t f = 0; f < rows; f++) {
            const size_t from = (size_t)((f * stream->outer + o) * inner) * 2 * bytes;
            const size_t to = (size_t)((o * rows + f) * inner) * bytes;
            unsigned char *at[] = {out[0].data + to, out[1].data + to};

            split(bytes, pairs + from, (size_t)inner, at);
        }
    }
}

/* Returns (lo, hi). */
static PyObject *make_results(const struct stream *stream, const unsigned char *pairs,
                              uint64_t frames, bool planar)
{
    const int type = gpuenv_stream_type(stream->stream);
    const int dimensions = stream->like.dimensions;
    Py_ssize_t shape[PyBUF_MAX_NDIM];
    struct view out[2];
    PyObject *results[2] = {NULL, NULL};
    PyObject *both = NULL;
    int made = 0;

    memcpy(shape, stream->like.shape, (size_t)dimensions * sizeof *shape);
    shape[stream->axis] = (Py_ssize_t)frames;
    for (; made < 2; made++) {
        view_make(&out[made], shape, dimensions, type, false);
        out[made].boolean = stream->like.boolean && type == GPUENV_U8;
        results[made] = view_empty(&out[made]);
        if (results[made] == NULL)
            break;
    }
    if (made == 2 && stream->outer * stream->inner > 0)
        split_all(stream, pairs, (size_t)out[0].bytes, (Py_ssize_t)frames, planar, out);
    if (made == 2)
        both = PyTuple_Pack(2, results[0], results[1]);
    Py_XDECREF(results[0]);
    Py_XDECREF(results[1]);
    return both;
}

static size_t pair_bytes(const struct stream *stream)
{
    return 2 * gpuenv_type_bytes(gpuenv_stream_type(stream->stream));
}

/* ---- samples ---- */

static int check_samples(const struct stream *stream, const struct view *in)
{
    const struct view *like = &stream->like;
    const bool same_type = in->type == like->type && in->boolean == like->boolean;
    bool same = same_type && in->dimensions == like->dimensions;
    PyObject *shapes[2];

    for (int i = 0; same && i < in->dimensions; i++)
        same = i == stream->axis || in->shape[i] == like->shape[i];
    if (same)
        return 0;
    shapes[0] = view_shape(in->shape, in->dimensions);
    shapes[1] = view_shape(like->shape, like->dimensions);
    if (shapes[0] != NULL && shapes[1] != NULL)
        PyErr_Format(same_type ? PyExc_ValueError : PyExc_TypeError,
                     "x has samples of %S and the shape %R; the stream began with %S and %R, and "
                     "goes on along axis %d",
                     view_dtype(in), shapes[0], view_dtype(like), shapes[1], stream->axis);
    Py_XDECREF(shapes[0]);
    Py_XDECREF(shapes[1]);
    return -1;
}

/* Have the samples no gaps, and the order of their dimensions? */
static bool is_packed(const struct view *view)
{
    Py_ssize_t distance = view->bytes;

    for (int i = view->dimensions - 1; i >= 0; i--) {
        if (view->shape[i] > 1 && view->strides[i] != distance)
            return false;
        distance *= view->shape[i];
    }
    return !view->swapped;
}

/* Makes the samples frames of interleaved channels. */
static int pack(const struct stream *stream, struct view *in)
{
    PyObject *axis = PyLong_FromLong(stream->axis);
    const int failed = axis == NULL ? -1 : view_convert(in, shared.pack, axis);

    Py_XDECREF(axis);
    return failed;
}

/* ---- push and finish ---- */

static int push_frames(struct stream *stream, const unsigned char *in, size_t sample_bytes,
                       uint64_t frames, unsigned char *to, uint64_t room)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const uint64_t step = 1 + STEP_SAMPLES / stream->channels;
    const uint64_t frame_bytes = sample_bytes * stream->channels;
    const uint64_t result_bytes = pair_bytes(stream) * stream->channels;
    PyThreadState *state = shared_release(frames * stream->channels);
    bool taken = false;
    int code = GPUENV_OK;

    for (uint64_t done = 0; done < frames && code == GPUENV_OK; done += step) {
        uint64_t count = frames - done < step ? frames - done : step;
        uint64_t got;

        code = gpuenv_stream_push(stream->stream, in + done * frame_bytes, count, to, room, &got,
                                  &error);
        room -= got;
        to += got * result_bytes;
        taken = taken || code == GPUENV_OK;
        if (code == GPUENV_OK && done + count < frames && shared_interrupted(NULL) != 0)
            error.code = code = GPUENV_INTERRUPTED;
    }
    shared_resume(state);
    stream->broken = taken && code != GPUENV_OK;
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

static int push_planar(struct stream *stream, const struct view *in, uint64_t frames,
                       unsigned char *to, uint64_t room)
{
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const void *from[PLANAR_CHANNELS];
    void *into[PLANAR_CHANNELS];
    uint64_t got;

    for (unsigned i = 0; i < stream->channels; i++) {
        from[i] = in->data + i * frames * (uint64_t)in->bytes;
        into[i] = to + i * room * pair_bytes(stream);
    }
    return gpuenv_stream_push_planar(stream->stream, from, frames, into, room, &got, &error) ==
                   GPUENV_OK
               ? 0
               : shared_raise(&error);
}

/* Pushes samples whose shape is right. Returns the results. */
static PyObject *push(struct stream *stream, struct view *in)
{
    const uint64_t frames = (uint64_t)in->shape[stream->axis];
    const uint64_t outputs = gpuenv_stream_outputs(stream->stream, frames);
    const bool none = stream->outer * stream->inner == 0;
    const bool planar = stream->inner == 1 && stream->outer > 1 && is_packed(in) &&
                        stream->channels <= PLANAR_CHANNELS &&
                        frames * stream->channels <= PLANAR_SAMPLES;
    const uint64_t bytes = outputs * stream->channels * pair_bytes(stream);
    unsigned char *nothing = NULL;
    unsigned char *pairs;
    PyObject *results = NULL;
    int failed = 0;

    if (!planar && !none && !(stream->outer == 1 && is_packed(in)) && pack(stream, in) != 0)
        return NULL;
    if (none) /* A channel of zeros takes their place, and its results are left out. */
        nothing = PyMem_Calloc(frames > 0 ? frames : 1, (size_t)in->bytes);
    pairs = PyMem_Malloc(bytes > 0 ? bytes : 1);
    if (pairs == NULL || (none && nothing == NULL))
        PyErr_NoMemory();
    else if (planar)
        failed = push_planar(stream, in, frames, pairs, outputs);
    else
        failed = push_frames(stream, none ? nothing : in->data, (size_t)in->bytes, frames, pairs,
                             outputs);
    if (failed == 0 && !PyErr_Occurred())
        results = make_results(stream, pairs, outputs, planar);
    PyMem_Free(pairs);
    PyMem_Free(nothing);
    return results;
}

static PyObject *stream_push(PyObject *self, PyObject *object)
{
    struct stream *stream = (struct stream *)self;
    struct view in;
    PyObject *results = NULL;

    if (view_open(&in, object, "x") != 0)
        return NULL;
    if (check_samples(stream, &in) == 0 && layout_settle_truth(&in) == 0 && begin(stream) == 0) {
        results = push(stream, &in);
        stream->busy = false;
    }
    view_close(&in);
    return results;
}

/* Returns the results of the windows that the end cuts, at most `room` frames. Fewer than `room`
 * are the last. */
static PyObject *stream_finish(PyObject *self, PyObject *room)
{
    struct stream *stream = (struct stream *)self;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    const unsigned long long most = PyLong_AsUnsignedLongLong(room);
    unsigned char *pairs;
    PyObject *results = NULL;
    PyThreadState *state;
    uint64_t got;
    int code;

    if ((most == (unsigned long long)-1 && PyErr_Occurred()) || begin(stream) != 0)
        return NULL;
    pairs = PyMem_Calloc(most * stream->channels, pair_bytes(stream));
    if (pairs == NULL) {
        PyErr_NoMemory();
    } else {
        state = PyEval_SaveThread();
        code = gpuenv_stream_finish(stream->stream, pairs, most, &got, &error);
        PyEval_RestoreThread(state);
        if (code == GPUENV_OK)
            results = make_results(stream, pairs, got, false);
        else
            (void)shared_raise(&error);
    }
    PyMem_Free(pairs);
    stream->busy = false;
    return results;
}

static PyMethodDef methods[] = {
    {"push", stream_push, METH_O, NULL},
    {"finish", stream_finish, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyObject *stream_type(void)
{
    PyType_Slot slots[] = {
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
