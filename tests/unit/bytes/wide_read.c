/* bytes/wide_read: several threads read the same bytes as one, at any size, up to the end, and when
 * the file becomes shorter. */
#include "bytes/wide_read.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

enum {
    FILE_BYTES = 9 * 1024 * 1024 + 12345,
    CPUS = 16, /* the number that we pretend to have */
};

static unsigned char byte_at(size_t place)
{
    return (unsigned char)(place * 2654435761U >> 13);
}

static int make_file(void)
{
    unsigned char *bytes = malloc(FILE_BYTES);
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

    for (size_t i = 0; i < FILE_BYTES; i++)
        bytes[i] = byte_at(i);
    CHECK(write(fd, bytes, FILE_BYTES) == FILE_BYTES);
    free(bytes);
    return fd;
}

static bool is_right(const unsigned char *bytes, size_t place, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != byte_at(place + i))
            return false;
    }
    return true;
}

static struct crew *crew;

static void check_pays(int fd)
{
    struct crew *one = crew_open(1);
    unsigned char *bytes = malloc(FILE_BYTES);

    CHECK(wide_read(2, crew, fd, bytes, FILE_BYTES) == 0);
    CHECK(wide_read(CPUS, one, fd, bytes, FILE_BYTES) == 0);
    CHECK(wide_read(CPUS, NULL, fd, bytes, FILE_BYTES) == 0);
    CHECK(wide_read(CPUS, crew, fd, bytes, WIDE_READ_LEAST - 1) == 0);
    free(bytes);
    crew_close(one);
}

static void check_reads(int fd)
{
    static const size_t sizes[] = {1024 * 1024, 1024 * 1024 + 1, 3333333, 4 * 1024 * 1024};
    unsigned char *bytes = malloc(FILE_BYTES);

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t place = i * 777;

        lseek(fd, (off_t)place, SEEK_SET);
        for (;;) {
            size_t got = wide_read(CPUS, crew, fd, bytes, sizes[i]);

            if (got == 0)
                break;
            CHECK(got == sizes[i] || place + got == FILE_BYTES);
            CHECK(is_right(bytes, place, got));
            place += got;
            CHECK(lseek(fd, 0, SEEK_CUR) == (off_t)place);
        }
        CHECK(FILE_BYTES - place < 1024 * 1024); /* the rest is left to a plain read */
    }
    lseek(fd, FILE_BYTES + 1, SEEK_SET);
    CHECK(wide_read(CPUS, crew, fd, bytes, FILE_BYTES) == 0);
    free(bytes);
}

/* How many bytes can be read in pieces of a MiB. */
static int read_pieces(int fd)
{
    struct crew *two = crew_open(2); /* a forked process has no threads of its parent */
    unsigned char *bytes = malloc(1024 * 1024);
    size_t total = 0;
    size_t got;

    while ((got = wide_read(CPUS, two, fd, bytes, 1024 * 1024)) > 0)
        total += got;
    crew_close(two);
    free(bytes);
    return (int)total;
}

/* Two processes that share the descriptor: each byte goes to one of them. */
static void check_sharing(int fd)
{
    for (int i = 0; i < 10; i++) {
        int of_child = 0;
        int of_parent;
        int pipes[2];
        pid_t child;

        CHECK(pipe(pipes) == 0);
        lseek(fd, 0, SEEK_SET);
        child = fork();
        if (child == 0) {
            of_child = read_pieces(fd);
            _exit(write(pipes[1], &of_child, sizeof of_child) == sizeof of_child ? 0 : 1);
        }
        of_parent = read_pieces(fd);
        CHECK(read(pipes[0], &of_child, sizeof of_child) == sizeof of_child);
        CHECK(waitpid(child, NULL, 0) == child);
        CHECK(of_parent + of_child == (int)lseek(fd, 0, SEEK_CUR));
        close(pipes[0]);
        close(pipes[1]);
    }
}

/* A failed read is left to a plain read, which can report the reason. */
static void check_failures_of_reads(int fd)
{
    unsigned char *bytes = malloc(FILE_BYTES);
    int pipes[2];
    int closed = open("file", O_WRONLY);

    CHECK(pipe(pipes) == 0);
    CHECK(wide_read(CPUS, crew, pipes[0], bytes, FILE_BYTES) == 0);
    CHECK(wide_read(CPUS, crew, closed, bytes, FILE_BYTES) == 0); /* not open for reading */
    CHECK(lseek(closed, 0, SEEK_CUR) == 0);
    CHECK(ftruncate(fd, 1500000) == 0);
    lseek(fd, 0, SEEK_SET);
    CHECK(wide_read(CPUS, crew, fd, bytes, FILE_BYTES) == 1500000);
    CHECK(is_right(bytes, 0, 1500000));
    close(closed);
    close(pipes[0]);
    close(pipes[1]);
    free(bytes);
}

int main(void)
{
    int fd;

    scratch_enter();
    fd = make_file();
    crew = crew_open(CPUS / 2);
    check_sharing(fd); /* it forks, so it comes before the threads */
    lseek(fd, 0, SEEK_SET);
    check_pays(fd);
    check_reads(fd);
    check_failures_of_reads(fd);
    close(fd);
    crew_close(crew);
    return check_result();
}
