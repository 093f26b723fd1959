/* SPDX-License-Identifier: MIT */
/* Decodes raw samples, compiled for the baseline instruction set of the architecture. */
#include <math.h>
#include <string.h>

#include "sample/decode_tmpl.h"
#include "sample/strided.h"

enum { BLOCK = 512 };

/* Decodes integers of 8 bits to values of 16 bits. */
static void widen_samples(const struct decode_work *work)
{
    const bool is_signed = work->type.kind == SAMPLE_S8;
    uint16_t *to = work->values;

    for (size_t i = 0; i < work->count; i++) {
        const uint8_t sample = work->raw[i * work->stride];

        to[i] = is_signed ? (uint16_t)(int8_t)sample : sample;
    }
}

/* These are most of the loops of this file: they are compiled here alone. */
static void decode_floats(const struct decode_work *work)
{
    if (work->stride == 1)
        decode_any_f32(true, work);
    else
        decode_any_f32(false, work);
}

void sample_decode_strided(struct sample_type type, enum value_kind kind, const void *raw,
                           size_t stride, void *values, size_t count)
{
    const struct decode_work work = decode_work_make(type, raw, stride, values, count);

    if (count == 0) /* `raw` and `values` may be NULL */
        return;
    if (value_is_compact(kind) && value_bytes(kind) > sample_type_bytes(type))
        widen_samples(&work);
    else if (value_is_compact(kind))
        strided_copy(raw, (ptrdiff_t)(stride * value_bytes(kind)), values,
                     (ptrdiff_t)value_bytes(kind), count, value_bytes(kind));
    else if (kind == VALUE_F32)
        decode_floats(&work);
    else if (stride == 1)
        decode_any(kind, true, &work);
    else
        decode_any(kind, false, &work);
}

void decode_widened(const struct decode_work *work)
{
    const size_t step = sample_type_bytes(work->type) * work->stride;
    double *values = work->values;
    float floats[BLOCK];

    for (size_t at = 0; at < work->count; at += BLOCK) {
        const size_t count = work->count - at < BLOCK ? work->count - at : BLOCK;
        const struct decode_work block =
            decode_work_make(work->type, work->raw + at * step, work->stride, floats, count);

        decode_floats(&block);
        for (size_t i = 0; i < count; i++)
            values[at + i] = (double)floats[i];
    }
}

void sample_decode(struct sample_type type, enum value_kind kind, const void *raw, void *values,
                   size_t count)
{
    if (!sample_type_is_native(type, kind))
        sample_decode_strided(type, kind, raw, 1, values, count);
    else if (count > 0) /* memcpy() must not be given NULL, even with a size of 0 */
        memcpy(values, raw, count * value_bytes(kind));
}

/* Do the bits of the number, from the highest that is set to the lowest, fit into a float? */
static bool is_short(uint64_t number)
{
    return number == 0 || number >> __builtin_ctzll(number) < UINT64_C(1) << 24;
}

static bool has_digits(const double *samples, size_t count)
{
    int any = 0;

    for (size_t i = 0; i < count; i++)
        any |= (double)(float)samples[i] != samples[i] && !isnan(samples[i]) ? 1 : 0;
    return any != 0;
}

/* Is there a number among these integers that a float does not hold? Scaling makes no
 * difference. */
static bool has_long_integers(const int64_t *samples, size_t count, bool is_unsigned)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = (uint64_t)samples[i];
        const uint64_t magnitude = is_unsigned      ? bits ^ UINT64_C(1) << 63
                                   : samples[i] < 0 ? 0 - bits
                                                    : bits;

        if (!is_short(magnitude))
            return true;
    }
    return false;
}

bool sample_find_digits(struct sample_type type, const void *raw, size_t count)
{
    const enum value_kind kind = sample_type_value(type);
    const unsigned char *bytes = raw;
    union {
        double floats[BLOCK];
        int64_t integers[BLOCK];
    } samples;
    bool found = false;

    if (kind == VALUE_F32)
        return false;
    for (size_t at = 0; !found && at < count; at += BLOCK) {
        const size_t block = count - at < BLOCK ? count - at : BLOCK;

        sample_decode(type, kind, bytes + at * sample_type_bytes(type), &samples, block);
        found = kind == VALUE_I64 ? has_long_integers(samples.integers, block,
                                                      sample_type_numbers(type) == VALUE_U64)
                                  : has_digits(samples.floats, block);
    }
    return found;
}

bool sample_find_nan(struct sample_type type, const void *raw, size_t count, size_t *index)
{
    const unsigned char *bytes = raw;
    size_t sample_bytes = sample_type_bytes(type);
    float samples[BLOCK];

    for (size_t at = 0; at < count; at += BLOCK) {
        size_t block = count - at < BLOCK ? count - at : BLOCK;
        int any = 0;

        sample_decode(type, VALUE_F32, bytes + at * sample_bytes, samples, block);
        for (size_t i = 0; i < block; i++)
            any |= isnan(samples[i]) ? 1 : 0;
        for (size_t i = 0; any != 0 && i < block; i++) {
            if (isnan(samples[i])) {
                *index = at + i;
                return true;
            }
        }
    }
    return false;
}
