/* SPDX-License-Identifier: MIT */
/* A level meter in the callback of an audio server such as JACK, which gives an array for each
 * channel, a few frames at a time, and must not wait. Here main() is the server.
 *
 * Prints the loudest sample of the last 100 ms of each channel, three times. */
#include <gpuenv.h>
#include <math.h>
#include <stdio.h>

enum { RATE = 48000, FRAMES = 64, CHANNELS = 2 };

struct meter {
    gpuenv_stream *stream;
    float level[CHANNELS][FRAMES];
};

/* Called for each period: no system call, no lock, no allocation. */
static int process(unsigned frames, const float *const *port, void *argument)
{
    struct meter *meter = argument;
    const void *in[CHANNELS];
    void *out[CHANNELS];
    uint64_t got;

    for (int c = 0; c < CHANNELS; c++) {
        in[c] = port[c];
        out[c] = meter->level[c];
    }
    return gpuenv_stream_push_planar(meter->stream, in, frames, out, FRAMES, &got, NULL);
}

int main(void)
{
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    struct meter meter = {0};

    spec.width = RATE / 10;
    spec.align = GPUENV_ALIGN_CAUSAL;
    spec.values = 1;
    spec.value[0] = GPUENV_ABS;
    spec.threads = 1;
    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_stream_open(context, &spec, GPUENV_F32, CHANNELS, &meter.stream, &error) !=
            GPUENV_OK) {
        fprintf(stderr, "%s %s\n", error.subject, error.text);
        return 1;
    }
    for (int period = 0; period < 3 * RATE / FRAMES; period++) {
        const double loud = period < RATE / FRAMES ? 0.25 : period < 2 * RATE / FRAMES ? 1 : 0.5;
        float sound[CHANNELS][FRAMES];
        const float *port[CHANNELS] = {sound[0], sound[1]};

        for (int i = 0; i < FRAMES; i++) {
            const double angle = (period * FRAMES + i) * (2 * 3.14159265358979 / 96);

            sound[0][i] = (float)(loud * sin(angle));
            sound[1][i] = (float)(loud / 2 * cos(angle));
        }
        if (process(FRAMES, port, &meter) != 0)
            return 1;
        if ((period + 1) % (RATE / FRAMES) == 0)
            printf("%.3f %.3f\n", (double)meter.level[0][FRAMES - 1],
                   (double)meter.level[1][FRAMES - 1]);
    }
    gpuenv_stream_close(meter.stream);
    gpuenv_close(context);
    return 0;
}
