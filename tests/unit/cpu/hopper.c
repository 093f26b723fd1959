/* hopper_tmpl.h for float32. */
#include "hopper_tmpl.h"
