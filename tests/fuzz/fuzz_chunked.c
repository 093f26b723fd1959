/* The headers of WAV, AIFF, CAF and AU, from any bytes. The first byte of the input picks the
 * family, unless the bytes begin like a file of tests/golden/. */
#include "fuzz.h"

#include <string.h>

#include "format/parsers.h"

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

struct memory_reader {
    struct header_reader reader;
    const uint8_t *at;
    size_t left;
    header_parser *parse;
    bool looked; /* has the parser peeked? Only that of AU does so before it reads */
};

static bool skip(struct header_reader *reader, uint64_t size)
{
    struct memory_reader *memory = (struct memory_reader *)reader;

    FUZZ_CHECK(size >= 1 && (!memory->looked || memory->parse == au_parse));
    if (size > memory->left)
        return false;
    memory->at += size;
    memory->left -= (size_t)size;
    return true;
}

static bool read(struct header_reader *reader, unsigned char *bytes, size_t size)
{
    const uint8_t *from = ((struct memory_reader *)reader)->at;

    FUZZ_CHECK(size <= HEADER_READ_MOST);
    if (!skip(reader, size))
        return false;
    memcpy(bytes, from, size);
    return true;
}

static bool peek(struct header_reader *reader, unsigned char *bytes, size_t size, size_t *got)
{
    struct memory_reader *memory = (struct memory_reader *)reader;

    FUZZ_CHECK(size >= 4 && size <= HEADER_READ_MOST && !memory->looked);
    *got = size < memory->left ? size : memory->left;
    if (*got > 0)
        memcpy(bytes, memory->at, *got);
    memory->looked = true;
    return true;
}

static void check_ready(const struct chunked_header *header, header_parser *parse)
{
    const struct framed_data *data = &header->data;

    FUZZ_CHECK(data->channels >= 1 && data->channels <= 65535);
    FUZZ_CHECK(sample_type_bytes(data->sample) >= 1 && sample_type_bytes(data->sample) <= 8);
    FUZZ_CHECK(!sample_type_is_complex(data->sample));
    FUZZ_CHECK(data->bytes <= CHUNK_HUGE || data->bytes == FRAMED_UNTIL_END);
    FUZZ_CHECK(data->padding <= 8 && (data->chunks != NULL) == (parse != au_parse));
    FUZZ_CHECK(parse != au_parse || header->position >= 24);
    FUZZ_CHECK(parse != au_parse || data->bytes <= UINT32_MAX || data->bytes == FRAMED_UNTIL_END);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct memory_reader memory = {.reader = {.read = read, .skip = skip, .peek = peek}};
    struct chunked_header header = {.reader = &memory.reader};

    memory.parse = pick(&bytes, &size);
    memory.at = bytes;
    memory.left = size;
    memory.parse(&header);
    FUZZ_CHECK(header.data.container != NULL);
    FUZZ_CHECK(!memory.looked || header.verdict == HEADER_READY || memory.parse == au_parse);
    if (header.verdict == HEADER_READY)
        check_ready(&header, memory.parse);
    else if (header.verdict == HEADER_FOREIGN)
        FUZZ_CHECK(memchr(header.words, 0, sizeof header.words) != NULL);
    else if (header.verdict == HEADER_BAD)
        FUZZ_CHECK(header.why != NULL && *header.why != '\0');
    return 0;
}
