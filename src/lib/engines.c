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

unsigned engines_device_files(void)
{
    return engine_cuda_files();
}

bool engines_devices_have_parts(void)
{
    return engine_cuda_has_parts();
}

int engines_find_device(unsigned device, struct error *error)
{
    return engine_cuda_find(device, error);
}

int engines_cuda_version(void)
{
    return engine_cuda_version();
}

int engines_count_devices(unsigned *devices, struct error *error)
{
    return engine_cuda_count(devices, error);
}
