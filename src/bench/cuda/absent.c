/* SPDX-License-Identifier: MIT */
/* Replaces the flavours for a CUDA device in a build without CUDA. */
#include "bench/flavour.h"

const struct bench_flavour *const bench_cuda_families[] = {NULL};
