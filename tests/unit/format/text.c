/* The source of text, over a slow pipe too. */
#include "files.h"

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

CHECK_MAIN(scratch_enter, test_trickle, test_error_behind_frame_ahead, test_skip_and_limits)
