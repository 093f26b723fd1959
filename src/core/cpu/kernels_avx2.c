/* The kernels for AVX2. */
#include "cpu/kernels_avx2.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_avx2 = COMB_KERNELS("avx2");
