/* The kernels in portable C. */
#include "cpu/kernels_scalar.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_scalar = COMB_KERNELS("scalar");
