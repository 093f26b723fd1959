/* Frames without a header: nothing lies between the file and the engine. */
#include "format/raw.h"

#include <ctype.h>
#include <string.h>

#include "format/framed.h"
#include "format/header_sink.h"

static int open_raw(struct input *input, const struct source_request *request, const char *words,
                    struct source **source, struct error *error)
{
    const struct framed_data data = {
        .container = "raw",
        .sample = request->sample,
        .channels = request->channels,
        .rate = request->rate,
        .bytes = FRAMED_UNTIL_END,
    };

    (void)words;
    return source_open_framed(input, &data, source, error);
}

bool raw_type_by_ending(const char *path, struct sample_type *type)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');
    struct sample_type named = {.kind = SAMPLE_F32};
    char ending[16];
    size_t length = dot == NULL ? 0 : strlen(dot + 1);

    if (length == 0 || length >= sizeof ending)
        return false;
    for (size_t i = 0; i <= length; i++)
        ending[i] = (char)tolower((unsigned char)dot[1 + i]);
    if (strcmp(ending, "raw") == 0)
        named.big_endian = type->big_endian;
    else if (!sample_type_parse(ending, type->big_endian, &named))
        return false;
    named.counts = type->counts;
    *type = named;
    return true;
}

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f16 f32 f64 s8 u8 s16 u16 s24 u24 s32 u32",
    .any_order = true,
    .rateless = true,
    .streams = true,
    .open = sink_open_header,
};

const struct format format_raw = {
    .names = {"raw"},
    .words = "raw frames",
    .open = open_raw,
    .writer = &writer,
};
