#include <math.h>

#include "sample/sample_type.h"

enum { BLOCK = 512 };

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
