/* SPDX-License-Identifier: MIT */
/* The headers of WAV, AIFF, CAF and AU, from any bytes. The first byte of the input picks the
 * family, unless the bytes begin like a file of tests/golden/. */
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/parsers_priv.h"

static header_parser *pick(const uint8_t **bytes, size_t *size)
{
    static header_parser *const parsers[] = {wav_parse, aiff_parse, caf_parse, au_parse};

    if (*size >= 4 && memcmp(*bytes, "FORM", 4) == 0)
        return aiff_parse;
    if (*size >= 4 && memcmp(*bytes, "caff", 4) == 0)
        return caf_parse;
    if (*size >= 4 &&
        (**bytes == '.' || memcmp(*bytes, "dns.", 4) == 0 || memcmp(*bytes, "\0ds.", 4) == 0))
        return au_parse;
    if (*size == 0 || (**bytes != 0 && strchr("RBr", **bytes) != NULL))
        return wav_parse;
    --*size;
    return parsers[*(*bytes)++ % 4];
}

static void check_ready(const struct chunked_header *header, header_parser *parse)
{
    const struct raw_reader_data *data = &header->data;
    const size_t sample = sample_type_bytes(data->format.sample);

    FUZZ_CHECK(data->format.channels >= 1 && data->format.channels <= 65535);
    FUZZ_CHECK(sample >= 1 && sample <= 8 && !sample_type_is_complex(data->format.sample));
    FUZZ_CHECK(data->bytes <= CHUNK_HUGE || data->bytes == RAW_UNTIL_END);
    FUZZ_CHECK(data->padding <= 8 && (data->chunks != NULL) == (parse != au_parse));
    FUZZ_CHECK(header->position == input_position(header->input));
    FUZZ_CHECK(parse != au_parse || header->position >= 24);
    FUZZ_CHECK(parse != au_parse || data->bytes <= UINT32_MAX || data->bytes == RAW_UNTIL_END);
}

/* A file in memory; the same one each time. */
static struct input *input_of(const uint8_t *bytes, size_t size)
{
    static struct input input;
    static int fd = -1;
    struct error error;
    char path[32];

    if (fd < 0) {
        fd = memfd_create("chunked", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        FUZZ_CHECK(input_open(&input, path, false, &error) == 0);
        input.name = "chunked";
    }
    FUZZ_CHECK(pwrite(fd, bytes, size, 0) == (ssize_t)size && ftruncate(fd, (off_t)size) == 0);
    FUZZ_CHECK(input_rewind(&input, 0, &error) == 0);
    return &input;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {.reason = ""};
    header_parser *parse = pick(&bytes, &size);
    struct chunked_header header = {.input = input_of(bytes, size), .error = &error};

    parse(&header);
    FUZZ_CHECK(header.data.container != NULL);
    if (header.verdict == HEADER_READY)
        check_ready(&header, parse);
    else if (header.verdict == HEADER_FOREIGN)
        FUZZ_CHECK(memchr(header.words, 0, sizeof header.words) != NULL);
    else
        FUZZ_CHECK(error.reason[0] != '\0');
    return 0;
}
