#include "stats/level.h"

/* Exact if the integer keeps its value, otherwise rounded once. */
static struct level level_of_integer(struct sample_type type, uint64_t magnitude, bool negative)
{
    const double value = (double)magnitude * sample_type_unit(type);

    return (struct level){
        .kind = type.counts ? VALUE_U64 : VALUE_F64,
        .value = negative ? -value : value,
        .whole = magnitude,
        .negative = negative,
    };
}

struct level level_of_key(struct sample_type type, int64_t key)
{
    const enum value_kind kind = sample_type_numbers(type);

    if (kind == VALUE_F32)
        return (struct level){.kind = kind, .value = (double)rules_from_key((int32_t)key)};
    if (kind == VALUE_F64)
        return (struct level){.kind = kind, .value = rules_from_key64(key)};
    return level_of_integer(type, level_magnitude(kind, key), kind == VALUE_I64 && key < 0);
}

struct level level_of_magnitude(struct sample_type type, uint64_t magnitude)
{
    const enum value_kind kind = sample_type_numbers(type);

    if (kind == VALUE_F32)
        return (struct level){.kind = kind, .value = (double)rules_float((uint32_t)magnitude)};
    if (kind == VALUE_F64)
        return (struct level){.kind = kind, .value = rules_double(magnitude)};
    return level_of_integer(type, magnitude, false);
}
