/* SPDX-License-Identifier: MIT */
/* The arrays that callers give. */
#include "base/min_max.h"
#include "lib/lib_priv.h"

/* Adds the extent of one dimension to [low, high). Returns false on overflow. */
static bool extend(uint64_t count, ptrdiff_t distance, ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t reach;

    return count <= (uint64_t)PTRDIFF_MAX &&
           !__builtin_mul_overflow((ptrdiff_t)count - 1, distance, &reach) &&
           !__builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high);
}

/* Sets the addresses of the lowest sample and of the end of the highest. Returns false if no object
 * has so many bytes, or where there is no memory. */
static bool byte_range(const struct strided *array, uintptr_t *begin, uintptr_t *end)
{
    ptrdiff_t low = 0;
    ptrdiff_t high = (ptrdiff_t)array->bytes;
    ptrdiff_t bytes;

    return extend(array->rows, array->row, &low, &high) &&
           extend(array->frames, array->frame, &low, &high) &&
           extend(array->channels, array->channel, &low, &high) &&
           !__builtin_sub_overflow(high, low, &bytes) &&
           !__builtin_add_overflow((uintptr_t)array->data, low, begin) &&
           !__builtin_add_overflow((uintptr_t)array->data, high, end);
}

static bool is_empty(const struct strided *array)
{
    return array->rows == 0 || array->frames == 0 || array->channels == 0;
}

/* Programs from before `broadcast` rely on zeros that are meant, so for them it is 1. */
static int array_read(gpuenv_array *known, const gpuenv_array *given, const char *name,
                      gpuenv_error *error)
{
    const int code = given_read(known, GIVEN(gpuenv_array, channel, name, given), error);

    if (code == GPUENV_OK && !HAS_MEMBER(given, broadcast))
        known->broadcast = 1;
    return code;
}

int array_at(gpuenv_array *array, const gpuenv_array *given, const void *data, const char *name,
             gpuenv_error *error)
{
    const int code = array_read(array, given, name, error);

    array->data = data;
    array->out = NULL;
    return code;
}

/* The bytes of `count` steps, at most UINT64_MAX. */
static uint64_t extent_of(uint64_t count, ptrdiff_t distance)
{
    const uint64_t length = distance < 0 ? 0 - (uint64_t)distance : (uint64_t)distance;
    uint64_t bytes;

    return __builtin_mul_overflow(count, length, &bytes) ? UINT64_MAX : bytes;
}

/* Replaces zeros by what they mean. Returns false if other distances do not suit packed samples. */
static bool fill_zeros(struct strided *array)
{
    ptrdiff_t *const distances[] = {&array->channel, &array->frame, &array->row};
    const uint64_t *const counts[] = {&array->channels, &array->frames, &array->rows};
    uint64_t packed = array->bytes;
    uint64_t extent = array->bytes; /* bytes that the dimensions so far take */
    bool filled = false;
    bool suits = true;

    array->rows = max_u64(array->rows, 1);
    array->channels = max_u64(array->channels, 1);
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t count = *counts[i];

        if (count > 1 && *distances[i] == 0) {
            *distances[i] = (ptrdiff_t)min_u64(packed, PTRDIFF_MAX);
            filled = true;
        }
        suits = suits && (count < 2 || extent_of(1, *distances[i]) >= extent);
        extent = count < 2 ? extent : extent_of(count, *distances[i]);
        packed = extent_of(count, (ptrdiff_t)min_u64(packed, PTRDIFF_MAX));
    }
    return suits || !filled || array->frames == 0;
}

