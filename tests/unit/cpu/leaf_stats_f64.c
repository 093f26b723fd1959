/* leaf_stats_tmpl.h for float64. */
#define KIND_F64
#include "leaf_stats_tmpl.h"
