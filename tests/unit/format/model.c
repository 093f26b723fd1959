/* SPDX-License-Identifier: MIT */
/* The model of a reader: the part above the test is one to copy (CONTRIBUTING.md, "To add"). The
 * test is of what format.h and source.h ask of every reader.
 *
 * A file of steps is a table that gpuenv does not write: "STEPS", 0, 0, 1; the number of columns in
 * a byte; their names, in 8 bytes each; then rows of a byte a column, by how much its number is
 * larger than in the row before. So its bytes are no raw frames. */
#include <string.h>

#include "format/codecs/fed_priv.h"
#include "format/format.h"

enum {
    START_BYTES = 9, /* the first bytes, and the number of columns */
    NAME_BYTES = 8,
    COLUMNS_MOST = 255,
    READ_BYTES = 4096,
};

struct steps_source {
    struct fed_source fed;
    unsigned char bytes[COLUMNS_MOST + READ_BYTES]; /* the beginning of a row, and the next read */
    size_t held;
    float last[COLUMNS_MOST];
    float decoded[COLUMNS_MOST + READ_BYTES];
    char words[COLUMNS_MOST][NAME_BYTES + 1];
    const char *names[COLUMNS_MOST];
};

static int feed_steps(struct fed_source *fed, struct error *error)
{
    struct steps_source *steps = (struct steps_source *)fed;
    size_t got;

    if (input_read(fed->source.input, steps->bytes + steps->held, READ_BYTES, &got, error) != 0)
        return -1;
    steps->held += got;
    fed->ended = got == 0;
    return 0;
}

/* Decodes all whole rows. */
static int decode_steps(struct fed_source *fed, bool *more, struct error *error)
{
    struct steps_source *steps = (struct steps_source *)fed;
    const unsigned columns = fed->source.format.channels;
    const size_t used = steps->held - steps->held % columns;

    (void)error;
    for (size_t i = 0; i < used; i++) {
        steps->last[i % columns] += (float)(signed char)steps->bytes[i];
        steps->decoded[i] = steps->last[i % columns];
    }
    steps->held -= used;
    memmove(steps->bytes, steps->bytes + used, steps->held);
    fed->decoded = (const unsigned char *)steps->decoded;
    fed->left = used * sizeof *steps->decoded;
    fed->over = used == 0 && fed->ended;
    *more = used == 0 && !fed->ended;
    return 0;
}

static int end_steps(struct fed_source *fed, struct error *error)
{
    const struct steps_source *steps = (const struct steps_source *)fed;

    return steps->held == 0 ? 0
                            : error_set(error, ERROR_DAMAGED, fed->source.input->name,
                                        "ends inside a row, after %llu whole rows",
                                        (unsigned long long)fed->frames);
}

static int read_names(struct steps_source *steps, struct error *error)
{
    struct source *source = &steps->fed.source;
    size_t got;

    for (unsigned i = 0; i < source->format.channels; i++) {
        if (input_read_all(source->input, steps->words[i], NAME_BYTES, &got, error) != 0)
            return -1;
        if (got < NAME_BYTES)
            return error_set(error, ERROR_FILE, source->input->name, "ends inside its names");
        steps->names[i] = steps->words[i];
    }
    source->names = steps->names;
    return 0;
}

static int open_steps(struct input *input, const struct source_request *request,
                      const struct recognised *found, struct source **source, struct error *error)
{
    static const struct fed_class fed_class = {feed_steps, decode_steps, end_steps};
    static const struct source_class class = {
        .bytes = sizeof(struct steps_source),
        .read = fed_read,
        .skip = source_skip_by_reading,
        .ready = fed_ready,
    };
    unsigned char start[START_BYTES];
    struct steps_source *steps;
    size_t got;

    if (input_read_all(input, start, START_BYTES, &got, error) != 0)
        return -1;
    if (got < START_BYTES || start[START_BYTES - 1] == 0)
        return error_set(error, ERROR_FILE, input->name, "is %s without columns", found->words);
    steps = source_new(&class, input, source, error);
    if (steps == NULL)
        return -1;
    steps->fed.class = &fed_class;
    steps->fed.source.container = found->format->names[0];
    steps->fed.source.encoding = "s8 steps";
    steps->fed.source.format = (struct source_format){
        .sample = source_decoded(SAMPLE_F32, request->sample.counts),
        .numbers = true,
        .rows = true,
        .usual_output = format_named("csv", strlen("csv")),
        .channels = start[START_BYTES - 1],
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    return read_names(steps, error);
}

const struct format format_steps = {
    .names = {"steps"},
    .words = "a table of steps",
    .endings = " steps",
    .magic = (const struct format_magic[]){{.size = 8, .bytes = "STEPS\0\0\1"}, {0}},
    .open = open_steps,
};

/* ---- the test */
#include "files.h"
#include "inputs.h"
#include "random.h"

enum { ROWS = 10000, COLUMNS = 3, HEADER = START_BYTES + COLUMNS * NAME_BYTES };

static const struct source_request request = {.format = &format_steps};
static unsigned char file[HEADER + ROWS * COLUMNS];
static float due[ROWS * COLUMNS];

static void make_file(void)
{
    memcpy(file, "STEPS\0\0\1\3left\0\0\0\0right\0\0\0centered", HEADER);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        const signed char step = (signed char)(random_number() % 256 - 128);

        file[HEADER + i] = (unsigned char)step;
        due[i] = (i < COLUMNS ? 0 : due[i - COLUMNS]) + (float)step;
    }
}

