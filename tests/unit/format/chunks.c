/* SPDX-License-Identifier: MIT */
/* Chunks: their headers, and chunks after the frames, which are skipped. */
#include "files.h"

#include "format/numbers_priv.h"
#include "format/parsers_priv.h"

static void test_parse(void)
{
    static const unsigned char w64[24] = {'d', 'a', 't', 'a', [16] = 33};
    static const unsigned char caf[12] = {'d', 'a', 't', 'a', [11] = 9};
    static const unsigned char huge[12] = {'d', 'a', 't', 'a', 0xff, 0xff, 0xff, 0xff, 0xff};
    struct file_chunk chunk;

    CHECK(chunk_parse(&chunk_riff, (const unsigned char *)"fmt \x11\1\0\0", &chunk));
    CHECK(chunk.size == 0x111 && chunk.padded == 0x112);
    CHECK(chunk_parse(&chunk_iff, (const unsigned char *)"COMM\0\0\1\x12", &chunk));
    CHECK(chunk.size == 0x112 && chunk.padded == 0x112);
    CHECK(chunk_parse(&chunk_caf, caf, &chunk) && chunk.size == 9 && chunk.padded == 9);
    CHECK(chunk_parse(&chunk_caf, huge, &chunk) && chunk.size >= CHUNK_HUGE);
    CHECK(chunk_parse(&chunk_w64, w64, &chunk) && chunk.size == 9 && chunk.padded == 16);
    /* The size includes the 24 bytes of the header, and is smaller than that. */
    CHECK(!chunk_parse(&chunk_w64, (const unsigned char[24]){[16] = 23}, &chunk));
    CHECK(chunk_has_name(w64) && !chunk_has_name(w64 + 4));
}

enum { FRAME_BYTES = 100, BEHIND = 6000 };

/* A WAV file of either byte order, with a large chunk after its frames; returns its size. */
static size_t make_wav(struct builder *builder, bool big)
{
    void (*number)(struct builder *, uint64_t, unsigned) = big ? put_big : put_little;
    static const unsigned char zeros[BEHIND];

    builder_put(builder, big ? "RIFX" : "RIFF", 4);
    number(builder, 4 + 24 + 8 + FRAME_BYTES + 8 + BEHIND, 4);
    builder_put(builder, "WAVEfmt ", 8);
    number(builder, 16, 4);
    number(builder, 1, 2);
    number(builder, 1, 2);
    number(builder, 8000, 4);
    number(builder, 16000, 4);
    number(builder, 2, 2);
    number(builder, 16, 2);
    builder_put(builder, "data", 4);
    number(builder, FRAME_BYTES, 4);
    builder_put(builder, zeros, FRAME_BYTES);
    builder_put(builder, "LIST", 4);
    number(builder, BEHIND, 4);
    builder_put(builder, zeros, BEHIND);
    return builder->size;
}

static void test_behind(bool big)
{
    const struct source_request request = {.channels = 1};
    static unsigned char file[2 * BEHIND];
    struct builder builder = {.bytes = file};
    unsigned char frames[2 * FRAME_BYTES];

    scratch_write("in", file, make_wav(&builder, big));
    source_open_file("in", &request);
    CHECK(in.source->format.frames == FRAME_BYTES / 2);
    CHECK(source_reads(frames, FRAME_BYTES) && in.got == FRAME_BYTES / 2);
    CHECK_THAT(source_reads(frames, 1) && in.got == 0, "%s", words_of(&in.error));
    source_end();
}

int main(void)
{
    scratch_enter();
    test_parse();
    test_behind(false);
    test_behind(true);
    return check_result();
}
