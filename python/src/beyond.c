/* What an array has beyond its ends in the modes of SciPy: runs of its samples, forwards,
 * backwards, or of one sample. */
#include <math.h>
#include <string.h>

#include "layout.h"

static const char *const modes[] = {"constant", "nearest", "reflect", "mirror", "wrap"};
enum mode { MODE_CONSTANT, MODE_NEAREST, MODE_REFLECT, MODE_MIRROR, MODE_WRAP, MODES };

struct beyond {
    int64_t source;
    int64_t count;
    int step;  /* from sample to sample of the source: 1, 0 or -1 */
    bool none; /* of the constant, which is there already */
};

/* The run of the samples that begins at a place, of an array of n. */
static struct beyond find_beyond(enum mode mode, int64_t at, int64_t n)
{
    const int64_t turn = mode == MODE_MIRROR && n > 1; /* the samples at the ends are there once */
    const int64_t period = mode == MODE_WRAP ? n : 2 * (n - turn);
    int64_t place;

    if (mode == MODE_CONSTANT || mode == MODE_NEAREST) {
        if (at >= 0 && at < n)
            return (struct beyond){at, n - at, 1, false};
        return (struct beyond){at < 0 ? 0 : n - 1, at < 0 ? -at : INT64_MAX, 0,
                               mode == MODE_CONSTANT};
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

static void fill(struct layout *layout, size_t bytes, enum mode mode, int64_t first)
{
    const gpuenv_array *in = &layout->array[0];
    const gpuenv_array *out = &layout->array[1];
    const int64_t count = (int64_t)out->frames;

    do {
        struct beyond run;

        for (int64_t to = 0; to < count; to += run.count) {
            run = find_beyond(mode, first + to, (int64_t)in->frames);
            if (run.count > count - to)
                run.count = count - to;
            if (!run.none)
                copy_beyond(&run, bytes, in, out, to);
        }
    } while (layout_next(layout));
}

static int fill_constant(PyObject *array, PyObject *cval)
{
    const double value = PyFloat_AsDouble(cval);
    PyObject *done;

    if (value == 0 && !signbit(value)) /* as zeros() made it */
        return 0;
    PyErr_Clear();
    done = PyObject_CallMethod(array, "fill", "O", cval);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

/* The samples first .. end-1 along an axis. */
static PyObject *extend(const struct view *in, int axis, Py_ssize_t first, Py_ssize_t end,
                        enum mode mode, PyObject *cval)
{
    struct view out;
    const struct view *views[] = {in, &out};
    struct layout layout;
    Py_ssize_t shape[PyBUF_MAX_NDIM];
    PyObject *array;

    memcpy(shape, in->shape, (size_t)in->dimensions * sizeof *shape);
    shape[axis] = end - first;
    array = view_zeros(in, shape);
    if (array == NULL || (mode == MODE_CONSTANT && fill_constant(array, cval) != 0) ||
        view_open(&out, array, "x") != 0) {
        Py_XDECREF(array);
        return NULL;
    }
    layout_make(&layout, views, 2, axis);
    Py_BEGIN_ALLOW_THREADS fill(&layout, (size_t)in->bytes, mode, first);
    Py_END_ALLOW_THREADS view_close(&out);
    return array;
}

/* (x, axis, first, end, mode, cval) of an array that has samples, in the byte order of the machine.
 */
PyObject *beyond_extend(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    PyObject *cval;
    PyObject *array = NULL;
    struct view view;
    const char *name;
    Py_ssize_t first;
    Py_ssize_t end;
    int axis;
    int mode = 0;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "OinnsO:extend", &object, &axis, &first, &end, &name, &cval) ||
        view_open(&view, object, "x") != 0)
        return NULL;
    while (mode < MODES - 1 && strcmp(name, modes[mode]) != 0)
        mode++;
    array = extend(&view, axis, first, end, (enum mode)mode, cval);
    view_close(&view);
    return array;
}
