/* What comes in: input, source, raw frames; and the raw sink. */
#include <poll.h>

#include "check.h"
#include "io/input.h"
#include "io/output.h"
#include "io/recognise.h"
#include "io/sink.h"
#include "io/source.h"
#include "scratch.h"

enum { BIG = 300 * 1000 };

static unsigned char sent[BIG];
static unsigned char got_bytes[BIG + 64];

/* An input over any descriptor, as standard input. */
static void open_fd(struct input *input, int fd)
{
    int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    struct error error;

    /* input_open() looks at descriptor 0; afterwards the struct is told where it has gone. */
    scratch_need(dup2(fd, STDIN_FILENO) == STDIN_FILENO, "dup2");
    CHECK(input_open(input, NULL, false, &error) == 0);
    CHECK(!input->owned && strcmp(input->name, "standard input") == 0);
    input->fd = fd;
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void check_refused(const char *path, const char *words)
{
    struct input input;
    struct error error;

    CHECK(input_open(&input, path, false, &error) == -1);
    CHECK_THAT(strcmp(error.text, words) == 0, "%s", error.text);
    CHECK(error.status == STATUS_FAILED && !error.quiet);
    CHECK(input.fd == -1);
}

static void test_refusals(void)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    struct input input;
    struct error error;

    check_refused("missing.f32", "missing.f32: No such file or directory");
    check_refused(".", ".: Is a directory");
    if (terminal >= 0) {
        dup2(terminal, STDIN_FILENO);
        check_refused("-", "standard input: is a terminal: give a file, a pipe, or --force");
        CHECK(input_open(&input, NULL, true, &error) == 0);
        input_close(&input);
        close(terminal);
    }
    close(STDIN_FILENO);
    check_refused(NULL, "standard input: Bad file descriptor");
    dup2(saved, STDIN_FILENO);
    close(saved);
}

/* Reads all there is, in reads of at most `piece`. Returns how much. */
static size_t read_all(struct input *input, size_t piece)
{
    struct error error;
    size_t total = 0;

    for (;;) {
        size_t got = 0;
        size_t room = BIG + 64 - total < piece ? BIG + 64 - total : piece;

        if (room == 0 || input_read(input, got_bytes + total, room, &got, &error) != 0) {
            CHECK_THAT(0, "%s", room == 0 ? "too much" : error.text);
            return total;
        }
        CHECK(got <= room);
        if (got == 0)
            return total;
        total += got;
    }
}

static void check_pipe(size_t size, size_t piece, long pause, bool nonblocking, size_t peek)
{
    int write_end;
    struct input input;
    struct error error;
    struct scratch_peer feeder = {.bytes = sent, .size = size, .piece = piece, .pause = pause};
    const unsigned char *bytes;
    size_t got;
    int read_end;

    scratch_pipe(&read_end, &write_end);
    if (nonblocking)
        scratch_nonblocking(read_end);
    open_fd(&input, read_end);
    CHECK(fcntl(read_end, F_GETPIPE_SZ) >= 64 * 1024);
    CHECK(!input.regular && input_remaining(&input) == UINT64_MAX);
    feeder.fd = write_end;
    scratch_start(&feeder, scratch_feeder);
    if (peek > 0) {
        CHECK(input_peek(&input, peek, &bytes, &got, &error) == 0);
        CHECK(got >= (peek < size ? peek : size) && got <= INPUT_PEEK);
        CHECK(memcmp(bytes, sent, got) == 0);
        CHECK(input.bytes == 0);
        CHECK(got == 0 || input_ready(&input, 0));
    }
    CHECK(read_all(&input, 50000) == size);
    CHECK(memcmp(got_bytes, sent, size) == 0);
    CHECK(input.bytes == size && !input.stopped);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

static void test_pipes(void)
{
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        check_pipe(BIG, BIG, 0, nonblocking, 12);
        check_pipe(BIG, 4093, 10, nonblocking, INPUT_PEEK);
        check_pipe(500, 1, 100, nonblocking, 40);
        check_pipe(500, 1, 0, nonblocking, 0);
        check_pipe(0, 1, 1000, nonblocking, 4);
        check_pipe(3, 1, 1000, nonblocking, 12);
        scratch_interrupt(300);
        scratch_alarms = 0;
        check_pipe(50, 7, 3000, nonblocking, 30);
        check_pipe(BIG, 20011, 2000, nonblocking, 4);
        CHECK(scratch_alarms > 5);
        scratch_interrupt(0);
    }
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
    CHECK(source_open_raw(&input, &request, &source, &error) == 0);
    input.stop_fd = stop;
    CHECK(!input_ready(&input, 0));
    CHECK(write(write_end, "abc", 3) == 3);
    CHECK(input_ready(&input, 0));
    scratch_start(&stopper, scratch_feeder);
    /* The end of the waiting is not the end of the stream: no word about an incomplete frame. */
    CHECK(source->class->read(source, frame, 1, &got, &error) == 0 && got == 0);
    CHECK(input.stopped);
    pthread_join(stopper.thread, NULL);
    source->class->close(source);
    close(read_end);
    close(write_end);
    close(stop);
}

