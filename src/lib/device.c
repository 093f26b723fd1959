/* Whole arrays on a CUDA device. */
#include "cuda/cuda_arrays.h"
#include "lib/inside.h"

int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error)
{
    struct strided from;
    struct strided to[GPUENV_VALUES];
    int result[GPUENV_VALUES] = {0};
    struct engine_setup setup;
    struct error cause;
    gpuenv_spec wanted;
    int code;

    if (context == NULL || bytes == NULL || device < 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT,
                         context == NULL ? "context"
                         : bytes == NULL ? "bytes"
                                         : "device",
                         device < 0 ? "is negative" : "is NULL");
    code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = arrays_read(&from, to, &wanted, in, out, error);
    if (code != GPUENV_OK)
        return code;
    if (wanted.nan == GPUENV_NAN_ERROR)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "nan",
                         "cannot be an error on a device: use another policy");
    if (to[0].frames == 0 || from.rows == 0 || from.channels == 0) {
        *bytes = 0;
        return GPUENV_OK;
    }
    wanted.width = spec_width(&wanted, from.frames);
    for (unsigned i = 0; i < wanted.values; i++)
        result[i] = type_of(to[i].sample);
    code = spec_setup(&setup, &wanted, from.sample, 1, result, error);
    if (code == GPUENV_OK &&
        cuda_arrays_filter(&setup, &from, to, work, bytes, (unsigned)device, stream, &cause) != 0)
        code = fault_of(error, &cause);
    return code;
}

int device_of(const void *memory, int *device, gpuenv_error *error)
{
    struct error cause;
    unsigned found;

    if (cuda_arrays_device(memory, &found, &cause) != 0)
        return fault_of(error, &cause);
    *device = (int)found;
    return GPUENV_OK;
}

int device_wait(int device, void *stream, void *before, gpuenv_error *error)
{
    struct error cause;

    if (cuda_arrays_wait((unsigned)device, stream, before, &cause) != 0)
        return fault_of(error, &cause);
    return GPUENV_OK;
}
