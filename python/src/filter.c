/* SPDX-License-Identifier: MIT */
/* minmax() and its family. */
#include <string.h>

#include "device.h"
#include "dlpack.h"

struct filter_call {
    struct request request;
    struct device device;
    struct view in;
    struct view out[GPUENV_VALUES];
    PyObject *result[GPUENV_VALUES]; /* the caller's arrays, or new ones */
    bool moves; /* of bottleneck: integers give float64, and positions count from the right */
    int axis;
    uint64_t outputs;                 /* frames of the results */
    Py_ssize_t shape[PyBUF_MAX_NDIM]; /* shape of the results */
    Py_buffer times;                  /* `obj` is NULL if there are no times */
    gpuenv_error error;
};

static int values_of(const struct filter_call *call)
{
    return (int)call->request.spec.values;
}

/* ---- results ---- */

static bool on_device(const struct filter_call *call)
{
    return call->device.call != NULL;
}

static bool is_position(const struct filter_call *call, int index)
{
    const int value = call->request.spec.value[index];

    return value == GPUENV_ARGMIN || value == GPUENV_ARGMAX;
}

static int type_of_result(const struct filter_call *call, int index)
{
    const int type = call->in.type;

    if (call->moves)
        return !is_position(call, index) && view_types[type].kind == 'f' ? type : GPUENV_F64;
    return gpuenv_result_type(&call->request.spec, type, call->request.spec.value[index]);
}

static int make_result(struct filter_call *call, int index)
{
    const int type = type_of_result(call, index);
    struct view *out = &call->out[index];

    view_make(out, call->shape, call->in.dimensions, type, view_is_fortran(&call->in));
    out->boolean = call->in.boolean && type == GPUENV_U8;
    call->result[index] = on_device(call) ? device_empty(&call->device, out) : view_empty(out);
    if (is_position(call, index)) /* they may become distances in their place */
        out->type = GPUENV_S64;
    return call->result[index] != NULL ? 0 : -1;
}

/* The place of a type among the kinds of types; with casting='same_kind', each kind can become
 * those behind it. */
static ptrdiff_t rank_of(int type, bool boolean)
{
    static const char kinds[] = "buifc";

    return strchr(kinds, boolean && type == GPUENV_U8 ? 'b' : view_types[type].kind) - kinds;
}

static int check_out(const struct filter_call *call, int index, PyObject *object)
{
    const struct view *out = &call->out[index];
    const int type = type_of_result(call, index);
    bool same = out->dimensions == call->in.dimensions;

    if (out->held != NULL)
        return shared_wrong_type("out", "an array", object, "");
    if (out->readonly || (out->foreign && dlpack_is_readonly(out, object)))
        return BAD_VALUE("out is read-only");
    if (is_position(call, index) && out->type != GPUENV_S64)
        return BAD_TYPE("positions need an out of int64");
    if (on_device(call) && type != GPUENV_S64 &&
        (out->type == GPUENV_S64 || out->type == GPUENV_U64))
        return BAD_VALUE(
            "out has integers of 64 bits, which on a device are for counts and positions");
    for (int i = 0; same && i < out->dimensions; i++)
        same = out->shape[i] == call->shape[i];
    if (!same) {
        PyObject *wanted = view_shape(call->shape, call->in.dimensions);

        if (wanted != NULL)
            (void)BAD_VALUE("out has not the shape of the results, %R", wanted);
        Py_XDECREF(wanted);
        return -1;
    }
    if (view_types[out->type].kind == 'c' ||
        rank_of(out->type, out->boolean) < rank_of(type, call->in.boolean))
        return BAD_TYPE("out cannot hold results of %S with casting 'same_kind'",
                        shared.dtypes[type]);
    return 0;
}

