/* SPDX-License-Identifier: MIT */
/* Injects failures into system calls: a library that is preloaded into the program under test.
 *
 *     FAULTS=write:3:ENOSPC    the third call of the kind "write" fails, with that errno
 *     FAULTS=read:2:short      it reads half of the requested bytes
 *     FAULTS=open:1:SIGTERM    during the call, the process gets that signal
 *     FAULTS=pread@4096:EIO    bytes 4096 and later of a file cannot be read; or of standard input:
 * read@4096 FAULTS_NAMELESS=no       the file system has no nameless files FAULTS_TALLY=FILE counts
 * the calls of every kind there, as an array of struct tally
 *
 * A kind is a family of calls. They are counted from main() on: calls before it, such as those of a
 * linked CUDA runtime, are not ours. Calls inside the C library are not seen, except for memory;
 * those of libsndfile are. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
    MEMORY,
    MMAP,
    MPROTECT,
    MADVISE,
    THREAD,
    EVENTFD,
    READ,
    PREAD,
    WRITE,
    PWRITE,
    VMSPLICE,
    TEE,
    PIPE,
    POLL,
    STAT,
    LSEEK,
    FTRUNCATE,
    FALLOCATE,
    LINK,
    RENAME,
    UNLINK,
    CLOSE,
    FCNTL,
    OPEN,
    DLOPEN,
    FOLDER,
    MODE /* fchmod and fchown */,
    SPAWN,
    WAIT,
    KINDS
};

struct tally {
    char name[16];
    _Atomic uint64_t calls;
    _Atomic uint64_t failed;
};

static struct tally own[KINDS] = {
    {"memory", 0, 0},    {"mmap", 0, 0},      {"mprotect", 0, 0}, {"madvise", 0, 0},
    {"thread", 0, 0},    {"eventfd", 0, 0},   {"read", 0, 0},     {"pread", 0, 0},
    {"write", 0, 0},     {"pwrite", 0, 0},    {"vmsplice", 0, 0}, {"tee", 0, 0},
    {"pipe", 0, 0},      {"poll", 0, 0},      {"stat", 0, 0},     {"lseek", 0, 0},
    {"ftruncate", 0, 0}, {"fallocate", 0, 0}, {"link", 0, 0},     {"rename", 0, 0},
    {"unlink", 0, 0},    {"close", 0, 0},     {"fcntl", 0, 0},    {"open", 0, 0},
    {"dlopen", 0, 0},    {"folder", 0, 0},    {"mode", 0, 0},     {"spawn", 0, 0},
    {"wait", 0, 0},
};
static struct tally *tally = own;

/* The call that is to fail. */
static int chosen = KINDS;
static uint64_t chosen_number; /* 0: none, but a place */
static uint64_t chosen_place;
static bool chosen_is_short;
static int chosen_errno;
static int chosen_signal;
static bool has_nameless = true;

struct word {
    const char *name;
    int number;
};

static const struct word errors[] = {
    {"EAGAIN", EAGAIN}, {"EINTR", EINTR},   {"EINVAL", EINVAL},
    {"EIO", EIO},       {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC}, {"EPERM", EPERM},   {"EPIPE", EPIPE},
};

static const struct word signals[] = {
    {"SIGABRT", SIGABRT}, {"SIGTERM", SIGTERM}, {"SIGUSR1", SIGUSR1}};

/* 0: not one of them. */
static int number_of(const char *name, const struct word *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i].name, name) == 0)
            return words[i].number;
    }
    return 0;
}

/* "KIND:NUMBER:HOW" or "KIND@PLACE:HOW"; anything else selects no call. */
static void choose(const char *words)
{
    const char *number = words == NULL ? NULL : strpbrk(words, ":@");
    char *how;

    if (number == NULL)
        return;
    *(*number == ':' ? &chosen_number : &chosen_place) = strtoull(number + 1, &how, 10);
    if (*how++ != ':')
        return;
    chosen_is_short = strcmp(how, "short") == 0;
    chosen_errno = number_of(how, errors, sizeof errors / sizeof *errors);
    chosen_signal = number_of(how, signals, sizeof signals / sizeof *signals);
    for (int i = 0; i < KINDS; i++) {
        size_t length = strlen(own[i].name);

        if (length == (size_t)(number - words) && strncmp(own[i].name, words, length) == 0)
            chosen = i;
    }
}

static void begin(void)
{
    const char *path = getenv("FAULTS_TALLY");
    long fd = path == NULL ? -1 : syscall(SYS_openat, AT_FDCWD, path, O_RDWR);

    if (fd >= 0) {
        long map = syscall(SYS_mmap, NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);

        syscall(SYS_close, fd);
        if (map == -1)
            abort();
        for (int i = 0; i < KINDS; i++)
            memcpy(((struct tally *)map)[i].name, own[i].name, sizeof own[i].name);
        tally = (struct tally *)map;
    }
    choose(getenv("FAULTS"));
    has_nameless = getenv("FAULTS_NAMELESS") == NULL;
    unsetenv("LD_PRELOAD"); /* programs that it runs are not under test */
    for (int i = 0; i < KINDS; i++)
        atomic_store(&tally[i].calls, 0);
}

