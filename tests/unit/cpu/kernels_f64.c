/* kernels_tmpl.h for float64. */
#define KIND_F64
#include "kernels_tmpl.h"
