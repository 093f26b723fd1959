/* The source of text over a slow pipe, and the lines that the sink writes. */
#include "files.h"

#include <math.h>

#include "format/text/parser_priv.h"
#include "format/text/text_priv.h"

static void feed(int fd, const char *text)
{
    scratch_need(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "write");
}

/* Opens a new FIFO of that name as csv, containing `words`, and returns the write end. */
static int open_fifo(const char *name, const char *words, struct input *input,
                     struct source **source)
{
    const struct source_request request = {.rate = 50};
    const struct recognised found = {.format = format_named("csv", 3)};
    struct error error;
    int writer;

    scratch_need(mkfifo(name, 0600) == 0, "mkfifo");
    writer = open(name, O_RDWR | O_CLOEXEC);
    scratch_need(writer >= 0, name);
    feed(writer, words);
    CHECK(input_open(input, name, false, &error) == 0);
    CHECK(text_open_source(input, &request, &found, source, &error) == 0);
    return writer;
}

/* A complete line is an available frame; an incomplete one is not. */
static void test_trickle(void)
{
    struct input input;
    struct source *source;
    struct error error;
    double frames[8];
    size_t got;
    int writer = open_fifo("fifo", "a,b\n1,2\n3", &input, &source);

    CHECK(source->format.channels == 2 && source->format.rate == 50);
    CHECK(sample_type_is_native(source->format.sample, VALUE_F64));
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->read(source, frames, 4, &got, &error) == 0);
    CHECK(got == 1 && frames[0] == 1 && frames[1] == 2);
    CHECK(!source->class->ready(source, 0));
    feed(writer, ",");
    CHECK(!source->class->ready(source, 1000));
    feed(writer, "4\n# no frame\n");
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->read(source, frames, 4, &got, &error) == 0);
    CHECK(got == 1 && frames[0] == 3 && frames[1] == 4);
    CHECK(!source->class->ready(source, 0));
    feed(writer, "5,6\n7,8\n9,10\n11,x");
    CHECK(source->class->read(source, frames, 2, &got, &error) == 0);
    CHECK(got == 2 && frames[3] == 8);
    close(writer);
    CHECK(source->class->read(source, frames, 2, &got, &error) == 0);
    CHECK(got == 1 && frames[1] == 10);
    CHECK(source->class->read(source, frames, 2, &got, &error) != 0);
    CHECK_WORDS(&error, "fifo: line 8, column 2: 'x' is not a number: --missing WORD takes it as "
                        "missing, --columns leaves its column out, --bad-lines skip its line");
    source_end(source, &input);
}

/* An invalid line follows one that was read ahead: that one comes first. */
static void test_error_behind_frame_ahead(void)
{
    struct input input;
    struct source *source;
    struct error error;
    double frames[8];
    size_t got;
    int writer = open_fifo("records", "a,b\n1,2\nx,3\n", &input, &source);

    CHECK(source->class->ready(source, 0));
    CHECK(source->class->read(source, frames, 4, &got, &error) == 0);
    CHECK(got == 1 && frames[0] == 1 && frames[1] == 2);
    CHECK(source->class->ready(source, 0));
    CHECK(source->class->read(source, frames, 4, &got, &error) == -1);
    CHECK_WORDS(&error,
                "records: line 3, column 1: 'x' is not a number: --missing WORD takes it as "
                "missing, --columns leaves its column out, --bad-lines skip its line");
    source_end(source, &input);
    close(writer);
}

static struct source *open_file(struct input *input, const char *text, size_t size)
{
    const struct source_request request = {.rate = 0};
    const struct recognised found = {.format = format_named("txt", 3)};
    struct source *source = NULL;
    struct error error;

    scratch_write("numbers", text, size);
    CHECK(input_open(input, "numbers", false, &error) == 0);
    CHECK(text_open_source(input, &request, &found, &source, &error) == 0);
    return source;
}

static void test_skip_and_limits(void)
{
    static char text[3 * TEXT_RECORD_MOST];
    struct input input;
    struct source *source;
    struct error error;
    uint64_t passed;
    size_t size = 0;
    double frame;
    size_t got;

    for (int i = 0; i < 200000; i++)
        size += (size_t)sprintf(text + size, "%d\n", i);
    source = open_file(&input, text, size);
    CHECK(source->class->skip(source, 123456, &passed, &error) == 0 && passed == 123456);
    CHECK(source->class->read(source, &frame, 1, &got, &error) == 0 && got == 1);
    CHECK(frame == 123456);
    CHECK(source->class->skip(source, UINT64_MAX, &passed, &error) == 0);
    CHECK(passed == 200000 - 123457);
    CHECK(source->class->read(source, &frame, 1, &got, &error) == 0 && got == 0);
    source_end(source, &input);

    /* A line without an end is not buffered without limit. */
    memset(text, '7', sizeof text);
    text[0] = '1';
    text[1] = '\n';
    source = open_file(&input, text, sizeof text);
    CHECK(source->class->read(source, &frame, 1, &got, &error) == 0 && got == 1);
    CHECK(source->class->read(source, &frame, 1, &got, &error) != 0);
    CHECK_THAT(strstr(words_of(&error), "line 2: is longer") != NULL, "%s", words_of(&error));
    source_end(source, &input);

    source = open_file(&input, "", 0);
    CHECK(source->format.channels == 1);
    CHECK(source->class->read(source, &frame, 1, &got, &error) == 0 && got == 0);
    source_end(source, &input);
}

