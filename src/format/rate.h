/* SPDX-License-Identifier: MIT */
/* Exact rates that are not decimals: one frame a minute, 30000/1001 frames a second. */
#ifndef GPUENV_FORMAT_RATE_H
#define GPUENV_FORMAT_RATE_H

#include <stdint.h>

struct rate_ratio {
    uint64_t frames; /* frames in `seconds`; 0 if the rate is the double beside this struct */
    uint64_t seconds;
};

/* Returns the ratio in lowest terms. */
struct rate_ratio rate_ratio(uint64_t frames, uint64_t seconds);

/* The nearest double. */
double rate_of(struct rate_ratio ratio);

/* The rate if one frame of every `frames` is kept, as the nearest double. `ratio` counts, or else
 * the rate. */
double rate_of_every(uint64_t frames, double rate, struct rate_ratio ratio);

/* The time of a frame in seconds, as the nearest double. `ratio` counts, or else the rate. */
double rate_time(uint64_t frame, double rate, struct rate_ratio ratio);

#endif
