/* SPDX-License-Identifier: MIT */
/* A level meter: float32 samples of one channel at 48 kHz from standard input; the peak and the
 * root mean square of the last 400 ms, ten times a second. */
#include <gpuenv.h>
#include <stdio.h>

enum { RATE = 48000, HOP = RATE / 10, WIDTH = 4 * HOP };

static int fail(const gpuenv_error *error)
{
    fprintf(stderr, "%s %s\n", error->subject, error->text);
    return 1;
}

int main(void)
{
    static float samples[HOP];
    double level[2]; /* root mean squares are float64, and with them all results of the stream */
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    gpuenv_stream *stream;
    uint64_t got;
    size_t count;

    spec.width = WIDTH; /* a multiple of the hop */
    spec.hop = HOP;
    spec.values = 2;
    spec.value[0] = GPUENV_ABS;
    spec.value[1] = GPUENV_RMS;
    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error) != GPUENV_OK)
        return fail(&error);
    /* A hop of frames gives one result at most. */
    while ((count = fread(samples, sizeof *samples, HOP, stdin)) > 0) {
        if (gpuenv_stream_push(stream, samples, count, level, 1, &got, &error) != GPUENV_OK)
            return fail(&error);
        if (got == 1)
            printf("%.4f %.4f\n", level[0], level[1]);
    }
    gpuenv_stream_close(stream);
    gpuenv_close(context);
    return 0;
}
