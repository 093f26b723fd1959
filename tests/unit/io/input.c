/* SPDX-License-Identifier: MIT */
/* io/input: files, pipes, and skipping. What is refused: see tests/cli/commands.txt. */
#include <sys/wait.h>

#include "inputs.h"
#include "io/read_at.h"
#include "words.h"

/* The input that is read, and what the last call gave. */
static struct input input;
static struct error error;
static const unsigned char *bytes;
static size_t got;
static uint64_t passed;

static void check_pipe(size_t size, size_t piece, long pause, bool nonblocking, size_t peek)
{
    struct scratch_peer feeder = {.bytes = sent, .size = size, .piece = piece, .pause = pause};
    int read_end;

    scratch_pipe(&read_end, &feeder.fd);
    if (nonblocking)
        scratch_nonblocking(read_end);
    open_fd(&input, read_end);
    CHECK(fcntl(read_end, F_GETPIPE_SZ) >= 64 * 1024);
    CHECK(!input.regular && input_remaining(&input) == UINT64_MAX);
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

static void test_file(void)
{
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

    /* Reports size 0, but is not empty. */
    CHECK(input_open(&input, "/proc/sys/kernel/ostype", false, &error) == 0);
    CHECK(input.regular && input_remaining(&input) == UINT64_MAX);
    CHECK(input_skip(&input, 2, &passed, &error) == 0 && passed == 2);
    CHECK(read_all(&input, 100) == 4 && memcmp(got_bytes, "nux\n", 4) == 0);
    input_close(&input);
}

/* Standard input from a file that was partly read before. */
static void test_inherited_offset(void)
{
    int fd = open("file", O_RDONLY | O_CLOEXEC);

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

/* ---- large reads, which threads share */

enum { LARGE = 9 * 1024 * 1024 + 12345 };

static unsigned char large[LARGE];
static unsigned char shared[LARGE];

static void open_large(struct threads *threads)
{
    CHECK(input_open(&input, "large", false, &error) == 0);
    input.threads = threads;
    input.readers = READ_AT_THREADS;
}

static void test_shared(void)
{
    struct shared_read reading;
    static const size_t sizes[] = {1024 * 1024, 1024 * 1024 + 1, 3333333, LARGE + 1};
    struct threads *threads = threads_open(READ_AT_THREADS);

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t place = 0;

        open_large(threads);
        while (input_read(&input, shared, sizes[i], &got, &error) == 0 && got > 0) {
            CHECK(got == sizes[i] || place + got == LARGE);
            CHECK(memcmp(shared, large + place, got) == 0);
            place += got;
            CHECK(lseek(input.fd, 0, SEEK_CUR) == (off_t)place);
        }
        CHECK(place == LARGE);
        input_close(&input);
    }

    /* A plain read reports what is wrong. */
    open_large(threads);
    close(input.fd);
    input.fd = open("large", O_WRONLY | O_CLOEXEC);
    CHECK(input_read(&input, shared, LARGE, &got, &error) == -1);
    CHECK_WORDS(&error, "large: Bad file descriptor");
    CHECK(lseek(input.fd, 0, SEEK_CUR) == 0);
    input_close(&input);

    /* A file that becomes shorter while it is read. */
    input.fd = open("large", O_RDWR | O_CLOEXEC);
    CHECK(ftruncate(input.fd, 1500000) == 0);
    for (unsigned readers = 1; readers <= READ_AT_THREADS; readers++) {
        shared_read_begin(&reading, threads, readers, input.fd, shared, LARGE, 7);
        CHECK(shared_read_end(&reading) == LARGE - 1499993);
        CHECK(shared_read_end(&reading) == 0); /* there is nothing left to end */
    }
    CHECK(memcmp(shared, large + 7, 1499993) == 0);
    close(input.fd);
    threads_close(threads);
}

/* Reads that go on until their callers end them, several at once. The last one is shorter, so it is
 * awaited. */
static void test_reading(void)
{
    enum { EACH = 4 * 1024 * 1024 };

    struct threads *threads = threads_open(READ_AT_THREADS);
    struct shared_read reading[2] = {0};

    open_large(threads);
    for (size_t i = 0; i < 2; i++) {
        input.reading = &reading[i];
        CHECK(input_read(&input, shared + i * EACH, EACH, &got, &error) == 0 && got == EACH);
        CHECK(input.reading == NULL && reading[i].threads == threads);
    }
    input.reading = &reading[0];
    CHECK(input_read(&input, shared + 2 * EACH, EACH, &got, &error) == 0 &&
          got == LARGE - 2 * EACH);
    CHECK(shared_read_end(&reading[1]) == 0 && shared_read_end(&reading[0]) == 0);
    CHECK(memcmp(shared, large, LARGE) == 0);
    input_close(&input);
    threads_close(threads);
}

/* How many bytes can be read in pieces of a MiB. */
static int read_pieces(void)
{
    struct threads *threads = threads_open(2); /* a forked process has no threads of its parent */
    size_t total = 0;

    input.threads = threads;
    while (input_read(&input, shared, 1024 * 1024, &got, &error) == 0 && got > 0)
        total += got;
    threads_close(threads);
    return (int)total;
}

/* Two processes that share the descriptor: each byte goes to one of them. */
static void test_shared_descriptor(void)
{
    scratch_fill(large, sizeof large);
    scratch_write("large", large, LARGE);
    for (int i = 0; i < 10; i++) {
        int of_child = 0;
        int of_parent;
        int pipes[2];
        pid_t child;

        open_large(NULL);
        CHECK(pipe(pipes) == 0);
        child = fork();
        if (child == 0) {
            of_child = read_pieces();
            _exit(write(pipes[1], &of_child, sizeof of_child) == sizeof of_child ? 0 : 1);
        }
        of_parent = read_pieces();
        CHECK(read(pipes[0], &of_child, sizeof of_child) == sizeof of_child);
        CHECK(waitpid(child, NULL, 0) == child);
        CHECK_THAT(of_parent + of_child == LARGE, "%d and %d", of_parent, of_child);
        close(pipes[0]);
        close(pipes[1]);
        input_close(&input);
    }
}

int main(void)
{
    scratch_enter();
    test_shared_descriptor(); /* it forks, so it comes before the threads */
    test_reading();
    test_shared(); /* the file becomes shorter */
    scratch_fill(sent, sizeof sent);
    test_pipes();
    test_file();
    test_inherited_offset();
    test_skip_pipe(0, 0);
    test_skip_pipe(5, 64);
    test_skip_pipe(64, 64);
    test_skip_pipe(200001, 12);
    test_skip_pipe(BIG, 12);
    test_skip_pipe(UINT64_MAX, 0);
    return check_result();
}