typedef int main_function(int, char **, char **);

static main_function *program;

static int begin_main(int argc, char **argv, char **environment)
{
    begin();
    return program(argc, argv, environment);
}

/* Overrides the C library's. */
// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*next)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);

    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return next(begin_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* Counts a call. True if it is the selected one. */
static bool is_chosen(enum kind kind)
{
    uint64_t number = atomic_fetch_add(&tally[kind].calls, 1) + 1;

    if ((int)kind != chosen || number != chosen_number)
        return false;
    atomic_fetch_add(&tally[kind].failed, 1);
    if (chosen_signal == 0)
        return true;
    kill(getpid(), chosen_signal);
    return false;
}

static bool fails(enum kind kind)
{
    if (!is_chosen(kind))
        return false;
    errno = chosen_errno;
    return true;
}

/* For a call that can be short. */
static bool fails_on(enum kind kind, size_t *size)
{
    if (!is_chosen(kind))
        return false;
    if (chosen_is_short) {
        *size = *size > 1 ? *size / 2 : *size;
        return false;
    }
    errno = chosen_errno;
    return true;
}

/* For a call that reads from this place. As from a disk, it is short up to the bytes that cannot be
 * read. */
static bool fails_at(enum kind kind, off_t place, size_t *size)
{
    if ((int)kind != chosen || chosen_number > 0 || (uint64_t)place + *size <= chosen_place)
        return false;
    errno = chosen_errno;
    if ((uint64_t)place < chosen_place)
        *size = (size_t)(chosen_place - (uint64_t)place);
    else
        atomic_fetch_add(&tally[kind].failed, 1);
    return (uint64_t)place >= chosen_place;
}

/* ---- the calls themselves */

static void *find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (found == NULL)
        abort();
    return found;
}

/* Sets `next` to the function of this name that this library overrides. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    do {                                                                                           \
        if (next == NULL) {                                                                        \
            void *found = find(#name);                                                             \
            memcpy(&next, &found, sizeof next);                                                    \
        }                                                                                          \
    } while (0)

/* A call that fails, with what it returns then, and is passed on otherwise. */
#define CALL(kind, type, failure, name, parameters, arguments)                                     \
    type name parameters                                                                           \
    {                                                                                              \
        NEXT(name);                                                                                \
        return fails(kind) ? (failure) : next arguments;                                           \
    }

/* The same of one that can be short: by its `size`. */
#define SHORT_CALL(kind, name, parameters, arguments)                                              \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        NEXT(name);                                                                                \
        return fails_on(kind, &size) ? -1 : next arguments;                                        \
    }

/* ---- memory */

/* dlsym() may allocate while it looks up the allocator: it gets this memory, which is never freed.
 */
static _Alignas(64) unsigned char spare[16384];
static size_t spare_used;
static _Thread_local bool looking;

static void *take_spare(size_t size)
{
    void *taken = spare + spare_used;

    size = (size + 63) / 64 * 64;
    if (size > sizeof spare - spare_used)
        abort();
    spare_used += size;
    return taken;
}

static bool is_spare(const void *pointer)
{
    return (uintptr_t)pointer - (uintptr_t)spare < sizeof spare;
}

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*memalign)(void **, size_t, size_t);
} allocator;

static bool has_allocator(void)
{
    void *found[5];

    if (allocator.free != NULL)
        return true;
    if (looking)
        return false;
    looking = true;
    found[0] = find("malloc");
    found[1] = find("calloc");
    found[2] = find("realloc");
    found[3] = find("free");
    found[4] = find("posix_memalign");
    memcpy(&allocator, found, sizeof allocator);
    looking = false;
    return true;
}

void *malloc(size_t size)
{
    if (!has_allocator())
        return take_spare(size);
    return fails(MEMORY) ? NULL : allocator.malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!has_allocator())
        return take_spare(count * size);
    return fails(MEMORY) ? NULL : allocator.calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    void *moved;

    if (!has_allocator())
        abort();
    if (fails(MEMORY))
        return NULL;
    if (!is_spare(old))
        return allocator.realloc(old, size);
    moved = allocator.malloc(size);
    if (moved != NULL)
        memcpy(moved, old, size); /* what lies behind it is spare, too */
    return moved;
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (!has_allocator())
        abort();
    return fails(MEMORY) ? ENOMEM : allocator.memalign(memory, alignment, size);
}

void free(void *pointer)
{
    if (pointer != NULL && !is_spare(pointer) && has_allocator())
        allocator.free(pointer);
}

