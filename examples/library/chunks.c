/* SPDX-License-Identifier: MIT */
/* A stream in chunks: float32 samples from standard input; the largest of every 100, one in 100, to
 * standard output as they come. */
#include <gpuenv.h>
#include <stdio.h>

enum { CHUNK = 4096 };

static int fail(const gpuenv_error *error)
{
    fprintf(stderr, "%s %s\n", error->subject, error->text);
    return 1;
}

int main(void)
{
    static float samples[CHUNK];
    static float results[CHUNK];
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    gpuenv_stream *stream;
    uint64_t got;
    size_t count;

    spec.width = 100;
    spec.hop = 100;
    spec.align = GPUENV_ALIGN_FORWARD; /* the last window may be shorter */
    spec.values = 1;
    spec.value[0] = GPUENV_MAX;
    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error) != GPUENV_OK)
        return fail(&error);
    while ((count = fread(samples, sizeof *samples, CHUNK, stdin)) > 0) {
        if (gpuenv_stream_push(stream, samples, count, results, CHUNK, &got, &error) != GPUENV_OK)
            return fail(&error);
        fwrite(results, sizeof *results, got, stdout);
    }
    do {
        if (gpuenv_stream_finish(stream, results, CHUNK, &got, &error) != GPUENV_OK)
            return fail(&error);
        fwrite(results, sizeof *results, got, stdout);
    } while (got > 0);
    gpuenv_stream_close(stream);
    gpuenv_close(context);
    return 0;
}
