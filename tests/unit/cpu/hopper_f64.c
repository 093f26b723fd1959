/* hopper_tmpl.h for float64. */
#define KIND_F64
#include "hopper_tmpl.h"
