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

/* ---- arrays on top of each other ---- */

struct dimension {
    uint64_t count;
    ptrdiff_t distance;
};

/* The dimensions of an array from its lowest sample on, the largest distances first. */
static const unsigned char *sort(const struct strided *array, struct dimension dimension[3])
{
    const struct dimension given[3] = {{array->rows, array->row},
                                       {array->frames, array->frame},
                                       {array->channels, array->channel}};
    const unsigned char *lowest = array->data;

    for (int i = 0; i < 3; i++) {
        struct dimension next = given[i];
        int place = i;

        if (next.count == 1)
            next.distance = 0;
        if (next.distance < 0) {
            lowest += (ptrdiff_t)(next.count - 1) * next.distance;
            next.distance = -next.distance;
        }
        for (; place > 0 && dimension[place - 1].distance < next.distance; place--)
            dimension[place] = dimension[place - 1];
        dimension[place] = next;
    }
    return lowest;
}

/* Is one of the corners of `other` in a sample of the array? Finds those of arrays whose dimensions
 * lie within each other, as of all but contrived ones. */
static bool has_corner(const struct strided *array, const struct strided *other)
{
    struct dimension dimension[3];
    const unsigned char *lowest = sort(array, dimension);

    for (unsigned corner = 0; corner < 8; corner++) {
        const unsigned char *at =
            strided_at(other, corner & 1 ? other->rows - 1 : 0, corner & 2 ? other->frames - 1 : 0,
                       corner & 4 ? other->channels - 1 : 0);
        ptrdiff_t left = (ptrdiff_t)((uintptr_t)at - (uintptr_t)lowest);

        for (int i = 0; i < 3 && left > 0 && dimension[i].distance > 0; i++) {
            uint64_t index = (uint64_t)(left / dimension[i].distance);

            index = index < dimension[i].count ? index : dimension[i].count - 1;
            left -= (ptrdiff_t)index * dimension[i].distance;
        }
        if (left < (ptrdiff_t)array->bytes && left > -(ptrdiff_t)other->bytes)
            return true;
    }
    return false;
}

/* Have the arrays samples in common? Finds out for arrays of the same arrangement, and for those
 * without gaps; not where two cross each other in the middle. */
static bool overlap(const struct strided *one, const struct strided *other)
{
    ptrdiff_t low[2] = {0, 0};
    ptrdiff_t high[2] = {0, 0};

    if (is_empty(one) || is_empty(other))
        return false;
    (void)extent(one, &low[0], &high[0]);
    (void)extent(other, &low[1], &high[1]);
    if ((uintptr_t)one->data + (uintptr_t)low[0] >= (uintptr_t)other->data + (uintptr_t)high[1] ||
        (uintptr_t)other->data + (uintptr_t)low[1] >= (uintptr_t)one->data + (uintptr_t)high[0])
        return false;
    return has_corner(one, other) || has_corner(other, one);
}

static bool is_apart(uint64_t count, ptrdiff_t distance, size_t bytes)
{
    return count < 2 || distance >= (ptrdiff_t)bytes || distance <= -(ptrdiff_t)bytes;
}

/* Does an output have a place for each result? */
static bool has_places(const struct strided *array)
{
    return is_empty(array) || (is_apart(array->rows, array->row, array->bytes) &&
                               is_apart(array->frames, array->frame, array->bytes) &&
                               is_apart(array->channels, array->channel, array->bytes));
}

/* ---- what a call is given ---- */

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
        if (!has_places(array))
            return fault_set(error, GPUENV_BAD_ARGUMENT, names[i],
                             "has results on top of each other");
        if (overlap(in, array))
            return fault_set(error, GPUENV_BAD_ARGUMENT, names[i], "overlaps the input");
        for (unsigned k = 0; k < i; k++) {
            if (overlap(&out[k], array))
                return fault_set(error, GPUENV_BAD_ARGUMENT, names[i], "overlaps %s", names[k]);
        }
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
