/* SPDX-License-Identifier: MIT */
/* All engines by name. A program that links this file also links the cuda engine, real or
 * emulated. */
#include "lib/engines.h"

#include "cuda/engine_cuda.h"

const struct engine_class *engines_class(enum engine_choice choice)
{
    static const struct engine_class *const classes[] = {
        [ENGINE_CPU] = &engine_cpu,
        [ENGINE_CUDA] = &engine_cuda,
        [ENGINE_LEMIRE] = &engine_lemire,
        [ENGINE_NONE] = &engine_none,
    };

    return classes[choice];
}

const struct engine_devices engines_devices = {
    .files = engine_cuda_files,
    .have_parts = engine_cuda_has_parts,
    .find = engine_cuda_find,
    .count = engine_cuda_count,
    .version = engine_cuda_version,
};
