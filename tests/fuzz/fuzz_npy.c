/* The header of a .npy, from any text; what is understood can be written, and read again. */
#include "fuzz.h"

#include <string.h>

#include "format/parsers.h"

static void write_and_read(const struct npy_header *header)
{
    unsigned char bytes[NPY_WRITTEN];
    struct npy_header again;
    const char *why;

    if (npy_header_type(header->sample) == NULL)
        return;
    npy_header_format(header, bytes);
    FUZZ_CHECK(npy_header_start(bytes) == 2);
    FUZZ_CHECK(npy_header_parse((const char *)bytes + 10, NPY_WRITTEN - 10, &again, &why));
    FUZZ_CHECK(again.frames == header->frames && again.channels == header->channels);
    FUZZ_CHECK(again.sample.kind == header->sample.kind);
    FUZZ_CHECK(again.flat == header->flat && again.truth == header->truth);
    FUZZ_CHECK(again.sample.big_endian == header->sample.big_endian);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct npy_header header;
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
        FUZZ_CHECK(header.channels >= 1 && header.channels <= 65535);
        FUZZ_CHECK(header.frames * header.channels * sample_type_bytes(header.sample) <= INT64_MAX);
        write_and_read(&header);
    } else {
        FUZZ_CHECK(why != NULL && *why != '\0');
    }
    free(text);
    return 0;
}
