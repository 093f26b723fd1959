/* Grid-wide synchronisation by cooperative groups, which the report's authors tried, and could not
 * run: the steps of window_steps.cuh in one launch, with a barrier of the whole grid after each.
 * There is no published kernel. The blocks are as many as are on the device at once, or fewer, and
 * each thread has several samples. */
#include "bench/cuda/window_steps.cuh"

#include <cooperative_groups.h>

static const unsigned THREADS = 256;

static __global__ void cooperative_kernel(float *samples, float *minima, float *maxima,
                                          float *spare, uint64_t count, uint64_t width)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    struct steps_view view;

    view.from.low = samples;
    view.from.high = samples;
    view.count = count;
    view.width = width;
    view.reach = 1;
    for (unsigned step = 0; 2 * view.reach <= width; step++) {
        view.to = steps_spare(spare, count, step);
        for (uint64_t k = first; k < count; k += stride)
            steps_double(view, k);
        view.from = view.to;
        view.reach *= 2;
        grid.sync();
    }
    view.to.low = minima;
    view.to.high = maxima;
    for (uint64_t k = first; k + width <= count; k += stride)
        steps_rest(view, k);
}

/* How many blocks the device has room for at once. */
static cudaError_t count_resident(const struct bench_task *task, unsigned threads,
                                  unsigned *resident)
{
    int multiprocessors = 0;
    int on_each = 0;
    cudaError_t result = cudaSetDevice((int)task->device);

    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                        (int)task->device);
    if (result == cudaSuccess)
        result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, cooperative_kernel,
                                                               (int)threads, 0);
    *resident = (unsigned)multiprocessors * (unsigned)on_each;
    return result;
}

static const char *cooperative_cannot(const struct bench_task *task)
{
    const char *why = flavour_cannot_free(task);
    int possible = 0;
    unsigned resident;

    if (why != NULL)
        return why;
    /* If the device cannot be asked, open() will say so. */
    if (cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, (int)task->device) !=
            cudaSuccess ||
        count_resident(task, flavour_threads(task, THREADS), &resident) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    if (possible == 0)
        return "this device has no cooperative launch";
    return task->blocks > resident ? "more blocks than are on the device at once" : NULL;
}

static int cooperative_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_COPIED, STEPS_SPARE * sizeof(float), state, error);
}

static cudaError_t cooperative_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, THREADS);
    float *minima = (float *)state->out;
    float *maxima = minima + state->windows;
    float *spare = (float *)state->spare;
    uint64_t count = task->count;
    uint64_t width = task->width;
    void *arguments[] = {&state->in, &minima, &maxima, &spare, &count, &width};
    unsigned resident;
    unsigned blocks;
    cudaError_t result = count_resident(task, threads, &resident);

    if (result != cudaSuccess)
        return result;
    blocks = flavour_blocks(task, resident);
    if (count / threads < blocks)
        blocks = flavour_grid(count, threads);
    return cudaLaunchCooperativeKernel(cooperative_kernel, dim3(blocks), dim3(threads), arguments,
                                       0, NULL);
}

static int cooperative_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                           struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, cooperative_work, seconds, error);
}

const struct bench_flavour flavour_window_cooperative = flavour_make(
    BENCH_WINDOW, "cooperative", "doubling over the whole grid, one launch with grid-wide barriers",
    cooperative_cannot, cooperative_open, cooperative_run);
