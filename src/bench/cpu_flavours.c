#include "bench/cpu_flavours.h"

#include <string.h>

#include "cpu/kernels.h"

const char *cpu_flavours_cannot(const char *isa)
{
    const struct cpu_kernels *kernels = cpu_kernels_pick(isa);

    if (isa == NULL || (kernels != NULL && strcmp(kernels->name, isa) == 0))
        return NULL;
    return "this processor does not have it";
}

const struct bench_flavour *const bench_cpu_flavours[] = {
    &bench_window_lemire,   &bench_window_vanherk,  &bench_window_cpu_scalar,
#if defined(__x86_64__)
    &bench_window_cpu_sse4, &bench_window_cpu_avx2, &bench_window_cpu_avx512,
#elif defined(__aarch64__)
    &bench_window_cpu_neon,
#endif
    &bench_window_cpu,

    &bench_max_std_seq,     &bench_max_std_par,     &bench_max_std_par_unseq, &bench_max_cpu,

    &bench_sum_float,       &bench_sum_double,      &bench_sum_pairwise,      &bench_sum_cpu, NULL,
};
