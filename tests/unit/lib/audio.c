/* SPDX-License-Identifier: MIT */
/* Pushes in an audio thread: with one thread, a push makes no system call, takes no lock, allocates
 * nothing and touches no new page after the stream is open, nor does its end; and a stream is
 * small.
 *
 * Calls of the allocator and of locks are counted by functions of the same names here. System calls
 * end a process in which seccomp allows none. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/gpuenv.h"

#if defined __linux__ && defined __GLIBC__ && !defined __SANITIZE_THREAD__ &&                      \
    !defined __SANITIZE_ADDRESS__
#include <linux/seccomp.h>

#include "check.h"

enum { SKIP = 77, FRAMES = 64, CHANNELS_MOST = 8, PUSHES = 3000, SMALL = 64 * 1024 };

/* ---- what is counted */

static unsigned long allocations;
static unsigned long allocated; /* bytes */
static unsigned long locks;

void *__libc_malloc(size_t size);                     /* NOLINT(bugprone-reserved-identifier) */
void *__libc_calloc(size_t count, size_t size);       /* NOLINT(bugprone-reserved-identifier) */
void *__libc_memalign(size_t alignment, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void __libc_free(void *memory);                       /* NOLINT(bugprone-reserved-identifier) */

static void count(size_t size)
{
    allocations++;
    allocated += size;
}

void *malloc(size_t size)
{
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size)
{
    count(nmemb * size);
    return __libc_calloc(nmemb, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    count(size);
    *memptr = __libc_memalign(alignment, size);
    return *memptr != NULL ? 0 : ENOMEM;
}

void free(void *ptr)
{
    allocations += ptr != NULL;
    __libc_free(ptr);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*lock)(pthread_mutex_t *);

    locks++;
    if (lock == NULL)
        *(void **)&lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    static int (*try)(pthread_mutex_t *);

    locks++;
    if (try == NULL)
        *(void **)&try = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    return try(mutex);
}

/* ---- streams */

struct stream {
    gpuenv_stream *stream;
    unsigned channels;
    unsigned values;
    size_t in_bytes;
};

static const struct {
    int type;
    unsigned channels;
    unsigned values;
    int align;
    uint64_t width;
    int result;
} shapes[] = {
    {GPUENV_F32, 1, 1, GPUENV_CAUSAL, 512, 0},
    {GPUENV_F32, 2, 2, GPUENV_CAUSAL, 512, 0},
    {GPUENV_F32, 2, 1, GPUENV_CENTER, 48000, 0},
    {GPUENV_F32, 8, 5, GPUENV_VALID, 20, 0},
    {GPUENV_S16, 1, 2, GPUENV_FORWARD, 512, 0},
    {GPUENV_S16, 2, 1, GPUENV_CAUSAL, 4, 0},
    {GPUENV_F64, 2, 1, GPUENV_CAUSAL, 512, 0},
    {GPUENV_S24, 2, 3, GPUENV_CAUSAL, 512, 0},
    {GPUENV_F64, 2, 1, GPUENV_CAUSAL, 512, GPUENV_F32},
    {GPUENV_F32, 2, 2, GPUENV_CAUSAL, 512, GPUENV_S16},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static unsigned char in[FRAMES * CHANNELS_MOST * 8];
static unsigned char out[FRAMES * CHANNELS_MOST * GPUENV_VALUES * 8];

static void open_stream(gpuenv_context *context, int shape, struct stream *stream)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

    spec.threads = 1;
    spec.width = shapes[shape].width;
    spec.align = shapes[shape].align;
    spec.values = shapes[shape].values;
    spec.result = shapes[shape].result;
    for (unsigned i = 0; i < spec.values; i++)
        spec.value[i] = (int)(GPUENV_MAX + i) % GPUENV_VALUES;
    *stream = (struct stream){
        .channels = shapes[shape].channels,
        .values = shapes[shape].values,
        .in_bytes = gpuenv_type_bytes(shapes[shape].type),
    };
    CHECK(gpuenv_stream_open(context, &spec, shapes[shape].type, stream->channels, &stream->stream,
                             NULL) == GPUENV_OK);
}

/* The end of a stream, a few results at a time; then it begins again. Returns how many calls have
 * failed. */
static unsigned end(const struct stream *stream, bool planar)
{
    void *to[CHANNELS_MOST];
    unsigned failed = 0;
    uint64_t got;

    for (unsigned c = 0; c < stream->channels; c++)
        to[c] = out + c * FRAMES * GPUENV_VALUES * 8;
    do {
        if (planar)
            failed +=
                gpuenv_stream_finish_planar(stream->stream, to, FRAMES, &got, NULL) != GPUENV_OK;
        else
            failed += gpuenv_stream_finish(stream->stream, out, FRAMES, &got, NULL) != GPUENV_OK;
    } while (got > 0);
    return failed + (gpuenv_stream_reset(stream->stream, NULL) != GPUENV_OK);
}

/* Frames together and apart, also with results in their place, and a NaN now and then; in between,
 * and at the end, the stream ends and begins again. Returns how many calls have failed. */
static unsigned push_many(const struct stream *stream)
{
    const bool fits =
        gpuenv_type_bytes(gpuenv_stream_type(stream->stream)) * stream->values <= stream->in_bytes;
    const uint32_t nan = 0x7fc00000;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    unsigned failed = 0;

    for (unsigned i = 0; i < PUSHES; i++) {
        const void *from[CHANNELS_MOST];
        void *to[CHANNELS_MOST];
        uint64_t got;

        for (unsigned c = 0; c < stream->channels; c++) {
            from[c] = in + c * FRAMES * stream->in_bytes;
            to[c] = fits && i % 4 == 1 ? in + c * FRAMES * stream->in_bytes
                                       : out + c * FRAMES * GPUENV_VALUES * 8;
        }
        for (unsigned k = 0; k < 64; k++)
            in[(i * 31 + k * 7) % sizeof in] = (unsigned char)(i * 5 + k);
        if (i % 100 == 0)
            memcpy(in, &nan, sizeof nan);
        if (i % 2 == 0)
            failed += gpuenv_stream_push(stream->stream, in, FRAMES - i % 3, out, FRAMES, &got,
                                         &error) != GPUENV_OK;
        else
            failed += gpuenv_stream_push_planar(stream->stream, from, FRAMES - i % 3, to, FRAMES,
                                                &got, &error) != GPUENV_OK;
        if (i == PUSHES / 2)
            failed += end(stream, true);
    }
    return failed + end(stream, false);
}

static long page_faults(void)
{
    struct rusage usage;

    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

/* Pages of code are those of the program: another stream has loaded them. */
static void test_counts(gpuenv_context *context, int shape)
{
    struct stream other;
    struct stream stream;
    unsigned long before[2];
    long faults;

    open_stream(context, shape, &other);
    open_stream(context, shape, &stream);
    CHECK(push_many(&other) == 0);
    (void)page_faults();
    before[0] = allocations;
    before[1] = locks;
    faults = page_faults();
    CHECK(push_many(&stream) == 0);
    faults = page_faults() - faults;
    CHECK_THAT(allocations == before[0] && locks == before[1] && faults == 0,
               "shape %d: %lu allocations, %lu locks, %ld page faults", shape,
               allocations - before[0], locks - before[1], faults);
    gpuenv_stream_close(stream.stream);
    gpuenv_stream_close(other.stream);
}

/* Seccomp's strict mode allows to end, and no other call. */
static int run_without_calls(void)
{
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    struct stream stream[SHAPES];
    gpuenv_context *context;
    unsigned failed = 0;

    CHECK(gpuenv_open(&options, &context, NULL) == GPUENV_OK);
    for (int i = 0; i < SHAPES; i++)
        open_stream(context, i, &stream[i]);
    if (check_failures > 0)
        return 1;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return SKIP;
    for (int i = 0; i < SHAPES; i++)
        failed += push_many(&stream[i]);
    return failed == 0 ? 0 : 1;
}

static void test_calls(void)
{
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0)
        (void)syscall(SYS_exit, run_without_calls());
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP)
        printf("skipped: system calls, because there is no seccomp\n");
    else
        CHECK_THAT(status == 0, "%s",
                   WIFSIGNALED(status) ? "a push makes a system call" : "a push fails");
}

