/* SPDX-License-Identifier: MIT */
/* Calls of the library on several devices from several threads at once: test_threads_emu
 * few|most|full
 *
 * Each thread has a stream, or shares it with another one; its filters and statistics run in
 * workspaces of its own, and in those of the context that all share. Every result is compared with
 * that in main memory, and the current device of a thread must stay. A real device is also timed:
 * the same calls by one thread on one device, and by all threads on all devices. Exit status 77:
 * there is one device only; 3: devices slow each other down. */
#include <pthread.h>
#include <time.h>

#include "amount.h"
#include "calls.h"

#include "emu.h"

enum { DEVICES = 4, THREADS = 8, WIDTHS = 3 }; /* the most devices; threads for each */

static const uint64_t widths[WIDTHS] = {5, 200, 3000};

static gpuenv_context *context;
static uint64_t frames;

/* The samples of all threads, and what is due, for each width, and of the statistics. */
static struct {
    float *samples;
    float *out[WIDTHS][2];
    gpuenv_record record;
} due;

struct worker {
    pthread_t thread;
    int device;
    int current; /* device; not the same for all */
    unsigned calls;
    bool is_timed;              /* nothing is compared meanwhile */
    pthread_barrier_t *barrier; /* before and after the calls */
    cudaStream_t stream;
    unsigned wrong;
    const char *what;
};

static gpuenv_array array_of(const void *data)
{
    return packed(data, GPUENV_F32, frames, 1);
}

static gpuenv_spec centered(unsigned width)
{
    return SPEC(.width = widths[width], .align = GPUENV_CENTER);
}

static void make_due(void)
{
    gpuenv_array in;

    due.samples = malloc(frames * sizeof(float));
    for (uint64_t i = 0; i < frames; i++)
        due.samples[i] = (float)random_below(1 << 20) - 5e5F;
    in = array_of(due.samples);
    for (unsigned w = 0; w < WIDTHS; w++) {
        const gpuenv_spec spec = centered(w);
        gpuenv_array out[2];

        for (unsigned i = 0; i < 2; i++) {
            due.out[w][i] = malloc(frames * sizeof(float));
            out[i] = array_of(due.out[w][i]);
        }
        CHECK_OK(gpuenv_filter(context, &spec, &in, out, NULL));
    }
    due.record.size = sizeof due.record;
    CHECK_OK(gpuenv_stats(context, &in, 0, &due.record, NULL));
}

static void end_due(void)
{
    free(due.samples);
    for (unsigned w = 0; w < WIDTHS; w++) {
        free(due.out[w][0]);
        free(due.out[w][1]);
    }
}

/* ---- a thread */

struct memory {
    unsigned char *in;
    unsigned char *out[2];
    gpuenv_record *record;
    void *work;
    size_t bytes;
};

static void note(struct worker *worker, bool right, const char *what)
{
    if (right)
        return;
    worker->wrong++;
    worker->what = what;
}

static bool is_same(const struct worker *worker, const void *memory, const void *expected,
                    size_t bytes)
{
    void *got = malloc(bytes);
    bool same;

    must(cudaMemcpyAsync(got, memory, bytes, cudaMemcpyDeviceToHost, worker->stream), "copy");
    must(cudaStreamSynchronize(worker->stream), "kernels");
    same = memcmp(got, expected, bytes) == 0;
    free(got);
    return same;
}

/* With a workspace of the thread, or without one. */
static void filter(struct worker *worker, const struct memory *memory, unsigned width, bool own)
{
    const gpuenv_spec spec = centered(width);
    const gpuenv_array in = array_of(memory->in);
    const gpuenv_array out[2] = {array_of(memory->out[0]), array_of(memory->out[1])};
    size_t bytes = memory->bytes;

    note(worker,
         gpuenv_filter_cuda(context, &spec, &in, out, own ? memory->work : NULL,
                            own ? &bytes : NULL, worker->device, worker->stream, NULL) == GPUENV_OK,
         "a filter");
    for (unsigned i = 0; i < 2 && !worker->is_timed; i++)
        note(worker, is_same(worker, memory->out[i], due.out[width][i], frames * sizeof(float)),
             "results");
}

static void survey(struct worker *worker, const struct memory *memory, bool own)
{
    const gpuenv_array in = array_of(memory->in);
    size_t bytes = memory->bytes;

    note(worker,
         gpuenv_stats_cuda(context, &in, 0, memory->record, sizeof *memory->record,
                           own ? memory->work : NULL, own ? &bytes : NULL, worker->device,
                           worker->stream, NULL) == GPUENV_OK,
         "statistics");
    if (!worker->is_timed)
        note(worker, is_same(worker, memory->record, &due.record, sizeof due.record), "a record");
}

static void open_memory(struct memory *memory, const struct worker *worker)
{
    must(cudaSetDevice(worker->device), "device");
    memory->bytes = 4 * frames * sizeof(float) + (1 << 16);
    must(cudaMalloc((void **)&memory->in, frames * sizeof(float)), "cudaMalloc");
    must(cudaMalloc((void **)&memory->out[0], frames * sizeof(float)), "cudaMalloc");
    must(cudaMalloc((void **)&memory->out[1], frames * sizeof(float)), "cudaMalloc");
    must(cudaMalloc((void **)&memory->record, sizeof(gpuenv_record)), "cudaMalloc");
    must(cudaMalloc(&memory->work, memory->bytes), "cudaMalloc");
    must(cudaMemcpy(memory->in, due.samples, frames * sizeof(float), cudaMemcpyHostToDevice),
         "copy");
    must(cudaDeviceSynchronize(), "copy");
    must(cudaSetDevice(worker->current), "device");
}

