#include "lib/strided.h"

#include <string.h>

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

bool strided_is_plain(const struct strided *array, size_t count)
{
    return (count == 1 || array->channel == (ptrdiff_t)array->bytes) &&
           array->frame == (ptrdiff_t)(array->bytes * count);
}

/* `bytes` is a constant in each call. */
static inline __attribute__((always_inline)) void copy_each(const unsigned char *from,
                                                            ptrdiff_t from_step, unsigned char *to,
                                                            ptrdiff_t to_step, size_t count,
                                                            const size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, bytes);
}

static void copy(const unsigned char *from, ptrdiff_t from_step, unsigned char *to,
                 ptrdiff_t to_step, size_t count, size_t bytes)
{
    if (bytes == 4)
        copy_each(from, from_step, to, to_step, count, 4);
    else if (bytes == 8)
        copy_each(from, from_step, to, to_step, count, 8);
    else if (bytes == 2)
        copy_each(from, from_step, to, to_step, count, 2);
    else if (bytes == 1)
        copy_each(from, from_step, to, to_step, count, 1);
    else
        copy_each(from, from_step, to, to_step, count, bytes);
}

void strided_gather(const struct strided *array, const unsigned char *at, size_t frames,
                    size_t channels, void *to)
{
    const size_t bytes = array->bytes;
    unsigned char *next = to;

    if (array->channel == (ptrdiff_t)bytes || channels == 1) {
        copy(at, array->frame, to, (ptrdiff_t)(bytes * channels), frames, bytes * channels);
        return;
    }
    for (size_t i = 0; i < channels; i++)
        copy(at + (ptrdiff_t)i * array->channel, array->frame, next + i * bytes,
             (ptrdiff_t)(bytes * channels), frames, bytes);
}

void strided_scatter(const struct strided *array, const void *from, size_t frames, size_t channels,
                     unsigned char *at)
{
    const size_t bytes = array->bytes;
    const unsigned char *next = from;

    if (array->channel == (ptrdiff_t)bytes || channels == 1) {
        copy(from, (ptrdiff_t)(bytes * channels), at, array->frame, frames, bytes * channels);
        return;
    }
    for (size_t i = 0; i < channels; i++)
        copy(next + i * bytes, (ptrdiff_t)(bytes * channels), at + (ptrdiff_t)i * array->channel,
             array->frame, frames, bytes);
}
