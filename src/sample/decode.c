/* Decodes raw samples, compiled for the baseline instruction set of the architecture. */
#include <math.h>
#include <string.h>

#include "sample/decode_tmpl.h"

static void decode_floats(const struct decode_work *work)
{
    if (work->stride == 1)
        decode_any_f32(true, work);
    else
        decode_any_f32(false, work);
}

enum { BLOCK = 512 };

void sample_decode_strided(struct sample_type type, enum value_kind kind, const void *raw,
                           size_t stride, void *values, size_t count)
{
    const struct decode_work work = decode_work_make(type, raw, stride, values, count);

    if (kind == VALUE_F32)
        decode_floats(&work);
    else if (stride == 1)
        decode_any(kind, true, &work);
    else
        decode_any(kind, false, &work);
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
