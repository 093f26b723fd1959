/* The arrays that callers give. */
#include "lib/inside.h"

/* Adds the extent of one dimension to [low, high). Returns false on overflow. */
static bool extend(uint64_t count, ptrdiff_t distance, ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t reach;

    return count <= (uint64_t)PTRDIFF_MAX &&
           !__builtin_mul_overflow((ptrdiff_t)count - 1, distance, &reach) &&
           !__builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high);
}

static bool extent(const struct strided *array, ptrdiff_t *low, ptrdiff_t *high)
{
    *low = 0;
    *high = (ptrdiff_t)array->bytes;
    return extend(array->rows, array->row, low, high) &&
           extend(array->frames, array->frame, low, high) &&
           extend(array->channels, array->channel, low, high);
}

static bool is_empty(const struct strided *array)
{
    return array->rows == 0 || array->frames == 0 || array->channels == 0;
}

int strided_read(struct strided *array, const gpuenv_array *given, bool scaled, const char *name,
                 gpuenv_error *error)
{
    const int code = GPUENV_BAD_ARGUMENT;
    ptrdiff_t low;
    ptrdiff_t high;

    if (given == NULL || given->size < sizeof *given)
        return fault_set(error, code, name, "has no size: use GPUENV_INIT");
    *array = (struct strided){
        .data = given->data,
        .rows = given->rows,
        .frames = given->frames,
        .channels = given->channels,
        .row = given->row,
        .frame = given->frame,
        .channel = given->channel,
    };
    if (!type_read(given->type, given->swapped != 0, scaled, &array->sample))
        return fault_set(error, code, name, "has a type that is not one of enum gpuenv_type");
    array->bytes = sample_type_bytes(array->sample);
    if (is_empty(array))
        return GPUENV_OK;
    if (array->data == NULL)
        return fault_set(error, code, name, "has no data");
    if (!extent(array, &low, &high))
        return fault_set(error, code, name, "is larger than the address space");
    return GPUENV_OK;
}

int arrays_read(struct strided *in, struct strided out[GPUENV_VALUES], const gpuenv_spec *spec,
                const gpuenv_array *given_in, const gpuenv_array *given_out, gpuenv_error *error)
{
    const gpuenv_array *next = given_out;
    uint64_t outputs;
    int code = strided_read(in, given_in, spec->scaled != 0, "in", error);

    if (code == GPUENV_OK)
        code = gpuenv_outputs(spec, in->frames, &outputs, error);
    for (unsigned i = 0; code == GPUENV_OK && i < spec->values; i++) {
        const char *const names[] = {"out[0]", "out[1]", "out[2]", "out[3]", "out[4]"};
        struct strided *array = &out[i];

        code = strided_read(array, next, spec->scaled != 0, names[i], error);
        if (code != GPUENV_OK)
            break;
        if (array->rows != in->rows || array->channels != in->channels)
            return fault_set(error, GPUENV_BAD_ARGUMENT, names[i],
                             "has not the rows and channels of the input");
        if (array->frames != outputs)
            return fault_set(error, GPUENV_BAD_ARGUMENT, names[i],
                             "has %llu frames, but there are %llu results",
                             (unsigned long long)array->frames, (unsigned long long)outputs);
        next = (const gpuenv_array *)(const void *)((const unsigned char *)next + next->size);
    }
    return code;
}

struct groups groups_of(const struct strided *array, size_t most)
{
    const ptrdiff_t bytes = (ptrdiff_t)array->bytes;
    struct groups groups = {.channels = 1};

    if (array->channel == bytes && array->frame != bytes)
        groups.channels = array->channels < most ? (size_t)array->channels : most;
    groups.count = (array->channels + groups.channels - 1) / groups.channels;
    groups.in_place =
        strided_is_plain(array, groups.channels) && (groups.count == 1 || groups.channels == 1);
    return groups;
}