/* Returns 1 if two arrays of the caller share samples, 0 if not, -1 on error. */
static int share_memory(const struct view *one, const struct view *other)
{
    PyObject *first;
    PyObject *second;
    PyObject *answer = NULL;
    int shares = -1;

    if (!view_meet(one, other))
        return 0;
    first = view_numpy(one);
    second = first != NULL ? view_numpy(other) : NULL;
    if (second != NULL)
        answer = PyObject_CallFunctionObjArgs(shared.shares_memory, first, second, NULL);
    if (answer != NULL)
        shares = PyObject_IsTrue(answer);
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_XDECREF(answer);
    return shares;
}

static int copy_input(struct filter_call *call)
{
    return on_device(call)
               ? device_copy(&call->device, &call->in, view_is_fortran(&call->in), call->axis)
               : view_convert(&call->in, shared.array, NULL);
}

static int take_out(struct filter_call *call)
{
    PyObject *out = call->request.value[WORD_OUT];
    const int values = values_of(call);
    int shares = 0;

    if (values > 1 &&
        (!(PyTuple_Check(out) || PyList_Check(out)) || PySequence_Size(out) != values))
        return values == 2 ? BAD_TYPE("out must be a pair of arrays, (lo, hi)")
                           : BAD_TYPE("out must be a tuple of %d arrays", values);
    if (values == 1 && PyTuple_Check(out) && PyTuple_Size(out) == 1)
        out = PyTuple_GetItem(out, 0);
    for (int i = 0; i < values; i++) {
        call->result[i] = values > 1 ? PySequence_GetItem(out, i) : Py_BuildValue("O", out);
        if (call->result[i] == NULL ||
            (on_device(call) ? device_open_out(&call->device, &call->out[i], call->result[i])
                             : view_open(&call->out[i], call->result[i], "out")) != 0 ||
            check_out(call, i, call->result[i]) != 0)
            return -1;
    }
    for (int i = 1; i < values && shares == 0; i++) {
        for (int k = 0; k < i && shares == 0; k++)
            shares = share_memory(&call->out[k], &call->out[i]);
    }
    if (shares != 0)
        return shares > 0 ? BAD_VALUE("the arrays of out overlap") : -1;
    for (int i = 0; i < values && shares == 0; i++)
        shares = share_memory(&call->in, &call->out[i]);
    return shares > 0 ? copy_input(call) : shares;
}

/* ---- the work ---- */

static int run_filter(struct filter_call *call)
{
    gpuenv_context *context;
    struct layout layout;
    const struct view *views[LAYOUT_ARRAYS];
    PyThreadState *state;
    uint64_t samples;
    uint64_t since = 0;
    int code = GPUENV_OK;

    views[0] = &call->in;
    for (int i = 0; i < values_of(call); i++)
        views[i + 1] = &call->out[i];
    layout_make(&layout, views, 1 + values_of(call), call->axis);
    if (view_is_empty(&call->in) ||
        (call->outputs == 0 && call->request.spec.nan != GPUENV_NAN_ERROR))
        return 0;
    if (on_device(call)) {
        PyObject *done = NULL;

        if (device_run(&call->device, &call->request.spec, &layout) != 0)
            return -1;
        if (call->request.value[WORD_OUT] == NULL)
            return 0;
        done = PyObject_CallMethod(call->device.call, "done", NULL);
        Py_XDECREF(done);
        return done != NULL ? 0 : -1;
    }
    context = shared_context();
    if (context == NULL)
        return -1;
    samples = layout.array[0].rows * layout.array[0].frames * layout.array[0].channels;
    state = shared_release(layout.steps > 0 ? UINT64_MAX : samples);
    do {
        code = gpuenv_filter(context, &call->request.spec, &layout.array[0], &layout.array[1],
                             &call->error);
        if (code == GPUENV_OK)
            code = shared_poll(&since, samples, &call->error);
    } while (code == GPUENV_OK && layout_next(&layout));
    shared_resume(state);
    if (code == GPUENV_NAN_FOUND)
        return BAD_VALUE("x has a NaN, at %llu along axis %d",
                         (unsigned long long)call->error.frame, call->axis);
    return code == GPUENV_OK ? 0 : shared_raise(&call->error);
}

