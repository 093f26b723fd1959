/* NumPy arrays, in and out: (frames,) or (frames, channels), in C order; in Fortran order, as
 * pandas has them, they are only read. The parser of their header is format/npy_header.c. */
#include <errno.h>
#include <stdlib.h>

#include "format/format.h"
#include "format/framed.h"
#include "format/header_sink.h"
#include "format/npy_header.h"
#include "format/planar.h"

static int cut_short(const struct input *input, struct error *error)
{
    return error_set(error, ERROR_FILE, input->name, "ends inside its npy header");
}

/* The text of the header, to be freed. NULL is an error. */
static char *read_text(struct input *input, size_t *size, struct error *error)
{
    unsigned char start[NPY_START];
    unsigned char digits[4] = {0};
    unsigned count;
    size_t got;
    char *text;

    if (input_read_all(input, start, sizeof start, &got, error) != 0)
        return NULL;
    count = got < sizeof start ? 0 : npy_header_start(start);
    if (count == 0) {
        error_set(error, ERROR_FILE, input->name,
                  "is no npy file that can be read: it does not begin "
                  "like one");
        return NULL;
    }
    if (input_read_all(input, digits, count, &got, error) != 0)
        return NULL;
    *size = (size_t)number_of(digits, sizeof digits, false);
    if (*size > NPY_TEXT_MOST) {
        error_set(error, ERROR_FILE, input->name, "has an npy header of %zu bytes: too long",
                  *size);
        return NULL;
    }
    text = malloc(*size + 1);
    if (text == NULL)
        error_system(error, ERROR_FILE, input->name, errno);
    else if (input_read_all(input, text, *size, &got, error) != 0)
        goto error;
    else if (got < *size) {
        cut_short(input, error);
        goto error;
    }
    return text;

error:
    free(text);
    return NULL;
}

/* Somebody who has a channel in each row gets none of what he is after. */
static const char *doubt_of(const struct npy_header *header)
{
    /* A few frames of a few sensors are nothing out of the ordinary. */
    return header->channels > header->frames && header->channels >= 16 && header->frames > 0
               ? "has more columns than rows, and a column is taken as a channel: if its rows are "
                 "the channels, save its transpose (array.T)"
               : NULL;
}

static int open_npy(struct input *input, const struct source_request *request, const char *words,
                    struct source **source, struct error *error)
{
    struct npy_header header;
    struct framed_data data;
    const char *why;
    size_t size;
    char *text = read_text(input, &size, error);
    bool understood;
    int result;

    (void)words;
    if (text == NULL)
        return -1;
    understood = npy_header_parse(text, size, &header, &why);
    free(text);
    if (!understood)
        return error_set(error, ERROR_FILE, input->name, "is no npy file that can be read: it %s",
                         why);
    data = (struct framed_data){
        .container = "npy",
        .sample = header.sample,
        .channels = (unsigned)header.channels,
        .rate = request->rate,
        .bytes = header.frames * header.channels * sample_type_bytes(header.sample),
    };
    if (header.fortran)
        result = source_open_planar(input, &data, "a NumPy file in Fortran order", source, error);
    else
        result = source_open_framed(input, &data, source, error);
    if (result == 0)
        (*source)->doubt = doubt_of(&header);
    return result;
}

static void put_npy(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    const struct npy_header header = {
        .sample = format->sample,
        .frames = frames,
        .channels = format->channels,
    };

    npy_header_format(&header, builder->bytes + builder->size);
    builder->size += NPY_WRITTEN;
}

/* a version below 8, its revision 0 */
static const struct format_magic magic[] = {
    {8, "\x93NUMPY\0\0", "\xff\xff\xff\xff\xff\xff\xf8\xff", NULL},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f16 f32 f64 s8 u8 s16 u16 s32 u32",
    .any_order = true,
    .numbers = true,
    .rateless = true,
    .open = sink_open_header,
    .header = put_npy,
};

const struct format format_npy = {
    .names = {"npy"},
    .words = "a NumPy file",
    .endings = " npy",
    .magic = magic,
    .open = open_npy,
    .writer = &writer,
};
