/* places_tmpl.h for float16. */
#define KIND_F16
#include "places_tmpl.h"
