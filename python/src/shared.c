/* SPDX-License-Identifier: MIT */
/* What is made once a process: names, functions of NumPy, and the context. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

#include "inside.h"

enum { HELD_SAMPLES = 8192, POLL_SAMPLES = 1 << 22 };

struct shared shared;
static gpuenv_context *the_context;

PyObject *shared_import(const char *module, const char *name)
{
    PyObject *from = PyImport_ImportModule(module);
    PyObject *found = from != NULL ? PyObject_GetAttrString(from, name) : NULL;

    Py_XDECREF(from);
    return found;
}

/* Python runs the handlers of signals on the main thread only, so other threads need not take the
 * GIL. */
static bool on_main_thread(void)
{
#if defined(__linux__)
    return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
    return pthread_main_np() != 0;
#else
    return true;
#endif
}

int shared_interrupted(void *argument)
{
    PyGILState_STATE state;
    int stopped;

    (void)argument;
    if (!on_main_thread())
        return 0;
    state = PyGILState_Ensure();
    stopped = PyErr_CheckSignals();
    PyGILState_Release(state);
    return stopped;
}

int shared_poll(uint64_t *since, uint64_t samples, gpuenv_error *error)
{
    *since += samples + 1;
    if (*since < POLL_SAMPLES)
        return GPUENV_OK;
    *since = 0;
    if (shared_interrupted(NULL) != 0)
        error->code = GPUENV_INTERRUPTED;
    return error->code;
}

PyThreadState *shared_release(uint64_t samples)
{
    return samples >= HELD_SAMPLES ? PyEval_SaveThread() : NULL;
}

void shared_resume(PyThreadState *state)
{
    if (state != NULL)
        PyEval_RestoreThread(state);
}

static void open_context(void)
{
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);

    options.interrupted = shared_interrupted;
    if (gpuenv_open(&options, &the_context, &error) != GPUENV_OK)
        (void)shared_raise(&error);
}

/* Callers hold the GIL. A child after fork() goes on with its parent's context, as gpuenv.h
 * allows. */
gpuenv_context *shared_context(void)
{
    if (the_context == NULL)
        open_context();
    return the_context;
}

/* Some subjects of errors have other names in Python. */
static const char *subject_of(const gpuenv_error *error)
{
    if (strcmp(error->subject, "width") == 0)
        return "the window";
    return strcmp(error->subject, "in") == 0 ? "x" : error->subject;
}

int shared_refuse(PyObject *type, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    PyErr_FormatV(type, format, arguments);
    va_end(arguments);
    return -1;
}

int shared_raise(const gpuenv_error *error)
{
    PyObject *type = PyExc_ValueError;

    switch (error->code) {
    case GPUENV_INTERRUPTED:
        if (!PyErr_Occurred()) /* The handler may have raised an exception. */
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        return -1;
    case GPUENV_NO_MEMORY:
        type = PyExc_MemoryError;
        break;
    case GPUENV_NO_THREADS:
    case GPUENV_NO_DEVICE:
    case GPUENV_DEVICE_FAILED:
        type = PyExc_RuntimeError;
        break;
    default:
        if (strcmp(error->subject, "stream") == 0) /* the stream is that of a parent process */
            type = PyExc_RuntimeError;
        break;
    }
    return shared_refuse(type, "%s %s", subject_of(error), error->text);
}

int shared_wrong_type(const char *name, const char *wanted, PyObject *object, const char *more)
{
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");

    if (type != NULL)
        PyErr_Format(PyExc_TypeError, "%s must be %s, not %S%s", name, wanted, type, more);
    Py_XDECREF(type);
    return -1;
}
