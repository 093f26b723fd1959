/* The kernels in portable C, for integers of 64 bits. */
#define KIND_I64
#include "cpu/kernels_scalar.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_scalar_i64 = COMB_KERNELS("scalar");