CALL(MMAP, void *, MAP_FAILED, mmap,
     (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset))
CALL(MPROTECT, int, -1, mprotect, (void *at, size_t size, int protection), (at, size, protection))
CALL(MADVISE, int, -1, madvise, (void *at, size_t size, int advice), (at, size, advice))

/* ---- threads and events */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *context)
{
    NEXT(pthread_create);
    return fails(THREAD) ? chosen_errno : next(thread, attributes, start, context);
}

CALL(EVENTFD, int, -1, eventfd, (unsigned count, int flags), (count, flags))
CALL(POLL, int, -1, poll, (struct pollfd * fds, nfds_t count, int milliseconds),
     (fds, count, milliseconds))
CALL(POLL, int, -1, ppoll,
     (struct pollfd * fds, nfds_t count, const struct timespec *time, const sigset_t *mask),
     (fds, count, time, mask))

/* ---- bytes */

ssize_t read(int fd, void *bytes, size_t size)
{
    static off_t piped; /* so many bytes have come from standard input */
    const off_t seekable = (off_t)syscall(SYS_lseek, fd, 0L, SEEK_CUR);
    ssize_t got;

    NEXT(read);
    if (fails_on(READ, &size) ||
        ((fd == 0 || seekable >= 0) && fails_at(READ, seekable >= 0 ? seekable : piped, &size)))
        return -1;
    got = next(fd, bytes, size);
    if (fd == 0 && got > 0)
        piped += got;
    return got;
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    NEXT(pread);
    if (fails_on(PREAD, &size) || fails_at(PREAD, offset, &size))
        return -1;
    return next(fd, bytes, size, offset);
}

SHORT_CALL(WRITE, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
SHORT_CALL(PWRITE, pwrite, (int fd, const void *bytes, size_t size, off_t offset),
           (fd, bytes, size, offset))

ssize_t vmsplice(int fd, const struct iovec *vectors, size_t count, unsigned flags)
{
    struct iovec first = *vectors;

    NEXT(vmsplice);
    if (fails_on(VMSPLICE, &first.iov_len))
        return -1;
    return count == 1 ? next(fd, &first, 1, flags) : next(fd, vectors, count, flags);
}

SHORT_CALL(TEE, tee, (int from, int to, size_t size, unsigned flags), (from, to, size, flags))
CALL(PIPE, int, -1, pipe2, (int ends[2], int flags), (ends, flags))

/* ---- files */

int open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    NEXT(open);
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t); /* used only if the flags ask for it */
    va_end(arguments);
    if (fails(OPEN))
        return -1;
    if (!has_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return next(path, flags, mode);
}

/* The descriptor is closed, as on Linux, although the call fails. */
int close(int fd)
{
    NEXT(close);
    if (!is_chosen(CLOSE))
        return next(fd);
    (void)next(fd);
    errno = chosen_errno;
    return -1;
}

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    void *argument;

    NEXT(fcntl);
    va_start(arguments, command);
    argument = va_arg(arguments, void *); /* or a number in the same register */
    va_end(arguments);
    return fails(FCNTL) ? -1 : next(fd, command, argument);
}

CALL(STAT, int, -1, stat, (const char *path, struct stat *status), (path, status))
CALL(STAT, int, -1, fstat, (int fd, struct stat *status), (fd, status))
CALL(STAT, int, -1, fstatat, (int folder, const char *path, struct stat *status, int flags),
     (folder, path, status, flags))
CALL(LSEEK, off_t, -1, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
CALL(FTRUNCATE, int, -1, ftruncate, (int fd, off_t size), (fd, size))
CALL(FALLOCATE, int, -1, fallocate, (int fd, int mode, off_t offset, off_t size),
     (fd, mode, offset, size))
CALL(LINK, int, -1, linkat,
     (int from_folder, const char *from, int to_folder, const char *to, int flags),
     (from_folder, from, to_folder, to, flags))
CALL(LINK, int, -1, link, (const char *from, const char *to), (from, to))
CALL(RENAME, int, -1, rename, (const char *from, const char *to), (from, to))
CALL(UNLINK, int, -1, unlink, (const char *path), (path))
CALL(FOLDER, struct dirent *, NULL, readdir, (DIR * folder), (folder))
CALL(MODE, int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(MODE, int, -1, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
CALL(SPAWN, int, chosen_errno, posix_spawnp,
     (pid_t * process, const char *program, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
     (process, program, actions, attributes, arguments, environment))
CALL(WAIT, pid_t, -1, waitpid, (pid_t process, int *status, int options),
     (process, status, options))
CALL(WAIT, int, -1, waitid, (idtype_t kind, id_t process, siginfo_t *ended, int options),
     (kind, process, ended, options))
CALL(EVENTFD, int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))
CALL(DLOPEN, void *, NULL, dlopen, (const char *name, int flags), (name, flags))
