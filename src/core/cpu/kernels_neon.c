/* The kernels for NEON. */
#include "cpu/kernels_neon.h"

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_neon = COMB_KERNELS("neon");
