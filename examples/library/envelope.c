/* SPDX-License-Identifier: MIT */
/* The envelope of an array: the minimum and the maximum of every 5 samples. */
#include <gpuenv.h>
#include <stdio.h>

int main(void)
{
    float samples[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    float low[6];
    float high[6];
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_array in = GPUENV_INIT(gpuenv_array);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_array out[2];
    gpuenv_context *context;

    spec.width = 5;
    in.data = samples;
    in.type = GPUENV_F32;
    in.frames = 10;
    out[0] = in;
    out[0].out = low;
    out[0].frames = 6; /* see gpuenv_outputs() */
    out[1] = out[0];
    out[1].out = high;

    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_filter(context, &spec, &in, out, &error) != GPUENV_OK) {
        fprintf(stderr, "%s %s\n", error.subject, error.text);
        return 1;
    }
    for (int i = 0; i < 6; i++)
        printf("%g %g\n", (double)low[i], (double)high[i]);
    gpuenv_close(context);
    return 0;
}
