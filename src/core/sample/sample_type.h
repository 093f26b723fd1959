/* SPDX-License-Identifier: MIT */
/* All raw sample types: names, sizes, and conversion to and from values.
 *
 * A sample is one number of one channel. A sample of a complex (IQ) type is a pair of numbers, read
 * as their magnitude. Integers are scaled to [-1,1), as in libsndfile and sox, unless `counts` is
 * set, which keeps the values. As float32, f64 and integers of more than 24 bits are rounded once
 * to the nearest; as float64, only integers of 64 bits are. */
#ifndef GPUENV_SAMPLE_SAMPLE_TYPE_H
#define GPUENV_SAMPLE_SAMPLE_TYPE_H

#include <stdbool.h>
#include <stddef.h>

enum sample_kind {
    SAMPLE_F32,
    SAMPLE_F64,
    SAMPLE_S8,
    SAMPLE_U8,
    SAMPLE_S16,
    SAMPLE_U16,
    SAMPLE_S24,
    SAMPLE_U24,
    SAMPLE_S32,
    SAMPLE_U32,
    SAMPLE_CF32, /* complex: I then Q */
    SAMPLE_CS16,
    SAMPLE_CS8,
    SAMPLE_CU8, /* as written by rtl_sdr: its zero lies at 127.5 */
    SAMPLE_F16, /* IEEE 754 binary16 */
    SAMPLE_S64,
    SAMPLE_U64,
    SAMPLE_CF64,
    SAMPLE_ULAW, /* G.711: codes of integers of 16 bits */
    SAMPLE_ALAW,
    SAMPLE_KINDS
};

struct sample_type {
    enum sample_kind kind;
    bool big_endian;    /* never set for single-byte types */
    bool counts;        /* integers keep their values */
    unsigned char bits; /* the upper bits of integers that are in use; 0 if all are. float32 holds
                           s32 with at most 24 */
};

/* The values that samples are decoded to. Only s64 and u64 stay integers. The top bit of u64 is
 * flipped, which makes signed integers in unchanged order.
 *
 * The last kinds are *compact*: raw samples in the byte order of the machine, which are not
 * decoded. They have a minimum and a maximum, and no other values. */
enum value_kind {
    VALUE_F32,
    VALUE_F64,
    VALUE_I64,
    VALUE_U64,   /* only for results */
    VALUE_FRAME, /* only for results: int64, the number of a frame, or -1 for none */
    VALUE_S8,
    VALUE_U8,
    VALUE_S16,
    VALUE_U16,
    VALUE_F16,
    VALUE_S32,
    VALUE_U32,
    VALUE_KINDS
};

static inline bool value_is_compact(enum value_kind kind)
{
    return kind >= VALUE_S8;
}

static inline size_t value_bytes(enum value_kind kind)
{
    if (kind == VALUE_F32 || kind >= VALUE_S32)
        return 4;
    return kind < VALUE_S8 ? 8 : kind < VALUE_S16 ? 1 : 2;
}

/* The names of the types that can be written, without a byte order, and the names of all types. */
#define SAMPLE_TYPE_REAL_NAMES " f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64"
#define SAMPLE_TYPE_NAMES SAMPLE_TYPE_REAL_NAMES " cf32 cf64 cs16 cs8 cu8 ulaw alaw"

/* Accepts the names of sox (s16, u8, f32, ...) and ffmpeg (s16le, f64be, ...), cf32 cf64 cs16 cs8
 * cu8 (cf32le, ... too), and, ignoring case, those of ALSA (S16_LE, FLOAT_LE) and NumPy (int16,
 * complex64). `big_endian` is the byte order of names without a suffix. Returns false for any other
 * name. `counts` and `bits` are left 0. */
bool sample_type_parse(const char *name, bool big_endian, struct sample_type *type);

/* The name, with the byte order if the type has one: "s16le". */
const char *sample_type_name(struct sample_type type);

/* Bytes of one sample, which is a pair for a complex type. */
size_t sample_type_bytes(struct sample_type type);

bool sample_type_is_complex(struct sample_type type);

/* Changes the type to the complex type whose samples are pairs of it. Returns false if there is
 * none. */
bool sample_type_pair(struct sample_type *type);

/* Can a sample be NaN? (f16, f32, f64, cf32, cf64) */
bool sample_type_has_nan(struct sample_type type);

bool sample_type_is_integer(struct sample_type type); /* complex types are no integer types */

/* Does an integer type hold every number of another one, both as plain numbers? */
bool sample_type_holds(struct sample_type type, struct sample_type other);

/* The kind of values that loses the least: float32 unless its 24 bits are too few, then float64
 * (f64, s32, u32, cf64), or integers (s64, u64). */
enum value_kind sample_type_value(struct sample_type type);

/* The kind of the numbers that values of sample_type_value() stand for: VALUE_U64 for u64 that
 * keeps its values, otherwise the kind of the values. */
enum value_kind sample_type_numbers(struct sample_type type);

/* The unit of integers of 64 bits, a power of two. */
double sample_type_unit(struct sample_type type);

/* Are raw samples values of that kind already, which need no conversion? */
bool sample_type_is_native(struct sample_type type, enum value_kind kind);

/* Decodes `count` raw samples, at any alignment, to values of the kind: every type to VALUE_F32 and
 * VALUE_F64, s64 and u64 to VALUE_I64. The buffers must not overlap. NaN stays NaN (with any
 * payload). */
void sample_decode(struct sample_type type, enum value_kind kind, const void *raw, void *values,
                   size_t count);

/* Decodes one channel of interleaved frames: sample i is read from raw + i * stride *
 * sample_type_bytes(type). */
void sample_decode_strided(struct sample_type type, enum value_kind kind, const void *raw,
                           size_t stride, void *values, size_t count);

/* Is there a NaN among `count` raw samples? If so, sets `*index` to the first. */
bool sample_find_nan(struct sample_type type, const void *raw, size_t count, size_t *index);

/* Does any of `count` raw samples lose digits in float32? A NaN loses none. */
bool sample_find_digits(struct sample_type type, const void *raw, size_t count);

/* Samples that an encoder had to change. Counters only grow. */
struct sample_losses {
    unsigned long long clipped; /* outside the integer's range */
    unsigned long long nan;     /* NaN, written as 0 (or the middle of an unsigned type) */
};

/* Encodes `count` values as raw samples, rounded once to nearest, ties to even. Integers are
 * clipped; numbers too large for float16 become infinity. Complex types and the codes of G.711
 * cannot be written. The buffers must not overlap.
 *
 * VALUE_I64 and VALUE_U64 are for s32, u32, s64, u64 and f64 only. VALUE_I64 is a signed number:
 * with `counts` the number itself, otherwise a multiple of 2^-63 of full scale. VALUE_U64 is an
 * unsigned number, only with `counts`. */
void sample_encode(struct sample_type type, enum value_kind from, const void *values, void *raw,
                   size_t count, struct sample_losses *losses);

/* Values as raw samples. Returns `values` if they are samples of the type already; otherwise
 * encodes them into `raw`, and returns it. Losses are not counted. */
const void *sample_encoded(struct sample_type type, enum value_kind from, const void *values,
                           void *raw, size_t count);

#endif
