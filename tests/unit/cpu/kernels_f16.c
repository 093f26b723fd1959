/* kernels_tmpl.h for float16. */
#define KIND_F16
#include "kernels_tmpl.h"
