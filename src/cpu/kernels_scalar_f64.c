/* The kernels in portable C, for float64. */
#define KIND_F64
#include "cpu/scalar64_tmpl.h"

const struct cpu_kernels cpu_kernels_scalar_f64 = SCALAR64_KERNELS;
