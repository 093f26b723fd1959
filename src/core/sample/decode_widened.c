/* Decodes the types that float32 holds to float64, by way of float32. Compiled once. */
#include "sample/decode_f32_tmpl.h"

enum { BLOCK = 512 };

void decode_widened(const struct decode_work *work)
{
    const size_t step = sample_type_bytes(work->type) * work->stride;
    double *values = work->values;
    float block[BLOCK];
    struct decode_work part = *work;

    part.values = block;
    for (size_t at = 0; at < work->count; at += BLOCK) {
        part.raw = work->raw + at * step;
        part.count = work->count - at < BLOCK ? work->count - at : BLOCK;
        if (part.stride == 1)
            decode_any_f32(true, &part);
        else
            decode_any_f32(false, &part);
        for (size_t i = 0; i < part.count; i++)
            values[at + i] = (double)block[i];
    }
}
