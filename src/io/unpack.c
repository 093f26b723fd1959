#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/min_max.h"
#include "io/read_at.h"
#include "io/temporary.h"

enum { WORDS_MOST = 400, DRAIN_BYTES = 64 * 1024 };

/* From here on, an error of the reader is told without waiting for the program's verdict. */
static const uint64_t DRAIN_MOST = UINT64_C(64) << 20;

static const struct packed {
    const char *ending;
    const char *program;
    int warning; /* an exit status after which all is unpacked; 0: there is none */
} programs[] = {
    {".gz", "gzip", 2}, {".bz2", "bzip2", 0}, {".xz", "xz", 2}, {".zst", "zstd", 0}, {"", NULL, 0}};

/* The row of the path's ending; the last one has none. */
static const struct packed *find_row(const char *path)
{
    const struct packed *row = programs;
    const size_t length = strlen(path);
    size_t ending;

    while ((ending = strlen(row->ending)) > 0 &&
           (length <= ending || strcasecmp(path + length - ending, row->ending) != 0))
        row++;
    return row;
}

const char *unpack_program(const char *path)
{
    return find_row(path)->program;
}

size_t unpack_stem(const char *path)
{
    return strlen(path) - strlen(find_row(path)->ending);
}

/* Starts "PROGRAM -dc", with these descriptors as its input and output. A group of its own keeps
 * the terminal's signals away from it. Returns an errno value. */
static int spawn(struct unpacker *unpacker, int from, int to)
{
    char *arguments[] = {(char *)unpacker->program, "-dc", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int number;

    sigemptyset(&signals);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    number = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(&actions, unpacker->words, STDERR_FILENO);
    /* Our own descriptors are closed on exec already; inherited ones may not be. */
    (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (number == 0)
        number = temporary_spawn(&unpacker->process, unpacker->program, &actions, &attributes,
                                 arguments);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return number;
}

int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error)
{
    int ends[2];
    int number;

    *unpacker = (struct unpacker){.name = name, .program = find_row(name)->program, .words = -1};
    if (unpacker->program == NULL)
        return 0;
    if (fstat(*fd, &unpacker->file) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return error_system(error, ERROR_FILE, name, errno);
    unpacker->words = memfd_create("gpuenv", MFD_CLOEXEC);
    number = unpacker->words < 0 ? errno : spawn(unpacker, *fd, ends[1]);
    close(ends[1]);
    if (number == 0) {
        close(*fd);
        *fd = unpacker->pipe = ends[0];
        return 0;
    }
    close(ends[0]);
    if (number == ENOENT)
        return error_set(error, ERROR_FILE, name,
                         "is unpacked by the program %s, which is not installed",
                         unpacker->program);
    return error_system(error, ERROR_FILE, name, number);
}

/* The rest of the text behind these words; NULL: it does not begin with them. */
static const char *behind(const char *text, const char *words)
{
    const size_t size = strlen(words);

    return strncmp(text, words, size) == 0 ? text + size : NULL;
}

/* The first line that the program has written to standard error, without its own name and that of
 * its input, or "". */
static const char *first_words(const struct unpacker *unpacker, char words[WORDS_MOST])
{
    const char *const names[] = {unpacker->program, "stdin", "(stdin)", "/*stdin*\\"};
    const size_t size = read_at(unpacker->words, words, WORDS_MOST - 1, 0);
    char *from = words;
    size_t length;

    words[size] = '\0';
    from += strspn(from, "\r\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rest = behind(from, names[i]);

        if (rest != NULL && (*rest == ':' || *rest == ' '))
            from += rest - from + (ptrdiff_t)strspn(rest, ": ");
    }
    for (length = strcspn(from, "\r\n"); length > 0 && from[length - 1] == ' '; length--)
        ;
    from[length] = '\0';
    return from;
}

/* Do these words say that the file is cut off? Any other damage is no end that could be accepted:
 * what was unpacked may be wrong. */
static bool say_cut(const char *words)
{
    return strcasestr(words, "unexpected end") != NULL ||
           strstr(words, "ends unexpectedly") != NULL || strstr(words, "premature end") != NULL;
}

static void fail(struct unpacker *unpacker, int status)
{
    struct error *error = &unpacker->error;
    char words[WORDS_MOST];
    const char *first = first_words(unpacker, words);
    const enum error_code code = unpacker->any && say_cut(first) ? ERROR_DAMAGED : ERROR_FILE;

    unpacker->warned =
        WIFEXITED(status) && WEXITSTATUS(status) == find_row(unpacker->name)->warning;
    unpacker->failed = !unpacker->warned;
    if (WIFSIGNALED(status))
        error_set(error, ERROR_FILE, unpacker->name,
                  "cannot be unpacked: %s was ended by signal %d", unpacker->program,
                  WTERMSIG(status));
    else if (first[0] == '\0')
        error_set(error, code, unpacker->name, "%s: %s failed with status %d",
                  unpacker->warned ? "may be damaged" : "cannot be unpacked", unpacker->program,
                  WEXITSTATUS(status));
    else
        error_set(error, code, unpacker->name, "%s%s: %s",
                  unpacker->warned ? "" : "cannot be unpacked: ", unpacker->program, first);
}

/* Copies the error, if there is one. */
static bool tell(const struct unpacker *unpacker, struct error *error)
{
    if (unpacker->failed)
        *error = unpacker->error;
    return unpacker->failed;
}

int unpack_end(struct unpacker *unpacker, struct error *error)
{
    int status;

    if (unpacker->process > 0) {
        if (temporary_wait(&unpacker->process, &status) != 0) {
            error_system(&unpacker->error, ERROR_FILE, unpacker->name, errno);
            unpacker->failed = true;
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fail(unpacker, status);
        }
    }
    return tell(unpacker, error) ? -1 : 0;
}

bool unpack_has_failed(struct unpacker *unpacker, struct error *error)
{
    char bytes[DRAIN_BYTES];
    uint64_t left = S_ISREG(unpacker->file.st_mode) ? DRAIN_MOST : 0;
    struct error of_end;

    while (left > 0 && unpacker->process > 0) {
        const ssize_t got = TEMP_FAILURE_RETRY(read(unpacker->pipe, bytes, sizeof bytes));

        if (got == 0)
            unpack_end(unpacker, &of_end);
        left = got > 0 ? left - min_u64(left, (uint64_t)got) : 0;
    }
    return tell(unpacker, error);
}

void unpack_stop(struct unpacker *unpacker)
{
    int status;

    if (unpacker->process > 0) {
        /* It may have been stopped, or ignore other signals. */
        (void)kill(-unpacker->process, SIGKILL);
        (void)temporary_wait(&unpacker->process, &status);
    }
    if (unpacker->program != NULL && unpacker->words >= 0)
        close(unpacker->words);
    unpacker->words = -1;
}
