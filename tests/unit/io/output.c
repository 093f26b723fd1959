/* SPDX-License-Identifier: MIT */
/* io/output: who may read a file before it is complete, and after; pipes, rights, and signals at
 * any moment. What is refused, links, and descriptors by name: see tests/cli/commands.txt. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"
#include "io/input.h"
#include "io/output.h"
#include "io/temporary.h"
#include "scratch.h"
#include "words.h"

enum { BIG = 300 * 1000 };

static unsigned char sent[BIG];
static unsigned char arrived[BIG];

static void check_refused(const char *path, const char *words)
{
    struct output output;
    struct error error;

    CHECK_THAT(output_open(&output, path, false, NULL, &error) == -1, "%s", words);
    CHECK_WORDS(&error, words);
    CHECK(error.status == STATUS_FAILED && !error.quiet);
    CHECK(output.fd == -1 && output.path == NULL && output.temporary == NULL);
}

/* Opens, writes, commits, closes. */
static void put(const char *path, const char *text)
{
    struct output output;
    struct error error = {0};

    CHECK_THAT(output_open(&output, path, false, NULL, &error) == 0, "%s", words_of(&error));
    CHECK(strcmp(output.name, path) == 0);
    CHECK(output_write(&output, text, strlen(text), &error) == 0);
    CHECK(output.bytes == strlen(text));
    CHECK_THAT(output_commit(&output, &error) == 0, "%s", words_of(&error));
    output_close(&output);
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    scratch_need(lstat(path, &status) == 0, path);
    return status.st_mode;
}

/* Nothing is left of an output that could not be opened. */
static void test_refused(void)
{
    check_refused("missing/file", "missing/file: No such file or directory");
    check_refused(".", ".: Is a directory");
    put("plain", "x");
    check_refused("plain/file", "plain/file: Not a directory");
}

static mode_t mode_of_open(const struct output *output)
{
    struct stat status;

    CHECK(fstat(output->fd, &status) == 0);
    return status.st_mode & 07777;
}

/* Under every umask: accessible to the owner only until it is complete, then with the mode that
 * open(2) would have given. */
static void test_hidden(void)
{
    static const mode_t masks[] = {0, 022, 027, 077};
    struct output output;
    struct error error;
    mode_t old = umask(0);

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        umask(masks[i]);
        CHECK(output_open(&output, "secret", false, NULL, &error) == 0);
        CHECK(mode_of_open(&output) == 0600);
        CHECK(output.temporary == NULL || mode_of(output.temporary) == (S_IFREG | 0600));
        CHECK(output_write(&output, "abc", 3, &error) == 0);
        CHECK(mode_of_open(&output) == 0600);
        CHECK(output_commit(&output, &error) == 0);
        output_close(&output);
        CHECK(mode_of("secret") == (S_IFREG | (0666 & ~masks[i])));
        CHECK(unlink("secret") == 0);
    }

    /* The same where an older file, which stays as it is until then, passes on its mode. */
    put("secret", "older");
    CHECK(chmod("secret", 0644) == 0);
    CHECK(output_open(&output, "./secret", false, NULL, &error) == 0);
    CHECK(mode_of_open(&output) == 0600 && mode_of("secret") == (S_IFREG | 0644));
    CHECK(output_write(&output, "newer", 5, &error) == 0 && scratch_holds("secret", "older"));
    CHECK(scratch_count(".", true) == (output.temporary != NULL));
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    CHECK(mode_of("secret") == (S_IFREG | 0644) && scratch_holds("secret", "newer"));
    CHECK(unlink("secret") == 0);
    umask(old);
}

/* An output to the write end of a pipe. */
static void open_pipe(struct output *output, int *read_end, bool nonblocking)
{
    struct error error;
    char name[40];
    int write_end;

    scratch_pipe(read_end, &write_end);
    if (nonblocking)
        scratch_nonblocking(write_end);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", write_end);
    CHECK(output_open(output, name, false, NULL, &error) == 0);
    CHECK(output->pipe && output->owned && output->path == NULL);
    CHECK(fcntl(output->fd, F_GETPIPE_SZ) >= 65536);
    output->name = "pipe";
    close(write_end);
}

static void check_pipe(size_t size, size_t piece, long pause, bool nonblocking, bool small)
{
    struct scratch_peer drainer = {.bytes = arrived, .size = size, .piece = piece, .pause = pause};
    struct output output;
    struct error error;

    open_pipe(&output, &drainer.fd, nonblocking);
    if (small) /* to provoke short writes */
        CHECK(fcntl(output.fd, F_SETPIPE_SZ, 4096) >= 4096);
    scratch_start(&drainer, scratch_drainer);
    CHECK(output_write(&output, sent, size / 3, &error) == 0);
    CHECK(output_write(&output, sent + size / 3, size - size / 3, &error) == 0);
    CHECK(output_write(&output, NULL, 0, &error) == 0);
    CHECK(output.bytes == size);
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    pthread_join(drainer.thread, NULL);
    CHECK(drainer.done == size && memcmp(arrived, sent, size) == 0);
    close(drainer.fd);
}

