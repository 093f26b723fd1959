/* SPDX-License-Identifier: MIT */
/* Whole arrays on a CUDA device. */
#include <errno.h>
#include <stdlib.h>

#include "base/min_max.h"
#include "cuda/cuda_arrays.h"
#include "lib/gpuenv_cuda.h"
#include "lib/lib_priv.h"

/* The context's workspace for one stream: kernels of several streams run at the same time, and
 * calls of several threads wait for each other only on the same stream. */
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
        return REFUSE(error, "context", "is NULL");
    if (device < 0)
        return REFUSE(error, "device", "is negative");
    return bytes == NULL && work != NULL ? REFUSE(error, "bytes", "is NULL") : GPUENV_OK;
}

/* Without results, a call needs no memory. */
static int need_nothing(size_t *bytes)
{
    if (bytes != NULL)
        *bytes = 0;
    return GPUENV_OK;
}

/* ---- columns */

_Static_assert((int)GPUENV_COLUMN_NANS == MEMBER_NANS && (int)GPUENV_COLUMN_MAX == MEMBER_MAX,
               "the first members are columns");

/* Can a column of this type have the member? Any member that a float can hold may be float64. */
static bool suits(enum stats_member member, struct sample_type in, struct sample_type type)
{
    const bool is_whole = sample_type_is_integer(in);
    const bool is_own = type.kind == in.kind && (!is_whole || in.counts);

    if (member <= MEMBER_ARGABS)
        return type.kind == SAMPLE_S64;
    if (type.kind == SAMPLE_F64)
        return true;
    if (member == MEMBER_NUMBERS)
        return type.kind == SAMPLE_S64;
    if (member == MEMBER_ABS && is_whole)
        return in.counts && (type.kind == SAMPLE_S64 || type.kind == SAMPLE_U64);
    return member >= MEMBER_ABS && member != MEMBER_STD
               ? is_own
               : member != MEMBER_SUM && type.kind == SAMPLE_F32;
}

/* Returns false if the array cannot have the member, or another array has it. */
static bool add_column(struct stats_columns *columns, enum stats_member member,
                       struct sample_type in, const struct strided *to)
{
    enum value_kind kind = VALUE_F32;

    while (kind < VALUE_KINDS && !sample_type_is_native(to->sample, kind))
        kind++;
    if (kind == VALUE_KINDS || !suits(member, in, to->sample) || !strided_is_aligned(to) ||
        columns->array[member].data != NULL)
        return false;
    columns->array[member] = *to;
    columns->kind[member] = kind;
    return true;
}

/* ---- filters */

/* Do the kernels of statistics compute the value? */
static bool is_of_blocks(int value)
{
    return !emit_is_of_extremes((enum emit)value);
}

/* Computes some of the values: with `narrow` those whose samples or results float32 holds,
 * otherwise the others. A kernel works on one kind of values, and so each value has the bits that
 * it has alone. */
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
        if (is_of_blocks(spec->value[i]) ||
            (together || sample_type_value(all->out[i].sample) == VALUE_F32) != narrow)
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
        code = REFUSE(error, "min_count", "must be 1 or the width for arrays on a device");
    return code == GPUENV_OK ? run_call(context, &call, work, bytes, error) : code;
}

/* Computes the values that are statistics; each window is a block. */
static int run_blocks(gpuenv_context *context, const struct cuda_call *all, const gpuenv_spec *spec,
                      void *work, size_t *bytes, gpuenv_error *error)
{
    static const enum stats_member members[EMIT_KINDS] = {
        [GPUENV_MEAN] = MEMBER_MEAN,     [GPUENV_RMS] = MEMBER_RMS,
        [GPUENV_COUNT] = MEMBER_NUMBERS, [GPUENV_ARGMIN] = MEMBER_ARGMIN,
        [GPUENV_ARGMAX] = MEMBER_ARGMAX, [GPUENV_FIRST] = MEMBER_FIRST,
        [GPUENV_LAST] = MEMBER_LAST,     [GPUENV_STD] = MEMBER_STD,
    };
    struct strided in = *all->in;
    struct stats_records records = {.every = spec->width,
                                    .columns.spoil = spec->nan == GPUENV_NAN_PROPAGATE};
    struct cuda_call call = *all;

    if (spec->align == GPUENV_ALIGN_VALID)
        in.frames = all->out[0].frames * spec->width;
    call.in = &in;
    for (unsigned i = 0; i < spec->values; i++) {
        if (!is_of_blocks(spec->value[i]))
            continue;
        if (members[spec->value[i]] == MEMBER_FRAMES || /* has no kernel */
            !add_column(&records.columns, members[spec->value[i]], in.sample, &all->out[i]))
            return REFUSE(error, "out",
                          "has a value twice, or in a type that is not one for it on a device");
        call.records = &records;
    }
    return call.records != NULL ? run_call(context, &call, work, bytes, error) : GPUENV_OK;
}

/* Refuses values that no kernel computes. */
static int check_values(const gpuenv_spec *spec, const struct strided *in, gpuenv_error *error)
{
    const bool side_by_side =
        spec->hop == spec->width && spec->last == 0 && spec->min_count == 0 &&
        (spec->align == GPUENV_ALIGN_VALID ||
         (spec->align == GPUENV_ALIGN_FORWARD &&
          (spec->edge == GPUENV_EDGE_SHRINK || in->frames % spec->width == 0)));

    for (unsigned i = 0; i < spec->values; i++) {
        if (is_of_blocks(spec->value[i]) && !side_by_side)
            return REFUSE(error, "value",
                          "has mean, rms, std, count, first, last or a position, which on a device "
                          "are for windows side by side, without min_count and last");
    }
    return GPUENV_OK;
}

