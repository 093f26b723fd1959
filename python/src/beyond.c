/* SPDX-License-Identifier: MIT */
/* What an array has beyond its ends in the modes of SciPy: runs of its samples forwards or
 * backwards, and repeats of one sample. */
#include <string.h>

#include "layout.h"

static const char *const modes[] = {"constant", "nearest", "reflect", "mirror", "wrap"};
enum mode { MODE_CONSTANT, MODE_NEAREST, MODE_REFLECT, MODE_MIRROR, MODE_WRAP, MODES };

struct beyond {
    int64_t source;
    int64_t count;
    int step;  /* step from sample to sample of the source: 1, 0 or -1 */
    bool none; /* the run is of the constant */
};

/* Finds the run of samples that begins at the place `at`, for an array of n samples. */
static struct beyond find_beyond(enum mode mode, int64_t at, int64_t n)
{
    const int64_t turn = mode == MODE_MIRROR && n > 1; /* the samples at the ends are there once */
    const int64_t period = mode == MODE_WRAP ? n : 2 * (n - turn);
    int64_t place;

    if (mode == MODE_CONSTANT || mode == MODE_NEAREST) {
        if (at >= 0 && at < n)
            return (struct beyond){at, n - at, 1, false};
        return (struct beyond){at < 0 || mode == MODE_CONSTANT ? 0 : n - 1,
                               at < 0 ? -at : INT64_MAX, 0, mode == MODE_CONSTANT};
    }
    place = at % period + (at % period < 0 ? period : 0);
    if (place < n)
        return (struct beyond){place, n - place, 1, false};
    return (struct beyond){period + turn - 1 - place, period - place, -1, false};
}

#define COPY(type)                                                                                 \
    for (uint64_t i = 0; i < count; i++, from += from_step, to += to_step)                         \
    memcpy(to, from, sizeof(type))

static void copy(size_t bytes, const unsigned char *from, ptrdiff_t from_step, unsigned char *to,
                 ptrdiff_t to_step, uint64_t count)
{
    if (from_step == (ptrdiff_t)bytes && to_step == from_step)
        memcpy(to, from, (size_t)count * bytes);
    else if (bytes == 1)
        COPY(uint8_t);
    else if (bytes == 2)
        COPY(uint16_t);
    else if (bytes == 4)
        COPY(uint32_t);
    else
        COPY(uint64_t);
}

static void copy_beyond(const struct beyond *run, size_t bytes, const gpuenv_array *in,
                        const gpuenv_array *out, int64_t to)
{
    const ptrdiff_t step = run->step * in->frame;

    for (uint64_t row = 0; row < in->rows; row++) {
        const unsigned char *x = (const unsigned char *)in->data + (ptrdiff_t)row * in->row +
                                 (ptrdiff_t)run->source * in->frame;
        unsigned char *y =
            (unsigned char *)out->data + (ptrdiff_t)row * out->row + (ptrdiff_t)to * out->frame;

        if (in->channels == 1)
            copy(bytes, x, step, y, out->frame, (uint64_t)run->count);
        for (int64_t i = 0; in->channels > 1 && i < run->count; i++)
            copy(bytes, x + i * step, in->channel, y + i * out->frame, out->channel, in->channels);
    }
}

static void fill(struct layout *layout, size_t bytes, enum mode mode, int64_t first,
                 const void *constant)
{
    const gpuenv_array *in = &layout->array[0];
    const gpuenv_array *out = &layout->array[1];
    const gpuenv_array none = {.data = constant, .rows = in->rows, .channels = in->channels};
    const int64_t count = (int64_t)out->frames;

    do {
        struct beyond run;

        for (int64_t to = 0; to < count; to += run.count) {
            run = find_beyond(mode, first + to, (int64_t)in->frames);
            if (run.count > count - to)
                run.count = count - to;
            copy_beyond(&run, bytes, run.none ? &none : in, out, to);
        }
    } while (layout_next(layout));
}

/* Gets the bytes of a scalar of NumPy, or of a float: that is for float64, and a zero for all
 * types. */
static int read_constant(const struct view *like, PyObject *sample, unsigned char constant[16])
{
    const double value = PyFloat_Check(sample) ? PyFloat_AsDouble(sample) : 0;
    Py_buffer buffer = {.buf = (void *)(uintptr_t)&value};

    if (!PyFloat_Check(sample) && PyObject_GetBuffer(sample, &buffer, PyBUF_SIMPLE) != 0)
        return -1;
    for (Py_ssize_t i = 0; i < like->bytes && i < (Py_ssize_t)sizeof value; i++)
        constant[like->swapped ? like->bytes - 1 - i : i] = ((unsigned char *)buffer.buf)[i];
    PyBuffer_Release(&buffer);
    return 0;
}

int beyond_extend(struct view *view, int axis, PyObject *beyond)
{
    struct view out;
    const struct view *views[] = {view, &out};
    struct layout layout;
    PyThreadState *state;
    unsigned char constant[16] = {0};
    Py_ssize_t shape[PyBUF_MAX_NDIM];
    PyObject *memory;
    PyObject *sample;
    const char *name;
    Py_ssize_t first;
    Py_ssize_t end;
    int mode = 0;

    if (!PyArg_ParseTuple(beyond, "nnsO:beyond", &first, &end, &name, &sample))
        return -1;
    while (mode < MODES - 1 && strcmp(name, modes[mode]) != 0)
        mode++;
    if (read_constant(view, sample, constant) != 0)
        return -1;
    memcpy(shape, view->shape, (size_t)view->dimensions * sizeof *shape);
    shape[axis] = end - first;
    view_make(&out, shape, view->dimensions, view->type, view_is_fortran(view));
    out.boolean = view->boolean;
    out.swapped = view->swapped;
    memory = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)view_samples(&out) * out.bytes);
    if (memory == NULL)
        return -1;
    out.data = (unsigned char *)PyBytes_AsString(memory);
    layout_make(&layout, views, 2, axis);
    state = shared_release((uint64_t)PyBytes_Size(memory));
    fill(&layout, (size_t)view->bytes, (enum mode)mode, first, constant);
    shared_resume(state);
    out.owner = memory;
    view_replace(view, &out);
    return 0;
}
