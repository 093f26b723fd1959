/* across_tmpl.h for float32. */
#include "across_tmpl.h"
