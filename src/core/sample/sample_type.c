/* SPDX-License-Identifier: MIT */
#include "sample/sample_type.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sample/bytes.h"

static const struct traits {
    const char *name; /* without a byte order */
    const char *little;
    const char *big;
    size_t bytes;
    bool complex;
    bool has_nan;
} traits[SAMPLE_KINDS] = {
    [SAMPLE_F32] = {"f32", "f32le", "f32be", 4, false, true},
    [SAMPLE_F64] = {"f64", "f64le", "f64be", 8, false, true},
    [SAMPLE_S8] = {"s8", "s8", "s8", 1, false, false},
    [SAMPLE_U8] = {"u8", "u8", "u8", 1, false, false},
    [SAMPLE_S16] = {"s16", "s16le", "s16be", 2, false, false},
    [SAMPLE_U16] = {"u16", "u16le", "u16be", 2, false, false},
    [SAMPLE_S24] = {"s24", "s24le", "s24be", 3, false, false},
    [SAMPLE_U24] = {"u24", "u24le", "u24be", 3, false, false},
    [SAMPLE_S32] = {"s32", "s32le", "s32be", 4, false, false},
    [SAMPLE_U32] = {"u32", "u32le", "u32be", 4, false, false},
    [SAMPLE_CF32] = {"cf32", "cf32le", "cf32be", 8, true, true},
    [SAMPLE_CS16] = {"cs16", "cs16le", "cs16be", 4, true, false},
    [SAMPLE_CS8] = {"cs8", "cs8", "cs8", 2, true, false},
    [SAMPLE_CU8] = {"cu8", "cu8", "cu8", 2, true, false},
    [SAMPLE_F16] = {"f16", "f16le", "f16be", 2, false, true},
    [SAMPLE_S64] = {"s64", "s64le", "s64be", 8, false, false},
    [SAMPLE_U64] = {"u64", "u64le", "u64be", 8, false, false},
    [SAMPLE_CF64] = {"cf64", "cf64le", "cf64be", 16, true, true},
    [SAMPLE_ULAW] = {"ulaw", "ulaw", "ulaw", 1, false, false},
    [SAMPLE_ALAW] = {"alaw", "alaw", "alaw", 1, false, false},
};

/* Names used by other programs. */
static const struct alias {
    const char *alias;
    const char *name;
} aliases[] = {
    {"mulaw", "ulaw"},      {"mu_law", "ulaw"},   {"ul", "ulaw"},        {"a_law", "alaw"},
    {"al", "alaw"},         {"complex", "cf32"},  {"complex16u", "cu8"}, {"complex16s", "cs8"},
    {"complex32s", "cs16"}, {"fc32", "cf32"},     {"sc16", "cs16"},      {"c16", "cs16"},
    {"ci16", "cs16"},       {"c8", "cs8"},        {"ci8", "cs8"},        {"float16", "f16"},
    {"float32", "f32"},     {"float64", "f64"},   {"float", "f32"},      {"double", "f64"},
    {"int8", "s8"},         {"uint8", "u8"},      {"int16", "s16"},      {"uint16", "u16"},
    {"int32", "s32"},       {"uint32", "u32"},    {"complex64", "cf32"}, {"complex128", "cf64"},
    {"int64", "s64"},       {"uint64", "u64"},    {"s24_3le", "s24le"},  {"s24_3be", "s24be"},
    {"u24_3le", "u24le"},   {"u24_3be", "u24be"}, {"sc8", "cs8"},        {"i8", "s8"},
    {"i16", "s16"},         {"i24", "s24"},       {"i32", "s32"},        {"i64", "s64"},
    {"sb", "s8"},           {"ub", "u8"},         {"sw", "s16"},         {"uw", "u16"},
    {"sl", "s32"},
};

enum { NAME_ROOM = 24 };

/* Returns gpuenv's name of a type. ALSA and SigMF write an underscore before the byte order, as in
 * S16_LE and ci16_le. */