/* Reads and skips rows by turns, up to the end or an error. Returns how many there were. */
static size_t read_rows(bool skips, bool *failed)
{
    size_t at = 0;

    for (*failed = false; !*failed;) {
        float rows[50 * COLUMNS + 1];
        const size_t most = 1 + random_number() % 50;

        if (skips && random_number() % 2 == 0) {
            *failed = !source_skips(most);
            CHECK(in.passed <= most);
            at += in.passed;
            continue;
        }
        rows[most * COLUMNS] = 7;
        *failed = !source_reads(rows, most);
        if (in.got == 0)
            break;
        CHECK(in.got <= most && !*failed && rows[most * COLUMNS] == 7 && at + in.got <= ROWS);
        CHECK(memcmp(rows, due + at * COLUMNS, in.got * COLUMNS * sizeof *rows) == 0);
        at += in.got;
    }
    return at;
}

/* Bytes come as they like. The rows, then the end or the error, are the same; a call that is
 * repeated gives it again. */
static void check_rows(size_t size, size_t piece, bool skips)
{
    struct scratch_peer feeder = {.bytes = file, .size = size, .piece = piece, .pause = 1};
    const bool cut = (size - HEADER) % COLUMNS != 0;
    bool failed;
    float row[COLUMNS];
    int read_end;

    scratch_pipe(&read_end, &feeder.fd);
    open_fd(&in.input, read_end);
    scratch_start(&feeder, scratch_feeder);
    CHECK(source_open(&in.input, &request, &in.source, &in.error) == 0);
    CHECK(in.source->format.channels == COLUMNS && strcmp(in.source->names[2], "centered") == 0);
    CHECK(read_rows(skips, &failed) == (size - HEADER) / COLUMNS && failed == cut);
    for (int i = 0; i < 2; i++) {
        CHECK(source_is_ready(0) && source_reads(row, 1) == !cut && in.got == 0);
        CHECK(!cut || (in.error.code == ERROR_DAMAGED &&
                       strstr(in.error.reason, "ends inside a row") != NULL));
    }
    CHECK(source_remark(in.source) == NULL);
    source_close(in.source);
    pthread_join(feeder.thread, NULL);
    close(read_end);
}

/* A source that has a part of a row waits for the rest, and not a read. */
static void check_ready(void)
{
    float row[COLUMNS];
    int fds[2];

    scratch_need(pipe(fds) == 0, "pipe");
    open_fd(&in.input, fds[0]);
    CHECK(write(fds[1], file, HEADER + COLUMNS + 1) == HEADER + COLUMNS + 1);
    CHECK(source_open(&in.input, &request, &in.source, &in.error) == 0);
    CHECK(source_is_ready(0) && source_reads(row, 1) && in.got == 1);
    CHECK(!source_is_ready(0));
    CHECK(write(fds[1], file + HEADER + COLUMNS + 1, 2) == 2);
    CHECK(source_is_ready(0) && source_reads(row, 1) && in.got == 1);
    CHECK(memcmp(row, due + COLUMNS, sizeof row) == 0);
    source_close(in.source);
    close(fds[0]);
    close(fds[1]);
}

/* Whatever `open` has made when it fails is freed by the caller, once. */
static void check_refused(size_t size, const char *reason)
{
    scratch_write("in.steps", file, size);
    scratch_need(input_open(&in.input, "in.steps", false, &in.error) == 0, "in.steps");
    CHECK(source_open(&in.input, &request, &in.source, &in.error) == -1 && in.source == NULL);
    CHECK_WORDS(&in.error, reason);
    input_close(&in.input);
}

int main(void)
{
    scratch_enter();
    make_file();
    for (int skips = 0; skips < 2; skips++) {
        check_rows(sizeof file, sizeof file, skips != 0);
        check_rows(sizeof file - 1, 997, skips != 0);
        check_rows(HEADER + 100 * COLUMNS, 1, skips != 0);
        check_rows(HEADER, 1, skips != 0);
    }
    check_ready();
    check_refused(START_BYTES - 1, "in.steps: is a table of steps without columns");
    check_refused(HEADER - 1, "in.steps: ends inside its names");
    return check_result();
}
