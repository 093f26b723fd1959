/* The kernels for AVX-512. */
#include "cpu/kernels_avx512.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx512 = COMB_KERNELS("avx512");
