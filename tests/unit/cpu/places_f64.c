/* places_tmpl.h for float64. */
#define KIND_F64
#include "places_tmpl.h"
