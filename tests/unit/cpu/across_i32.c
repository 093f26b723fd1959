/* across_tmpl.h for integers of 32 bits. */
#define KIND_I32
#include "across_tmpl.h"
