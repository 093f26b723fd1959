/* SPDX-License-Identifier: MIT */
/* The source of text, over a slow pipe too. */
#include "files.h"

#include "format/text/parser_priv.h"
#include "format/text/text_priv.h"

static void feed(int fd, const char *text)
{
    scratch_need(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "write");
}

/* Opens a new FIFO of that name as csv, containing `words`, and returns the write end. */
static int open_fifo(const char *name, const char *words)
{
    const struct source_request request = {.rate = 50};
    const struct recognised found = {.format = format_named("csv", 3)};
    int writer;

    scratch_need(mkfifo(name, 0600) == 0, "mkfifo");
    writer = open(name, O_RDWR | O_CLOEXEC);
    scratch_need(writer >= 0, name);
    feed(writer, words);
    CHECK(input_open(&in.input, name, false, &in.error) == 0);
    CHECK(text_open_source(&in.input, &request, &found, &in.source, &in.error) == 0);
    return writer;
}

/* A complete line is an available frame; an incomplete one is not. */
static void test_trickle(void)
{
    double frames[8];
    int writer = open_fifo("fifo", "a,b\n1,2\n3");

    CHECK(in.source->format.channels == 2 && in.source->format.rate == 50);
    CHECK(sample_type_is_native(in.source->format.sample, VALUE_F64));
    CHECK(source_is_ready(0));
    CHECK(source_reads(frames, 4) && in.got == 1 && frames[0] == 1 && frames[1] == 2);
    CHECK(!source_is_ready(0));
    feed(writer, ",");
    CHECK(!source_is_ready(1000));
    feed(writer, "4\n# no frame\n");
    CHECK(source_is_ready(0));
    CHECK(source_is_ready(0));
    CHECK(source_reads(frames, 4) && in.got == 1 && frames[0] == 3 && frames[1] == 4);
    CHECK(!source_is_ready(0));
    feed(writer, "5,6\n7,8\n9,10\n11,x");
    CHECK(source_reads(frames, 2) && in.got == 2 && frames[3] == 8);
    close(writer);
    CHECK(source_reads(frames, 2) && in.got == 1 && frames[1] == 10);
    CHECK(!source_reads(frames, 2));
    CHECK_WORDS(&in.error,
                "fifo: line 8, column 2: 'x' is not a number: --missing WORD takes it as "
                "missing, --columns leaves its column out, --bad-lines skip its line");
    source_end();
}

/* An invalid line follows one that was read ahead: that one comes first. */
static void test_error_behind_frame_ahead(void)
{
    double frames[8];
    int writer = open_fifo("records", "a,b\n1,2\nx,3\n");

    CHECK(source_is_ready(0));
    CHECK(source_reads(frames, 4) && in.got == 1 && frames[0] == 1 && frames[1] == 2);
    CHECK(source_is_ready(0));
    CHECK(!source_reads(frames, 4));
    CHECK_WORDS(&in.error,
                "records: line 3, column 1: 'x' is not a number: --missing WORD takes it as "
                "missing, --columns leaves its column out, --bad-lines skip its line");
    source_end();
    close(writer);
}

static void open_file(const char *text, size_t size)
{
    const struct source_request request = {.rate = 0};
    const struct recognised found = {.format = format_named("txt", 3)};

    scratch_write("numbers", text, size);
    CHECK(input_open(&in.input, "numbers", false, &in.error) == 0);
    CHECK(text_open_source(&in.input, &request, &found, &in.source, &in.error) == 0);
}

static void test_skip_and_limits(void)
{
    static char text[3 * TEXT_RECORD_MOST];
    size_t size = 0;
    double frame;

    for (int i = 0; i < 200000; i++)
        size += (size_t)sprintf(text + size, "%d\n", i);
    open_file(text, size);
    CHECK(source_skips(123456) && in.passed == 123456);
    CHECK(source_reads(&frame, 1) && in.got == 1);
    CHECK(frame == 123456);
    CHECK(source_skips(UINT64_MAX) && in.passed == 200000 - 123457);
    CHECK(source_reads(&frame, 1) && in.got == 0);
    source_end();

    /* A line without an end is not buffered without limit. */
    memset(text, '7', sizeof text);
    text[0] = '1';
    text[1] = '\n';
    open_file(text, sizeof text);
    CHECK(source_reads(&frame, 1) && in.got == 1);
    CHECK(!source_reads(&frame, 1));
    CHECK_THAT(strstr(words_of(&in.error), "line 2: is longer") != NULL, "%s", words_of(&in.error));
    source_end();

    open_file("", 0);
    CHECK(in.source->format.channels == 1);
    CHECK(source_reads(&frame, 1) && in.got == 0);
    source_end();
}

CHECK_MAIN(scratch_enter, test_trickle, test_error_behind_frame_ahead, test_skip_and_limits)
