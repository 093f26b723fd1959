/* The kernels for AVX-512, for integers of 64 bits. */
#define KIND_I64
#include "cpu/kernels_avx512.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx512_i64 = COMB_KERNELS("avx512");
