/* SPDX-License-Identifier: MIT */
#include "cpu/level.h"

/* `bits` are the bits of a float, with its sign, or the magnitude of an integer, which becomes the
 * nearest float64. Only integers use `negative`. */
static struct level level_of(struct sample_type type, uint64_t bits, bool negative)
{
    const enum value_kind kind = sample_type_numbers(type);
    const double whole = (double)bits * sample_type_unit(type);

    if (kind == VALUE_F32)
        return (struct level){.kind = kind, .value = (double)rules_float((uint32_t)bits)};
    if (kind == VALUE_F64)
        return (struct level){.kind = kind, .value = rules_double(bits)};
    return (struct level){
        .kind = type.counts ? VALUE_U64 : VALUE_F64,
        .value = negative ? -whole : whole,
        .whole = bits,
        .negative = negative,
    };
}

struct level level_of_key(struct sample_type type, int64_t key)
{
    const enum value_kind kind = sample_type_numbers(type);

    if (kind == VALUE_F32 || kind == VALUE_F64)
        return level_of(type, level_bits(kind, key), false);
    return level_of(type, level_magnitude(kind, key), kind == VALUE_I64 && key < 0);
}

struct level level_of_magnitude(struct sample_type type, uint64_t magnitude)
{
    return level_of(type, magnitude, false);
}
