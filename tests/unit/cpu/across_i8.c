/* across_tmpl.h for integers of 8 bits. */
#define KIND_I8
#include "across_tmpl.h"