/* What mlockall() would hold. */
static void test_size(gpuenv_context *context)
{
    struct stream stream;
    unsigned long before = allocated;

    open_stream(context, 0, &stream);
    printf("mono, w = 512: %lu bytes\n", allocated - before);
    CHECK(allocated - before < SMALL);
    gpuenv_stream_close(stream.stream);
}

/* By default, more than one thread works where that pays. */
static void test_threads(gpuenv_context *context, uint64_t frames, bool pays)
{
    enum { CHANNELS = 64, MOST = 1 << 14 };
    float *samples = calloc(MOST, CHANNELS * sizeof *samples);
    float *results = calloc(MOST, CHANNELS * sizeof *results);
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_stream *stream;
    unsigned long before;
    uint64_t got;

    spec.width = 512;
    spec.values = 1;
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, CHANNELS, &stream, NULL) == GPUENV_OK);
    before = locks;
    CHECK(gpuenv_stream_push(stream, samples, frames, results, frames, &got, NULL) == GPUENV_OK);
    CHECK_THAT((locks > before) == pays, "%llu frames: %lu locks", (unsigned long long)frames,
               locks - before);
    gpuenv_stream_close(stream);
    free(samples);
    free(results);
}

int main(void)
{
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_context *context;

    test_calls();
    options.threads = 3; /* of which the streams use one */
    CHECK(gpuenv_open(&options, &context, NULL) == GPUENV_OK);
    for (int shape = 0; shape < SHAPES; shape++)
        test_counts(context, shape);
    test_size(context);
    test_threads(context, 1024, false);
    test_threads(context, 1 << 14, true);
    gpuenv_close(context);
    return check_result();
}

#else

int main(void)
{
    printf("skipped: the allocator is another one here\n");
    return 77;
}

#endif
