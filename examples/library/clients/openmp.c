/* SPDX-License-Identifier: MIT */
/* Many series in the threads of OpenMP: each call works on its own thread, and one context is for
 * all. Prints the largest range of 20 samples, of all series. */
#include <gpuenv.h>
#include <stdio.h>
#include <stdlib.h>

enum { SERIES = 64, SAMPLES = 5000, WIDTH = 20, RESULTS = SAMPLES - WIDTH + 1 };

int main(void)
{
    int16_t *samples = malloc(sizeof *samples * SERIES * SAMPLES);
    float *ranges = malloc(sizeof *ranges * SERIES * RESULTS);
    gpuenv_context *context;
    float largest = 0;
    int failed =
        samples == NULL || ranges == NULL || gpuenv_open(NULL, &context, NULL) != GPUENV_OK;

    if (failed)
        return 1;
    for (int i = 0; i < SERIES * SAMPLES; i++)
        samples[i] = (int16_t)(i % 1000 * 7919 % 1000);
    samples[SAMPLES * 40 + 4000] = 32000;
    samples[SAMPLES * 40 + 4019] = -32000;

#pragma omp parallel for reduction(max : largest) reduction(+ : failed)
    for (int s = 0; s < SERIES; s++) {
        gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
        gpuenv_array in = GPUENV_INIT(gpuenv_array);
        gpuenv_array out;

        spec.width = WIDTH;
        spec.values = 1;
        spec.value[0] = GPUENV_RANGE;
        spec.threads = 1;
        in.data = samples + (ptrdiff_t)s * SAMPLES;
        in.type = GPUENV_S16;
        in.rows = in.channels = 1;
        in.frames = SAMPLES;
        in.frame = sizeof *samples;
        out = in;
        out.out = ranges + (ptrdiff_t)s * RESULTS;
        out.type = GPUENV_F32;
        out.frames = RESULTS;
        out.frame = sizeof *ranges;
        failed += gpuenv_filter(context, &spec, &in, &out, NULL) != GPUENV_OK;
        for (int i = 0; i < RESULTS; i++) {
            const float range = ranges[(ptrdiff_t)s * RESULTS + i];

            largest = range > largest ? range : largest;
        }
    }
    printf("%g\n", (double)largest);
    gpuenv_close(context);
    free(samples);
    free(ranges);
    return failed;
}