static void test_file(void)
{
    struct input input;
    struct error error;
    const unsigned char *bytes;
    size_t got;
    uint64_t passed;

    scratch_write("file", sent, BIG);
    CHECK(input_open(&input, "file", false, &error) == 0);
    CHECK(input.regular && input.owned && input_remaining(&input) == BIG);
    CHECK(input_peek(&input, 12, &bytes, &got, &error) == 0 && got >= 12);
    CHECK(input_remaining(&input) == BIG);
    CHECK(input_skip(&input, 5, &passed, &error) == 0 && passed == 5);
    CHECK(input_remaining(&input) == BIG - 5);
    CHECK(input_read(&input, got_bytes, 3, &got, &error) == 0 && got == 3);
    CHECK(memcmp(got_bytes, sent + 5, 3) == 0);
    CHECK(input_skip(&input, 200000, &passed, &error) == 0 && passed == 200000);
    CHECK(input_remaining(&input) == BIG - 200008);
    CHECK(input_ready(&input, 0));
    CHECK(read_all(&input, 7777) == BIG - 200008);
    CHECK(memcmp(got_bytes, sent + 200008, BIG - 200008) == 0);
    CHECK(input_remaining(&input) == 0);
    CHECK(input_skip(&input, 1, &passed, &error) == 0 && passed == 0);
    input_close(&input);

    CHECK(input_open(&input, "file", false, &error) == 0);
    CHECK(input_skip(&input, UINT64_MAX, &passed, &error) == 0 && passed == BIG);
    CHECK(read_all(&input, 10) == 0);
    input_close(&input);

    /* No size, and yet not empty. */
    CHECK(input_open(&input, "/proc/sys/kernel/ostype", false, &error) == 0);
    CHECK(input.regular && input_remaining(&input) == UINT64_MAX);
    CHECK(input_skip(&input, 2, &passed, &error) == 0 && passed == 2);
    CHECK(read_all(&input, 100) == 4 && memcmp(got_bytes, "nux\n", 4) == 0);
    input_close(&input);
}

/* Standard input from a file, of which somebody has already read a part. */
static void test_inherited_offset(void)
{
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    struct input input;
    struct error error;
    uint64_t passed;

    CHECK(lseek(fd, 1000, SEEK_SET) == 1000);
    open_fd(&input, fd);
    CHECK(input_remaining(&input) == BIG - 1000);
    CHECK(input_skip(&input, 10, &passed, &error) == 0 && passed == 10);
    CHECK(read_all(&input, BIG) == BIG - 1010);
    CHECK(memcmp(got_bytes, sent + 1010, BIG - 1010) == 0);
    CHECK(lseek(fd, BIG + 5, SEEK_SET) == BIG + 5);
    CHECK(input_remaining(&input) == 0);
    CHECK(input_skip(&input, 10, &passed, &error) == 0 && passed == 0);
    input_close(&input);
    CHECK(close(fd) == 0); /* was not ours to close */
}

