/* Values computed from a minimum and a maximum. A template: compiled for each instruction set. */
#ifndef GPUENV_CPU_VALUES_TMPL_H
#define GPUENV_CPU_VALUES_TMPL_H

#include <stddef.h>

#include "window/rules.h"

/* `emit` is a constant in each call, so that each loop is compiled for one kind. */
static inline __attribute__((always_inline)) void values_by(enum emit emit,
                                                            const float *restrict low,
                                                            const float *restrict high,
                                                            size_t count, float *restrict values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = rules_emit(emit, low[i], high[i]);
}

static inline void values_make(enum emit emit, const void *low, const void *high, size_t count,
                               void *values)
{
    if (emit == EMIT_ABS)
        values_by(EMIT_ABS, low, high, count, values);
    else if (emit == EMIT_RANGE)
        values_by(EMIT_RANGE, low, high, count, values);
    else
        values_by(EMIT_MID, low, high, count, values);
}

#endif
