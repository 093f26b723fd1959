/* The kernels for SSE4.1, for float64. */
#define KIND_F64
#include "cpu/kernels_sse4.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_sse4_f64 = COMB_KERNELS("sse4");
