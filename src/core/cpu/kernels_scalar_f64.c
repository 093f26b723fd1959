/* The kernels in portable C, for float64. */
#define KIND_F64
#include "cpu/kernels_scalar.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_scalar_f64 = COMB_KERNELS("scalar");
