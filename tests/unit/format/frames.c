/* Raw frames: their source, over files and pipes. oracle/oracle.py has outputs of each type. */
#include "files.h"
#include "inputs.h"

/* Raw frames over a pipe that delivers `piece` bytes at a time. */
static void check_frames(size_t size, size_t piece, unsigned channels, uint64_t skip)
{
    struct scratch_peer feeder = {.bytes = sent, .size = size, .piece = piece, .pause = 1};
    struct source_request request = {.channels = channels};
    size_t frame = 3 * (size_t)channels;
    size_t whole = size / frame;
    size_t total = 0;
    uint64_t passed;
    struct input input;
    struct source *source;
    struct error error;
    char words[200];
    size_t got;
    int result;
    int read_end;

    CHECK(sample_type_parse("s24", false, &request.sample));
    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(format_raw.open(&input, &request, NULL, &source, &error) == 0);
    CHECK(source->format.frames == SOURCE_FRAMES_UNKNOWN && source->format.channels == channels);
    CHECK(source->class->skip(source, 0, &passed, &error) == 0 && passed == 0);
    result = source->class->skip(source, skip, &passed, &error);
    CHECK(passed == (skip < whole ? skip : whole));
    total = (size_t)passed * frame;
    while (result == 0) {
        size_t capacity = (total % 97) + 1;

        result = source->class->read(source, got_bytes + total, capacity, &got, &error);
        CHECK(got <= capacity && (result == 0 || got == 0));
        total += got * frame;
        if (got == 0)
            break;
        /* The beginning of the next frame must not be expected in the buffer of the last read. */
        memset(got_bytes + total, 0xee, sizeof got_bytes - total);
    }
    CHECK(total == whole * frame);
    passed *= frame;
    CHECK(memcmp(got_bytes + passed, sent + passed, total - passed) == 0);
    CHECK((result == 0) == (size % frame == 0));
    if (result != 0) {
        (void)snprintf(
            words, sizeof words,
            "standard input: ends inside a frame: %zu byte%s after %zu whole frames (a frame "
            "is %zu bytes) (--accept-damaged makes this a warning)",
            size % frame, size % frame == 1 ? "" : "s", whole, frame);
        CHECK_WORDS(&error, words);
        CHECK(error.status == STATUS_FAILED);
    }
    source->class->close(source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* A frame is skipped after its beginning has been read. */
static void test_skip_from_inside(void)
{
    struct source_request request = {.channels = 2};
    struct input input;
    struct source *source;
    struct error error;
    uint64_t passed;
    size_t got;
    int read_end;
    int write_end;

    scratch_pipe(&read_end, &write_end);
    open_fd(&input, read_end);
    CHECK(format_raw.open(&input, &request, NULL, &source, &error) == 0);
    CHECK(write(write_end, sent, 11) == 11);
    CHECK(source->class->read(source, got_bytes, 9, &got, &error) == 0 && got == 1);
    CHECK(write(write_end, sent + 11, 29) == 29);
    CHECK(source->class->skip(source, 2, &passed, &error) == 0 && passed == 2);
    CHECK(source->class->read(source, got_bytes, 1, &got, &error) == 0 && got == 1);
    CHECK(memcmp(got_bytes, sent + 24, 8) == 0);
    CHECK(source->class->skip(source, 1, &passed, &error) == 0 && passed == 1);
    CHECK(write(write_end, sent, 4) == 4);
    close(write_end);
    CHECK(source->class->skip(source, UINT64_MAX, &passed, &error) == -1 && passed == 0);
    CHECK_WORDS(&error, "standard input: ends inside a frame: 4 bytes after 5 whole frames "
                        "(a frame is 8 bytes) (--accept-damaged makes this a warning)");
    source->class->close(source);
    close(read_end);
}

static void test_frames(void)
{
    check_frames(9000, 1000, 3, 0);
    check_frames(9001, 9001, 3, 0);
    check_frames(1007, 1, 3, 0);
    check_frames(2000, 5, 3, 100);
    check_frames(2000, 5, 3, 1000);
    check_frames(2008, 7, 3, UINT64_MAX);
    check_frames(8, 8, 3, 0);
    check_frames(0, 1, 3, 0);
    check_frames(0, 1, 3, 10);
    check_frames(BIG, 4096, 1, 12345);
    check_frames(BIG, 5000, 5000, 1);
    check_frames(45000 * 6 - 1, 7001, 15000, 0);
}

static void test_frames_of_file(void)
{
    struct source_request request = {.channels = 2};
    struct input input;
    struct source *source;
    struct error error;
    uint64_t passed;
    size_t got;

    scratch_write("frames", sent, 1003);
    CHECK(input_open(&input, "frames", false, &error) == 0);
    CHECK(format_raw.open(&input, &request, NULL, &source, &error) == 0);
    CHECK(source->format.frames == 125);
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->skip(source, 100, &passed, &error) == 0 && passed == 100);
    CHECK(source->class->read(source, got_bytes, 1000, &got, &error) == 0 && got == 25);
    CHECK(memcmp(got_bytes, sent + 800, 200) == 0);
    for (int i = 0; i < 2; i++) { /* reported again when asked again */
        CHECK(source->class->read(source, got_bytes, 1000, &got, &error) == -1 && got == 0);
        CHECK_WORDS(&error, "frames: ends inside a frame: 3 bytes after 125 whole frames "
                            "(a frame is 8 bytes) (--accept-damaged makes this a warning)");
    }
    source_end(source, &input);

    CHECK(input_open(&input, "frames", false, &error) == 0);
    CHECK(format_raw.open(&input, &request, NULL, &source, &error) == 0);
    CHECK(source->class->skip(source, 1000, &passed, &error) == -1 && passed == 125);
    source_end(source, &input);
}

static void test_stop(void)
{
    int read_end;
    int write_end;
    int stop;
    struct input input;
    struct error error;
    unsigned char byte = 0;
    unsigned char frame[8];
    struct scratch_peer stopper = {.bytes = &byte, .size = 1, .piece = 1, .pause = 20000};
    struct source_request request = {.channels = 2};
    struct source *source;
    size_t got = 99;

    scratch_pipe(&read_end, &write_end);
    scratch_pipe(&stop, &stopper.fd);
    open_fd(&input, read_end);
    CHECK(format_raw.open(&input, &request, NULL, &source, &error) == 0);
    input.stop_fd = stop;
    CHECK(!input_ready(&input, 0));
    CHECK(write(write_end, "abc", 3) == 3);
    CHECK(input_ready(&input, 0));
    scratch_start(&stopper, scratch_feeder);
    /* The end of waiting is not the end of the stream: no message about an incomplete frame. */
    CHECK(source->class->read(source, frame, 1, &got, &error) == 0 && got == 0);
    CHECK(input.stopped);
    pthread_join(stopper.thread, NULL);
    source->class->close(source);
    close(read_end);
    close(write_end);
    close(stop);
}

CHECK_MAIN(scratch_enter, fill_sent, test_frames, test_skip_from_inside, test_frames_of_file,
           test_stop)
