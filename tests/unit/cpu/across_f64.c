/* across_tmpl.h for float64. */
#define KIND_F64
#include "across_tmpl.h"
