/* SPDX-License-Identifier: MIT */
/* The record of one channel of a block, for callers of libgpuenv: it equals gpuenv_record of
 * lib/gpuenv.h, member by member (lib/stats.c compares them). The CPU and devices fill it in with
 * one function, record_of(). */
#ifndef GPUENV_CPU_RECORD_H
#define GPUENV_CPU_RECORD_H

#include <stdint.h>
#include <string.h>

#include "base/device_too.h"
#include "engine/part.h"
#include "sample/strided.h"
#include "window/rules.h"

struct stats_record {
    uint64_t size;
    uint64_t row;
    uint64_t channel;
    uint64_t first;
    uint64_t frames;
    uint64_t nans;
    int type;
    int unused;   /* 0 */
    uint64_t min; /* bits of a float64, or integers */
    uint64_t max;
    uint64_t abs;
    uint64_t argmin;
    uint64_t argmax;
    uint64_t argabs;
    double sum;
    double mean;
    double rms;
};

/* The value that a column has of each block. The list begins with enum gpuenv_column, member by
 * member. */
enum stats_member {
    MEMBER_FRAMES,
    MEMBER_NANS,
    MEMBER_ARGMIN, /* MEMBER_ARGMIN to MEMBER_ARGABS: -1 where there are no numbers */
    MEMBER_ARGMAX,
    MEMBER_ARGABS,
    MEMBER_SUM,
    MEMBER_MEAN,
    MEMBER_RMS,
    MEMBER_ABS,
    MEMBER_MIN,
    MEMBER_MAX,
    MEMBER_NUMBERS, /* frames that are no NaN */
    MEMBER_STD,     /* deviations_std() */
    MEMBER_FIRST,   /* MEMBER_FIRST, MEMBER_LAST: numbers if any; with `spoil`, any samples */
    MEMBER_LAST,
    MEMBERS
};

/* Arrays with one member of each record. A member whose array has no data is not written. */
struct stats_columns {
    bool spoil; /* the values of a block with a NaN are NaN, and its positions -1 */
    struct strided array[MEMBERS];
    enum value_kind kind[MEMBERS]; /* the kinds in which the members are written */
};

/* The records of an array: those of the blocks of all channels of a row, then those of the next
 * row. */
struct stats_records {
    void *record;                 /* struct stats_record; may be NULL */
    uint64_t distance;            /* bytes from a record to the next */
    uint64_t frames;              /* frames of a row */
    uint64_t every;               /* frames of a block, 1 or more */
    unsigned channels;            /* channels of a row */
    int type;                     /* the type of the records' extremes */
    struct stats_columns columns; /* columns that are written if `record` is NULL */
};

/* The bits of a NaN from an addition or a division depend on the machine. Those of the NaN that is
 * written do not. */
DEVICE_TOO double record_number(double number)
{
    return isnan(number) ? rules_double(RULES_NAN_BITS64) : number;
}

/* Converts the bits of a float of this kind to those of a float64. */
DEVICE_TOO uint64_t record_bits(enum value_kind kind, uint64_t bits)
{
    return kind == VALUE_F32 ? rules_bits64((double)rules_float((uint32_t)bits)) : bits;
}

DEVICE_TOO uint64_t record_bits_of_key(enum value_kind kind, int64_t key)
{
    return record_bits(kind,
                       kind == VALUE_F32 ? rules_flip((uint32_t)key) : rules_flip64((uint64_t)key));
}

/* The record of a channel. The caller sets the size, row, channel and type, and the extremes of
 * VALUE_I64. */
DEVICE_TOO struct stats_record record_of(enum value_kind kind, const struct stats_values *values,
                                         uint64_t first, uint64_t frames)
{
    const double numbers = (double)(frames - values->nans);
    const uint64_t nan = RULES_NAN_BITS64;
    const bool there = frames > values->nans;
    struct stats_record record;

    memset(&record, 0, sizeof record);
    record.first = first;
    record.frames = frames;
    record.nans = values->nans;
    record.sum = record_number(values->sum);
    record.mean = there ? record_number(values->sum / numbers) : rules_double(nan);
    record.rms = there ? record_number(sqrt(values->square / numbers)) : rules_double(nan);
    if (there) {
        record.argmin = first + values->low_at;
        record.argmax = first + values->high_at;
        record.argabs = first + values->magnitude_at;
    }
    if (kind != VALUE_I64) {
        record.min = there ? record_bits_of_key(kind, values->low) : nan;
        record.max = there ? record_bits_of_key(kind, values->high) : nan;
        record.abs = there ? record_bits(kind, values->magnitude) : nan;
    }
    return record;
}

#endif
