/* SPDX-License-Identifier: MIT */
/* Random access to frames: readers that seek by frame number, and sinks that place frames. Each is
 * compared with the same file, read or written from beginning to end. */
#include "files.h"
#include "random.h"

#include <inttypes.h>

#include "format/raw_writer_priv.h"

enum {
    CHANNELS = 2,
    FRAMES = 30011, /* several blocks of a FLAC file, and stretches of a plane */
    FRAME_MOST = 8 * CHANNELS,
};

static float samples[FRAMES * CHANNELS];
static unsigned char whole[FRAMES * FRAME_MOST];
static unsigned char part[FRAMES * FRAME_MOST];

/* Some of them are too large for an integer type. */
static void fill_samples(void)
{
    for (size_t i = 0; i < FRAMES * CHANNELS; i++)
        samples[i] = (float)((double)random_below(20001) / 10000 - 1.0);
    for (size_t i = 0; i < FRAMES * CHANNELS; i += 1009)
        samples[i] = 1.5F;
}

static unsigned long long write_in_order(const char *type, const char *path)
{
    sink_open_type(type, path, FRAMES);
    CHECK_THAT(sink_writes(samples, FRAMES), "%s: %s", type, words_of(&out.error));
    return sink_end().clipped;
}

/* ---- out ---- */

static void place(size_t frame, size_t count)
{
    CHECK_THAT(out.sink->class->place(out.sink, frame, samples + frame * CHANNELS, count,
                                      &out.sink->losses, &out.error) == 0,
               "%s", words_of(&out.error));
}

/* Frames placed from the end to the beginning, and then the last ones in order. */
static void check_places(const char *type)
{
    enum { PLACED = FRAMES - 1234 };
    unsigned long long clipped = write_in_order(type, "in-order");

    sink_open_type(type, "placed", FRAMES);
    CHECK_THAT(sink_places(out.sink), "%s", type);
    out.sink->class->reserve(out.sink, FRAMES, 2);
    place(20000, PLACED - 20000);
    place(77, 20000 - 77);
    place(0, 77);
    CHECK_THAT(out.sink->class->placed(out.sink, PLACED, &out.error) == 0, "%s: %s", type,
               words_of(&out.error));
    CHECK_THAT(sink_writes(samples + PLACED * CHANNELS, FRAMES - PLACED), "%s: %s", type,
               words_of(&out.error));
    CHECK_THAT(sink_end().clipped == clipped, "%s", type);
    CHECK_THAT(system("cmp in-order placed") == 0, "%s", type);
}

