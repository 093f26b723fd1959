/* The kernels for NEON, for float64. */
#define KIND_F64
#include "cpu/kernels_neon.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_neon_f64 = COMB_KERNELS("neon");
