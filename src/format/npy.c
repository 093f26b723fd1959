/* SPDX-License-Identifier: MIT */
/* NumPy arrays, read and written: (frames,) or (frames, channels), in C order. Fortran order,
 * which pandas writes, is only read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/json_read_priv.h"
#include "format/parsers_priv.h"
#include "format/raw_reader_priv.h"
#include "format/raw_writer_priv.h"
#include "io/spool.h"

/* ---- the header: a Python dictionary with three keys, in any order
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * NumPy writes few of the forms that Python would accept. They become JSON, which is read. */

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

unsigned npy_header_start(const unsigned char bytes[NPY_START])
{
    if (memcmp(bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return 0;
    return bytes[6] == 1 ? 2 : 4;
}

/* Turns a Python dictionary into JSON. There is no comma behind the last value, and no suffix of
 * long integers, which Python 2 has. */
static void to_json(char *text, size_t size)
{
    static const char python[] = "()TFL'";
    static const char json[] = "[]tf \"";
    char *last = text; /* the last character that is no blank */
    char quote = '\0'; /* of the string here */

    for (char *at = text; at < text + size; at++) {
        const char *found = memchr(python, *at, sizeof python - 1);
        const char was = *at;

        if (quote == '\0' && found != NULL)
            *at = json[found - python];
        else if (was == quote || was == '"')
            *at = quote == '\0' || was == quote ? '"' : '\'';
        else if (was == '\\') /* in names of fields */
            *at = '/';
        if ((*at == ']' || *at == '}') && *last == ',')
            *last = ' ';
        if (quote == '\0' ? *at == '"' : was == quote)
            quote = quote == '\0' ? was : '\0';
        if (was != ' ' && was != '\n')
            last = at;
    }
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
static bool take_shape(struct json_value tuple, uint64_t shape[2], unsigned *dimensions)
{
    const bool is_list = json_kind(tuple) == '[';
    struct json_value number = {NULL, NULL};

    for (*dimensions = 0; is_list && json_next(tuple, NULL, &number); ++*dimensions) {
        const unsigned long long size = strtoull(number.at, NULL, 10);

        if (strspn(number.at, "0123456789") != (size_t)(number.end - number.at) || size > INT64_MAX)
            return false;
        if (*dimensions < 2)
            shape[*dimensions] = size;
    }
    /* In brackets, a number without a comma is no tuple. */
    return is_list && (*dimensions != 1 || *number.end == ' ');
}

bool npy_header_parse(const char *text, size_t size, struct raw_reader_data *data, const char **why)
{
    struct source_format *format = &data->format;
    struct json_value root;
    struct json_value name;
    struct json_value value = {NULL, NULL};
    struct json_value type;
    struct json_value order;
    struct json_value tuple;
    uint64_t shape[2];
    unsigned dimensions;
    unsigned members = 0;
    char json[NPY_TEXT_MOST];

    *data =
        (struct raw_reader_data){.container = "npy", .format = {.numbers = true, .array = true}};
    *why = "has a header that cannot be understood";
    if (size > sizeof json)
        return false;
    memcpy(json, text, size);
    to_json(json, size);
    if (!json_read(json, size, &root))
        return false;
    while (json_next(root, &name, &value))
        members++;
    if (members != 3 || !json_member(root, "descr", &type) ||
        !json_member(root, "fortran_order", &order) || !json_member(root, "shape", &tuple) ||
        !take_shape(tuple, shape, &dimensions) || strchr("tf", json_kind(order)) == NULL)
        return false;
    *why = "holds records: choose one field, as in array['name']";
    if (json_kind(type) != '"' ||
        !parse_type(type.at + 1, (size_t)(type.end - type.at) - 2, format, why))
        return false;
    *why = "has no dimension: a filter needs a row of numbers";
    if (dimensions == 0)
        return false;
    *why = "has more than 2 dimensions: choose (frames, channels), as with .reshape()";
    if (dimensions > 2)
        return false;
    format->frames = shape[0];
    format->flat = dimensions == 1;
    *why = "has no columns";
    if (!format->flat && shape[1] < 1)
        return false;
    *why = "has more than 65535 columns, and a column is a channel: if its rows are the channels, "
           "save its transpose (array.T)";
    if (!format->flat && shape[1] > 65535)
        return false;
    format->channels = format->flat ? 1 : (unsigned)shape[1];
    /* For a single row or column, both orders are equal. */
    data->planar = json_kind(order) == 't' && format->frames > 1 && format->channels > 1;
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
