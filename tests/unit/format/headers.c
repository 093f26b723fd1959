/* SPDX-License-Identifier: MIT */
/* The headers that are written, against the parsers of headers: every container, type and number of
 * channels, at lengths around those where a header has to change. */
#include "files.h"

#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

static const uint64_t lengths[] = {
    0,          1,          2,          3,          1000,       0x0fffff80, 0x1ffffc00, 0x1ffffff0,
    0x1fffffff, 0x3fffffd0, 0x3fffffe0, 0x3ffffff0, 0x3fffffff, 0x40000000, 0x7ffff000, 0x7fffffff,
    0x80000000, 0xffffff00, 0xffffff80, 0xffffffa0, 0xffffffff, 1ULL << 32, 1ULL << 40,
};

enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void parse_chunked(const unsigned char *bytes, size_t size, struct chunked_header *parsed)
{
    struct input input;
    struct error error = {.reason = ""};
    header_parser *parse = bytes[0] == 'c'   ? caf_parse
                           : bytes[0] == 'F' ? aiff_parse
                           : bytes[0] == '.' ? au_parse
                                             : wav_parse;

    scratch_write("header", bytes, size);
    scratch_need(input_open(&input, "header", false, &error) == 0, "header");
    *parsed = (struct chunked_header){.input = &input, .error = &error};
    parse(parsed);
    CHECK_THAT(parsed->verdict == HEADER_READY, "%s", words_of(&error));
    CHECK(input_position(&input) == size);
    input_close(&input);
}

static uint64_t bytes_of(const struct sink_format *format, uint64_t frames)
{
    return frames * format->channels * sample_type_bytes(format->sample);
}

static void check_chunked(const struct sink_format *format, uint64_t frames,
                          const unsigned char *bytes, size_t size)
{
    uint64_t due = frames == SINK_FRAMES_UNKNOWN ? RAW_UNTIL_END : bytes_of(format, frames);
    struct chunked_header parsed;

    parse_chunked(bytes, size, &parsed);
    CHECK(parsed.data.format.sample.kind == format->sample.kind &&
          parsed.data.format.sample.big_endian ==
              (format->sample.big_endian && bytes_of(format, 1) > format->channels));
    CHECK(parsed.data.format.channels == format->channels &&
          parsed.data.format.rate == format->rate);
    /* A size that other programs use for "until the end" is read as that; nothing follows, so the
     * result is the same. */
    CHECK_THAT(parsed.data.bytes == due || parsed.data.bytes == RAW_UNTIL_END, "%s: %llu, not %llu",
               format->container, (unsigned long long)parsed.data.bytes, (unsigned long long)due);
    if (parsed.data.bytes != due && strcmp(format->container, "caf") == 0)
        CHECK(due == 0);
    else if (parsed.data.bytes != due && strcmp(format->container, "au") == 0)
        CHECK(due == 0 || due > 0xffffffff - bytes_of(format, 1));
    else if (parsed.data.bytes != due)
        CHECK(due > 0x7fffef00 && due <= 0xffffffff);
    if (strcmp(format->container, "wav") == 0)
        CHECK((memcmp(bytes, "RF64", 4) == 0) ==
              (frames != SINK_FRAMES_UNKNOWN && due + size - 8 + 1 > 0xfffffffe));
}

static void check_npy(const struct sink_format *format, uint64_t frames, const unsigned char *bytes,
                      size_t size)
{
    struct raw_reader_data parsed;
    const char *why;

    CHECK(size == NPY_WRITTEN && size % 64 == 0 && bytes[size - 1] == '\n');
    CHECK(npy_header_start(bytes) == 2 && bytes[8] == size - 10);
    CHECK(npy_header_parse((const char *)bytes + 10, size - 10, &parsed, &why));
    CHECK(parsed.format.frames == frames && parsed.format.channels == format->channels);
    CHECK(parsed.format.sample.kind == format->sample.kind);
    CHECK(parsed.bytes == bytes_of(format, frames));
}

static void check_one(struct sink_format *format, uint64_t frames)
{
    unsigned char bytes[HEADER_MOST];
    unsigned char empty[HEADER_MOST];
    const char *why = NULL;
    size_t size = header_build(format, frames, bytes, &why);

    if (frames == SINK_FRAMES_UNKNOWN && !format->format->writer->streams) {
        CHECK(size == 0 && why != NULL);
        return;
    }
    if (strcmp(format->container, "aiff") == 0 && bytes_of(format, frames) > 0xfffffeff) {
        CHECK(size == 0 && strstr(why, "4 GiB") != NULL);
        return;
    }
    CHECK_THAT(size > 0 && size <= HEADER_MOST, "%s: %s", format->container, why);
    CHECK(header_build(format, 0, empty, &why) == size);
    if (strcmp(format->container, "npy") == 0)
        check_npy(format, frames, bytes, size);
    else
        check_chunked(format, frames, bytes, size);
}

static void test_kind(const struct format *container, enum sample_kind kind)
{
    static const unsigned channels[] = {1, 2, 3, 6, 255};

    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        struct sink_format format = {
            .format = container,
            .container = container->names[0],
            .sample = {.kind = kind, .big_endian = container->writer->big_endian},
            .channels = channels[i],
            .rate = 48000,
        };

        for (size_t j = 0; j < LENGTHS; j++)
            check_one(&format, lengths[j]);
        check_one(&format, SINK_FRAMES_UNKNOWN);
        for (uint64_t frames = 0; frames < 20; frames++) {
            size_t padding = header_padding(&format, frames);
            uint64_t bytes = bytes_of(&format, frames) + padding;

            /* None in a W64: other programs take it for frames. */
            if (container->family != NULL || strcmp(format.container, "wav") == 0 ||
                strcmp(format.container, "aiff") == 0)
                CHECK(bytes % 2 == 0 && padding < 2);
            else
                CHECK(padding == 0);
        }
    }
}

static void test_refusals(void)
{
    unsigned char bytes[HEADER_MOST];
    struct sink_format format = {
        .format = format_named("wav", 3), .container = "wav", .channels = 16384, .rate = 8000};
    const char *why = NULL;

    CHECK(header_build(&format, 1, bytes, &why) == 0 && why != NULL);
    format.channels = 16383;
    CHECK(header_build(&format, 1, bytes, &why) > 0);
    CHECK(header_build(&format, UINT64_MAX / 2, bytes, &why) == 0);
}

/* Every kind of samples of every format that is a header and frames. */
int main(void)
{
    const struct format *format;
    unsigned containers = 0;

    scratch_enter();
    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        if (format->writer == NULL || format->writer->header == NULL ||
            format->writer->header->encode != NULL)
            continue;
        containers++;
        for (enum sample_kind kind = 0; kind < SAMPLE_KINDS; kind++) {
            const char *name = sample_type_name((struct sample_type){.kind = kind});

            if (format_is_among(format->writer->kinds, name, strcspn(name, "lb")))
                test_kind(format, kind);
        }
    }
    CHECK(containers >= 6);
    test_refusals();
    return check_result();
}
