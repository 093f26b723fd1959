/* leaf_stats_tmpl.h for float32. */
#include "leaf_stats_tmpl.h"
