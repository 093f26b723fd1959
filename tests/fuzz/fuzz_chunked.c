/* The headers of WAV, AIFF and CAF, from any bytes. The first byte of the input picks the family,
 * unless the bytes begin like a file of tests/golden/. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "format/chunked_header.h"

static const struct chunked_class *pick(const uint8_t **bytes, size_t *size)
{
    static const struct chunked_class *const classes[] = {&wav_header, &aiff_header, &caf_header};

    if (*size >= 4 && memcmp(*bytes, "FORM", 4) == 0)
        return &aiff_header;
    if (*size >= 4 && memcmp(*bytes, "caff", 4) == 0)
        return &caf_header;
    if (*size == 0 || strchr("RBr", **bytes) != NULL)
        return &wav_header;
    --*size;
    return classes[*(*bytes)++ % 3];
}

static void check_ready(const struct chunked_header *header)
{
    FUZZ_CHECK(header->channels >= 1 && header->channels <= 65535);
    FUZZ_CHECK(sample_type_bytes(header->sample) >= 1 && sample_type_bytes(header->sample) <= 8);
    FUZZ_CHECK(!sample_type_is_complex(header->sample));
    FUZZ_CHECK(header->bytes <= CHUNK_HUGE || header->bytes == CHUNKED_UNTIL_END);
    FUZZ_CHECK(header->padding <= 8);
}

/* Hands over `size` bytes in a place of just that size, where reading on is found out. */
static void hand_over(struct chunked_header *header, const uint8_t *bytes, size_t size)
{
    unsigned char *copy = malloc(size + (size == 0));

    FUZZ_CHECK(copy != NULL);
    memcpy(copy, bytes, size);
    if (header->want == CHUNKED_WANTS_LOOK)
        chunked_look(header, copy, size);
    else
        chunked_take(header, copy);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct chunked_header header;
    size_t at = 0;

    chunked_begin(&header, pick(&bytes, &size));
    for (;;) {
        size_t left = size - at;

        switch (header.want) {
        case CHUNKED_WANTS_BYTES:
            FUZZ_CHECK(header.size >= 1 && header.size <= CHUNKED_MOST);
            if (header.size > left)
                return 0;
            at += (size_t)header.size;
            hand_over(&header, bytes + at - header.size, (size_t)header.size);
            break;
        case CHUNKED_WANTS_SKIP:
            FUZZ_CHECK(header.size >= 1);
            if (header.size > left)
                return 0;
            at += (size_t)header.size;
            chunked_skipped(&header);
            break;
        case CHUNKED_WANTS_LOOK:
            FUZZ_CHECK(header.size >= 4 && header.size <= CHUNKED_MOST);
            hand_over(&header, bytes + at, left < header.size ? left : (size_t)header.size);
            FUZZ_CHECK(header.want == CHUNKED_IS_READY);
            break;
        case CHUNKED_IS_READY:
            check_ready(&header);
            return 0;
        case CHUNKED_IS_FOREIGN:
            FUZZ_CHECK(memchr(header.codec, 0, sizeof header.codec) != NULL);
            return 0;
        case CHUNKED_IS_BAD:
            FUZZ_CHECK(header.why != NULL && *header.why != '\0');
            return 0;
        }
    }
}
