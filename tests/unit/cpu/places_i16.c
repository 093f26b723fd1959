/* places_tmpl.h for integers of 16 bits. */
#define KIND_I16
#include "places_tmpl.h"
