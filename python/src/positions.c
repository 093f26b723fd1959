/* Positions as bottleneck has them: floats that count from the right end of the window. */
#include <math.h>
#include <string.h>

#include "layout.h"

enum { BLOCK = 64 }; /* samples at a time: compilers make vectors of loops over local arrays */

/* From positions along an axis of `length` to how far they lie from `first` or, with `moves` of -1,
 * from the places that begin there. May be in place. */
#define FIND_DISTANCES(name, type)                                                                 \
    static void name(const unsigned char *from, unsigned char *to, size_t count, int64_t first,    \
                     int moves, int64_t length)                                                    \
    {                                                                                              \
        int64_t at[BLOCK] = {0};                                                                   \
        type distance[BLOCK];                                                                      \
                                                                                                   \
        for (size_t done = 0; done < count; done += BLOCK) {                                       \
            const size_t some = count - done < BLOCK ? count - done : BLOCK;                       \
            const int64_t place = first + ((int64_t)done & moves);                                 \
            const unsigned low = (unsigned)place;                                                  \
            int64_t signs = 0;                                                                     \
                                                                                                   \
            memcpy(at, from + done * sizeof *at, some * sizeof *at);                               \
            for (int k = 0; k < BLOCK; k++) {                                                      \
                signs |= at[k];                                                                    \
                distance[k] = (type)(int)((unsigned)(k & moves) + low - (unsigned)at[k]);          \
            }                                                                                      \
            for (int k = 0; (signs < 0 || length > INT32_MAX) && k < BLOCK; k++)                   \
                distance[k] = at[k] < 0 ? (type)NAN : (type)(place + (k & moves) - at[k]);         \
            memcpy(to + done * sizeof *distance, distance, some * sizeof *distance);               \
        }                                                                                          \
    }
FIND_DISTANCES(find_f32, float)
FIND_DISTANCES(find_f64, double)

/* `at` has no gaps. */
static void find_all(const struct view *at, int axis, bool single, unsigned char *to)
{
    const bool fortran = view_is_fortran(at);
    const int64_t length = at->shape[axis];
    const size_t bytes = single ? sizeof(float) : sizeof(double);
    size_t inner = 1; /* samples with the same place, one after the other, */
    size_t runs = 1;  /* and how many runs of them, or of all places, there are */

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

/* (at, axis, single): positions along an axis, in an array that is given up, to distances from the
 * right ends of their windows, which are the places of the results. In float32 or float64. */
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
