/* Whole arrays on a CUDA device. */
#include <errno.h>
#include <stdlib.h>

#include "base/min_max.h"
#include "cuda/cuda_arrays.h"
#include "lib/gpuenv_cuda.h"
#include "lib/lib_priv.h"

/* The context's, of one stream: kernels of several streams run at a time, and calls of several
 * threads wait for each other only where they are on the same stream. */
struct workspace {
    struct workspace *next;
    pthread_mutex_t lock;
    unsigned device;
    void *stream;
    struct cuda_room room;
};

static void free_workspaces(gpuenv_context *context)
{
    while (context->workspaces != NULL) {
        struct workspace *workspace = context->workspaces;

        context->workspaces = workspace->next;
        cuda_room_free(&workspace->room, workspace->device);
        pthread_mutex_destroy(&workspace->lock);
        free(workspace);
    }
}

static struct workspace *add_workspace(gpuenv_context *context, unsigned device, void *stream)
{
    struct workspace *workspace = malloc(sizeof *workspace);

    if (workspace != NULL) {
        *workspace =
            (struct workspace){.next = context->workspaces, .device = device, .stream = stream};
        pthread_mutex_init(&workspace->lock, NULL);
        context->workspaces = workspace;
        context->free_workspaces = free_workspaces;
    }
    return workspace;
}

static struct workspace *find_workspace(gpuenv_context *context, unsigned device, void *stream)
{
    struct workspace *workspace;

    pthread_mutex_lock(&context->lock);
    workspace = context->workspaces;
    while (workspace != NULL && (workspace->device != device || workspace->stream != stream))
        workspace = workspace->next;
    if (workspace == NULL)
        workspace = add_workspace(context, device, stream);
    pthread_mutex_unlock(&context->lock);
    return workspace;
}

static int enqueue_in_context(gpuenv_context *context, const struct cuda_call *call,
                              struct error *cause)
{
    struct workspace *workspace;
    size_t bytes;
    int result;

    if (cuda_arrays_run(call, NULL, &bytes, cause) != 0)
        return -1;
    workspace = find_workspace(context, call->device, call->stream);
    if (workspace == NULL)
        return error_system(cause, ERROR_RESOURCE, "memory", ENOMEM);
    pthread_mutex_lock(&workspace->lock);
    result = cuda_room_grow(&workspace->room, bytes, call->device, cause);
    if (result == 0)
        result = cuda_arrays_run(call, workspace->room.memory, &bytes, cause);
    pthread_mutex_unlock(&workspace->lock);
    return result;
}

static int run_call(gpuenv_context *context, const struct cuda_call *call, void *work,
                    size_t *bytes, gpuenv_error *error)
{
    struct error cause;
    const int result = bytes == NULL ? enqueue_in_context(context, call, &cause)
                                     : cuda_arrays_run(call, work, bytes, &cause);

    return result == 0 ? GPUENV_OK : fault_of(error, &cause);
}

static int check_call(const gpuenv_context *context, const void *work, const size_t *bytes,
                      int device, gpuenv_error *error)
{
    fault_clear(error);
    if (context == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "context", "is NULL");
    if (device < 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "device", "is negative");
    if (bytes == NULL && work != NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "bytes", "is NULL");
    return GPUENV_OK;
}

/* Without results. */
static int need_nothing(size_t *bytes)
{
    if (bytes != NULL)
        *bytes = 0;
    return GPUENV_OK;
}

/* The values whose results hold more than float32, or the others, of samples that do: each has the
 * bits that it has alone, while a kernel works on one kind of values. */
static int run_some(gpuenv_context *context, const struct cuda_call *all, const gpuenv_spec *spec,
                    bool narrow, void *work, size_t *bytes, gpuenv_error *error)
{
    const bool together = sample_type_value(all->in->sample) == VALUE_F32;
    struct strided out[GPUENV_VALUES];
    struct engine_setup setup;
    struct cuda_call call = *all;
    gpuenv_spec some = *spec;
    int code;

    some.values = 0;
    for (unsigned i = 0; i < spec->values; i++) {
        if ((together || sample_type_value(all->out[i].sample) == VALUE_F32) != narrow)
            continue;
        out[some.values] = all->out[i];
        some.value[some.values++] = spec->value[i];
    }
    if (some.values == 0)
        return GPUENV_OK;
    call.setup = &setup;
    call.out = out;
    code = spec_setup(&setup, &some, call.in, out, 1, error);
    if (code == GPUENV_OK && setup.least > 0)
        code = fault_set(error, GPUENV_BAD_ARGUMENT, "min_count",
                         "must be 1 or the width for arrays on a device");
    return code == GPUENV_OK ? run_call(context, &call, work, bytes, error) : code;
}

int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error)
{
    struct strided from;
    struct strided to[GPUENV_VALUES];
    const struct cuda_call call = {
        .in = &from, .out = to, .device = (unsigned)device, .stream = stream};
    size_t needed[2] = {0, 0};
    gpuenv_spec wanted;
    int code = check_call(context, work, bytes, device, error);

    if (code == GPUENV_OK)
        code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = times_refuse(&wanted, error);
    if (code == GPUENV_OK)
        code = arrays_read(&from, to, &wanted, 1, in, out, error);
    if (code != GPUENV_OK)
        return code;
    if (wanted.nan == GPUENV_NAN_ERROR)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "nan",
                         "cannot be an error on a device: use another policy");
    for (unsigned i = 0; i < wanted.values; i++) {
        if (wanted.value[i] >= GPUENV_MEAN)
            return fault_set(error, GPUENV_BAD_ARGUMENT, "value",
                             "has mean, rms, std, count, first, last or a position, which are for "
                             "arrays in main "
                             "memory");
    }
    if (to[0].frames == 0 || from.rows == 0 || from.channels == 0)
        return need_nothing(bytes);
    for (int narrow = 0; narrow < 2 && code == GPUENV_OK; narrow++) {
        if (bytes != NULL && work != NULL)
            needed[narrow] = *bytes;
        code = run_some(context, &call, &wanted, narrow != 0, work,
                        bytes != NULL ? &needed[narrow] : NULL, error);
    }
    if (bytes != NULL && work == NULL && code == GPUENV_OK)
        *bytes = max_u64(needed[0], needed[1]);
    return code;
}

int gpuenv_stats_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                      gpuenv_record *record, size_t size, void *work, size_t *bytes, int device,
                      void *stream, gpuenv_error *error)
{
    const struct stats_records records = {
        .record = record,
        .distance = size,
        .every = every > 0 ? every : UINT64_MAX,
        .type = GPUENV_F64,
    };
    struct strided from;
    const struct cuda_call call = {
        .in = &from, .records = &records, .device = (unsigned)device, .stream = stream};
    uint64_t count = 0;
    int code = check_call(context, work, bytes, device, error);

    if (code == GPUENV_OK)
        code = gpuenv_records(array, every, &count, error);
    if (code != GPUENV_OK)
        return code;
    if (count == 0)
        return need_nothing(bytes);
    if (record == NULL || (uintptr_t)record % sizeof(uint64_t) != 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "record",
                         record == NULL ? "is NULL" : "is not aligned");
    if (size < sizeof *record || size % sizeof(uint64_t) != 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "size", "is not that of gpuenv_record");
    code = strided_read(&from, array, false, "array", error);
    if (code != GPUENV_OK)
        return code;
    return run_call(context, &call, work, bytes, error);
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