static void test_pipes(void)
{
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        check_pipe(BIG, BIG, 0, nonblocking, false);
        check_pipe(BIG, 4099, 100, nonblocking, true);
        check_pipe(6000, 1, 0, nonblocking, true);
        scratch_interrupt(300);
        atomic_store(&scratch_alarms, 0);
        check_pipe(BIG, 20011, 3000, nonblocking, true);
        check_pipe(5000, 600, 2000, nonblocking, true);
        CHECK(atomic_load(&scratch_alarms) > 5);
        scratch_interrupt(0);
    }
}

/* Root may do everything, so another user tries. */
static void test_rights(void)
{
    pid_t child;
    int status;

    if (geteuid() != 0) {
        put("read-only", "x");
        CHECK(chmod("read-only", 0444) == 0);
        check_refused("read-only", "read-only: Permission denied");
        return;
    }
    put("foreign", "x");
    CHECK(chown("foreign", 1234, 4321) == 0 && chmod("foreign", 0664) == 0);
    put("foreign", "by root");
    {
        struct stat kept;

        CHECK(stat("foreign", &kept) == 0 && kept.st_uid == 1234 && kept.st_gid == 4321);
        CHECK((kept.st_mode & 07777) == 0664);
    }
    CHECK(mkdir("public", 0777) == 0 && chmod("public", 0777) == 0 && chmod(".", 0755) == 0);
    put("public/read-only", "x");
    put("public/shared", "x");
    put("writable", "x");
    CHECK(chmod("writable", 0666) == 0);
    CHECK(chmod("public/shared", 0666) == 0);
    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        check_failures = 0;
        scratch_need(setgid(65534) == 0 && setuid(65534) == 0, "setuid");
        check_refused("public/read-only", "public/read-only: Permission denied");
        check_refused("writable", "writable: cannot be replaced: a new file beside it: "
                                  "Permission denied");
        check_refused("new", "new: Permission denied");
        put("public/shared", "now theirs");
        _exit(check_failures != 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(scratch_holds("public/shared", "now theirs"));
    CHECK((mode_of("public/shared") & 07777) == 0606); /* not for another group */
}

static void die(int number)
{
    temporary_remove_all();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void *churn(void *context)
{
    char name[40];

    (void)snprintf(name, sizeof name, "many/%d", *(int *)context);
    for (;;) {
        struct output output;
        struct error error;

        if (output_open(&output, name, false, NULL, &error) != 0)
            return NULL;
        (void)output_write(&output, "x", 1, &error);
        if (*(int *)context % 2 == 0)
            (void)output_commit(&output, &error);
        output_close(&output);
    }
}

/* A child with one thread, or with four more, that opens and closes without a pause until a signal
 * ends it. */
static void test_signals(void)
{
    CHECK(mkdir("many", 0755) == 0);
    for (long round = 0; round < 60; round++) {
        pid_t child;
        int status;

        (void)fflush(stdout);
        child = fork();
        if (child == 0) {
            pthread_t thread;
            int index[4] = {0, 1, 2, 3};

            struct sigaction action = {.sa_handler = die};

            scratch_need(sigaction(SIGTERM, &action, NULL) == 0, "sigaction");
            if (round % 3 == 0) /* the handler runs in the very thread that opens */
                (void)churn(&index[1]);
            for (int i = 0; i < 4; i++)
                scratch_need(pthread_create(&thread, NULL, churn, &index[i]) == 0, "thread");
            for (;;)
                (void)pause();
        }
        scratch_sleep(3000 + round * 137);
        CHECK(kill(child, SIGTERM) == 0);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        CHECK(scratch_count("many", true) == 0);
    }
}

/* The table of temporary files is limited, and all files in it are removed. */
static void test_many(void)
{
    enum { MANY = 300 };
    struct rlimit limit = {1024, 1024};
    pid_t child;
    int status;

    CHECK(mkdir("crowd", 0755) == 0);
    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        char *created[MANY] = {NULL};
        int count = 0;
        int fd = -1;

        check_failures = 0;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        while (count < MANY &&
               (created[count] = temporary_create("crowd/file", 0600, &fd)) != NULL) {
            fd = -1;
            count++;
        }
        CHECK(count == 256 && errno == EMFILE);
        CHECK(scratch_count("crowd", true) == count);
        temporary_remove(created[7]);
        CHECK(scratch_count("crowd", true) == count - 1);
        fd = temporary_open_nameless("crowd/file", 0600);
        if (fd >= 0) {
            created[7] = temporary_create("crowd/file", 0600, &fd);
            CHECK(created[7] != NULL && scratch_count("crowd", true) == count);
        }
        temporary_remove_all();
        CHECK(scratch_count("crowd", false) == 0);
        fd = -1;
        CHECK(temporary_create("crowd/late", 0600, &fd) == NULL);
        _exit(check_failures != 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void fill(void)
{
    scratch_fill(sent, sizeof sent);
}

CHECK_MAIN(scratch_enter, fill, test_refused, test_hidden, test_pipes, test_rights, test_signals,
           test_many)
