/* The extension module gpuenv._core: what its files share. */
#ifndef GPUENV_PYTHON_INSIDE_H
#define GPUENV_PYTHON_INSIDE_H

/* With Py_LIMITED_API, which CMake sets where this version of Python has buffers in it, one module
 * is for all later versions. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#include "lib/gpuenv.h"

enum { TYPES = GPUENV_CU8 + 1 };

/* The arguments of functions, whose names the module has as shared.words. */
#define WORDS_OF_ARGUMENTS(WORD)                                                                   \
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
    WORD(BEYOND, "_beyond")

#define WORD_OF(word, text) WORD_##word,
enum word { WORDS_OF_ARGUMENTS(WORD_OF) WORDS };
#undef WORD_OF

/* Made once, when the module is imported. */
struct shared {
    PyTypeObject *ndarray;
    PyTypeObject *masked_array;
    PyObject *empty; /* functions of NumPy */
    PyObject *array;
    PyObject *asarray;
    PyObject *shares_memory;
    PyObject *axis_error;
    PyObject *convert;       /* gpuenv._arrays.convert */
    PyObject *give_back;     /* gpuenv._arrays.give_back */
    PyObject *pack;          /* gpuenv._arrays.pack */
    PyObject *like;          /* gpuenv._arrays.like */
    PyObject *read_times;    /* gpuenv._times.read */
    PyObject *dtypes[TYPES]; /* by enum gpuenv_type; NULL: NumPy has none */
    PyObject *dtype_bool;
    PyObject *types; /* {dtype: enum gpuenv_type} */
    PyObject *order_c;
    PyObject *order_f;
    PyObject *empty_name; /* of methods of gpuenv._device */
    PyObject *close_name;
    PyObject *dlpack_device;
    PyObject *cuda_interface;
    PyObject *is_cuda;
    PyObject *dlpack;         /* "__dlpack__" */
    PyObject *dlpack_version; /* the version that it is asked for, by name */
    PyObject *nothing;        /* arguments by position */
    PyObject *words[WORDS];
};

extern struct shared shared;

/* An attribute of a module. NULL: an exception is set. */
PyObject *shared_import(const char *module, const char *name);

/* The context of this process, made by the first call. NULL: an exception is set. */
gpuenv_context *shared_context(void);

/* Sets the exception for an error of the library. Returns -1. */
int shared_raise(const gpuenv_error *error);

/* Looks at signals when enough samples have been done since it last did. Returns GPUENV_OK, or
 * GPUENV_INTERRUPTED in the error as well. Called with or without the GIL. */
int shared_poll(uint64_t *since, uint64_t samples, gpuenv_error *error);

/* Lets other threads of Python go on, until shared_resume(), unless there are so few samples that
 * the work is over before one of them could begin. */
PyThreadState *shared_release(uint64_t samples);
void shared_resume(PyThreadState *state);

/* "NAME must be WANTED, not (its type)MORE". Returns -1. */
int shared_wrong_type(const char *name, const char *wanted, PyObject *object, const char *more);

/* options.interrupted: runs the handlers of signals. Called with or without the GIL. */
int shared_interrupted(void *argument);

/* ---- arguments */

/* The window, as all functions take it. */
struct request {
    PyObject *x;
    PyObject *out;    /* NULL: none */
    PyObject *stream; /* of a device; NULL: none */
    PyObject *times;  /* NULL: none; otherwise w is not in the spec yet */
    PyObject *w;
    PyObject *beyond; /* of beyond_extend(); NULL: none */
    unsigned given;   /* bits: 1 << enum word */
    gpuenv_spec spec;
    Py_ssize_t axis;
    bool has_axis; /* false: the axis is the last one */
    bool has_nan;
};

/* What a function takes: words by position, the first of which are needed; and others by name. */
struct takes {
    const char *name;
    int positions;
    enum word position[2];
    unsigned named; /* bits: 1 << enum word */
};

/* Reads the arguments of a call. Returns -1 with an exception. */
int request_read(struct request *request, const struct takes *takes, PyObject *const *arguments,
                 Py_ssize_t count, PyObject *names);

/* ---- functions of the module, and its type */

#define DECLARE(name)                                                                              \
    PyObject *name(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *names)
DECLARE(filter_minmax);
DECLARE(filter_minimum);
DECLARE(filter_maximum);
DECLARE(filter_absmax);
DECLARE(filter_ptp);
DECLARE(filter_mid);
DECLARE(filter_argmin);
DECLARE(filter_argmax);
DECLARE(filter_zoom);
#undef DECLARE

/* Raises what view_open() raises. */
PyObject *view_check(PyObject *module, PyObject *object);

/* Takes note of a type of arrays on devices: (type, whether all of them are). */
PyObject *view_register(PyObject *module, PyObject *arguments);

PyObject *positions_from_right(PyObject *module, PyObject *arguments);
PyObject *positions_has_minus_zero(PyObject *module, PyObject *object);
PyObject *stats_of_array(PyObject *module, PyObject *arguments);
PyObject *stats_downsample(PyObject *module, PyObject *arguments);
PyObject *stats_of_device_array(PyObject *module, PyObject *arguments);
PyObject *stream_type(void);

#endif
