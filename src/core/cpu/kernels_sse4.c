/* The kernels for SSE4.1. */
#include "cpu/kernels_sse4.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_sse4 = COMB_KERNELS("sse4");