static void test_skip_pipe(uint64_t count, size_t peek)
{
    struct scratch_peer feeder = {.bytes = sent, .size = BIG, .piece = 9999};
    struct input input;
    struct error error;
    const unsigned char *bytes;
    size_t got;
    uint64_t passed;
    size_t left = count < BIG ? (size_t)(BIG - count) : 0;
    int read_end;

    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(input_peek(&input, peek, &bytes, &got, &error) == 0);
    CHECK(input_skip(&input, count, &passed, &error) == 0 && passed == BIG - left);
    CHECK(read_all(&input, 12345) == left);
    CHECK(memcmp(got_bytes, sent + (BIG - left), left) == 0);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* Raw frames over a pipe that brings `piece` bytes at a time. */
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
    CHECK(source_open_raw(&input, &request, &source, &error) == 0);
    CHECK(source->format.frames == SOURCE_FRAMES_UNKNOWN && source->format.channels == channels);
    CHECK(source->class->skip(source, 0, &passed, &error) == 0 && passed == 0);
    result = source->class->skip(source, skip, &passed, &error);
    CHECK(passed == (skip < whole ? skip : whole));
    total = (size_t)passed * frame;
    while (result == 0) {
        size_t room = (total % 97) + 1;

        result = source->class->read(source, got_bytes + total, room, &got, &error);
        CHECK(got <= room && (result == 0 || got == 0));
        total += got * frame;
        if (got == 0)
            break;
        /* The beginning of the next frame is not to be found where it was read to. */
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
            "is %zu bytes)",
            size % frame, size % frame == 1 ? "" : "s", whole, frame);
        CHECK_THAT(strcmp(error.text, words) == 0, "%s", error.text);
        CHECK(error.status == STATUS_FAILED);
    }
    source->class->close(source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* The beginning of a frame has been read, and that frame is passed over. */
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
    CHECK(source_open_raw(&input, &request, &source, &error) == 0);
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
    CHECK_THAT(strcmp(error.text,
                      "standard input: ends inside a frame: 4 bytes after 5 whole frames "
                      "(a frame is 8 bytes)") == 0,
               "%s", error.text);
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
    struct source_request request = {.channels = 2, .rate = 48000.0};
    struct input input;
    struct source *source;
    struct error error;
    uint64_t passed;
    size_t got;

    scratch_write("frames", sent, 1003);
    CHECK(input_open(&input, "frames", false, &error) == 0);
    CHECK(source_open_raw(&input, &request, &source, &error) == 0);
    CHECK(source->format.frames == 125 && source->format.rate == 48000.0);
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->skip(source, 100, &passed, &error) == 0 && passed == 100);
    CHECK(source->class->read(source, got_bytes, 1000, &got, &error) == 0 && got == 25);
    CHECK(memcmp(got_bytes, sent + 800, 200) == 0);
    for (int i = 0; i < 2; i++) { /* said again when asked again */
        CHECK(source->class->read(source, got_bytes, 1000, &got, &error) == -1 && got == 0);
        CHECK_THAT(strcmp(error.text, "frames: ends inside a frame: 3 bytes after 125 whole frames "
                                      "(a frame is 8 bytes)") == 0,
                   "%s", error.text);
    }
    source->class->close(source);
    input_close(&input);

    CHECK(input_open(&input, "frames", false, &error) == 0);
    CHECK(source_open_raw(&input, &request, &source, &error) == 0);
    CHECK(source->class->skip(source, 1000, &passed, &error) == -1 && passed == 125);
    source->class->close(source);
    input_close(&input);
}

