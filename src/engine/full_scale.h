/* Full scale of sample types. */
#ifndef GPUENV_ENGINE_FULL_SCALE_H
#define GPUENV_ENGINE_FULL_SCALE_H

#include "engine/part.h"
#include "sample/sample_type.h"

/* Of samples of `type` as values of the kind: -1 and 1 of floats, the ends of the codes of
 * integers. Not known of complex types and of `counts`. */
struct full_scale full_scale_of(struct sample_type type, enum value_kind kind);

#endif
