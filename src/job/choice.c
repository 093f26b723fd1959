/* SPDX-License-Identifier: MIT */
/* The costs are measured: tests/gpu/crossovers.py has the rows that examples/devices.txt quotes. */
#include "job/choice_priv.h"

/* A device has to take less than this part of the time of the cores. */
static const double MARGIN = 0.8;

/* Seconds in which one core reads, decodes and filters a sample, and what adds to them. */
static const double SAMPLE = 0.5e-9;
static const double MAGNITUDE = 2.2e-9; /* for a complex number */
static const double RESULT = 0.7e-9;    /* for each sample with results of its own */
static const double APART = 2e-9;       /* for each such sample of many interleaved channels */

enum { SPARSE_HOP = 16, MANY_CHANNELS = 4 };

static double sample_cost(const struct engine_setup *setup)
{
    double cost = SAMPLE;

    if (sample_type_is_complex(setup->sample))
        cost += MAGNITUDE;
    if (setup->window.hop < SPARSE_HOP)
        cost += setup->channels < MANY_CHANNELS ? RESULT : RESULT + APART;
    return cost * (double)value_bytes(setup->value) / sizeof(float);
}

struct choice choice_make(const struct engine_costs *costs, const struct engine_setup *setup,
                          double frames, unsigned cores)
{
    double in = (double)engine_in_bytes(setup);
    double out = (double)engine_out_bytes(setup) / (double)setup->window.hop;
    double feed = costs->feed * in;
    double bus = costs->bus * (in > out ? in : out);
    struct choice choice = {
        .cpu_seconds = frames * setup->channels * sample_cost(setup) / cores,
        .device_seconds = costs->start + frames * (feed > bus ? feed : bus),
    };

    choice.device = costs->start < 0 || choice.device_seconds < MARGIN * choice.cpu_seconds;
    choice.why = choice.device ? "a device is expected to be faster"
                               : "the cores are expected to be as fast as a device";
    return choice;
}