static void close_memory(struct memory *memory, const struct worker *worker)
{
    must(cudaSetDevice(worker->device), "device");
    must(cudaFree(memory->in), "free");
    must(cudaFree(memory->out[0]), "free");
    must(cudaFree(memory->out[1]), "free");
    must(cudaFree(memory->record), "free");
    must(cudaFree(memory->work), "free");
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    struct memory memory;
    int current = -1;

    open_memory(&memory, worker);
    pthread_barrier_wait(worker->barrier);
    for (unsigned i = 0; i < worker->calls; i++) {
        const unsigned turn = i + (unsigned)worker->device;

        filter(worker, &memory, turn % WIDTHS, turn % 2 == 0);
        survey(worker, &memory, turn % 3 == 0);
    }
    must(cudaStreamSynchronize(worker->stream), "kernels");
    pthread_barrier_wait(worker->barrier);
    must(cudaGetDevice(&current), "device");
    note(worker, current == worker->current, "the current device");
    close_memory(&memory, worker);
    return NULL;
}

/* ---- all threads */

/* Two threads share a stream, unless they are timed. */
static void open_workers(struct worker *workers, unsigned count, int devices, unsigned calls,
                         bool is_timed)
{
    for (unsigned i = 0; i < count; i++) {
        struct worker *worker = &workers[i];

        *worker = (struct worker){.device = (int)i % devices, .calls = calls, .is_timed = is_timed};
        worker->current = i % 2 == 0 ? worker->device : 0;
        must(cudaSetDevice(worker->device), "device");
        if (i >= 2 * (unsigned)devices && i % 3 == 0 && !is_timed)
            worker->stream = workers[i - 2 * (unsigned)devices].stream;
        else
            must(cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking), "stream");
    }
}

static void close_workers(struct worker *workers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool is_shared = false;

        for (unsigned k = 0; k < i; k++)
            is_shared = is_shared || workers[k].stream == workers[i].stream;
        CHECK_THAT(workers[i].wrong == 0, "device %d, thread %u: %u times: %s", workers[i].device,
                   i, workers[i].wrong, workers[i].what);
        must(cudaSetDevice(workers[i].device), "device");
        if (!is_shared)
            must(cudaStreamDestroy(workers[i].stream), "stream");
    }
}

static double run_workers(unsigned count, int devices, unsigned calls, bool is_timed)
{
    struct worker workers[DEVICES * THREADS];
    pthread_barrier_t barrier;
    struct timespec from;
    struct timespec to;

    pthread_barrier_init(&barrier, NULL, count + 1);
    open_workers(workers, count, devices, calls, is_timed);
    for (unsigned i = 0; i < count; i++) {
        workers[i].barrier = &barrier;
        CHECK(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0);
    }
    pthread_barrier_wait(&barrier);
    clock_gettime(CLOCK_MONOTONIC, &from);
    pthread_barrier_wait(&barrier);
    clock_gettime(CLOCK_MONOTONIC, &to);
    for (unsigned i = 0; i < count; i++)
        CHECK(pthread_join(workers[i].thread, NULL) == 0);
    pthread_barrier_destroy(&barrier);
    close_workers(workers, count);
    must(cudaSetDevice(0), "device");
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* The first calls load kernels and make workspaces. */
static int measure(int devices)
{
    enum { CALLS = 400 };
    double alone;
    double together;

    frames = 4 << 20;
    make_due();
    run_workers((unsigned)devices * THREADS, devices, 2, true);
    alone = run_workers(1, 1, CALLS * THREADS, true);
    together = run_workers((unsigned)devices * THREADS, devices, CALLS, true);
    end_due();
    printf("%-44s %10.3f %-8s %6.2f  %s\n", "calls of 8 threads a device, over one alone",
           together / alone, "times", 1.15, together <= 1.15 * alone ? "met" : "MISSED");
    return together <= 1.15 * alone ? 0 : 3;
}

int main(int argc, char **argv)
{
    int devices = DEVICES;
    int status;

    read_amount(argc, argv);
    emu_set_devices(DEVICES);
    if (emu_is_real())
        must(cudaGetDeviceCount(&devices), "devices");
    if (devices < 2) {
        printf("one device only\n");
        return 77;
    }
    devices = devices < DEVICES ? devices : DEVICES;
    CHECK_OK(gpuenv_open(NULL, &context, NULL));
    frames = is_few ? 2000 : 9000;
    make_due();
    for (unsigned i = 0; i < (CHECK_THREADS || is_few ? 1 : is_full ? 20 : 3); i++) {
        if (!emu_is_real())
            emu_set_order((enum emu_order)(i % EMU_ORDERS), i + 1);
        run_workers((unsigned)devices * THREADS, devices, is_few ? 3 : 12, false);
    }
    end_due();
    status = emu_is_real() && is_full ? measure(devices) : 0;
    gpuenv_close(context);
    return check_result() != 0 ? 1 : status;
}
