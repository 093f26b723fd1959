/* SPDX-License-Identifier: MIT */
/* A limiter as a LADSPA plugin: no sample is louder than the level, and the gain changes slowly,
 * because the plugin looks 5 ms ahead. It is a stream in an audio thread: run() only pushes.
 *
 *     cc -shared -fPIC limiter.c -o limiter.so $(pkg-config --cflags --libs gpuenv)
 *     applyplugin loud.wav limited.wav ./limiter.so limiter 0.5
 *
 * Each gain is that of the loudest of the last `width` samples, and each sample gets the mean of
 * the next `width` gains: all of these windows contain the sample. */
#include <gpuenv.h>
#include <ladspa.h>
#include <stdlib.h>

enum { LEVEL, INPUT, OUTPUT, LATENCY, PORTS };
enum { BLOCK = 256 };

struct limiter {
    gpuenv_context *context;
    gpuenv_stream *stream;
    LADSPA_Data *port[PORTS];
    unsigned long width;
    unsigned long at;   /* in the rings, which have `width` samples and gains */
    LADSPA_Data *delay; /* samples */
    LADSPA_Data *gains;
    double sum; /* of the gains */
};

static void cleanup(LADSPA_Handle instance)
{
    struct limiter *limiter = instance;

    gpuenv_stream_close(limiter->stream);
    gpuenv_close(limiter->context);
    free(limiter->delay);
    free(limiter->gains);
    free(limiter);
}

static LADSPA_Handle instantiate(const LADSPA_Descriptor *descriptor, unsigned long rate)
{
    struct limiter *limiter = calloc(1, sizeof *limiter);
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);

    (void)descriptor;
    if (limiter == NULL)
        return NULL;
    options.threads = 1;
    limiter->width = rate / 200 + 1;
    spec.width = limiter->width;
    spec.align = GPUENV_ALIGN_CAUSAL; /* a result for each sample */
    spec.nan = GPUENV_NAN_OMIT;
    spec.values = 1;
    spec.value[0] = GPUENV_ABS;
    limiter->delay = malloc(limiter->width * sizeof *limiter->delay);
    limiter->gains = malloc(limiter->width * sizeof *limiter->gains);
    if (limiter->delay == NULL || limiter->gains == NULL ||
        gpuenv_open(&options, &limiter->context, NULL) != GPUENV_OK ||
        gpuenv_stream_open(limiter->context, &spec, GPUENV_F32, 1, &limiter->stream, NULL) !=
            GPUENV_OK) {
        cleanup(limiter);
        return NULL;
    }
    return limiter;
}

static void connect_port(LADSPA_Handle instance, unsigned long port, LADSPA_Data *data)
{
    struct limiter *limiter = instance;

    limiter->port[port] = data;
}

static void activate(LADSPA_Handle instance)
{
    struct limiter *limiter = instance;

    gpuenv_stream_reset(limiter->stream, NULL);
    for (unsigned long i = 0; i < limiter->width; i++) {
        limiter->delay[i] = 0;
        limiter->gains[i] = 1;
    }
    limiter->sum = (double)limiter->width;
    limiter->at = 0;
}

static void run_block(struct limiter *limiter, const LADSPA_Data *in, LADSPA_Data *out,
                      unsigned long count)
{
    const LADSPA_Data level = *limiter->port[LEVEL];
    LADSPA_Data peaks[BLOCK];
    uint64_t got = 0;

    gpuenv_stream_push(limiter->stream, in, count, peaks, BLOCK, &got, NULL);
    for (unsigned long i = 0; i < got; i++) {
        const LADSPA_Data gain = peaks[i] > level ? level / peaks[i] : 1;
        const unsigned long oldest = (limiter->at + 1) % limiter->width;

        limiter->sum += (double)gain - (double)limiter->gains[limiter->at];
        limiter->gains[limiter->at] = gain;
        limiter->delay[limiter->at] = in[i];
        out[i] =
            (LADSPA_Data)((double)limiter->delay[oldest] * limiter->sum / (double)limiter->width);
        limiter->at = oldest;
    }
}

static void run(LADSPA_Handle instance, unsigned long count)
{
    struct limiter *limiter = instance;

    for (unsigned long done = 0; done < count; done += BLOCK)
        run_block(limiter, limiter->port[INPUT] + done, limiter->port[OUTPUT] + done,
                  count - done < BLOCK ? count - done : BLOCK);
    if (limiter->port[LATENCY] != NULL)
        *limiter->port[LATENCY] = (LADSPA_Data)(limiter->width - 1);
}

static const LADSPA_PortDescriptor ports[PORTS] = {
    LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL,
    LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO,
    LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO,
    LADSPA_PORT_OUTPUT | LADSPA_PORT_CONTROL,
};

static const char *const names[PORTS] = {"Level", "Input", "Output", "latency"};

static const LADSPA_PortRangeHint hints[PORTS] = {
    {LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_1, 0.01F, 1},
    {0, 0, 0},
    {0, 0, 0},
    {0, 0, 0},
};

static const LADSPA_Descriptor limiter_descriptor = {
    .UniqueID = 900, /* those below 1000 are for development */
    .Label = "limiter",
    .Properties = LADSPA_PROPERTY_HARD_RT_CAPABLE,
    .Name = "Look-ahead limiter",
    .Maker = "gpuenv",
    .Copyright = "None",
    .PortCount = PORTS,
    .PortDescriptors = ports,
    .PortNames = names,
    .PortRangeHints = hints,
    .instantiate = instantiate,
    .connect_port = connect_port,
    .activate = activate,
    .run = run,
    .cleanup = cleanup,
};

const LADSPA_Descriptor *ladspa_descriptor(unsigned long index)
{
    return index == 0 ? &limiter_descriptor : NULL;
}
