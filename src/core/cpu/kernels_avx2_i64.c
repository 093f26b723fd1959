/* The kernels for AVX2, for integers of 64 bits. */
#define KIND_I64
#include "cpu/kernels_avx2.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx2_i64 = COMB_KERNELS("avx2");
