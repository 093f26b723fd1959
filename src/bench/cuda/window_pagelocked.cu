/* "CUDA Page-Locked": the kernel of window_malloc.cu, which reads and writes the host's memory.
 * As published. Changed: sizes have 64 bits; the memory is registered once, not for every run. */
#include "bench/cuda/window_scan.cuh"

static int pagelocked_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_PAGE_LOCKED, 0, state, error);
}

const struct bench_flavour flavour_window_pagelocked =
    flavour_make(BENCH_WINDOW, "pagelocked", "a thread a window, on the host's page-locked memory",
                 scan_cannot, pagelocked_open, scan_run);
