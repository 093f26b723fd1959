/* Decodes samples of every type to values of every kind: to float32 in decode_f32_tmpl.h, to others
 * here. */
#ifndef GPUENV_SAMPLE_DECODE_TMPL_H
#define GPUENV_SAMPLE_DECODE_TMPL_H

#include "sample/decode_f32_tmpl.h"

SAMPLE_TEMPLATE void decode_any_f64(bool dense, const struct decode_work *work)
{
    switch (work->type.kind) {
#define ROW(KIND, name, bytes) DECODE_CASE(KIND, decode_ordered64, decode64_##name, bytes)
#define BY_COUNTS(KIND, name, bytes)                                                               \
    DECODE_BY_COUNTS(KIND, decode_ordered64, decode64_##name, bytes)
        DECODERS64(ROW, BY_COUNTS)
#undef ROW
#undef BY_COUNTS
    default:
        decode_widened(work);
        break;
    }
}

/* `kind` is a constant where a file is compiled for one kind. */
SAMPLE_TEMPLATE void decode_any(enum value_kind kind, bool dense, const struct decode_work *work)
{
    if (kind == VALUE_F32)
        decode_any_f32(dense, work);
    else if (kind == VALUE_F64)
        decode_any_f64(dense, work);
    else if (work->type.kind == SAMPLE_U64)
        decode_ordered_integer(decode_integer_u64, 8, dense, work);
    else
        decode_ordered_integer(decode_integer_s64, 8, dense, work);
}

#endif
