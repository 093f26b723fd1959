/* The kernels for AVX-512, for float64. */
#define KIND_F64
#include "cpu/kernels_avx512.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx512_f64 = COMB_KERNELS("avx512");
