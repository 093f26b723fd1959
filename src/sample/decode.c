/* Decodes raw samples to float32, compiled for the baseline instruction set of the architecture. */
#include <string.h>

#include "sample/decode_tmpl.h"

void sample_decode_strided(struct sample_type type, const void *raw, size_t stride, float *samples,
                           size_t count)
{
    if (stride == 1)
        decode_any(type, raw, stride, true, samples, count);
    else
        decode_any(type, raw, stride, false, samples, count);
}

void sample_decode(struct sample_type type, const void *raw, void *samples, size_t count)
{
    if (!sample_type_is_native(type))
        sample_decode_strided(type, raw, 1, samples, count);
    else if (count > 0) /* memcpy() must not be given NULL, even with a size of 0 */
        memcpy(samples, raw, count * sizeof(float));
}
