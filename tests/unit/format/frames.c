/* SPDX-License-Identifier: MIT */
/* Raw frames: their source, over files and pipes. oracle/oracle.py has outputs of each type. */
#include "files.h"
#include "inputs.h"
#include "table.h"

static const struct source_request pairs = {.channels = 2};

static void open_raw(int fd, const struct source_request *request)
{
    open_fd(&in.input, fd);
    CHECK(format_raw.open(&in.input, request, NULL, &in.source, &in.error) == 0);
}

/* Raw frames over a pipe that delivers `piece` bytes at a time. */
static void check_frames(size_t size, size_t piece, unsigned channels, uint64_t skip)
{
    struct scratch_peer feeder = {.bytes = sent, .size = size, .piece = piece, .pause = 1};
    struct source_request request = {.channels = channels};
    size_t frame = 3 * (size_t)channels;
    size_t whole = size / frame;
    size_t total = 0;
    char words[200];
    bool right;
    int read_end;

    CHECK(sample_type_parse("s24", false, &request.sample));
    scratch_pipe(&read_end, &feeder.fd);
    open_raw(read_end, &request);
    scratch_start(&feeder, scratch_feeder);
    CHECK(in.source->format.frames == SOURCE_FRAMES_UNKNOWN);
    CHECK(in.source->format.channels == channels);
    CHECK(source_skips(0) && in.passed == 0);
    right = source_skips(skip);
    CHECK(in.passed == (skip < whole ? skip : whole));
    total = (size_t)in.passed * frame;
    while (right) {
        size_t capacity = (total % 97) + 1;

        right = source_reads(got_bytes + total, capacity);
        CHECK(in.got <= capacity && (right || in.got == 0));
        total += in.got * frame;
        if (in.got == 0)
            break;
        /* The beginning of the next frame must not be expected in the buffer of the last read. */
        memset(got_bytes + total, 0xee, sizeof got_bytes - total);
    }
    CHECK(total == whole * frame);
    in.passed *= frame;
    CHECK(memcmp(got_bytes + in.passed, sent + in.passed, total - in.passed) == 0);
    CHECK(right == (size % frame == 0));
    if (!right) {
        (void)snprintf(
            words, sizeof words,
            "standard input: ends inside a frame: %zu byte%s after %zu whole frames (a frame "
            "is %zu bytes) (--accept-damaged makes this a warning)",
            size % frame, size % frame == 1 ? "" : "s", whole, frame);
        CHECK_WORDS(&in.error, words);
        CHECK(in.error.status == STATUS_FAILED);
    }
    source_close(in.source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* A frame is skipped after its beginning has been read. */
static void test_skip_from_inside(void)
{
    int read_end;
    int write_end;

    scratch_pipe(&read_end, &write_end);
    open_raw(read_end, &pairs);
    CHECK(write(write_end, sent, 11) == 11);
    CHECK(source_reads(got_bytes, 9) && in.got == 1);
    CHECK(write(write_end, sent + 11, 29) == 29);
    CHECK(source_skips(2) && in.passed == 2);
    CHECK(source_reads(got_bytes, 1) && in.got == 1);
    CHECK(memcmp(got_bytes, sent + 24, 8) == 0);
    CHECK(source_skips(1) && in.passed == 1);
    CHECK(write(write_end, sent, 4) == 4);
    close(write_end);
    CHECK(!source_skips(UINT64_MAX) && in.passed == 0);
    CHECK_WORDS(&in.error, "standard input: ends inside a frame: 4 bytes after 5 whole frames "
                           "(a frame is 8 bytes) (--accept-damaged makes this a warning)");
    source_close(in.source);
    close(read_end);
}

static void test_frames(void)
{
    TABLE (row, "pipes", 4)
        check_frames(strtoul(row.field[0], NULL, 10), strtoul(row.field[1], NULL, 10),
                     (unsigned)strtoul(row.field[2], NULL, 10), strtoull(row.field[3], NULL, 10));
}

static void test_frames_of_file(void)
{
    const struct source_request request = {.format = &format_raw, .channels = 2};

    scratch_write("frames", sent, 1003);
    source_open_file("frames", &request);
    CHECK(in.source->format.frames == 125);
    CHECK(source_is_ready(0));
    CHECK(source_skips(100) && in.passed == 100);
    CHECK(source_reads(got_bytes, 1000) && in.got == 25);
    CHECK(memcmp(got_bytes, sent + 800, 200) == 0);
    for (int i = 0; i < 2; i++) { /* reported again when asked again */
        CHECK(!source_reads(got_bytes, 1000) && in.got == 0);
        CHECK_WORDS(&in.error, "frames: ends inside a frame: 3 bytes after 125 whole frames "
                               "(a frame is 8 bytes) (--accept-damaged makes this a warning)");
    }
    source_end();

    source_open_file("frames", &request);
    CHECK(!source_skips(1000) && in.passed == 125);
    source_end();
}

static void test_stop(void)
{
    int read_end;
    int write_end;
    int stop;
    unsigned char byte = 0;
    unsigned char frame[8];
    struct scratch_peer stopper = {.bytes = &byte, .size = 1, .piece = 1, .pause = 20000};

    scratch_pipe(&read_end, &write_end);
    scratch_pipe(&stop, &stopper.fd);
    open_raw(read_end, &pairs);
    in.input.stop_fd = stop;
    CHECK(!input_ready(&in.input, 0));
    CHECK(write(write_end, "abc", 3) == 3);
    CHECK(input_ready(&in.input, 0));
    scratch_start(&stopper, scratch_feeder);
    /* The end of waiting is not the end of the stream: no message about an incomplete frame. */
    CHECK(source_reads(frame, 1) && in.got == 0);
    CHECK(in.input.stopped);
    pthread_join(stopper.thread, NULL);
    source_close(in.source);
    close(read_end);
    close(write_end);
    close(stop);
}

CHECK_MAIN(scratch_enter, fill_sent, test_frames, test_skip_from_inside, test_frames_of_file,
           test_stop)
