/* places_tmpl.h for integers of 32 bits. */
#define KIND_I32
#include "places_tmpl.h"
