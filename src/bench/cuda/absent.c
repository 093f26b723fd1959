/* Takes the place of the flavours on a CUDA device in a build without it. */
#include "bench/flavour.h"

const struct bench_flavour *const bench_cuda_families[] = {NULL};
