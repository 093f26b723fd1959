#include "engine/full_scale.h"

#include <math.h>

#include "window/rules.h"

static int64_t key_of(enum value_kind kind, double value)
{
    return kind == VALUE_F32 ? (int32_t)rules_flip(rules_bits((float)value))
                             : (int64_t)rules_flip64(rules_bits64(value));
}

/* Integers are scaled to [-1,1): the highest code is one step below 1. In 64 bits, that is 1 to a
 * double, as is the highest code itself. */
struct full_scale full_scale_of(struct sample_type type, enum value_kind kind)
{
    const int all = 8 * (int)sample_type_bytes(type);
    const int bits = type.bits > 0 ? type.bits : all;
    const double high = sample_type_has_nan(type) ? 1 : 1 - ldexp(1, 1 - bits);

    if (sample_type_is_complex(type) || type.counts)
        return (struct full_scale){.known = false};
    if (kind == VALUE_I64)
        return (struct full_scale){.low = INT64_MIN, .high = INT64_MAX, .known = true};
    return (struct full_scale){
        .low = key_of(kind, -1),
        .high = key_of(kind, high),
        .known = true,
    };
}
