/* SPDX-License-Identifier: MIT */
/* Containers are recognised by their first bytes, raw samples never are. */
#include "files.h"
#include "format/mpeg_priv.h"
#include "format/recognise_priv.h"
#include "inputs.h"
#include "random.h"
#include "table.h"

/* Opens the file "in". What it is taken for; "": for nothing. */
static const char *words_of_file(void)
{
    static struct recognised found;

    CHECK(input_open(&in.input, "in", false, &in.error) == 0);
    CHECK(recognise(&in.input, &found, &in.error) == 0);
    return found.format != NULL ? found.words : "";
}

static void test_recognised(void)
{
    struct source_request request = {.channels = 1};
    char bytes[80] = {0};

    TABLE (row, "magic", 3) {
        const char *const words = row.field[0];
        const size_t least = strtoul(row.field[1], NULL, 10);

        memcpy(bytes, row.field[2], least);
        for (size_t size = 0; size < sizeof bytes; size++) {
            const bool whole = size >= least;

            scratch_write("in", bytes, size);
            CHECK_THAT(strcmp(words_of_file(), whole ? words : "") == 0, "%s %zu", words, size);
            if (!whole) {
                /* A file of which nothing is known is no samples, unless it is empty. */
                CHECK_THAT((source_open(&in.input, &request, &in.source, &in.error) == 0) ==
                               (size == 0),
                           "%s %zu", words, size);
                if (size == 0)
                    source_close(in.source);
            }
            input_close(&in.input);
        }
        /* With an explicit type. */
        request.format = &format_raw;
        source_open_file("in", &request);
        source_end();
        request.format = NULL;
    }
}

static const char *words_of_bytes(const void *bytes, size_t size, bool ended)
{
    static struct recognised found;

    found = recognise_all(bytes, size, ended);
    return found.format != NULL ? found.words : "";
}

/* Magics of two letters, and names of tar, with what has to follow. */
static void test_confirmed(void)
{
    unsigned char bytes[1024] = "BM\x36\x12\0\0\0\0\0\0\x36\0\0\0\x28";

    CHECK(strcmp(words_of_bytes(bytes, 64, false), "a BMP picture") == 0);
    bytes[15] = 1;
    CHECK(words_of_bytes(bytes, 64, false)[0] == '\0');

    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "name.wav", sizeof "name.wav");
    memcpy(bytes + 257, "ustar", sizeof "ustar");
    CHECK(strcmp(words_of_bytes(bytes, sizeof bytes, false), "a tar archive") == 0);
    bytes[260] = 'm';
    CHECK(words_of_bytes(bytes, sizeof bytes, false)[0] == '\0');
}

static void test_text(void)
{
    TABLE (row, "text", 2) {
        const char *const text = row.field[1];

        CHECK_THAT(strcmp(words_of_bytes(text, strlen(text), true), row.field[0]) == 0, "%s", text);
        /* So few bytes are not recognised before the end of the input. */
        CHECK_THAT(words_of_bytes(text, strlen(text) < 15 ? strlen(text) : 15, false)[0] == '\0',
                   "%s", text);
    }
}

/* Formats with hardly any magic: a regular file of the length in its header. */
static void test_fits(void)
{
    struct recognised found;
    int pipe_end;
    int write_end;

    TABLE (row, "fits", 3) {
        const char *const words = row.field[0];
        const size_t length = strtoul(row.field[1], NULL, 10);
        char bytes[120] = {0};

        memcpy(bytes, row.field[2], row.size[2]);
        for (size_t size = 0; size < sizeof bytes; size++) {
            scratch_write("in", bytes, size);
            CHECK_THAT(strcmp(words_of_file(), size == length ? words : "") == 0, "%s %zu", words,
                       size);
            input_close(&in.input);
        }
        scratch_pipe(&pipe_end, &write_end);
        open_fd(&in.input, pipe_end);
        CHECK(write(write_end, bytes, length) == (ssize_t)length);
        close(write_end);
        CHECK(recognise(&in.input, &found, &in.error) == 0 && found.format == NULL);
        close(pipe_end);
    }
}

