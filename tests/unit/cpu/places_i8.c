/* places_tmpl.h for integers of 8 bits. */
#define KIND_I8
#include "places_tmpl.h"
