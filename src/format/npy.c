/* SPDX-License-Identifier: MIT */
/* NumPy arrays, read and written: (frames,) or (frames, channels), in C order. Fortran order,
 * which pandas writes, is only read. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/raw_reader_priv.h"
#include "format/raw_writer_priv.h"
#include "io/spool.h"

/* ---- the header: a Python dictionary with three keys, in any order
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * NumPy writes few of the forms that Python would accept; only those are read here. */

static const struct {
    const char *name; /* letters after the byte order */
    enum sample_kind kind;
} types[] = {
    {"f2", SAMPLE_F16}, {"f4", SAMPLE_F32},   {"f8", SAMPLE_F64}, {"i1", SAMPLE_S8},
    {"u1", SAMPLE_U8},  {"i2", SAMPLE_S16},   {"u2", SAMPLE_U16}, {"i4", SAMPLE_S32},
    {"u4", SAMPLE_U32}, {"c8", SAMPLE_CF32},  {"i8", SAMPLE_S64}, {"u8", SAMPLE_U64},
    {"b1", SAMPLE_U8},  {"c16", SAMPLE_CF64},
};

/* Unsupported types, by letter. */
static const struct {
    char letter;
    const char *why;
} no_numbers[] = {
    {'O', "holds Python objects: if they are numbers, use .astype('<f8')"},
    {'S', "holds strings: if they are numbers, use .astype('<f8')"},
    {'U', "holds strings: if they are numbers, use .astype('<f8')"},
    {'M', "holds dates, which are not samples: choose the values that belong to them"},
    {'m', "holds spans of time: divide them by numpy.timedelta64(1, 's')"},
    {'c', "holds complex numbers of more than 128 bits: use .astype('<c16')"},
    {'V', "holds bytes without a type: use .view() to give them one"},
};

enum { TYPES = sizeof types / sizeof *types };

struct npy_text {
    const char *at;
    const char *end;
};

