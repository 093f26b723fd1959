/* The kernels for AVX2, for float64. */
#define KIND_F64
#include "cpu/kernels_avx2.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx2_f64 = COMB_KERNELS("avx2");
