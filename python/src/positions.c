/* SPDX-License-Identifier: MIT */
/* Positions as bottleneck has them: floats that count from the right end of the window. */
#include <math.h>
#include <string.h>

#include "layout.h"

enum { BLOCK = 64 }; /* samples at a time: compilers vectorize loops of a constant length */

/* Turns positions along an axis of `length` into their distances from `place` or, with `moves` of
 * -1, from the places that begin there. `from` and `to` may be the same. */
#define FIND_DISTANCES(name, type)                                                                 \
    static inline __attribute__((always_inline)) void name##_block(                                \
        const unsigned char *from, unsigned char *to, size_t count, int64_t place, int moves,      \
        int64_t length)                                                                            \
    {                                                                                              \
        type distance[BLOCK];                                                                      \
        int64_t signs = 0;                                                                         \
        int64_t at;                                                                                \
                                                                                                   \
        for (size_t k = 0; k < count; k++) {                                                       \
            memcpy(&at, from + k * sizeof at, sizeof at);                                          \
            signs |= at;                                                                           \
            distance[k] =                                                                          \
                (type)(int)(((unsigned)k & (unsigned)moves) + (unsigned)place - (unsigned)at);     \
        }                                                                                          \
        for (size_t k = 0; (signs < 0 || length > INT32_MAX) && k < count; k++) {                  \
            memcpy(&at, from + k * sizeof at, sizeof at);                                          \
            distance[k] = at < 0 ? (type)NAN : (type)(place + ((int64_t)k & moves) - at);          \
        }                                                                                          \
        memcpy(to, distance, count * sizeof *distance);                                            \
    }                                                                                              \
                                                                                                   \
    static void name(const unsigned char *from, unsigned char *to, size_t count, int64_t place,    \
                     int moves, int64_t length)                                                    \
    {                                                                                              \
        for (; count > BLOCK; count -= BLOCK) {                                                    \
            name##_block(from, to, BLOCK, place, moves, length);                                   \
            from += BLOCK * sizeof(int64_t);                                                       \
            to += BLOCK * sizeof(type);                                                            \
            place += BLOCK & moves;                                                                \
        }                                                                                          \
        name##_block(from, to, count, place, moves, length);                                       \
    }
FIND_DISTANCES(find_f32, float)
FIND_DISTANCES(find_f64, double)

/* Finds all distances; `at` has no gaps. */
static void find_all(const struct view *at, int axis, bool single, unsigned char *to)
{
    const bool fortran = view_is_fortran(at);
    const int64_t length = at->shape[axis];
    const size_t bytes = single ? sizeof(float) : sizeof(double);

    /* A run is `inner` adjacent samples that have one place; if `inner` is 1, it is the samples of
     * all places. */
    size_t inner = 1;
    size_t runs = 1;

    for (int d = 0; d < at->dimensions; d++)
        *(d != axis && (d > axis) != fortran ? &inner : &runs) *= (size_t)at->shape[d];
    if (inner == 1)
        runs /= (size_t)length;
    for (size_t run = 0; run < runs; run++) {
        const size_t count = inner > 1 ? inner : (size_t)length;
        const int64_t first = inner > 1 ? (int64_t)run % length : 0;

        (single ? find_f32 : find_f64)(at->data + run * count * sizeof(int64_t),
                                       to + run * count * bytes, count, first, -(inner == 1),
                                       length);
    }
}

/* Is a word the upper half of a -0 or of an infinity? `infinity` has the bits of the latter without
 * its sign. Some other numbers have such an upper half, too. */
static inline uint32_t is_odd(const unsigned char *at, uint32_t infinity)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint32_t word;

    memcpy(&word, at, sizeof word);
    return (uint32_t)(word == sign) | (uint32_t)((word & ~sign) == infinity);
}

static inline __attribute__((always_inline)) bool find_odd(const unsigned char *at, size_t count,
                                                           const size_t bytes, uint32_t infinity)
{
    uint32_t odd = 0;

    at += __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : bytes - sizeof odd;
    for (; count >= BLOCK && odd == 0; count -= BLOCK) {
        for (int k = 0; k < BLOCK; k++, at += bytes)
            odd |= is_odd(at, infinity);
    }
    for (; count > 0 && odd == 0; count--, at += bytes)
        odd |= is_odd(at, infinity);
    return odd != 0;
}

/* May an array without gaps have a -0 or an infinity? Looks at float32 and float64 only; for other
 * types the answer is yes. */
PyObject *positions_may_be_odd(PyObject *module, PyObject *object)
{
    struct view view;
    PyThreadState *state;
    size_t count;
    bool odd;

    (void)module;
    if (view_open(&view, object, "x") != 0)
        return NULL;
    count = (size_t)view_samples(&view);
    state = shared_release(count);
    odd = view.swapped || (view.type == GPUENV_F32   ? find_odd(view.data, count, 4, 0x7f800000)
                           : view.type == GPUENV_F64 ? find_odd(view.data, count, 8, 0x7ff00000)
                                                     : true);
    shared_resume(state);
    view_close(&view);
    return PyBool_FromLong(odd);
}

/* Takes (at, axis, single): positions along an axis, in an array that may be overwritten. Returns
 * their distances from the right ends of their windows, which are the places of the results, in
 * float32 or float64. */
PyObject *positions_from_right(PyObject *module, PyObject *arguments)
{
    PyObject *object;
    PyObject *result = NULL;
    struct view at;
    struct view to;
    PyThreadState *state;
    int axis;
    int single;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oip:from_right", &object, &axis, &single) ||
        view_open(&at, object, "at") != 0)
        return NULL;
    if (single) {
        view_make(&to, at.shape, at.dimensions, GPUENV_F32, view_is_fortran(&at));
        result = view_empty(&to);
    } else {
        result = PyObject_CallMethod(object, "view", "O", shared.dtypes[GPUENV_F64]);
        if (result != NULL && view_open(&to, result, "at") != 0)
            Py_CLEAR(result);
    }
    if (result != NULL) {
        state = shared_release(view_samples(&at));
        if (!view_is_empty(&at))
            find_all(&at, axis, single != 0, to.data);
        shared_resume(state);
        view_close(&to);
    }
    view_close(&at);
    return result;
}
