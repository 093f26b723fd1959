/* SPDX-License-Identifier: MIT */
/* Enqueues filters and statistics. gpuenv_filter_cuda() asks the device how much workspace a call
 * needs; calls that are repeated do without. */
#include <stddef.h>
#include <string.h>

#include "device.h"

enum { CALLS = 64, ALIGNMENT = 256 };

/* Everything that the size of the workspace depends on, and nothing else, so that keys can be
 * compared as bytes. */
struct key {
    unsigned char spec[offsetof(gpuenv_spec, threads)];
    gpuenv_array array[LAYOUT_ARRAYS]; /* `data` is an address modulo ALIGNMENT */
    int64_t device;
};

/* Only for threads that hold the GIL. */
static struct {
    struct key key;
    size_t bytes; /* 0 if there is no call */
} calls[CALLS];

static void make_key(struct key *key, const struct device *device, const struct device_work *work)
{
    memset(key, 0, sizeof *key);
    memcpy(key->spec, work->spec, sizeof key->spec);
    for (int i = 0; i < work->arrays; i++) {
        key->array[i] = work->array[i];
        key->array[i].data = (void *)((uintptr_t)work->array[i].data % ALIGNMENT);
    }
    key->device = device->number;
}

static unsigned place_of(const struct key *key)
{
    uint64_t words[sizeof *key / sizeof(uint64_t)];
    uint64_t hash = 0;

    memcpy(words, key, sizeof words);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15U;
    return (unsigned)(hash >> 32) % CALLS;
}

static int call_library(const struct device *device, const struct device_work *work, void *memory,
                        size_t *bytes)
{
    gpuenv_context *context = shared_context();
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    PyThreadState *state;
    int code;

    if (context == NULL)
        return -1;
    state = PyEval_SaveThread();
    if (work->columns == NULL)
        code = gpuenv_filter_cuda(context, work->spec, &work->array[0], &work->array[1], memory,
                                  bytes, device->number, device->stream, &error);
    else
        code = gpuenv_stats_columns_cuda(context, work->array, work->spec->width, work->columns,
                                         memory, bytes, device->number, device->stream, &error);
    PyEval_RestoreThread(state);
    return code == GPUENV_OK ? 0 : shared_raise(&error);
}

static int find_bytes(const struct device *device, const struct device_work *work, size_t *bytes)
{
    struct key key;
    unsigned place;

    make_key(&key, device, work);
    place = place_of(&key);
    *bytes = calls[place].bytes;
    if (*bytes > 0 && memcmp(&key, &calls[place].key, sizeof key) == 0)
        return 0;
    if (call_library(device, work, NULL, bytes) != 0)
        return -1;
    calls[place].key = key;
    calls[place].bytes = *bytes;
    return 0;
}

/* The workspace goes to later work of the same stream when it is released, so the caller may
 * release it at once. */
int device_enqueue(const struct device *device, const struct device_work *work,
                   struct device_room *room)
{
    size_t bytes;

    if (find_bytes(device, work, &bytes) != 0)
        return -1;
    if (bytes > 1 && bytes > room->bytes) {
        Py_XDECREF(room->object);
        room->object = device_room(device, bytes, &room->memory);
        room->bytes = bytes;
        if (room->object == NULL)
            return -1;
    }
    /* Without a workspace, any address will do. */
    return call_library(device, work, room->object != NULL ? room->memory : &room->memory, &bytes);
}

int device_run(const struct device *device, const gpuenv_spec *spec, struct layout *layout)
{
    const struct device_work work = {spec, layout->array, layout->arrays, NULL};
    struct device_room room = {.object = NULL};
    int failed;

    do {
        failed = device_enqueue(device, &work, &room);
        if (failed == 0 && layout->steps > 0)
            failed = PyErr_CheckSignals();
    } while (failed == 0 && layout_next(layout));
    Py_XDECREF(room.object);
    return failed;
}

/* With a window of one sample, a filter copies. */
int device_copy(const struct device *device, struct view *view, bool fortran, int axis)
{
    struct view copy;
    const struct view *views[] = {view, &copy};
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    struct layout layout;

    spec.width = 1;
    spec.values = 1;
    spec.value[0] = GPUENV_MAX;
    view_make(&copy, view->shape, view->dimensions,
              gpuenv_result_type(&spec, view->type, GPUENV_MAX), fortran);
    copy.owner = device_empty(device, &copy);
    if (copy.owner == NULL)
        return -1;
    layout_make(&layout, views, 2, axis);
    if (device_run(device, &spec, &layout) != 0) {
        view_close(&copy);
        return -1;
    }
    view_replace(view, &copy);
    return 0;
}