int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error)
{
    struct strided from;
    struct strided to[GPUENV_VALUES];
    const struct cuda_call call = {
        .in = &from, .out = to, .device = (unsigned)device, .stream = stream};
    size_t needed[3] = {0, 0, 0};
    gpuenv_spec wanted;
    int code = check_call(context, work, bytes, device, error);

    if (code == GPUENV_OK)
        code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK && wanted.times != NULL)
        code = REFUSE(error, "times", "are for gpuenv_filter()");
    if (code == GPUENV_OK)
        code = arrays_read(&from, to, &wanted, 1, in, out, error);
    if (code != GPUENV_OK)
        return code;
    if (wanted.nan == GPUENV_NAN_ERROR)
        return REFUSE(error, "nan", "cannot be an error on a device: use another policy");
    code = check_values(&wanted, &from, error);
    if (code != GPUENV_OK)
        return code;
    if (to[0].frames == 0 || from.rows == 0 || from.channels == 0)
        return need_nothing(bytes);
    for (int way = 0; way < 3 && code == GPUENV_OK; way++) {
        size_t *const some = bytes != NULL ? &needed[way] : NULL;

        if (bytes != NULL && work != NULL)
            needed[way] = *bytes;
        code = way < 2 ? run_some(context, &call, &wanted, way != 0, work, some, error)
                       : run_blocks(context, &call, &wanted, work, some, error);
    }
    if (bytes != NULL && work == NULL && code == GPUENV_OK)
        *bytes = max_u64(max_u64(needed[0], needed[1]), needed[2]);
    return code;
}

/* ---- statistics */

static int read_columns(struct stats_records *records, const struct strided *in, uint64_t count,
                        const gpuenv_array *column, gpuenv_error *error)
{
    for (int i = 0; i < GPUENV_COLUMNS; i++) {
        struct strided to;
        const int code = strided_read(&to, column, false, "column", error);

        if (code != GPUENV_OK)
            return code;
        if (to.rows != in->rows || to.channels != in->channels ||
            to.frames != count / in->rows / in->channels)
            return REFUSE(error, "column",
                          "does not have the rows, blocks and channels of the records");
        if (!add_column(&records->columns, (enum stats_member)i, in->sample, &to))
            return REFUSE(error, "column",
                          "%d has a type that is not one for it, or is not aligned", i);
        column = (const gpuenv_array *)(const void *)((const unsigned char *)column + column->size);
    }
    return GPUENV_OK;
}

static int check_records(const struct stats_records *records, gpuenv_error *error)
{
    if (records->record == NULL || (uintptr_t)records->record % sizeof(uint64_t) != 0)
        return REFUSE(error, "record", records->record == NULL ? "is NULL" : "is not aligned");
    if (records->distance < sizeof(gpuenv_record) || records->distance % sizeof(uint64_t) != 0)
        return REFUSE(error, "size", "is not that of gpuenv_record");
    return GPUENV_OK;
}

/* Writes columns, or records if there are no columns. */
static int run_stats(struct stats_records *records, gpuenv_context *context,
                     const gpuenv_array *array, uint64_t every, const gpuenv_array *column,
                     void *work, size_t *bytes, int device, void *stream, gpuenv_error *error)
{
    struct strided from;
    const struct cuda_call call = {
        .in = &from, .records = records, .device = (unsigned)device, .stream = stream};
    uint64_t count = 0;
    int code = check_call(context, work, bytes, device, error);

    records->every = every > 0 ? every : UINT64_MAX;
    if (code == GPUENV_OK)
        code = gpuenv_records(array, every, &count, error);
    if (code != GPUENV_OK)
        return code;
    if (count == 0)
        return need_nothing(bytes);
    if (column == NULL)
        code = check_records(records, error);
    if (code == GPUENV_OK)
        code = strided_read(&from, array, false, "array", error);
    if (code == GPUENV_OK && column != NULL)
        code = read_columns(records, &from, count, column, error);
    return code == GPUENV_OK ? run_call(context, &call, work, bytes, error) : code;
}

int gpuenv_stats_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                      gpuenv_record *record, size_t size, void *work, size_t *bytes, int device,
                      void *stream, gpuenv_error *error)
{
    struct stats_records records = {.record = record, .distance = size, .type = GPUENV_F64};

    return run_stats(&records, context, array, every, NULL, work, bytes, device, stream, error);
}

int gpuenv_stats_columns_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                              const gpuenv_array *column, void *work, size_t *bytes, int device,
                              void *stream, gpuenv_error *error)
{
    struct stats_records records = {.record = NULL};

    if (column == NULL)
        return REFUSE(error, "column", "is NULL");
    return run_stats(&records, context, array, every, column, work, bytes, device, stream, error);
}

int gpuenv_cuda_device(const void *memory, int *device, gpuenv_error *error)
{
    struct error cause;
    unsigned found;

    fault_clear(error);
    if (device == NULL)
        return REFUSE(error, "device", "is NULL");
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
        return REFUSE(error, "device", "is negative");
    if (cuda_arrays_wait((unsigned)device, stream, before, joins != 0, &cause) != 0)
        return fault_of(error, &cause);
    return GPUENV_OK;
}
