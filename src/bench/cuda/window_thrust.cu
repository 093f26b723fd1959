/* "Thrust": the steps of window_steps.cuh, each a thrust::for_each, so that every step is a kernel
 * and the kernels' order is the barrier; plain copies in and out.
 * As published. Changed: a step does not overwrite what it reads; sizes have 64 bits; the memory is
 * allocated once, by cudaMalloc, as for the other flavours. Threads and blocks are Thrust's
 * choice. */
#include "bench/cuda/thrust.cuh"

#include "bench/cuda/window_steps.cuh"

struct double_reach {
    struct steps_view view;

    __device__ void operator()(uint64_t k) const
    {
        steps_double(view, k);
    }
};

struct add_rest {
    struct steps_view view;

    __device__ void operator()(uint64_t k) const
    {
        steps_rest(view, k);
    }
};

static int thrust_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_COPIED, STEPS_SPARE * sizeof(float), state, error);
}

static cudaError_t thrust_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    struct steps_view view = {{state->in, state->in}, {NULL, NULL}, task->count, task->width, 1};
    cudaError_t result = cudaSuccess;

    for (unsigned step = 0; 2 * view.reach <= view.width && result == cudaSuccess; step++) {
        view.to = steps_spare((float *)state->spare, view.count, step);
        result = thrust_for_each(view.count, double_reach{view});
        view.from = view.to;
        view.reach *= 2;
    }
    view.to.low = (float *)state->out;
    view.to.high = view.to.low + state->windows;
    return result == cudaSuccess ? thrust_for_each(state->windows, add_rest{view}) : result;
}

static int thrust_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, thrust_work, seconds, error);
}

const struct bench_flavour flavour_window_thrust =
    flavour_make(BENCH_WINDOW, "thrust", "doubling, a thrust::for_each a step",
                 flavour_cannot_choose, thrust_open, thrust_run);