static void test_recognised_on_pipe(void)
{
    static const char like_wav[] = "RIFF....WAVX, and on it goes";
    struct source_request request = {.channels = 1};
    struct scratch_peer feeder = {.piece = 1, .pause = 50};
    unsigned char bytes[sizeof like_wav];
    int read_end;
    int write_end;

    /* Four bytes are enough to recognise raw samples, and no more are awaited; also for silence,
     * with which a MAT4 begins, too. */
    for (int silence = 0; silence <= 1; silence++) {
        scratch_pipe(&read_end, &write_end);
        open_fd(&in.input, read_end);
        CHECK(write(write_end, silence == 1 ? "\0\0\0\0" : "\0\0\x80\x3f", 4) == 4);
        CHECK(source_open(&in.input, &request, &in.source, &in.error) == 0);
        CHECK(input_ready(&in.input, 0));
        source_close(in.source);
        close(read_end);
        close(write_end);
    }

    memcpy(got_bytes, "RIFF\x24\xf0\xff\x7fWAVE", 12);
    feeder.bytes = got_bytes;
    feeder.size = 12;
    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&in.input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(source_open(&in.input, &request, &in.source, &in.error) == -1);
    CHECK_WORDS(&in.error, "standard input: ends inside its wav header");
    pthread_join(feeder.thread, NULL);
    close(read_end);

    memcpy(bytes, like_wav, sizeof bytes);
    feeder.bytes = bytes;
    feeder.size = 28;
    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&in.input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(source_open(&in.input, &request, &in.source, &in.error) == 0);
    CHECK(read_all(&in.input, 100) == 28 && memcmp(got_bytes, like_wav, 28) == 0);
    source_close(in.source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* ---- MPEG audio and AAC, which have no magic ---- */

/* A header of MPEG 1, layer III, 128 kbit/s, 44.1 kHz; with padding a frame has 418 bytes,
 * otherwise 417. */
static const unsigned char mp3_start[4] = {0xff, 0xfb, 0x90, 0x64};
/* AAC in ADTS, 44.1 kHz, a frame of 300 bytes */
static const unsigned char aac_start[7] = {0xff, 0xf1, 0x50, 0x80, 0x25, 0x9f, 0xfc};

/* Frames of MP3, every third with padding; returns their size. */
static size_t make_mp3(unsigned char *bytes, unsigned count)
{
    size_t at = 0;

    for (unsigned i = 0; i < count; i++) {
        size_t size = i % 3 == 0 ? 418 : 417;

        memcpy(bytes + at, sent + at, size);
        memcpy(bytes + at, mp3_start, 4);
        bytes[at + 2] |= i % 3 == 0 ? 2 : 0;
        at += size;
    }
    return at;
}

static enum mpeg_kind look(const unsigned char *bytes, size_t size, bool ended)
{
    size_t wanted = 0;
    enum mpeg_kind kind = mpeg_recognise(bytes, size, ended, &wanted);

    CHECK(kind != MPEG_MORE || (wanted > size && wanted <= MPEG_MOST && !ended));
    return kind;
}

static void test_mpeg(void)
{
    unsigned char bytes[6000];
    size_t whole = make_mp3(bytes, 6);
    size_t enough = 418 + 417 + 417 + 4;
    size_t aac = 0;
    const unsigned char tag[] = {'T', 'A', 'G'};

    for (size_t size = 4; size <= whole; size++)
        CHECK_THAT(look(bytes, size, false) == (size < enough ? MPEG_MORE : MPEG_AUDIO), "%zu",
                   size);
    /* A short file ends at the end of a frame, or with a tag. */
    CHECK(look(bytes, 418 + 417, true) == MPEG_AUDIO);
    CHECK(look(bytes, 418, true) == MPEG_NONE);
    CHECK(look(bytes, 418 + 417 + 1, true) == MPEG_NONE);
    /* Three headers suffice for one that is cut off. */
    CHECK(look(bytes, 418 + 417 + 3, true) == MPEG_NONE);
    CHECK(look(bytes, 418 + 417 + 4, true) == MPEG_AUDIO);
    memcpy(bytes + 418 + 417, tag, sizeof tag);
    CHECK(look(bytes, 418 + 417 + 128, true) == MPEG_AUDIO);
    CHECK(look(bytes, 418 + 417 + 128, false) == MPEG_NONE);
    /* Another rate in the fourth header. */
    (void)make_mp3(bytes, 6);
    bytes[418 + 417 + 417 + 2] ^= 4;
    CHECK(look(bytes, whole, false) == MPEG_NONE);

    for (unsigned i = 0; i < 4; i++, aac += 300) {
        memcpy(bytes + aac, sent + aac, 300);
        memcpy(bytes + aac, aac_start, sizeof aac_start);
    }
    for (size_t size = 4; size <= aac; size++)
        CHECK_THAT(look(bytes, size, false) == (size < 606 ? MPEG_MORE : MPEG_AAC), "%zu", size);
}

/* Samples: noise, and anything periodic. Each begins like a frame. */
static void test_mpeg_not(void)
{
    /* Its second frame ends past the file. */
    static const unsigned char beyond[] = {0xff, 0xf9, 0x8b, 0,    1,    0, 0, 0, 0xff, 0xf9,
                                           0x8b, 0,    1,    0xf9, 0x8b, 0, 0, 0, 0x93, 0x7b};
    static unsigned char bytes[MPEG_MOST];
    unsigned taken = 0;

    for (unsigned seed = 0; seed < 2000; seed++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)random_number();
        memcpy(bytes, seed % 2 == 0 ? mp3_start : aac_start, 4);
        taken += look(bytes, sizeof bytes, false) != MPEG_NONE;
    }
    CHECK(taken == 0);
    /* 384 bytes per frame, a multiple of most periods */
    for (size_t period = 4; period <= 384; period += 4) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = i % period == 2  ? 0x94
                       : i % period < 4 ? mp3_start[i % period]
                                        : sent[i % period];
        CHECK_THAT((look(bytes, sizeof bytes, false) == MPEG_NONE) == (period < 384), "%zu",
                   period);
    }
    memset(bytes, 0, sizeof bytes);
    CHECK(look(bytes, sizeof bytes, false) == MPEG_NONE);
    memset(bytes, 0xff, sizeof bytes);
    CHECK(look(bytes, sizeof bytes, false) == MPEG_NONE);
    CHECK(look(beyond, sizeof beyond, true) == MPEG_NONE);
}