unsigned npy_header_start(const unsigned char bytes[NPY_START])
{
    if (memcmp(bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return 0;
    return bytes[6] == 1 ? 2 : 4;
}

static void pass_blanks(struct npy_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n'))
        text->at++;
}

/* Takes the character if it comes next. */
static bool take(struct npy_text *text, char character)
{
    pass_blanks(text);
    if (text->at == text->end || *text->at != character)
        return false;
    text->at++;
    return true;
}

static bool take_word(struct npy_text *text, const char *word)
{
    size_t size = strlen(word);

    pass_blanks(text);
    if ((size_t)(text->end - text->at) < size || memcmp(text->at, word, size) != 0)
        return false;
    text->at += size;
    return true;
}

/* Takes a string in single or double quotes, without escapes. */
static bool take_string(struct npy_text *text, const char **string, size_t *size)
{
    char quote = '\'';

    if (!take(text, quote)) {
        quote = '"';
        if (!take(text, quote))
            return false;
    }
    *string = text->at;
    while (text->at < text->end && *text->at != quote && *text->at != '\\')
        text->at++;
    *size = (size_t)(text->at - *string);
    return take(text, quote);
}

static bool take_number(struct npy_text *text, uint64_t *number)
{
    uint64_t sum = 0;

    pass_blanks(text);
    if (text->at == text->end || !isdigit((unsigned char)*text->at))
        return false;
    for (; text->at < text->end && isdigit((unsigned char)*text->at); text->at++) {
        uint64_t digit = (uint64_t)(*text->at - '0');

        if (sum > (INT64_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    (void)take(text, 'L'); /* the suffix of long integers in Python 2 */
    *number = sum;
    return true;
}

static bool parse_type(const char *name, size_t size, struct source_format *format,
                       const char **why)
{
    *why = "holds a type other than f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 c8 c16: use "
           ".astype('<f8')";
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        if (size >= 2 && name[1] == no_numbers[i].letter)
            *why = no_numbers[i].why;
    }
    if (size < 3 || name[0] == '\0' || strchr("<>|=", name[0]) == NULL)
        return false;
    for (int i = 0; i < TYPES; i++) {
        if (strlen(types[i].name) != size - 1 || memcmp(types[i].name, name + 1, size - 1) != 0)
            continue;
        format->sample = (struct sample_type){
            .kind = types[i].kind,
            .big_endian = name[0] == '>' && (size > 3 || name[2] != '1'),
            .counts = true,
        };
        format->truth = types[i].name[0] == 'b';
        return true;
    }
    return false;
}

/* Takes the numbers of the tuple; keeps only the first two. */
static bool take_shape(struct npy_text *text, uint64_t shape[2], unsigned *dimensions)
{
    *dimensions = 0;
    if (!take(text, '('))
        return false;
    while (!take(text, ')')) {
        uint64_t number;

        if (!take_number(text, &number))
            return false;
        if (*dimensions < 2)
            shape[*dimensions] = number;
        ++*dimensions;
        if (!take(text, ',') && (*dimensions == 1 || text->at == text->end || *text->at != ')'))
            return false;
    }
    return true;
}

struct dictionary {
    const char *type;
    size_t type_size;
    bool fortran;
    uint64_t shape[2];
    unsigned dimensions;
    unsigned keys; /* a bit for each key that was found */
};

static bool take_value(struct npy_text *text, const char *key, size_t size,
                       struct dictionary *dictionary, const char **why)
{
    if (size == 5 && memcmp(key, "descr", 5) == 0) {
        dictionary->keys |= 1;
        if (take_string(text, &dictionary->type, &dictionary->type_size))
            return true;
        *why = "holds records: choose one field, as in array['name']";
        return false;
    }
    if (size == 13 && memcmp(key, "fortran_order", 13) == 0) {
        dictionary->keys |= 2;
        dictionary->fortran = take_word(text, "True");
        return dictionary->fortran || take_word(text, "False");
    }
    if (size == 5 && memcmp(key, "shape", 5) == 0) {
        dictionary->keys |= 4;
        return take_shape(text, dictionary->shape, &dictionary->dimensions);
    }
    return false;
}

static bool take_dictionary(struct npy_text *text, struct dictionary *dictionary, const char **why)
{
    *why = "has a header that cannot be understood";
    if (!take(text, '{'))
        return false;
    while (!take(text, '}')) {
        const char *key;
        size_t size;

        if (!take_string(text, &key, &size) || !take(text, ':') ||
            !take_value(text, key, size, dictionary, why))
            return false;
        if (!take(text, ',') && (text->at == text->end || *text->at != '}'))
            return false;
    }
    pass_blanks(text);
    return text->at == text->end && dictionary->keys == 7;
}

bool npy_header_parse(const char *text, size_t size, struct raw_reader_data *data, const char **why)
{
    struct npy_text rest = {.at = text, .end = text + size};
    struct dictionary dictionary = {.type = ""};
    struct source_format *format = &data->format;

    *data =
        (struct raw_reader_data){.container = "npy", .format = {.numbers = true, .array = true}};
    if (!take_dictionary(&rest, &dictionary, why) ||
        !parse_type(dictionary.type, dictionary.type_size, format, why))
        return false;
    *why = "has no dimension: a filter needs a row of numbers";
    if (dictionary.dimensions == 0)
        return false;
    *why = "has more than 2 dimensions: choose (frames, channels), as with .reshape()";
    if (dictionary.dimensions > 2)
        return false;
    format->frames = dictionary.shape[0];
    format->flat = dictionary.dimensions == 1;
    *why = "has no columns";
    if (!format->flat && dictionary.shape[1] < 1)
        return false;
    *why = "has more than 65535 columns, and a column is a channel: if its rows are the channels, "
           "save its transpose (array.T)";
    if (!format->flat && dictionary.shape[1] > 65535)
        return false;
    format->channels = format->flat ? 1 : (unsigned)dictionary.shape[1];
    /* For a single row or column, both orders are equal. */
    data->planar = dictionary.fortran && format->frames > 1 && format->channels > 1;
    format->planar = data->planar;
    *why = "is larger than any file";
    data->bytes = format->frames * source_frame_bytes(format);
    return format->frames <= (uint64_t)INT64_MAX / 65535 / 16;
}

/* ---- the reader */

static int read_header(struct input *input, struct raw_reader_data *data, struct error *error)
{
    char text[NPY_TEXT_MOST];
    unsigned char start[NPY_START];
    unsigned char digits[4] = {0};
    const char *why;
    unsigned count;
    size_t size;
    size_t got;

    if (input_read_all(input, start, sizeof start, &got, error) != 0)
        return -1;
    count = got < sizeof start ? 0 : npy_header_start(start);
    if (count == 0)
        return error_set(error, ERROR_FILE, input->name,
                         "is not a readable npy file: it does not begin like one");
    if (input_read_all(input, digits, count, &got, error) != 0)
        return -1;
    size = (size_t)number_of_bytes(digits, sizeof digits, false);
    if (size > sizeof text)
        return error_set(error, ERROR_FILE, input->name, "has an npy header of %zu bytes: too long",
                         size);
    if (input_read_all(input, text, size, &got, error) != 0)
        return -1;
    if (got < size)
        return error_set(error, ERROR_FILE, input->name, "ends inside its npy header");
    if (!npy_header_parse(text, size, data, &why))
        return error_set(error, ERROR_FILE, input->name, "is not a readable npy file: it %s", why);
    return 0;
}

static int open_npy(struct input *input, const struct source_request *request,
                    const struct recognised *found, struct source **source, struct error *error)
{
    struct raw_reader_data data = {.container = "npy"};

    (void)request;
    (void)found;
    if (read_header(input, &data, error) != 0)
        return -1;
    if (data.planar && spool_input(input, "a NumPy file in Fortran order", NULL, error) != 0)
        return -1;
    if (source_open_raw_frames(input, &data, source, error) != 0)
        return -1;
    /* If each row is a channel, the output would not be what the user wants. A few frames of a few
     * sensors are normal. */
    if (data.format.channels > data.format.frames && data.format.channels >= 16 &&
        data.format.frames > 0)
        (*source)->doubt = "has more columns than rows, and a column is taken as a channel: if its "
                           "rows are the channels, save its transpose (array.T)";
    return 0;
}

/* ---- the writer */

/* NumPy pads with blanks to a multiple of 64 bytes to align the array. We pad headers to one fixed
 * size, so that the shape can be filled in at the end. */
static void put_npy(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    enum { TEXT = NPY_WRITTEN - NPY_START - 2 };
    const char *type = format->truth ? "b1" : NULL;
    const bool flat = format->flat && format->channels == 1;
    char channels[24] = "";
    char text[TEXT];
    int size;

    for (int i = 0; type == NULL; i++) {
        if (types[i].kind == format->sample.kind)
            type = types[i].name;
    }
    if (!flat)
        snprintf(channels, sizeof channels, " %u", format->channels);
    memset(text, ' ', TEXT);
    size = snprintf(text, TEXT, "{'descr': '%s%s', 'fortran_order': False, 'shape': (%llu,%s), }",
                    strcmp(type + 1, "1") == 0  ? "|"
                    : format->sample.big_endian ? ">"
                                                : "<",
                    type, (unsigned long long)frames, channels);
    text[size] = ' ';
    text[TEXT - 1] = '\n';
    builder_put(builder, "\x93NUMPY\1\0", NPY_START);
    put_little(builder, TEXT, 2);
    builder_put(builder, text, TEXT);
}

/* Chooses the type of the results. An array as input gives an array of its type, if that can hold
 * the results: cut windows are NaN, and computed values are floats. Other inputs give integers only
 * if float64 could not hold them. */
static void fit_npy(struct sink_format *format, const struct source_format *source, bool cut)
{
    const struct emit_list *emits = &format->context.emits;
    const enum value_kind natural = sample_type_value(source->sample);
    const bool sums = emits_need_sums(emits);
    const bool positions = emits->count > 0 && emits_positions(emits) == emits->count;
    bool keeps = !sample_type_is_complex(source->sample) && source->sample.counts &&
                 (source->array || natural == VALUE_I64);

    for (unsigned i = 0; i < emits->count; i++)
        keeps = keeps && (emits->item[i] == EMIT_MIN || emits->item[i] == EMIT_MAX);
    if (cut && !sample_type_has_nan(source->sample))
        keeps = false;
    format->sample.kind = positions                       ? SAMPLE_S64
                          : keeps                         ? source->sample.kind
                          : natural == VALUE_F32 && !sums ? SAMPLE_F32
                                                          : SAMPLE_F64;
    format->truth = keeps && source->truth && source->sample.kind == SAMPLE_U8;
}

static const struct format_writer writer = {
    .kinds = " f16 f32 f64 s8 u8 s16 u16 s32 u32 s64 u64",
    .any_order = true,
    .fit = fit_npy,
    .numbers = true,
    .positions = true,
    .open = sink_open_header,
    .header = &(const struct header_rules){.put = put_npy},
};

const struct format format_npy = {
    .names = {"npy"},
    .words = "a NumPy file",
    .endings = " npy",
    /* a major version below 8, minor version 0 */
    .magic =
        (const struct format_magic[]){
            {8, "\x93NUMPY\0\0", .mask = "\xff\xff\xff\xff\xff\xff\xf8\xff"}, {0}},
    .open = open_npy,
    .writer = &writer,
};
