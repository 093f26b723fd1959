/* across_tmpl.h for integers of 64 bits. */
#define KIND_I64
#include "across_tmpl.h"
