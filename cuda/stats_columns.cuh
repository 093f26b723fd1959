/* Results as columns: each member of a record in an array of its own, in a type of its own. */
#ifndef GPUENV_CUDA_STATS_COLUMNS_CUH
#define GPUENV_CUDA_STATS_COLUMNS_CUH

#include "stats_leaf.cuh"

#include "sample/encode_one.h"

/* Integers are whole numbers that the type holds. */
DEVICE void put_number(void *to, enum value_kind kind, double number)
{
    switch (kind) {
    case VALUE_F32:
        *(uint32_t *)to = isnan(number) ? RULES_NAN_BITS : rules_bits((float)number);
        break;
    case VALUE_F64:
        *(double *)to = number;
        break;
    case VALUE_F16:
        *(uint16_t *)to = (uint16_t)half_of(float_for_half(number));
        break;
    case VALUE_S32:
    case VALUE_U32:
        *(uint32_t *)to = (uint32_t)(int64_t)number;
        break;
    case VALUE_S16:
    case VALUE_U16:
        *(uint16_t *)to = (uint16_t)(int64_t)number;
        break;
    case VALUE_S8:
    case VALUE_U8:
        *(uint8_t *)to = (uint8_t)(int64_t)number;
        break;
    default:
        *(int64_t *)to = (int64_t)number;
        break;
    }
}

/* The first sample of a part, or its last one; of the numbers, unless NaN spoil. */
template <class K>
DEVICE double end_of(const plane_part<K> *part, const struct stats_record &record, bool last,
                     bool spoil)
{
    uint64_t turn = 0;
    kind_value<K> sample;

    do {
        sample = sample_at(part, part->place + (last ? part->frames - 1 - turn : turn));
        turn++;
    } while (sample != sample && !spoil && record.nans < record.frames);
    return record_number((double)sample);
}

DEVICE int64_t whole_of(const struct stats_record &record, enum stats_member member, bool none)
{
    switch (member) {
    case MEMBER_FRAMES:
        return (int64_t)record.frames;
    case MEMBER_NANS:
        return (int64_t)record.nans;
    case MEMBER_ARGMIN:
        return none ? -1 : (int64_t)record.argmin;
    case MEMBER_ARGMAX:
        return none ? -1 : (int64_t)record.argmax;
    case MEMBER_ARGABS:
        return none ? -1 : (int64_t)record.argabs;
    default:
        return (int64_t)(record.frames - record.nans);
    }
}

template <class K>
DEVICE double number_of(const struct stats_record &record, enum stats_member member, bool none,
                        const plane_part<K> *part, bool spoil)
{
    if (member == MEMBER_FIRST || member == MEMBER_LAST)
        return record.frames == record.nans ? rules_double(RULES_NAN_BITS64)
                                            : end_of(part, record, member == MEMBER_LAST, spoil);
    if (none)
        return member == MEMBER_SUM && !spoil ? record.sum : rules_double(RULES_NAN_BITS64);
    switch (member) {
    case MEMBER_MIN:
        return rules_double(record.min);
    case MEMBER_MAX:
        return rules_double(record.max);
    case MEMBER_ABS:
        return rules_double(record.abs);
    case MEMBER_SUM:
        return record.sum;
    case MEMBER_MEAN:
        return record.mean;
    default:
        return record.rms;
    }
}

/* Writes the members of a record, of number `block` of its channel. */
template <class K>
DEVICE void write_columns(const struct stats_columns &columns, unsigned block,
                          const struct stats_record &record, const plane_part<K> *part)
{
    const bool none =
        record.nans >= (columns.spoil ? min(record.frames, (uint64_t)1) : record.frames);

    for (unsigned i = 0; i < columns.count; i++) {
        const struct stats_column &column = columns.item[i];
        void *to = column.data + (int64_t)record.row * column.row + block * column.block +
                   (int64_t)record.channel * column.channel;

        if (column.member > MEMBER_ARGABS)
            put_number(to, column.kind,
                       number_of(record, column.member, none, part, columns.spoil));
        else if (column.kind == VALUE_I64)
            *(int64_t *)to = whole_of(record, column.member, none);
        else
            put_number(to, column.kind, (double)whole_of(record, column.member, none));
    }
}

#endif