/* Makes distances of the positions of a function of bottleneck: float64, or the float of the input.
 * Inline, its view would take room on the stack of all calls. */
static __attribute__((noinline)) int find_distances(struct filter_call *call)
{
    struct view *at = &call->out[0];
    const uint64_t samples = view_samples(at);
    struct view floats;
    PyThreadState *state;

    if (call->in.type == GPUENV_F32) {
        view_make(&floats, at->shape, at->dimensions, GPUENV_F32, view_is_fortran(at));
        at->owner = call->result[0];
        call->result[0] = view_empty(&floats);
        if (call->result[0] == NULL)
            return -1;
    }
    state = shared_release(samples);
    positions_from_right(at, call->axis);
    for (uint64_t i = 0; call->in.type == GPUENV_F32 && i < samples; i++)
        ((float *)(void *)floats.data)[i] = (float)((double *)(void *)at->data)[i];
    shared_resume(state);
    return 0;
}

static PyObject *give_result(struct filter_call *call, int index)
{
    PyObject *x = call->request.value[WORD_X];
    PyObject *result = call->result[index];

    if (call->request.value[WORD_OUT] == NULL) {
        if (on_device(call) && !call->device.own)
            return PyObject_CallMethod(call->device.call, "give", "OO", x, result);
        if (call->in.foreign)
            return PyObject_CallFunctionObjArgs(shared.give_back, x, result, NULL);
        if (call->in.held != NULL && !PyList_Check(x))
            return PyObject_CallFunction(shared.like, "OOin", x, result, call->axis,
                                         (Py_ssize_t)call->request.spec.hop);
    }
    Py_INCREF(result);
    return result;
}

static PyObject *give(struct filter_call *call)
{
    PyObject *all;

    if (values_of(call) == 1)
        return give_result(call, 0);
    all = PyTuple_New(values_of(call));
    for (int i = 0; all != NULL && i < values_of(call); i++) {
        PyObject *result = give_result(call, i);

        if (result == NULL)
            Py_CLEAR(all);
        else
            PyTuple_SetItem(all, i, result);
    }
    return all;
}

/* Reads the times, and the window that is a length of time, into the spec. */
static int read_times(struct filter_call *call)
{
    static const int64_t none;
    gpuenv_spec *spec = &call->request.spec;
    PyObject *read;
    int result = -1;

    if (call->request.value[WORD_TIMES] == NULL)
        return 0;
    if (on_device(call))
        return BAD_VALUE("times is for arrays in main memory, and x is on a device");
    if (spec->edge == GPUENV_EDGE_NAN)
        return BAD_VALUE("edge='nan' is for windows without times; min_count= gives "
                         "NaN where they have too few samples");
    if (call->request.value[WORD_ALIGN] == NULL)
        spec->align = GPUENV_ALIGN_CAUSAL;
    read = PyObject_CallFunction(shared.read_times, "OOn", call->request.value[WORD_TIMES],
                                 call->request.value[WORD_W], call->in.shape[call->axis]);
    if (read == NULL)
        return -1;
    spec->width = PyLong_AsUnsignedLongLong(PyTuple_GetItem(read, 1));
    if (!PyErr_Occurred())
        result = PyObject_GetBuffer(PyTuple_GetItem(read, 0), &call->times, PyBUF_SIMPLE);
    if (result == 0)
        spec->times = call->times.len > 0 ? call->times.buf : &none;
    Py_DECREF(read);
    return result;
}