int strided_read(struct strided *array, const gpuenv_array *given, bool scaled, const char *name,
                 gpuenv_error *error)
{
    gpuenv_array known = GPUENV_INIT(gpuenv_array);
    uintptr_t begin;
    uintptr_t end;

    if (array_read(&known, given, name, error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    *array = (struct strided){
        /* Inputs are only read. */
        .data = known.out != NULL ? known.out : (unsigned char *)(uintptr_t)known.data,
        .rows = known.rows,
        .frames = known.frames,
        .channels = known.channels,
        .row = known.row,
        .frame = known.frame,
        .channel = known.channel,
    };
    if (!type_read(known.type, known.swapped != 0, scaled, &array->sample))
        return REFUSE(error, name, "has a type that is not one of enum gpuenv_type");
    array->bytes = sample_type_bytes(array->sample);
    if (known.broadcast == 0 && !fill_zeros(array))
        return REFUSE(
            error, name,
            "has distances of 0 and of samples that are not packed: set all of them, or none");
    if (is_empty(array))
        return GPUENV_OK;
    if (array->data == NULL)
        return REFUSE(error, name, "has no data");
    if (!byte_range(array, &begin, &end))
        return REFUSE(error, name, "is larger than the address space");
    return GPUENV_OK;
}

/* ---- arrays on top of each other ---- */

/* All sums of the terms, each a distance times 0 .. `most`; the terms with the largest distances
 * stand first. */
struct sums {
    unsigned terms;
    struct {
        uint64_t distance;
        uint64_t most;
    } term[6];
};

enum { STEPS_MOST = 10000 }; /* only contrived arrays need more */

static void add_term(struct sums *sums, uint64_t distance, uint64_t most)
{
    unsigned at = 0;

    if (distance == 0 || most == 0)
        return;
    while (at < sums->terms && sums->term[at].distance > distance)
        at++;
    if (at < sums->terms && sums->term[at].distance == distance) {
        sums->term[at].most += most;
        return;
    }
    for (unsigned i = sums->terms++; i > at; i--)
        sums->term[i] = sums->term[i - 1];
    sums->term[at].distance = distance;
    sums->term[at].most = most;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Is a sum of the terms from number `first` on in low .. high? The answer is also yes where it
 * would take too many steps. */
/* The depth of the recursion is the number of terms: a few. NOLINTNEXTLINE(misc-no-recursion) */
static bool has_sum(const struct sums *sums, unsigned first, uint64_t low, uint64_t high,
                    unsigned *steps)
{
    uint64_t divisor = 0;
    uint64_t rest = 0; /* most that the terms after the first one add */
    uint64_t distance;

    if (low == 0)
        return true;
    for (unsigned i = first; i < sums->terms; i++) {
        divisor = common_divisor(divisor, sums->term[i].distance);
        rest += i > first ? sums->term[i].distance * sums->term[i].most : 0;
    }
    if (divisor == 0 || high / divisor == (low - 1) / divisor)
        return false;
    distance = sums->term[first].distance;
    for (uint64_t index = min_u64(sums->term[first].most, high / distance);; index--) {
        uint64_t taken = index * distance;

        if (taken + rest < low)
            return false;
        if (++*steps > STEPS_MOST ||
            has_sum(sums, first + 1, low - min_u64(low, taken), high - taken, steps))
            return true;
        if (index == 0)
            return false;
    }
}

/* Is a sum in plus - minus - before .. plus - minus + after? */
static bool has_near(const struct sums *sums, uint64_t plus, uint64_t minus, size_t before,
                     size_t after)
{
    const uint64_t least_sum = plus - min_u64(plus, minus + before);
    unsigned steps = 0;

    return plus + after >= minus && has_sum(sums, 0, least_sum, plus + after - minus, &steps);
}

static void list_dimensions(const struct strided *array, uint64_t distance[3], uint64_t most[3])
{
    const ptrdiff_t distances[] = {array->row, array->frame, array->channel};
    const uint64_t counts[] = {array->rows, array->frames, array->channels};

    for (int i = 0; i < 3; i++) {
        most[i] = counts[i] - 1;
        distance[i] = distances[i] < 0 ? 0 - (uint64_t)distances[i] : (uint64_t)distances[i];
    }
}

/* Do the arrays share bytes? The lowest sample of `one` and the highest of `other` move towards
 * each other by sums of their distances. */
static bool overlap(const struct strided *one, const struct strided *other)
{
    struct sums sums = {.terms = 0};
    uintptr_t begin[2];
    uintptr_t end[2];

    if (is_empty(one) || is_empty(other))
        return false;
    /* strided_read() has refused arrays without an extent. */
    if (!byte_range(one, &begin[0], &end[0]) || !byte_range(other, &begin[1], &end[1]))
        return true;
    if (begin[0] >= end[1] || begin[1] >= end[0])
        return false;
    for (int k = 0; k < 2; k++) {
        uint64_t distance[3];
        uint64_t most[3];

        list_dimensions(k == 0 ? one : other, distance, most);
        for (int i = 0; i < 3; i++)
            add_term(&sums, distance[i], most[i]);
    }
    return has_near(&sums, end[1] - other->bytes, begin[0], one->bytes - 1, other->bytes - 1);
}

/* Does each result have a place of its own? Two samples are apart by a step or more in one
 * dimension, and by any number of steps, back or forth, in those after it. */
static bool has_places(const struct strided *array)
{
    uint64_t distance[3];
    uint64_t most[3];
    bool places = true;

    if (is_empty(array))
        return true;
    list_dimensions(array, distance, most);
    for (int i = 0; i < 3 && places; i++) {
        struct sums sums = {.terms = 0};
        uint64_t back = 0;

        if (most[i] == 0)
            continue;
        add_term(&sums, distance[i], most[i] - 1);
        for (int k = i + 1; k < 3; k++) {
            add_term(&sums, distance[k], 2 * most[k]);
            back += distance[k] * most[k];
        }
        places = !has_near(&sums, back, distance[i], array->bytes - 1, array->bytes - 1);
    }
    return places;
}

/* ---- what a call is given ---- */

int arrays_read(struct strided *in, struct strided out[GPUENV_VALUES], const gpuenv_spec *spec,
                uint64_t height, const gpuenv_array *given_in, const gpuenv_array *given_out,
                gpuenv_error *error)
{
    const gpuenv_array *next = given_out;
    gpuenv_spec down = *spec;
    uint64_t outputs;
    uint64_t rows;
    int code = strided_read(in, given_in, spec->scaled != 0, "in", error);

    if (spec->result != 0)
        return REFUSE(error, "result", "is for streams: arrays have types of their own");
    if (code == GPUENV_OK)
        code = gpuenv_outputs(spec, in->frames, &outputs, error);
    rows = in->rows;
    down.width = height;
    if (code == GPUENV_OK && height > 1)
        code = gpuenv_outputs(&down, in->rows, &rows, error);
    for (unsigned i = 0; code == GPUENV_OK && i < spec->values; i++) {
        const char *const names[] = {"out[0]", "out[1]", "out[2]", "out[3]", "out[4]"};
        struct strided *array = &out[i];

        /* A count is no sample. */
        code = strided_read(array, next, spec->scaled != 0 && spec->value[i] != GPUENV_COUNT,
                            names[i], error);
        if (code != GPUENV_OK)
            break;
        if (array->rows != rows || array->channels != in->channels)
            return REFUSE(error, names[i],
                          height > 1
                              ? "does not have the rows of results, or the channels of the input"
                              : "does not have the rows and channels of the input");
        if (array->frames != outputs)
            return REFUSE(error, names[i],
                          "has %llu frames, and must have %llu, one for each result",
                          (unsigned long long)array->frames, (unsigned long long)outputs);
        if (!has_places(array))
            return REFUSE(error, names[i], "has results that overlap");
        if (overlap(in, array))
            return REFUSE(error, names[i], "overlaps the input");
        for (unsigned k = 0; k < i; k++) {
            if (overlap(&out[k], array))
                return REFUSE(error, names[i], "overlaps %s", names[k]);
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
