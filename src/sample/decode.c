/* Decodes raw samples, compiled for the baseline instruction set of the architecture. */
#include <math.h>
#include <string.h>

#include "sample/decode_tmpl.h"

static void decode_floats(struct sample_type type, const void *raw, size_t stride, float *values,
                          size_t count)
{
    if (stride == 1)
        decode_any(type, VALUE_F32, raw, stride, true, values, count);
    else
        decode_any(type, VALUE_F32, raw, stride, false, values, count);
}

enum { BLOCK = 512 };

void decode_widened(struct sample_type type, const void *raw, size_t stride, double *values,
                    size_t count)
{
    const unsigned char *bytes = raw;
    size_t step = sample_type_bytes(type) * stride;
    float block[BLOCK];

    for (size_t at = 0; at < count; at += BLOCK) {
        size_t size = count - at < BLOCK ? count - at : BLOCK;

        decode_floats(type, bytes + at * step, stride, block, size);
        for (size_t i = 0; i < size; i++)
            values[at + i] = (double)block[i];
    }
}

void sample_decode_strided(struct sample_type type, enum value_kind kind, const void *raw,
                           size_t stride, void *values, size_t count)
{
    if (kind == VALUE_F32)
        decode_floats(type, raw, stride, values, count);
    else if (stride == 1)
        decode_any(type, kind, raw, stride, true, values, count);
    else
        decode_any(type, kind, raw, stride, false, values, count);
}

void sample_decode(struct sample_type type, enum value_kind kind, const void *raw, void *values,
                   size_t count)
{
    if (!sample_type_is_native(type, kind))
        sample_decode_strided(type, kind, raw, 1, values, count);
    else if (count > 0) /* memcpy() must not be given NULL, even with a size of 0 */
        memcpy(values, raw, count * value_bytes(kind));
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
