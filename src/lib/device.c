/* Whole arrays on a CUDA device. */
#include <errno.h>
#include <stdlib.h>

#include "cuda/cuda_arrays.h"
#include "lib/lib_priv.h"

/* The context's, of one stream: kernels of several streams run at a time. */
struct workspace {
    struct workspace *next;
    int device;
    void *stream;
    struct cuda_room room;
};

static void free_workspaces(gpuenv_context *context)
{
    while (context->workspaces != NULL) {
        struct workspace *workspace = context->workspaces;

        context->workspaces = workspace->next;
        cuda_room_free(&workspace->room, (unsigned)workspace->device);
        free(workspace);
    }
}

static struct workspace *find_workspace(gpuenv_context *context, int device, void *stream)
{
    struct workspace *workspace = context->workspaces;

    while (workspace != NULL && (workspace->device != device || workspace->stream != stream))
        workspace = workspace->next;
    if (workspace != NULL)
        return workspace;
    workspace = malloc(sizeof *workspace);
    if (workspace != NULL) {
        *workspace = (struct workspace){context->workspaces, device, stream, {NULL, 0}};
        context->workspaces = workspace;
        context->free_workspaces = free_workspaces;
    }
    return workspace;
}

/* In the context's workspace. */
static int filter_in_context(gpuenv_context *context, const struct engine_setup *setup,
                             const struct strided *in, const struct strided *out, int device,
                             void *stream, struct error *cause)
{
    struct workspace *workspace;
    size_t bytes;
    int result;

    if (cuda_arrays_filter(setup, in, out, NULL, &bytes, (unsigned)device, stream, cause) != 0)
        return -1;
    pthread_mutex_lock(&context->lock);
    workspace = find_workspace(context, device, stream);
    if (workspace == NULL)
        result = error_system(cause, ERROR_RESOURCE, "memory", ENOMEM);
    else
        result = cuda_room_grow(&workspace->room, bytes, (unsigned)device, cause);
    if (workspace != NULL && result == 0)
        result = cuda_arrays_filter(setup, in, out, workspace->room.memory, &bytes,
                                    (unsigned)device, stream, cause);
    pthread_mutex_unlock(&context->lock);
    return result;
}

int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error)
{
    struct strided from;
    struct strided to[GPUENV_VALUES];
    struct engine_setup setup;
    struct error cause;
    gpuenv_spec wanted;
    int code;

    fault_clear(error);
    if (context == NULL || (bytes == NULL && work != NULL) || device < 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT,
                         context == NULL ? "context"
                         : device < 0    ? "device"
                                         : "bytes",
                         context != NULL && device < 0 ? "is negative" : "is NULL");
    code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = times_refuse(&wanted, error);
    if (code == GPUENV_OK)
        code = arrays_read(&from, to, &wanted, in, out, error);
    if (code != GPUENV_OK)
        return code;
    if (wanted.nan == GPUENV_NAN_ERROR)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "nan",
                         "cannot be an error on a device: use another policy");
    for (unsigned i = 0; i < wanted.values; i++) {
        if (wanted.value[i] >= GPUENV_MEAN)
            return fault_set(error, GPUENV_BAD_ARGUMENT, "value",
                             "has a mean, RMS, count or position, which are for arrays in main "
                             "memory");
    }
    if (to[0].frames == 0 || from.rows == 0 || from.channels == 0) {
        if (bytes != NULL)
            *bytes = 0;
        return GPUENV_OK;
    }
    code = spec_setup(&setup, &wanted, &from, to, 1, error);
    if (code == GPUENV_OK && setup.least > 0)
        code = fault_set(error, GPUENV_BAD_ARGUMENT, "min_count",
                         "must be 1 or the width for arrays on a device");
    if (code != GPUENV_OK)
        return code;
    if (bytes == NULL)
        code = filter_in_context(context, &setup, &from, to, device, stream, &cause);
    else
        code = cuda_arrays_filter(&setup, &from, to, work, bytes, (unsigned)device, stream, &cause);
    return code == 0 ? GPUENV_OK : fault_of(error, &cause);
}

int gpuenv_cuda_device(const void *memory, int *device, gpuenv_error *error)
{
    struct error cause;
    unsigned found;

    fault_clear(error);
    if (device == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "device", "is NULL");
    if (cuda_arrays_device(memory, &found, &cause) != 0)
        return fault_of(error, &cause);
    *device = (int)found;
    return GPUENV_OK;
}

int gpuenv_cuda_wait(int device, void *stream, void *before, int joins, gpuenv_error *error)
{
    struct error cause;

    fault_clear(error);
    if (device < 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "device", "is negative");
    if (cuda_arrays_wait((unsigned)device, stream, before, joins != 0, &cause) != 0)
        return fault_of(error, &cause);
    return GPUENV_OK;
}
