/* SPDX-License-Identifier: MIT */
/* What the files of the extension module gpuenv._core share. */
#ifndef GPUENV_PYTHON_INSIDE_H
#define GPUENV_PYTHON_INSIDE_H

/* CMake sets Py_LIMITED_API where this version of Python has buffers in it: one module is then for
 * all later versions. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#include "lib/gpuenv_cuda.h"

enum { TYPES = GPUENV_CU8 + 1 };

/* Names of arguments, and names in other libraries; the module has them as shared.words. */
#define ALL_WORDS(WORD)                                                                            \
    WORD(X, "x")                                                                                   \
    WORD(W, "w")                                                                                   \
    WORD(N, "n")                                                                                   \
    WORD(AXIS, "axis")                                                                             \
    WORD(ALIGN, "align")                                                                           \
    WORD(EDGE, "edge")                                                                             \
    WORD(HOP, "hop")                                                                               \
    WORD(NAN, "nan")                                                                               \
    WORD(OUT, "out")                                                                               \
    WORD(THREADS, "threads")                                                                       \
    WORD(STREAM, "stream")                                                                         \
    WORD(EMIT, "emit")                                                                             \
    WORD(TIMES, "times")                                                                           \
    WORD(CLOSED, "closed")                                                                         \
    WORD(MIN_COUNT, "min_count")                                                                   \
    WORD(LAST, "last")                                                                             \
    WORD(BEYOND, "_beyond")                                                                        \
    WORD(A, "a")                                                                                   \
    WORD(WINDOW, "window")                                                                         \
    WORD(ORDER_C, "C")                                                                             \
    WORD(ORDER_F, "F")                                                                             \
    WORD(EMPTY, "empty")                                                                           \
    WORD(CLOSE, "close")                                                                           \
    WORD(IS_CUDA, "is_cuda")                                                                       \
    WORD(DLPACK, "__dlpack__")                                                                     \
    WORD(DLPACK_DEVICE, "__dlpack_device__")                                                       \
    WORD(CUDA_INTERFACE, "__cuda_array_interface__")

#define WORD_OF(word, text) WORD_##word,
enum word { ALL_WORDS(WORD_OF) WORDS, ARGUMENTS = WORD_WINDOW + 1 };
#undef WORD_OF

/* Functions and types of NumPy and of this package. */
#define ALL_IMPORTS(IMPORT)                                                                        \
    IMPORT(ndarray, "numpy")                                                                       \
    IMPORT(array, "numpy")                                                                         \
    IMPORT(asarray, "numpy")                                                                       \
    IMPORT(shares_memory, "numpy")                                                                 \
    IMPORT(MaskedArray, "numpy.ma")                                                                \
    IMPORT(check_axis, "gpuenv._arrays")                                                           \
    IMPORT(convert, "gpuenv._arrays")                                                              \
    IMPORT(has_other_bytes, "gpuenv._arrays")                                                      \
    IMPORT(give_back, "gpuenv._arrays")                                                            \
    IMPORT(like, "gpuenv._arrays")                                                                 \
    IMPORT(pack, "gpuenv._arrays")                                                                 \
    IMPORT(refuse_type, "gpuenv._arrays")                                                          \
    IMPORT(split_emit, "gpuenv._arrays")                                                           \
    IMPORT(read_times, "gpuenv._times")

/* A function of NumPy for modules in C, which numpy.empty() calls, and its place among them. */
typedef PyObject *numpy_empty(int dimensions, const Py_ssize_t *shape, PyObject *dtype,
                              int fortran);
enum { NUMPY_EMPTY = 184 };

/* Objects that are made once, when the module is imported. */
struct shared {
#define MEMBER(name, module) PyObject *name;
    ALL_IMPORTS(MEMBER)
#undef MEMBER
    PyObject *dtypes[TYPES]; /* indexed by enum gpuenv_type; NULL where NumPy has no such type */
    PyObject *dtype_bool;
    PyObject *dlpack_version; /* version that __dlpack__() is asked for, by name */
    PyObject *nothing;        /* no arguments by position */
    PyObject *stream;         /* the type of streams */
    PyObject *words[WORDS];
    numpy_empty *make_empty;
};

extern struct shared shared;

/* Is the object of a type, or of one derived from it? */
static inline bool shared_is(PyObject *object, PyObject *type)
{
    return PyObject_TypeCheck(object, (PyTypeObject *)type);
}

/* Gets an attribute of a module. Returns NULL with an exception. */
PyObject *shared_import(const char *module, const char *name);

/* Returns the context of this process, which the first call makes, or NULL with an exception. */
gpuenv_context *shared_context(void);

/* Sets an exception, as PyErr_Format() does. Returns -1. */
int shared_refuse(PyObject *type, const char *format, ...);
#define BAD_VALUE(...) shared_refuse(PyExc_ValueError, __VA_ARGS__)
#define BAD_TYPE(...) shared_refuse(PyExc_TypeError, __VA_ARGS__)

/* Sets the exception for an error of the library. Returns -1. */
int shared_raise(const gpuenv_error *error);

/* Handles signals if enough samples have been done since it last did. Returns GPUENV_OK, or
 * GPUENV_INTERRUPTED, which is then in the error as well. Callers may or may not hold the GIL. */
