/* SPDX-License-Identifier: MIT */
/* Results as columns: each member of a record has an array, with a type of its own. */
#ifndef GPUENV_CUDA_STATS_WRITE_CUH
#define GPUENV_CUDA_STATS_WRITE_CUH

#include "stats_leaf.cuh"

#include "sample/encode_one.h"

/* The place of a record in the columns. */
struct column_place {
    const struct stats_columns *columns;
    uint64_t row;
    uint64_t block;
    uint64_t channel;
};

/* Returns NULL if there is no such column. */
DEVICE void *cell_of(const struct column_place &place, enum stats_member member)
{
    const struct strided *array = &place.columns->array[member];

    return array->data != NULL
               ? array->data + (int64_t)place.row * array->row +
                     (int64_t)place.block * array->frame + (int64_t)place.channel * array->channel
               : NULL;
}

/* Writes a number, which is exact if the column has integers. */
DEVICE void put_number(const struct column_place &place, enum stats_member member, double number)
{
    void *cell = cell_of(place, member);
    const enum value_kind kind = place.columns->kind[member];
    const size_t bytes = place.columns->array[member].bytes;
    const int64_t whole = (int64_t)number;

    if (cell == NULL)
        return;
    if (kind == VALUE_F64)
        *(double *)cell = number;
    else if (kind == VALUE_F32)
        *(uint32_t *)cell = isnan(number) ? RULES_NAN_BITS : rules_bits((float)number);
    else if (kind == VALUE_F16)
        *(uint16_t *)cell = (uint16_t)half_of(float_for_half(number));
    else if (bytes == 8)
        *(int64_t *)cell = whole;
    else if (bytes == 4)
        *(int32_t *)cell = (int32_t)whole;
    else if (bytes == 2)
        *(int16_t *)cell = (int16_t)whole;
    else
        *(int8_t *)cell = (int8_t)whole;
}

DEVICE void put_whole(const struct column_place &place, enum stats_member member, uint64_t whole)
{
    void *cell = cell_of(place, member);

    if (place.columns->kind[member] == VALUE_F64)
        put_number(place, member, (double)whole);
    else if (cell != NULL)
        *(uint64_t *)cell = whole;
}

/* Writes the first or the last sample of a part. Without `spoil`, it is the first or the last
 * number, if there are any. */
template <class K>
DEVICE void put_end(const struct column_place &place, enum stats_member member,
                    const plane_part<K> *part, bool empty)
{
    double number = rules_double(RULES_NAN_BITS64);
    uint64_t turn = 0;

    if (place.columns->array[member].data == NULL)
        return;
    while (turn < part->frames && !empty) {
        number =
            sample_at(part, part->place + (member == MEMBER_LAST ? part->frames - 1 - turn : turn));
        turn = place.columns->spoil || number == number ? part->frames : turn + 1;
    }
    put_number(place, member, record_number(number));
}

template <class K>
DEVICE void write_columns(const struct column_place &place, const struct stats_record &record,
                          const plane_part<K> *part)
{
    const double nan = rules_double(RULES_NAN_BITS64);
    const bool empty = record.frames == record.nans;
    const bool none = empty || (place.columns->spoil && record.nans > 0);

    put_whole(place, MEMBER_FRAMES, record.frames);
    put_whole(place, MEMBER_NANS, record.nans);
    put_whole(place, MEMBER_NUMBERS, record.frames - record.nans);
    put_whole(place, MEMBER_ARGMIN, none ? UINT64_MAX : record.argmin);
    put_whole(place, MEMBER_ARGMAX, none ? UINT64_MAX : record.argmax);
    put_whole(place, MEMBER_ARGABS, none ? UINT64_MAX : record.argabs);
    put_number(place, MEMBER_SUM, record.sum);
    put_number(place, MEMBER_MEAN, none ? nan : record.mean);
    put_number(place, MEMBER_RMS, none ? nan : record.rms);
    put_number(place, MEMBER_ABS, rules_double(record.abs));
    put_number(place, MEMBER_MIN, rules_double(record.min));
    put_number(place, MEMBER_MAX, rules_double(record.max));
    put_end(place, MEMBER_FIRST, part, empty);
    put_end(place, MEMBER_LAST, part, empty);
}

#endif
