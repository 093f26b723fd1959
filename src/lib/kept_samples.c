/* SPDX-License-Identifier: MIT */
/* This is not in spec.c, so that a program which needs little of the archive links no kernels. */
#include "cpu/block_plan.h"
#include "lib/lib_priv.h"

void keep_samples(struct engine_setup *setup, const char *isa,
                  const struct strided out[GPUENV_VALUES])
{
    const struct sample_type first = out[0].sample;

    for (unsigned i = 1; i < setup->emits.count; i++) {
        if (out[i].sample.kind != first.kind || out[i].sample.big_endian != first.big_endian)
            return;
    }
    block_keep_samples(setup, isa, first);
}