int shared_poll(uint64_t *since, uint64_t samples, gpuenv_error *error);

/* Lets other threads of Python run until shared_resume(), unless there are so few samples that the
 * work ends before another thread could start. */
PyThreadState *shared_release(uint64_t samples);
void shared_resume(PyThreadState *state);

/* Raises TypeError: "NAME must be WANTED, not (the object's type)MORE". Returns -1. */
int shared_wrong_type(const char *name, const char *wanted, PyObject *object, const char *more);

/* options.interrupted: runs the handlers of signals. Callers may or may not hold the GIL. */
int shared_interrupted(void *argument);

/* ---- arguments */

/* The arguments of a call, and the window that they describe. */
struct request {
    PyObject *value[ARGUMENTS]; /* NULL for the default */
    gpuenv_spec spec;           /* with times= the width is not yet set */
    Py_ssize_t axis;
};

/* What a function takes: words by position or by name, the first two of which are required; and
 * others by name. */
struct takes {
    const char *name;
    enum word position[4];
    int positions;
    unsigned none;  /* bits (1 << enum word) of those that may be None */
    unsigned words; /* bits of all words */
};

/* Reads the arguments of a call. Returns -1 with an exception. */
int request_read(struct request *request, const struct takes *takes, PyObject *const *arguments,
                 Py_ssize_t count, PyObject *names);

/* ---- functions of the module, and the type Stream */

/* minmax() and its family, and the functions of bottleneck: the name, the arguments by position,
 * all arguments, and the values. */
#define ALL_FILTERS(FILTER)                                                                        \
    FILTER(minmax, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_MIN, GPUENV_MAX)                              \
    FILTER(minimum, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_MIN)                                         \
    FILTER(maximum, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_MAX)                                         \
    FILTER(absmax, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_ABS)                                          \
    FILTER(ptp, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_RANGE)                                           \
    FILTER(mid, BY_WIDTH, WORDS_OF_WINDOW, GPUENV_MID)                                             \
    FILTER(argmin, BY_WIDTH, WORDS_OF_WINDOW | BIT(WORD_LAST), GPUENV_ARGMIN)                      \
    FILTER(argmax, BY_WIDTH, WORDS_OF_WINDOW | BIT(WORD_LAST), GPUENV_ARGMAX)                      \
    FILTER(zoom, BY_COUNT, WORDS_OF_ZOOM, GPUENV_MIN, GPUENV_MAX)                                  \
    FILTER(move_min, BY_WINDOW, WORDS_OF_MOVE, GPUENV_MIN)                                         \
    FILTER(move_max, BY_WINDOW, WORDS_OF_MOVE, GPUENV_MAX)                                         \
    FILTER(move_argmin, BY_WINDOW, WORDS_OF_MOVE, GPUENV_ARGMIN)                                   \
    FILTER(move_argmax, BY_WINDOW, WORDS_OF_MOVE, GPUENV_ARGMAX)

#define BY_WIDTH {WORD_X, WORD_W}, 2, MAY_BE_NONE
#define BY_COUNT {WORD_X, WORD_N}, 2, MAY_BE_NONE
#define BY_WINDOW {WORD_A, WORD_WINDOW, WORD_MIN_COUNT, WORD_AXIS}, 4, BIT(WORD_MIN_COUNT)
#define MAY_BE_NONE                                                                                \
    (BIT(WORD_AXIS) | BIT(WORD_NAN) | BIT(WORD_OUT) | BIT(WORD_THREADS) | BIT(WORD_STREAM) |       \
     BIT(WORD_TIMES) | BIT(WORD_MIN_COUNT))
#define BIT(word) (1U << (word))
#define WORDS_OF_WINDOW (BIT(WORD_A) - 1 - BIT(WORD_N) - BIT(WORD_EMIT) - BIT(WORD_LAST))
#define WORDS_OF_MOVE (BIT(WORD_A) | BIT(WORD_WINDOW) | BIT(WORD_MIN_COUNT) | BIT(WORD_AXIS))
#define WORDS_OF_ZOOM                                                                              \
    (BIT(WORD_X) | BIT(WORD_N) | BIT(WORD_AXIS) | BIT(WORD_NAN) | BIT(WORD_OUT) |                  \
     BIT(WORD_THREADS) | BIT(WORD_STREAM) | BIT(WORD_EMIT))

#define DECLARE(name, ...)                                                                         \
    PyObject *filter_##name(PyObject *module, PyObject *const *arguments, Py_ssize_t count,        \
                            PyObject *names);
ALL_FILTERS(DECLARE)
#undef DECLARE

/* Raises what view_open() raises. */
PyObject *view_check(PyObject *module, PyObject *object);

/* Registers a type of arrays that may be on devices: (type, whether all of them are). */
PyObject *view_register(PyObject *module, PyObject *arguments);

PyObject *boxes_of(PyObject *module, PyObject *arguments);
PyObject *decimals_of(PyObject *module, PyObject *object);
PyObject *stats_of_array(PyObject *module, PyObject *arguments);
PyObject *stats_of_device_array(PyObject *module, PyObject *arguments);
PyObject *stream_open(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                      PyObject *names);

/* Makes the type of what stream_open() returns. */
PyObject *stream_type(void);

#endif
