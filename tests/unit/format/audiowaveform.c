/* format/audiowaveform: the bytes, into a seekable file and through a pipe, with the length known
 * beforehand or not; and what is refused. tests/containers/overview.py has files of the program
 * itself. */
#include "files.h"

#include <math.h>

static const struct emit_list pairs = {2, {EMIT_MIN, EMIT_MAX}};

static const float frames[] = {-1.0f, 1.0f, -0.25f, -0x1p-16f, NAN, NAN, -0.5f, 3e38f};

static const char dat_16[] = "\1\0\0\0\0\0\0\0\x80\xbb\0\0\0\2\0\0\4\0\0\0"
                             "\0\x80\xff\x7f\0\xe0\xff\xff\0\0\0\0\0\xc0\xff\x7f";
static const char dat_8_stereo[] = "\2\0\0\0\1\0\0\0\x80\xbb\0\0\0\2\0\0\2\0\0\0\2\0\0\0"
                                   "\x80\x7f\xe0\0\0\0\xc0\x7f";
static const char json_16[] = "{\"version\":2,\"channels\":1,\"sample_rate\":48000,"
                              "\"samples_per_pixel\":512,\"bits\":16,\"length\":4,"
                              "\"data\":[-32768,32767,-8192,-1,0,0,-16384,32767]}\n";
static const char json_8_stereo[] = "{\"version\":2,\"channels\":2,\"sample_rate\":48000,"
                                    "\"samples_per_pixel\":512,\"bits\":8,\"length\":2,"
                                    "\"data\":[-128,127,-32,0,0,0,-64,127]}\n";
static const char json_none[] = "{\"version\":2,\"channels\":1,\"sample_rate\":48000,"
                                "\"samples_per_pixel\":512,\"bits\":16,\"length\":0,\"data\":[]}\n";

struct overview_case {
    const char *container;
    enum sample_kind kind;
    unsigned channels;
    size_t floats;
    const char *bytes;
    size_t size;
};

static const struct overview_case cases[] = {
    {"dat", SAMPLE_S16, 1, 8, dat_16, sizeof dat_16 - 1},
    {"dat", SAMPLE_S8, 2, 8, dat_8_stereo, sizeof dat_8_stereo - 1},
    {"json", SAMPLE_S16, 1, 8, json_16, sizeof json_16 - 1},
    {"json", SAMPLE_S8, 2, 8, json_8_stereo, sizeof json_8_stereo - 1},
    {"json", SAMPLE_S16, 1, 0, json_none, sizeof json_none - 1},
};

static struct sink_context context_for(unsigned channels)
{
    return (struct sink_context){.emits = pairs,
                                 .channels = channels,
                                 .window = {.width = 512, .hop = 512, .align = ALIGN_FORWARD},
                                 .input_rate = 48000};
}

static int open_sink(struct output *output, const struct sink_format *format, struct sink **sink,
                     struct error *error)
{
    const struct format *named = format_named(format->container, strlen(format->container));

    return named->writer->open(output, format, sink, error);
}

/* Writes a case to an open output; returns the result of finish(). */
static int write_case(const struct overview_case *one, uint64_t known, struct output *output,
                      struct error *error)
{
    struct sink_format format = {.format = format_named(one->container, strlen(one->container)),
                                 .container = one->container,
                                 .sample = {.kind = one->kind},
                                 .row = {.count = 2, .kind = {VALUE_F32, VALUE_F32}},
                                 .channels = 2 * one->channels,
                                 .frames = known,
                                 .context = context_for(one->channels)};
    size_t stride = (size_t)2 * one->channels;
    struct sink *sink = NULL;
    float block[8];
    int result;

    if (open_sink(output, &format, &sink, error) != 0) {
        CHECK_THAT(false, "%s", words_of(error));
        return -1;
    }
    /* One frame at a time. */
    for (size_t i = 0; i < one->floats; i += stride) {
        memcpy(block, frames + i, stride * sizeof *block);
        CHECK(sink->class->write(sink, block, 1, NULL, false, error) == 0);
    }
    result = sink->class->finish(sink, error);
    CHECK(sink->losses.nan == (one->floats > 0 ? 2 : 0));
    CHECK(sink->losses.clipped == (one->floats > 0 ? 2 : 0));
    sink->class->close(sink);
    return result;
}

static void check_file(const struct overview_case *one, uint64_t known)
{
    struct output output;
    struct error error = {0};

    scratch_need(output_open(&output, "overview", false, NULL, &error) == 0, words_of(&error));
    CHECK_THAT(write_case(one, known, &output, &error) == 0, "%s", words_of(&error));
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    CHECK_THAT(file_is("overview", one->bytes, one->size), "%s, a file, %llu", one->container,
               (unsigned long long)known);
}

static void check_pipe(const struct overview_case *one, uint64_t known)
{
    uint64_t count = one->floats / 2 / one->channels;
    bool agrees = known == SINK_FRAMES_UNKNOWN || known == count;
    struct output output = {.name = "a pipe", .fd = -1, .pipe = true};
    struct error error = {0};
    char bytes[512];
    ssize_t size;
    int from;

    scratch_pipe(&from, &output.fd);
    CHECK((write_case(one, known, &output, &error) == 0) == agrees);
    close(output.fd);
    size = read(from, bytes, sizeof bytes);
    close(from);
    if (agrees)
        CHECK_THAT(size == (ssize_t)one->size && memcmp(bytes, one->bytes, one->size) == 0,
                   "%s, a pipe, %llu", one->container, (unsigned long long)known);
    else
        CHECK(error.status == STATUS_FAILED && strstr(words_of(&error), "promises") != NULL);
}

static void check_refusals(void)
{
    static const struct emit_list turned = {2, {EMIT_MAX, EMIT_MIN}};
    static const struct emit_list one = {1, {EMIT_MIN}};
    struct sink_format format = {
        .format = format_named("dat", 3), .container = "dat", .sample = {.kind = SAMPLE_S16}};
    struct output output = {.name = "out.dat", .fd = -1};
    struct sink *sink;

    for (int i = 0; i < 5; i++) {
        static const char *const words[] = {"--emit min,max", "--emit min,max", "--zoom",
                                            "2147483647", "--zoom"};
        struct sink_context *context = &format.context;
        struct error error = {0};

        *context = context_for(1);
        if (i <= 1)
            context->emits = i == 0 ? turned : one;
        if (i == 2)
            context->window.width = context->window.hop = 1;
        if (i == 3)
            context->window.width = context->window.hop = UINT64_C(1) << 31;
        if (i == 4)
            context->window.align = ALIGN_VALID;
        CHECK(open_sink(&output, &format, &sink, &error) != 0);
        CHECK(error.status == STATUS_USAGE);
        CHECK_THAT(strstr(words_of(&error), words[i]) != NULL, "%s", words_of(&error));
    }
}

int main(void)
{
    scratch_enter();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t count = cases[i].floats / 2 / cases[i].channels;

        check_file(&cases[i], SINK_FRAMES_UNKNOWN);
        check_file(&cases[i], count);
        check_pipe(&cases[i], SINK_FRAMES_UNKNOWN);
        check_pipe(&cases[i], count);
        check_pipe(&cases[i], count + 1);
    }
    check_refusals();
    return check_result();
}
