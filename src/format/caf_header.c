/* CAF: big-endian chunks with 64-bit sizes; desc comes first and says what the samples are. A size
 * of -1 means that the data go on until the end. */
#include "format/chunked_header.h"

#include <string.h>

#include "format/numbers.h"

enum {
    STATE_DESCRIPTION = CHUNKED_STATES,
    STATE_EDIT_COUNT,
};

enum {
    FILE_START = 8,
    DESCRIPTION = 32,
    EDIT_COUNT = 4,
};

enum {
    FLAG_FLOAT = 1,
    FLAG_LITTLE = 2,
};

static const struct chunked_part description_part = {STATE_DESCRIPTION, DESCRIPTION, DESCRIPTION,
                                                     "has a desc chunk that is too small"};
static const struct chunked_part edit_count_part = {.state = STATE_EDIT_COUNT, .most = EDIT_COUNT};

static bool kind_of(uint32_t flags, uint32_t bits, enum sample_kind *kind)
{
    static const enum sample_kind integers[] = {SAMPLE_S8, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32};

    if (bits % 8 != 0 || bits < 8 || flags > (FLAG_FLOAT | FLAG_LITTLE))
        return false;
    if ((flags & FLAG_FLOAT) != 0) {
        *kind = bits == 64 ? SAMPLE_F64 : SAMPLE_F32;
        return bits == 32 || bits == 64;
    }
    if (bits > 32)
        return false;
    *kind = integers[bits / 8 - 1];
    return true;
}

static void take_description(struct chunked_header *header, const unsigned char *bytes)
{
    uint64_t rate_bits = number_big64(bytes);
    uint32_t flags = number_big32(bytes + 12);
    uint32_t packet_bytes = number_big32(bytes + 16);
    uint32_t packet_frames = number_big32(bytes + 20);
    uint32_t channels = number_big32(bytes + 24);
    uint32_t bits = number_big32(bytes + 28);

    memcpy(&header->rate, &rate_bits, sizeof rate_bits);
    if (memcmp(bytes + 8, "lpcm", 4) != 0) {
        chunked_foreign(header, "codec %.4s", (const char *)bytes + 8);
        return;
    }
    if (channels < 1 || channels > 65535) {
        chunked_bad(header, "has 0 or more than 65535 channels");
        return;
    }
    /* Samples that do not fill their bytes lie at either end of them: not for here. */
    if (packet_frames != 1 || !kind_of(flags, bits, &header->sample.kind) ||
        packet_bytes != (uint64_t)channels * bits / 8) {
        chunked_foreign(header, "PCM of an unusual layout");
        return;
    }
    header->sample.big_endian = (flags & FLAG_LITTLE) == 0 && bits > 8;
    header->channels = channels;
    header->has_format = true;
    chunked_next(header, header->rest);
}

static void take_chunk(struct chunked_header *header, const unsigned char *bytes)
{
    struct chunk chunk;

    (void)chunk_parse(header->shape, bytes, &chunk);
    if (memcmp(bytes, "data", 4) == 0 && !header->has_format) {
        chunked_bad(header, "has no desc chunk before its data");
    } else if (memcmp(bytes, "data", 4) == 0) {
        header->data_bytes = CHUNKED_UNTIL_END;
        /* No data at all is what libsndfile says until it has come to the end. */
        if (chunk.size > EDIT_COUNT && chunk.size < CHUNK_HUGE)
            header->data_bytes = chunk.size - EDIT_COUNT;
        chunked_want(header, &edit_count_part, EDIT_COUNT, EDIT_COUNT);
    } else if (chunk.size >= CHUNK_HUGE) {
        chunked_bad(header, "has a chunk without an end");
    } else if (memcmp(bytes, "desc", 4) == 0 && !header->has_format) {
        chunked_want(header, &description_part, chunk.size, chunk.padded);
    } else {
        chunked_next(header, chunk.padded);
    }
}

static void take(struct chunked_header *header, const unsigned char *bytes)
{
    switch (header->state) {
    case CHUNKED_START:
        if (memcmp(bytes, "caff\0\1\0\0", FILE_START) != 0)
            chunked_bad(header, "does not begin like one");
        else
            chunked_next(header, 0);
        break;
    case STATE_DESCRIPTION:
        take_description(header, bytes);
        break;
    case STATE_EDIT_COUNT:
        chunked_ready(header, header->data_bytes);
        break;
    default:
        take_chunk(header, bytes);
        break;
    }
}

const struct chunked_class caf_header = {
    .container = "caf",
    .first = FILE_START,
    .shape = &chunk_caf,
    .take = take,
};
