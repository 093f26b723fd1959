/* SPDX-License-Identifier: MIT */
/* Minima and maxima of boxes, for gpuenv._boxes. */
#include "inside.h"
#include "view.h"

/* Dimensions are rows, frames and, if there are three, channels. */
static gpuenv_array array_of(const struct view *view)
{
    gpuenv_array array = GPUENV_INIT(gpuenv_array);

    array.data = view->data;
    array.out = view->data;
    array.type = view->type;
    array.swapped = view->swapped;
    array.rows = (uint64_t)view->shape[0];
    array.row = view->strides[0];
    array.frames = (uint64_t)view->shape[1];
    array.frame = view->strides[1];
    array.channels = view->dimensions > 2 ? (uint64_t)view->shape[2] : 1;
    array.channel = view->dimensions > 2 ? view->strides[2] : view->bytes;
    array.broadcast = 1;
    return array;
}

static int run(const gpuenv_spec *spec, uint64_t height, const struct view *x,
               const struct view *out)
{
    const gpuenv_array in = array_of(x);
    const gpuenv_array to = array_of(out);
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = shared_release(UINT64_MAX);
    code = gpuenv_filter_boxes(context, spec, height, &in, &to, &error);
    shared_resume(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

/* Takes (x, out, height, width, align, omits NaN, is the maximum, threads). Arrays have two
 * dimensions, or three with channels last. */
PyObject *boxes_of(PyObject *module, PyObject *arguments)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    PyObject *objects[2];
    unsigned long long height;
    unsigned long long width;
    struct view x;
    struct view out;
    int omit;
    int largest;
    int failed;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOKKippI:boxes", &objects[0], &objects[1], &height, &width,
                          &spec.align, &omit, &largest, &spec.threads) ||
        view_open(&x, objects[0], "x") != 0)
        return NULL;
    if (view_open(&out, objects[1], "out") != 0) {
        view_close(&x);
        return NULL;
    }
    spec.width = width;
    spec.nan = omit ? GPUENV_NAN_OMIT : GPUENV_NAN_PROPAGATE;
    spec.values = 1;
    spec.value[0] = largest ? GPUENV_MAX : GPUENV_MIN;
    failed = run(&spec, height, &x, &out);
    view_close(&x);
    view_close(&out);
    if (failed != 0)
        return NULL;
    Py_RETURN_NONE;
}
