/* The kernels for NEON, for integers of 64 bits. */
#define KIND_I64
#include "cpu/kernels_neon.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_neon_i64 = COMB_KERNELS("neon");
