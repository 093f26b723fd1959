/* places_tmpl.h for float32. */
#include "places_tmpl.h"
