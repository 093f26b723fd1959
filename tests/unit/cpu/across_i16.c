/* across_tmpl.h for integers of 16 bits. */
#define KIND_I16
#include "across_tmpl.h"