static const char *unalias(const char *name, char here[NAME_ROOM])
{
    const char *end = name + strlen(name);
    const bool ordered =
        end - name > 3 && (strcasecmp(end - 3, "_le") == 0 || strcasecmp(end - 3, "_be") == 0);
    const size_t stem = (size_t)(end - name) - (ordered ? 3 : 0);
    const char *order = ordered ? end - 2 : end;

    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strlen(aliases[i].alias) == stem && strncasecmp(aliases[i].alias, name, stem) == 0) {
            snprintf(here, NAME_ROOM, "%s%s", aliases[i].name, order);
            return here;
        }
    }
    if (ordered)
        snprintf(here, NAME_ROOM, "%.*s%s", (int)stem, name, order);
    return ordered ? here : name;
}

bool sample_type_parse(const char *name, bool big_endian, struct sample_type *type)
{
    static const char pcm[] = "pcm_"; /* a prefix of ffmpeg's names: pcm_s16le */
    char here[NAME_ROOM];

    if (strncasecmp(name, pcm, sizeof pcm - 1) == 0)
        name += sizeof pcm - 1;
    name = unalias(name, here);
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const struct traits *row = &traits[kind];
        bool is_little = strcasecmp(name, row->little) == 0;
        bool is_big = strcasecmp(name, row->big) == 0;

        if (!is_little && !is_big && strcasecmp(name, row->name) != 0)
            continue;
        /* All three names of a single-byte type are equal. */
        *type = (struct sample_type){
            .kind = (enum sample_kind)kind,
            .big_endian = !is_little && (is_big || big_endian),
        };
        return true;
    }
    return false;
}

const char *sample_type_name(struct sample_type type)
{
    return type.big_endian ? traits[type.kind].big : traits[type.kind].little;
}

size_t sample_type_bytes(struct sample_type type)
{
    return traits[type.kind].bytes;
}

bool sample_type_pair(struct sample_type *type)
{
    static const enum sample_kind pairs[SAMPLE_KINDS] = {
        [SAMPLE_F32] = SAMPLE_CF32,
        [SAMPLE_F64] = SAMPLE_CF64,
        [SAMPLE_S8] = SAMPLE_CS8,
        [SAMPLE_S16] = SAMPLE_CS16,
    };

    if (pairs[type->kind] == 0)
        return false;
    type->kind = pairs[type->kind];
    type->bits = 0;
    return true;
}

bool sample_type_is_complex(struct sample_type type)
{
    return traits[type.kind].complex;
}

bool sample_type_has_nan(struct sample_type type)
{
    return traits[type.kind].has_nan;
}

bool sample_type_is_integer(struct sample_type type)
{
    return !traits[type.kind].has_nan && !traits[type.kind].complex;
}

enum value_kind sample_type_value(struct sample_type type)
{
    const struct traits *row = &traits[type.kind];
    size_t bytes = row->complex ? row->bytes / 2 : row->bytes;
    const bool narrow = type.bits > 0 && type.bits <= 24;

    if (bytes == 8 && !row->has_nan)
        return VALUE_I64;
    return bytes == 8 || (bytes == 4 && !row->has_nan && !narrow) ? VALUE_F64 : VALUE_F32;
}

enum value_kind sample_type_numbers(struct sample_type type)
{
    return type.kind == SAMPLE_U64 && type.counts ? VALUE_U64 : sample_type_value(type);
}

double sample_type_unit(struct sample_type type)
{
    return type.counts ? 1 : 0x1p-63;
}

bool sample_type_is_native(struct sample_type type, enum value_kind kind)
{
    static const enum sample_kind same[VALUE_KINDS] = {
        [VALUE_F32] = SAMPLE_F32, [VALUE_F64] = SAMPLE_F64,   [VALUE_I64] = SAMPLE_S64,
        [VALUE_U64] = SAMPLE_U64, [VALUE_FRAME] = SAMPLE_S64, [VALUE_S8] = SAMPLE_S8,
        [VALUE_U8] = SAMPLE_U8,   [VALUE_S16] = SAMPLE_S16,   [VALUE_U16] = SAMPLE_U16,
        [VALUE_F16] = SAMPLE_F16, [VALUE_S32] = SAMPLE_S32,   [VALUE_U32] = SAMPLE_U32,
    };

    return type.kind == same[kind] &&
           (type.big_endian == SAMPLE_MACHINE_IS_BIG || traits[type.kind].bytes == 1);
}
