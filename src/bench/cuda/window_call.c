/* Ours, as gpuenv_filter_cuda() is called for arrays in page-locked memory: the kernels read and
 * write them across the bus, so there are no copies. For small inputs starting those would take
 * longer. */
#include "bench/cuda/flavour_state.h"
#include "cuda/cuda_arrays.h"
#include "cuda/engine_cuda.h"

/* The arrays of a task, at their addresses on the device. */
struct call {
    struct engine_setup setup;
    struct strided in;
    struct strided out[2]; /* all minima, then all maxima */
};

static struct strided array_of(const struct bench_task *task, void *data, uint64_t frames)
{
    const size_t bytes = value_bytes(task->kind);

    return (struct strided){
        .data = data,
        .sample = {.kind = task->kind == VALUE_F32 ? SAMPLE_F32 : SAMPLE_F64},
        .bytes = bytes,
        .rows = 1,
        .frames = frames,
        .channels = 1,
        .frame = (ptrdiff_t)bytes,
    };
}

static struct call call_of(const struct bench_task *task, void *in, void *out)
{
    const uint64_t windows = bench_windows(task);
    struct call call = {
        .setup =
            {
                .emits = {2, {EMIT_MIN, EMIT_MAX}},
                .nan = NAN_PROPAGATE,
                .value = task->kind,
                .results = {task->kind, task->kind},
                .channels = 1,
            },
        .in = array_of(task, in, task->count),
        .out = {array_of(task, out, windows),
                array_of(task, (unsigned char *)out + windows * value_bytes(task->kind), windows)},
    };

    call.setup.sample = call.in.sample;
    window_init(&call.setup.window, task->width, 1, ALIGN_VALID, EDGE_SHRINK);
    return call;
}

static int call_open(const struct bench_flavour *flavour, const struct bench_task *task,
                     void **state, struct error *error)
{
    const struct call call = call_of(task, (void *)task->samples, task->windows);
    struct flavour_needs needs = {
        .road = FLAVOUR_PAGE_LOCKED, .windows = true, .results = flavour_window_bytes(task)};

    if (engine_cuda_find(task->device, error) != 0 ||
        cuda_arrays_filter(&call.setup, &call.in, call.out, NULL, &needs.spare, task->device, NULL,
                           error) != 0)
        return -1;
    return flavour_open(flavour, task, &needs, state, error);
}

static cudaError_t call_work(struct flavour_state *state)
{
    const struct call call = call_of(state->task, state->in, state->out);
    size_t bytes = state->needs.spare;
    struct error error;

    return cuda_arrays_filter(&call.setup, &call.in, call.out, state->spare, &bytes,
                              state->task->device, NULL, &error) == 0
               ? cudaSuccess
               : cudaErrorUnknown;
}

static int call_run(void *state, struct bench_answer *answer, struct error *error)
{
    return flavour_run(state, call_work, answer, error);
}

const struct bench_flavour flavours_window_call[] = {
    {
        .name = "cuda-call",
        .words = "our library's call on page-locked memory",
        .problem = BENCH_WINDOW,
        .on_gpu = true,
        .takes_f64 = true,
        .exact = true,
        .cannot = flavour_cannot_choose,
        .open = call_open,
        .run = call_run,
        .close = flavour_close,
    },
    {.name = NULL},
};
