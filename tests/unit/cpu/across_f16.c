/* across_tmpl.h for float16. */
#define KIND_F16
#include "across_tmpl.h"