static void check_promise(const unsigned char *bytes, uint32_t size, uint32_t frames)
{
    struct mpeg_promise promise = mpeg_promise(bytes, MPEG_TAG_MOST);

    CHECK_THAT(promise.bytes == size && promise.frames == frames, "%u bytes, %u frames",
               (unsigned)promise.bytes, (unsigned)promise.frames);
}

/* Bytes that are not a string. */
static void put_bytes(unsigned char *to, const char *bytes, size_t size)
{
    memcpy(to, bytes, size);
}

static void test_mpeg_promise(void)
{
    enum { FRAME = 417 }; /* bytes */
    unsigned char bytes[FRAME + MPEG_START] = {0};

    memcpy(bytes, mp3_start, 4);
    check_promise(bytes, 0, 0);
    put_bytes(bytes + 36, "Info\0\0\0\x0f\0\0\0\x10\0\1\2\3", 16);
    check_promise(bytes, 0x10203, 16);
    /* Where the next frame is due, there is none; then there is. */
    CHECK(mpeg_promise(bytes, sizeof bytes - 1).frames == 16);
    CHECK(mpeg_promise(bytes, sizeof bytes).frames == 0);
    memcpy(bytes + FRAME, mp3_start, MPEG_START);
    CHECK(mpeg_promise(bytes, sizeof bytes).frames == 16);
    put_bytes(bytes + 36, "Xing\0\0\0\x0e\0\1\2\4", 12);
    check_promise(bytes, 0x10204, 0);
    put_bytes(bytes + 36, "Xing\0\0\0\1", 8);
    check_promise(bytes, 0, 0x10204);
    put_bytes(bytes + 36, "VBRI\0\1\0\0\0\0\0\0\1\0\0\0\2\7", 18);
    check_promise(bytes, 0, 0x207);
    put_bytes(bytes + 36, "Xing\0\0\0\2\0\0\0\5", 12);
    bytes[3] = 0xc4; /* one channel: it would be elsewhere */
    check_promise(bytes, 0, 0);
    put_bytes(bytes + 21, "Xing\0\0\0\2\0\0\0\5", 12);
    check_promise(bytes, 5, 0);
}

/* Tags state their sizes at both ends, or one of them. */
static void test_mpeg_tags(void)
{
    unsigned char bytes[512] = {0};
    unsigned char *end = bytes + sizeof bytes;

    CHECK(mpeg_tag_bytes(bytes) == 0 && mpeg_tag_before(end, sizeof bytes) == 0);
    put_bytes(bytes, "ID3\4\0\0\0\0\2\1", 10);
    CHECK(mpeg_tag_bytes(bytes) == 257 + 10);
    bytes[5] = 0x10; /* it has a footer */
    CHECK(mpeg_tag_bytes(bytes) == 257 + 20);
    put_bytes(bytes, "APETAGEX\xd0\7\0\0\0\2\0\0", 16);
    CHECK(mpeg_tag_bytes(bytes) == 512 + 32);
    put_bytes(bytes, "TAG", 3);
    CHECK(mpeg_tag_bytes(bytes) == 128);

    put_bytes(end - 10, "3DI\4\0\0\0\0\2\1", 10);
    CHECK(mpeg_tag_before(end, sizeof bytes) == 257 + 20);
    put_bytes(end - 15, "000123LYRICS200", 15);
    CHECK(mpeg_tag_before(end, sizeof bytes) == 123 + 15);
    end[-15] = 'x';
    CHECK(mpeg_tag_before(end, sizeof bytes) == 0);
    put_bytes(end - 32, "APETAGEX\xd0\7\0\0\0\2\0\0\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0", 32);
    CHECK(mpeg_tag_before(end, sizeof bytes) == 512 + 32);
    put_bytes(end - 128, "TAG", 3);
    CHECK(mpeg_tag_before(end, sizeof bytes) == 128);
    put_bytes(end - 128 - 227, "TAG+", 4);
    CHECK(mpeg_tag_before(end, sizeof bytes) == 128 + 227);
    CHECK(mpeg_tag_before(end, 300) == 128);
}

CHECK_MAIN(scratch_enter, fill_sent, test_recognised, test_confirmed, test_text, test_fits,
           test_recognised_on_pipe, test_mpeg, test_mpeg_not, test_mpeg_promise, test_mpeg_tags)
