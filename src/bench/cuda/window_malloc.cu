/* "CUDA Malloc": a thread a window, in blocks of 1024; plain copies in and out.
 * As published. Changed: sizes have 64 bits; the memory is allocated once, not for every run. */
#include "bench/cuda/window_scan.cuh"

static int malloc_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_COPIED, 0, state, error);
}

const struct bench_flavour flavour_window_malloc =
    flavour_make(BENCH_WINDOW, "malloc", "a thread a window, explicit copies", scan_cannot,
                 malloc_open, scan_run);
