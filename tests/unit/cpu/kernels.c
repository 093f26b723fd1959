/* kernels_tmpl.h for float32. */
#include "kernels_tmpl.h"