static const struct magic {
    const char *words;
    size_t size;
    const char *bytes;
} magics[] = {
    {"a WAV file", 12, "RIFF\x24\xf0\xff\x7fWAVE"},
    {"an RF64 file", 12, "RF64\xff\xff\xff\xffWAVE"},
    {"a BW64 file", 12, "BW64\xff\xff\xff\xffWAVE"},
    {"a big-endian WAV file", 12, "RIFX\1\2\3\4WAVE"},
    {"a W64 file", 16, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00"},
    {"an AIFF file", 12, "FORM\1\2\3\4AIFF"},
    {"an AIFC file", 12, "FORM\1\2\3\4AIFC"},
    {"an AU file", 6, ".snd\0\0\0\x18"},
    {"a CAF file", 8, "caff\0\1\0\0"},
    {"a FLAC file", 8, "fLaC\0\0\0\x22"},
    {"a FLAC file", 8, "fLaC\x80\0\0\x22"},
    {"an Ogg file", 6, "OggS\0\2\0\0"},
    {"an MP3 file", 10, "ID3\3\0\0\0\1\x7f\x01"},
    {"a NumPy file", 8, "\x93NUMPY\1\0v\0"},
    {"an MP4 file", 8,
     "\0\0\0\x20"
     "ftypM4A "},
    {"an AVI file", 12, "RIFF\1\2\3\4AVI "},
    {"a Matroska file", 7, "\x1a\x45\xdf\xa3\x9f\x42\x86"},
    {"a Matroska file", 12, "\x1a\x45\xdf\xa3\1\0\0\0\0\0\0\x23"},
    {"a WavPack file", 10, "wvpk\1\2\3\4\x10\4"},
    {"a Windows Media file", 8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"},
    {"an HDF5 file", 8, "\x89HDF\r\n\x1a\n"},
    {"a zip file (.npz)", 6, "PK\3\4\x14\0"},
};

static void test_recognised(void)
{
    struct source_request request = {.automatic = true, .channels = 1};
    const struct recognised *found;
    struct source *source;
    struct input input;
    struct error error;
    char bytes[80] = {0};

    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *magic = &magics[i];

        memcpy(bytes, magic->bytes, magic->size);
        for (size_t size = 0; size < sizeof bytes; size++) {
            bool whole = size >= magic->size;

            scratch_write("in", bytes, size);
            CHECK(input_open(&input, "in", false, &error) == 0);
            CHECK(recognise(&input, &found, &error) == 0);
            CHECK_THAT((found != NULL) == whole, "%s %zu", magic->words, size);
            if (whole) {
                CHECK_THAT(found != NULL && strcmp(found->words, magic->words) == 0, "%s",
                           found == NULL ? "nothing" : found->words);
            } else {
                CHECK(source_open(&input, &request, &source, &error) == 0);
                CHECK(source->format.frames == (size == 0 ? UINT64_MAX : size / 4));
                CHECK(read_all(&input, 100) == size && memcmp(got_bytes, bytes, size) == 0);
                source->class->close(source);
            }
            input_close(&input);
        }
        /* Taken at its word. */
        request.automatic = false;
        CHECK(input_open(&input, "in", false, &error) == 0);
        CHECK(source_open(&input, &request, &source, &error) == 0);
        source->class->close(source);
        input_close(&input);
        request.automatic = true;
    }
}

static void test_recognised_on_pipe(void)
{
    static const char like_wav[] = "RIFF....WAVX, and on it goes";
    struct source_request request = {.automatic = true, .channels = 1};
    struct scratch_peer feeder = {.piece = 1, .pause = 50};
    struct source *source;
    struct input input;
    struct error error;
    unsigned char bytes[sizeof like_wav];
    int read_end;
    int write_end;

    /* Four bytes are enough to see that it is raw, and no more are waited for. */
    scratch_pipe(&read_end, &write_end);
    open_fd(&input, read_end);
    CHECK(write(write_end, "\0\0\x80\x3f", 4) == 4);
    CHECK(source_open(&input, &request, &source, &error) == 0);
    CHECK(input_ready(&input, 0));
    source->class->close(source);
    close(read_end);
    close(write_end);

    memcpy(got_bytes, magics[0].bytes, 12);
    feeder.bytes = got_bytes;
    feeder.size = 12;
    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(source_open(&input, &request, &source, &error) == -1);
    CHECK_THAT(strcmp(error.text, "standard input: ends inside its wav header") == 0, "%s",
               error.text);
    pthread_join(feeder.thread, NULL);
    close(read_end);

    memcpy(bytes, like_wav, sizeof bytes);
    feeder.bytes = bytes;
    feeder.size = 28;
    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(source_open(&input, &request, &source, &error) == 0);
    CHECK(read_all(&input, 100) == 28 && memcmp(got_bytes, like_wav, 28) == 0);
    source->class->close(source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

static void check_sink(const char *type, const void *expected, size_t size,
                       unsigned long long clipped)
{
    float frames[] = {0.5f, -1.0f, 1.0f, 0.25f};
    struct sink_format format = {.channels = 2};
    struct output output;
    struct sink *sink;
    struct error error;
    unsigned char bytes[64];
    int fd;

    CHECK(sample_type_parse(type, false, &format.sample));
    CHECK(output_open(&output, "sink", false, NULL, &error) == 0);
    CHECK(sink_open_raw(&output, &format, &sink, &error) == 0);
    CHECK(sink->class->write(sink, frames, 1, false, &error) == 0);
    CHECK(sink->class->write(sink, frames, 0, false, &error) == 0);
    CHECK(sink->class->write(sink, frames + 2, 1, true, &error) == 0);
    CHECK(sink->class->finish(sink, &error) == 0);
    CHECK(sink->losses.clipped == clipped && sink->losses.nan == 0);
    sink->class->close(sink);
    CHECK(output.bytes == size);
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    fd = open("sink", O_RDONLY);
    CHECK(read(fd, bytes, sizeof bytes) == (ssize_t)size && memcmp(bytes, expected, size) == 0);
    close(fd);
}

/* More than one block of encoded samples. */
static void test_sink_blocks(void)
{
    enum { FRAMES = 50001, SAMPLES = FRAMES * 2, BYTES = SAMPLES * 3 };
    static float frames[SAMPLES];
    static unsigned char bytes[BYTES + 1];
    static unsigned char expected[BYTES];
    struct sink_format format = {.channels = 2};
    struct sample_losses losses = {0, 0};
    struct output output;
    struct sink *sink;
    struct error error;
    int fd;

    for (int i = 0; i < SAMPLES; i++)
        frames[i] = (float)(i % 4001 - 2000) / 1900.0f;
    CHECK(sample_type_parse("s24be", false, &format.sample));
    sample_encode(format.sample, frames, expected, SAMPLES, &losses);
    CHECK(output_open(&output, "blocks", false, NULL, &error) == 0);
    CHECK(sink_open_raw(&output, &format, &sink, &error) == 0);
    CHECK(sink->class->write(sink, frames, FRAMES, false, &error) == 0);
    CHECK(sink->losses.clipped == losses.clipped && losses.clipped > 0);
    sink->class->close(sink);
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    fd = open("blocks", O_RDONLY);
    CHECK(read(fd, bytes, sizeof bytes) == BYTES);
    CHECK(memcmp(bytes, expected, BYTES) == 0);
    close(fd);
}

static void test_sink(void)
{
    struct sink_format format = {.channels = 1};
    struct sink *sink;
    struct output output;
    struct error error;

    check_sink("f32le", "\0\0\0\x3f\0\0\x80\xbf\0\0\x80\x3f\0\0\x80\x3e", 16, 0);
    check_sink("f32be", "\x3f\0\0\0\xbf\x80\0\0\x3f\x80\0\0\x3e\x80\0\0", 16, 0);
    check_sink("s16be", "\x40\0\x80\0\x7f\xff\x20\0", 8, 1);
    check_sink("u8", "\xc0\0\xff\xa0", 4, 1);
    test_sink_blocks();
    CHECK(output_open(&output, "sink", false, NULL, &error) == 0);
    CHECK(sample_type_parse("cs16", false, &format.sample));
    CHECK(sink_open_raw(&output, &format, &sink, &error) == -1);
    CHECK(error.status == STATUS_USAGE && strncmp(error.text, "cs16le: ", 8) == 0);
    output_close(&output);
}

int main(void)
{
    (void)alarm(120); /* a wait that does not end is a failure */
    (void)signal(SIGPIPE, SIG_IGN);
    scratch_enter();
    scratch_fill(sent, sizeof sent);
    test_refusals();
    test_pipes();
    test_stop();
    test_file();
    test_inherited_offset();
    test_skip_pipe(0, 0);
    test_skip_pipe(5, 64);
    test_skip_pipe(64, 64);
    test_skip_pipe(200001, 12);
    test_skip_pipe(BIG, 12);
    test_skip_pipe(UINT64_MAX, 0);
    test_frames();
    test_skip_from_inside();
    test_frames_of_file();
    test_recognised();
    test_recognised_on_pipe();
    test_sink();
    return check_result();
}