static void test_places(void)
{
    static const char *const types[] = {"f32",     "s24be", "u8",  "wav:s16", "rf64:f32",
                                        "w64:s24", "au",    "npy", "aiff",    "caf:s16"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        check_places(types[i]);
}

/* Closes what cannot be ended. */
static void sink_close(void)
{
    out.sink->class->close(out.sink);
    output_close(&out.output);
}

/* The header cannot express more than 4 GiB; only the frames before that are placed by number. */
static void test_too_large(void)
{
    uint64_t most;

    sink_open_type("aiff:s16", "large", FRAMES);
    most = out.sink->format.format->writer->header->data_most / (2 * CHANNELS);
    CHECK(out.sink->class->placed(out.sink, most - 1, &out.error) == 0);
    CHECK(sink_writes(samples, 1));
    CHECK(!sink_writes(samples, 1));
    CHECK_WORDS(&out.error, "large: the container ends at 4 GiB: write wav, w64 or caf");
    CHECK(out.error.status == STATUS_FAILED);
    sink_close();
}

/* The header with its promised length is already in a pipe when the input turns out to be
 * shorter. */
static void test_promise(void)
{
    struct scratch_peer drainer = {.bytes = part, .size = sizeof part, .piece = 4096};

    scratch_need(mkfifo("fifo", 0600) == 0, "mkfifo");
    drainer.fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    sink_open_type("w64:s16", "fifo", FRAMES);
    scratch_need(fcntl(drainer.fd, F_SETFL, 0) == 0, "F_SETFL");
    scratch_start(&drainer, scratch_drainer);
    CHECK(sink_writes(samples, FRAMES - 1));
    CHECK(out.sink->class->finish(out.sink, &out.error) == -1);
    CHECK_WORDS(&out.error, "fifo: its header, already written, promises 30011 frames, and "
                            "there were 30010");
    CHECK(out.error.status == STATUS_FAILED);
    sink_close();
    pthread_join(drainer.thread, NULL);
    close(drainer.fd);
    CHECK(memcmp(part, "riff", 4) == 0 && drainer.done > 2 * CHANNELS * (FRAMES - 1));
}

/* ---- in ---- */

static size_t frame_bytes(void)
{
    return sample_type_bytes(in.source->format.sample) * in.source->format.channels;
}

/* Reads on to the end; returns the number of frames. */
static size_t read_on(unsigned char *frames)
{
    size_t total = 0;

    in.error.reason[0] = '\0';
    while (total < FRAMES && source_reads(frames + total * frame_bytes(), FRAMES - total) &&
           in.got > 0)
        total += in.got;
    return total;
}

static struct frame_reader *open_reader(void)
{
    struct frame_reader *reader = NULL;

    scratch_need(in.source->class->reader(in.source, &reader, &in.error) == 0, words_of(&in.error));
    return reader;
}

static bool source_goes(uint64_t frame, bool doubt)
{
    return in.source->class->go(in.source, frame, doubt, &in.error) == 0;
}

static void check_range(struct frame_reader *reader, size_t bytes, size_t frame, size_t count)
{
    size_t there = frame < FRAMES ? FRAMES - frame : 0;
    size_t due = count < there ? count : there;

    CHECK(reader->class->read(reader, frame, part, count) == due);
    CHECK_THAT(memcmp(part, whole + frame * bytes, due * bytes) == 0, "%zu from %zu on", count,
               frame);
}

/* Two readers and the source itself, independent of each other. */
static void check_readers(const char *path, const struct source_request *request)
{
    struct frame_reader *readers[2];
    size_t bytes;

    source_open_file(path, request);
    bytes = frame_bytes();
    scratch_need(bytes <= FRAME_MOST && in.source->anywhere, path);
    CHECK_THAT(in.source->format.frames == FRAMES, "%s: %" PRIu64, path, in.source->format.frames);
    CHECK_THAT(read_on(whole) == FRAMES, "%s: %s", path, words_of(&in.error));
    for (size_t i = 0; i < 2; i++)
        readers[i] = open_reader();
    for (size_t i = 0; i < 40; i++) {
        size_t frame = (size_t)random_below(FRAMES);

        check_range(readers[i % 2], bytes, frame, 1 + (size_t)random_below(i < 20 ? 10 : FRAMES));
    }
    check_range(readers[0], bytes, 100, 50);
    check_range(readers[0], bytes, 150, 50); /* goes on */
    for (size_t i = 0; i < 2; i++) {
        CHECK(!readers[i]->failed && readers[i]->bytes > 0);
        readers[i]->class->close(readers[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        size_t frame = (size_t)random_below(FRAMES);

        CHECK(source_goes(frame, i % 2 == 1));
        CHECK_THAT(read_on(part) == FRAMES - frame, "%s: %s", path, words_of(&in.error));
        CHECK(memcmp(part, whole + frame * bytes, (FRAMES - frame) * bytes) == 0);
    }
    source_end();
}

/* One plane per channel, of samples of this type, with any bytes. */
static void check_planes(const char *type, size_t sample_bytes)
{
    static unsigned char file[128 + sizeof whole];
    const struct source_request request = {.channels = 1};
    char dictionary[119];
    int used = snprintf(dictionary, sizeof dictionary,
                        "{'descr': '%s', 'fortran_order': True, 'shape': (%d, %d), }", type,
                        (int)FRAMES, (int)CHANNELS);

    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(file + 10, dictionary, (size_t)used);
    file[127] = '\n';
    scratch_fill(file + 128, sizeof file - 128);
    scratch_write("planes.npy", file, 128 + FRAMES * CHANNELS * sample_bytes);
    check_readers("planes.npy", &request);
    /* Frame by frame, from the planes. */
    for (size_t i = 0; i < FRAMES; i += 101) {
        for (size_t j = 0; j < CHANNELS; j++)
            CHECK(memcmp(whole + (i * CHANNELS + j) * sample_bytes,
                         file + 128 + (j * FRAMES + i) * sample_bytes, sample_bytes) == 0);
    }
}

/* A source that passes frames on, but has no reader(), has no random access either. */
static void test_without_readers(void)
{
    static const struct source_class class = {
        .bytes = sizeof(struct source), .skip = source_skip_other, .ready = source_ready_other};
    struct source_request request = {.format = &format_raw, .channels = CHANNELS};

    CHECK(sample_type_parse("f32", false, &request.sample));
    (void)write_in_order("f32", "raw");
    source_open_file("raw", &request);
    CHECK(in.source->anywhere);
    scratch_need(source_over(&class, &in.source, &in.error) != NULL, "memory");
    CHECK(!in.source->anywhere && source_is_ready(0));
    CHECK(source_skips(7) && in.passed == 7);
    source_end();
}

static void test_readers(void)
{
    static const char *const types[] = {"wav:s16", "wav:s24", "w64:f32", "au",       "caf:s16",
                                        "aiff",    "npy:f64", "flac:s8", "flac:s16", "flac:s24"};
    struct source_request request = {.format = &format_raw, .channels = CHANNELS};

    CHECK(sample_type_parse("s24be", false, &request.sample));
    (void)write_in_order("s24be", "raw");
    check_readers("raw", &request);
    request = (struct source_request){.channels = 1};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strncmp(types[i], "flac", 4) == 0 && !has_sndfile())
            continue;
        (void)write_in_order(types[i], "contained");
        check_readers("contained", &request);
    }
    check_planes("|u1", 1);
    check_planes("<i2", 2);
    check_planes(">f4", 4);
    check_planes("<f8", 8);
}

/* ---- damage on the way ---- */

static void overwrite(const char *path, off_t at, const char *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    scratch_need(fd >= 0 && pwrite(fd, bytes, size, at) == (ssize_t)size, path);
    close(fd);
}

/* A reader reports something unusual; the source then goes there from the beginning, and ends where
 * it ends when read in order, with the same message. */
static void test_damage(void)
{
    const struct source_request request = {.channels = 1};
    struct frame_reader *reader;
    char words[ERROR_WORDS];
    struct stat status;
    size_t sound;
    size_t bytes;
    size_t got;

    if (!has_sndfile())
        return;
    (void)write_in_order("flac:s16", "damaged");
    scratch_need(stat("damaged", &status) == 0, "stat");
    overwrite("damaged", status.st_size / 2, "damage", 6);
    source_open_file("damaged", &request);
    bytes = frame_bytes();
    sound = read_on(whole);
    CHECK_THAT(sound > FRAMES / 4 && sound < FRAMES * 3 / 4, "%zu", sound);
    memcpy(words, words_of(&in.error), sizeof words);
    CHECK_THAT(strncmp(words, "damaged: after frame ", 21) == 0, "%s", words);

    reader = open_reader();
    CHECK(reader->class->read(reader, 1000, part, 1000) == 1000 && !reader->failed);
    CHECK(memcmp(part, whole + 1000 * bytes, 1000 * bytes) == 0);
    got = reader->class->read(reader, sound - 100, part, 10000);
    CHECK_THAT(reader->failed, "%zu frames", got);
    reader->class->close(reader);

    CHECK(source_goes(sound - 100, true) && read_on(part) == 100);
    CHECK(memcmp(part, whole + (sound - 100) * bytes, 100 * bytes) == 0);
    CHECK_WORDS(&in.error, words);
    source_end();
}

/* The file is replaced while it is read. */
static void test_overwritten(void)
{
    const struct source_request request = {.channels = 1};
    struct frame_reader *reader;

    if (!has_sndfile())
        return;
    (void)write_in_order("flac:s16", "overwritten");
    source_open_file("overwritten", &request);
    overwrite("overwritten", 0, "what a pity", 11);
    CHECK(in.source->class->reader(in.source, &reader, &in.error) == -1);
    CHECK_WORDS(&in.error, "overwritten: cannot be opened twice");
    CHECK(!source_goes(1000, true) && in.error.status == STATUS_FAILED);
    CHECK_WORDS(&in.error, "overwritten: cannot be read again");
    source_end();
}

CHECK_MAIN(scratch_enter, fill_samples, test_places, test_too_large, test_promise,
           test_without_readers, test_readers, test_damage, test_overwritten)