static PyObject *run(struct filter_call *call)
{
    if (call->request.value[WORD_AXIS] == NULL && call->in.dimensions == 2 &&
        call->in.held != NULL && /* NumPy has converted it: it may be a frame of pandas */
        PyObject_HasAttrString(call->request.value[WORD_X], "columns"))
        call->request.axis = 0;
    call->axis = view_axis(&call->in, call->request.axis);
    if (call->axis < 0 || read_times(call) != 0)
        return NULL;
    if (call->request.value[WORD_BEYOND] != NULL &&
        beyond_extend(&call->in, call->axis, call->request.value[WORD_BEYOND]) != 0)
        return NULL;
    call->outputs = (uint64_t)call->in.shape[call->axis];
    if (!call->moves && /* begin_move() has checked the window */
        gpuenv_outputs(&call->request.spec, call->outputs, &call->outputs, &call->error) !=
            GPUENV_OK) {
        (void)shared_raise(&call->error);
        return NULL;
    }
    memcpy(call->shape, call->in.shape, (size_t)call->in.dimensions * sizeof *call->shape);
    call->shape[call->axis] = (Py_ssize_t)call->outputs;
    if (call->request.value[WORD_OUT] != NULL && take_out(call) != 0)
        return NULL;
    for (int i = 0; call->request.value[WORD_OUT] == NULL && i < values_of(call); i++) {
        if (make_result(call, i) != 0)
            return NULL;
    }
    if (run_filter(call) != 0 || (call->moves && is_position(call, 0) && find_distances(call) != 0))
        return NULL;
    return give(call);
}

static int open_input(struct filter_call *call)
{
    PyObject *x = call->request.value[WORD_X];
    int number;
    int opened = view_open_in_memory(&call->in, x, "x", &number);

    if (opened == 0) {
        if (call->request.value[WORD_STREAM] != NULL)
            (void)BAD_VALUE("stream is for arrays on a CUDA device, and x is in main memory");
        else if (layout_settle_truth(&call->in) == 0)
            return 0;
        view_close(&call->in);
        return -1;
    }
    if (opened != 1)
        return -1;
#ifdef GPUENV_WITH_CUDA
    for (int i = 0; i < values_of(call); i++) {
        if (is_position(call, i) && call->request.value[WORD_N] == NULL)
            return BAD_VALUE("argmin and argmax are for arrays in main memory, and x is on a "
                             "device: there, zoom() has them");
    }
    if (call->request.spec.nan == GPUENV_NAN_ERROR)
        return BAD_VALUE("nan='error' is not for arrays on a device, where a call does not wait "
                         "for what it finds");
    return device_begin(&call->device, &call->in, x, number, call->request.value[WORD_STREAM]);
#else
    return view_refuse_device("x");
#endif
}

/* Makes a dict of the arguments of a call. */
static PyObject *name_arguments(const struct takes *takes, PyObject *const *arguments,
                                Py_ssize_t count, PyObject *names)
{
    PyObject *named = PyDict_New();
    const Py_ssize_t all = count + (names != NULL ? PyTuple_Size(names) : 0);

    for (Py_ssize_t i = 0; named != NULL && i < all; i++) {
        PyObject *name =
            i < count ? shared.words[takes->position[i]] : PyTuple_GetItem(names, i - count);

        if (PyDict_GetItemWithError(named, name) != NULL)
            (void)BAD_TYPE("%s() got multiple values for argument '%U'", takes->name, name);
        if (PyErr_Occurred() || PyDict_SetItem(named, name, arguments[i]) != 0)
            Py_CLEAR(named);
    }
    return named;
}

/* Lets a module in Python make the call, if it can: gpuenv._missing if the library has no such
 * samples (dates, masked arrays), gpuenv._boxes if the arguments are not those of one axis,
 * gpuenv._clock if zoom() is called with lengths of time, gpuenv.bottleneck for its functions. */
