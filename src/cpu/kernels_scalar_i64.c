/* The kernels in portable C, for integers of 64 bits. */
#define KIND_I64
#include "cpu/scalar64_tmpl.h"

const struct cpu_kernels cpu_kernels_scalar_i64 = SCALAR64_KERNELS;