static void check_rows(const char *kind, const struct sink_context *context,
                       struct sink_format *format, void *frames, size_t count, const char *due)
{
    struct output output;
    struct sink *sink;
    struct error error;

    format->format = format_named(kind, 3);
    format->context = *context;
    sink_open_file(&sink, &output, "lines", format);
    CHECK(sink->class->write(sink, frames, count, NULL, false, &error) == 0);
    (void)sink_end(sink, &output);
    CHECK_THAT(file_is("lines", due, strlen(due)), "%s", due);
}

/* Writes two frames, and compares the result with what is expected. */
static void check_lines(const char *kind, const struct sink_context *context, const char *due)
{
    float frames[8] = {0.1F, 16777216, NAN, -INFINITY, -0.0F, 1e-45F, INFINITY, 3.4028235e38F};
    struct sink_format format = {.channels = context->emits.count * context->channels,
                                 .row = {.count = context->emits.count}};

    check_rows(kind, context, &format, frames, 8 / format.channels, due);
}

static void test_lines(void)
{
    struct sink_context context = {
        .emits = {2, {EMIT_MIN, EMIT_MAX}}, .channels = 2, .window.hop = 3};

    check_lines("csv", &context,
                "frame,min0,max0,min1,max1\n0,0.1,16777216,nan,-inf\n"
                "3,-0,1e-45,inf,3.4028235e+38\n");
    context.input_rate = 8;
    context.first_frame = 5;
    check_lines("tsv", &context,
                "frame\ttime\tmin0\tmax0\tmin1\tmax1\n5\t0.625\t0.1\t16777216\tnan\t-inf\n"
                "8\t1\t-0\t1e-45\tinf\t3.4028235e+38\n");
    context.channels = 1;
    context.emits.count = 1;
    context.window.hop = 1;
    context.continues = true;
    context.input_rate = 0;
    check_lines("txt", &context,
                "5 0.1\n6 16777216\n7 nan\n8 -inf\n9 -0\n10 1e-45\n11 inf\n12 3.4028235e+38\n");
}

/* Each value of a row by its kind. */
static void test_kinds(void)
{
    static const double wide = 123456789.25;
    const struct sink_context context = {
        .emits = {3, {EMIT_MIN, EMIT_MAX, EMIT_MID}}, .channels = 1, .window.hop = 1};
    uint64_t frame[3] = {UINT64_MAX, UINT64_C(1) << 63, 0};
    struct sink_format format = {.row = {.count = 3, .kind = {VALUE_U64, VALUE_I64, VALUE_F64}},
                                 .channels = 3};

    memcpy(&frame[2], &wide, sizeof wide);
    check_rows("csv", &context, &format, frame, 1,
               "frame,min,max,mid\n0,18446744073709551615,-9223372036854775808,123456789.25\n");
}

/* Past 32 bits, and past the integers of a double: each frame's number to its last digit, and the
 * double nearest to its time. */
static void test_far_lines(void)
{
    struct sink_context context = {.emits = {1, {EMIT_MAX}},
                                   .channels = 4,
                                   .window.hop = 3,
                                   .input_rate = 48000,
                                   .continues = true};

    context.first_frame = UINT64_C(0xfffffffe);
    check_lines("txt", &context,
                "4294967294 89478.48529166667 0.1 16777216 nan -inf\n"
                "4294967297 89478.48535416667 -0 1e-45 inf 3.4028235e+38\n");
    context.first_frame = (UINT64_C(1) << 53) - 2;
    check_lines("txt", &context,
                "9007199254740990 187649984473.77063 0.1 16777216 nan -inf\n"
                "9007199254740993 187649984473.7707 -0 1e-45 inf 3.4028235e+38\n");
    context.first_frame = (UINT64_C(1) << 53) + 7;
    check_lines("txt", &context,
                "9007199254740999 187649984473.7708 0.1 16777216 nan -inf\n"
                "9007199254741002 187649984473.77087 -0 1e-45 inf 3.4028235e+38\n");
    context.first_frame = INT64_MAX - 3;
    context.input_rate = 44100;
    check_lines("txt", &context,
                "9223372036854775804 209146758205323.72 0.1 16777216 nan -inf\n"
                "9223372036854775807 209146758205323.72 -0 1e-45 inf 3.4028235e+38\n");
}

CHECK_MAIN(scratch_enter, test_trickle, test_error_behind_frame_ahead, test_skip_and_limits,
           test_lines, test_kinds, test_far_lines)