static PyObject *adapt(const char *module, const struct takes *takes, PyObject *const *arguments,
                       Py_ssize_t count, PyObject *names)
{
    PyObject *error[3];
    PyObject *function;
    PyObject *named;
    PyObject *result = NULL;

    if (count > takes->positions ||
        (takes->position[0] == WORD_X && !PyErr_ExceptionMatches(PyExc_TypeError)))
        return NULL;
    PyErr_Fetch(&error[0], &error[1], &error[2]);
    function = shared_import(module, "adapt");
    named = name_arguments(takes, arguments, count, names);
    if (function != NULL && named != NULL)
        result = PyObject_CallFunction(function, "sO", takes->name, named);
    Py_XDECREF(function);
    Py_XDECREF(named);
    if (result == Py_NotImplemented) {
        Py_CLEAR(result);
        PyErr_Restore(error[0], error[1], error[2]);
        return NULL;
    }
    for (int i = 0; i < 3; i++)
        Py_XDECREF(error[i]);
    return result;
}

/* Opens the input of a function of bottleneck. Returns -1, with or without an exception, where
 * gpuenv.bottleneck has to make the call: for other arrays than NumPy's and for some of their
 * types, for positions in floats that may have a -0 or an infinity, and where arguments are wrong.
 */
static int begin_move(struct filter_call *call)
{
    const struct view *in = &call->in;
    PyObject *x = call->request.value[WORD_A];
    gpuenv_spec *spec = &call->request.spec;
    Py_ssize_t axis = call->request.axis;

    spec->align = GPUENV_ALIGN_CAUSAL;
    spec->nan = GPUENV_NAN_OMIT;
    spec->last = is_position(call, 0);
    if (spec->min_count == 0)
        spec->min_count = spec->width;
    if ((PyObject *)Py_TYPE(x) != shared.ndarray || view_open(&call->in, x, "a") != 0)
        return -1;
    axis += axis < 0 ? in->dimensions : 0;
    if (axis >= 0 && axis < in->dimensions && spec->width <= (uint64_t)in->shape[axis] &&
        spec->min_count <= spec->width && !in->swapped && !in->boolean &&
        view_types[in->type].kind != 'c' && !view_is_empty(in) &&
        !(spec->last != 0 && positions_may_be_odd(in)))
        return 0;
    view_close(&call->in);
    return -1;
}

static PyObject *run_values(const struct takes *takes, const int *value, unsigned values,
                            PyObject *const *arguments, Py_ssize_t count, PyObject *names)
{
    struct filter_call call;
    PyObject *result;

    call.error.size = sizeof call.error; /* the library clears the rest */
    call.times.obj = NULL;
    call.device.call = NULL;
    call.moves = takes->position[0] == WORD_A;
    if (request_read(&call.request, takes, arguments, count, names) != 0)
        return adapt(call.moves                     ? "gpuenv.bottleneck"
                     : takes->position[1] == WORD_N ? "gpuenv._clock"
                                                    : "gpuenv._boxes",
                     takes, arguments, count, names);
    if (call.request.spec.values == 0) {
        call.request.spec.values = values;
        memcpy(call.request.spec.value, value, values * sizeof *value);
    }
    if ((call.moves ? begin_move(&call) : open_input(&call)) != 0)
        return adapt(call.moves ? "gpuenv.bottleneck" : "gpuenv._missing", takes, arguments, count,
                     names);
    for (int i = 0; i < values_of(&call); i++) {
        view_clear(&call.out[i]);
        call.result[i] = NULL;
    }
    result = run(&call);
    for (int i = 0; i < values_of(&call); i++) {
        view_close(&call.out[i]);
        Py_XDECREF(call.result[i]);
    }
    PyBuffer_Release(&call.times);
    view_close(&call.in);
    if (on_device(&call))
        device_end(&call.device);
    return result;
}

/* ---- the functions ---- */

#define FUNCTION(name, by, words, ...)                                                             \
    PyObject *filter_##name(PyObject *module, PyObject *const *arguments, Py_ssize_t count,        \
                            PyObject *names)                                                       \
    {                                                                                              \
        static const struct takes takes = {#name, by, words};                                      \
        static const int value[] = {__VA_ARGS__};                                                  \
                                                                                                   \
        (void)module;                                                                              \
        return run_values(&takes, value, sizeof value / sizeof *value, arguments, count, names);   \
    }

ALL_FILTERS(FUNCTION)
