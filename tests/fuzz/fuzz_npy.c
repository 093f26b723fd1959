/* The header of a .npy, from any text; what is understood can be written, and read again. */
#include "fuzz.h"

#include <string.h>

#include "format/format.h"
#include "format/parsers.h"

static void write_and_read(const struct npy_header *header)
{
    const struct sink_format format = {
        .sample = header->data.sample,
        .channels = header->data.channels,
        .flat = header->flat,
        .truth = header->truth,
    };
    unsigned char bytes[NPY_WRITTEN];
    struct builder builder = {.bytes = bytes};
    struct npy_header again = {.frames = 0};
    const char *why;

    format_named("npy", 3)->writer->header(&builder, &format, header->frames);
    FUZZ_CHECK(builder.size == NPY_WRITTEN && npy_header_start(bytes) == 2);
    FUZZ_CHECK(npy_header_parse((const char *)bytes + 10, NPY_WRITTEN - 10, &again, &why));
    FUZZ_CHECK(again.frames == header->frames);
    FUZZ_CHECK(again.data.channels == header->data.channels);
    FUZZ_CHECK(again.data.bytes == header->data.bytes);
    FUZZ_CHECK(again.data.sample.kind == header->data.sample.kind);
    FUZZ_CHECK(again.flat == header->flat && again.truth == header->truth);
    FUZZ_CHECK(again.data.sample.big_endian == header->data.sample.big_endian);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct npy_header header = {.frames = 0};
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
    if (npy_header_parse(text, size, &header, &why)) {
        FUZZ_CHECK(header.data.channels >= 1 && header.data.channels <= 65535);
        FUZZ_CHECK(header.data.bytes <= INT64_MAX);
        FUZZ_CHECK(header.data.bytes == header.frames * framed_frame_bytes(&header.data));
        write_and_read(&header);
    } else {
        FUZZ_CHECK(why != NULL && *why != '\0');
    }
    free(text);
    return 0;
}
