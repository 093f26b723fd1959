/* SPDX-License-Identifier: MIT */
/* CUDA on a CPU: the part of cooperative groups that this project uses. */
#ifndef GPUENV_EMU_COOPERATIVE_GROUPS_H
#define GPUENV_EMU_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

/* The whole grid, in a kernel launched by cudaLaunchCooperativeKernel(). */
struct grid_group {
    void sync() const
    {
        emu_grid_barrier();
    }
};

static inline grid_group this_grid()
{
    return grid_group();
}

} // namespace cooperative_groups

#endif
