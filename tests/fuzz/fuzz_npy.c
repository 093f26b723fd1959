/* SPDX-License-Identifier: MIT */
/* The header of a .npy, from any text; what is understood can be written, and read again. */
#include "fuzz.h"

#include <string.h>

#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

static void write_and_read(const struct raw_reader_data *data)
{
    const struct source_format *read = &data->format;
    const struct sink_format format = {
        .sample = read->sample,
        .channels = read->channels,
        .flat = read->flat,
        .truth = read->truth,
    };
    unsigned char bytes[NPY_WRITTEN];
    struct builder builder = {.bytes = bytes};
    struct raw_reader_data again;
    const char *why;

    format_named("npy", 3)->writer->header->put(&builder, &format, read->frames);
    FUZZ_CHECK(builder.size == NPY_WRITTEN && npy_header_start(bytes) == 2);
    FUZZ_CHECK(npy_header_parse((const char *)bytes + 10, NPY_WRITTEN - 10, &again, &why));
    FUZZ_CHECK(again.bytes == data->bytes && again.format.frames == read->frames);
    FUZZ_CHECK(again.format.channels == read->channels);
    FUZZ_CHECK(again.format.sample.kind == read->sample.kind);
    FUZZ_CHECK(again.format.sample.big_endian == read->sample.big_endian);
    FUZZ_CHECK(again.format.flat == read->flat && again.format.truth == read->truth);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct raw_reader_data data;
    const char *why = NULL;
    char *text;

    /* A whole file: its text begins behind magic, version and size. */
    if (size >= 10 && npy_header_start(bytes) != 0) {
        size_t skip = NPY_START + npy_header_start(bytes);
        size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8;

        skip = skip < size ? skip : size;
        bytes += skip;
        size -= skip;
        size = length < size ? length : size;
    }
    text = malloc(size + (size == 0));
    FUZZ_CHECK(text != NULL);
    memcpy(text, bytes, size);
    if (npy_header_parse(text, size, &data, &why)) {
        FUZZ_CHECK(data.format.channels >= 1 && data.format.channels <= 65535);
        FUZZ_CHECK(data.bytes <= INT64_MAX);
        FUZZ_CHECK(data.bytes == data.format.frames * source_frame_bytes(&data.format));
        write_and_read(&data);
    } else {
        FUZZ_CHECK(why != NULL && *why != '\0');
    }
    free(text);
    return 0;
}
