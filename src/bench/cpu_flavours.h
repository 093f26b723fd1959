/* The CPU flavours, each in the file of its name. Private to this room. */
#ifndef GPUENV_BENCH_CPU_FLAVOURS_H
#define GPUENV_BENCH_CPU_FLAVOURS_H

#include "bench/flavour.h"

/* Why the kernels of an instruction set cannot run here; NULL: they can. */
const char *cpu_flavours_cannot(const char *isa);

extern const struct bench_flavour bench_window_lemire;
extern const struct bench_flavour bench_window_vanherk;
extern const struct bench_flavour bench_window_cpu;
extern const struct bench_flavour bench_window_cpu_scalar;
extern const struct bench_flavour bench_window_cpu_sse4;
extern const struct bench_flavour bench_window_cpu_avx2;
extern const struct bench_flavour bench_window_cpu_avx512;
extern const struct bench_flavour bench_window_cpu_neon;

extern const struct bench_flavour bench_max_std_seq;
extern const struct bench_flavour bench_max_std_par;
extern const struct bench_flavour bench_max_std_par_unseq;
extern const struct bench_flavour bench_max_cpu;

extern const struct bench_flavour bench_sum_float;
extern const struct bench_flavour bench_sum_double;
extern const struct bench_flavour bench_sum_pairwise;
extern const struct bench_flavour bench_sum_cpu;

#endif
