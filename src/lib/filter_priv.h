/* SPDX-License-Identifier: MIT */
/* gpuenv_filter() of arrays that have been checked, for functions that make several of them. */
#ifndef GPUENV_LIB_FILTER_PRIV_H
#define GPUENV_LIB_FILTER_PRIV_H

#include "cpu/block.h"
#include "lib/lib_priv.h"

enum { PAST_CACHE_BYTES = 1 << 24 }; /* least size of results that are written past the caches */

struct filter {
    struct work work;
    struct block_plan plan;
    struct block_plan last_plan; /* plan for the last group of a row, which may be smaller */
    struct strided in;
    struct strided out[EMIT_KINDS];
    bool out_place;       /* results are written as they are computed */
    bool past_cache;      /* results are many, have no gaps, and are written past the caches */
    bool together;        /* out_place, and results of all values are adjacent in frames */
    struct groups groups; /* each group is a unit in each row */
    struct piece tail;    /* the windows that end past the last frame */
    struct timeline line; /* used for windows of time */
};

/* Plans the windows of `spec` over arrays that are set, and the work for them. `work` and `line`
 * must be set, too. */
int filter_plan(struct filter *filter, const gpuenv_spec *spec, gpuenv_error *error);

/* Boxes of images, `height` rows of the windows that are planned: tiles_filter() writes them where
 * tiles_fit(). */
bool tiles_fit(const struct filter *rows, const struct strided *out);
int tiles_filter(const struct filter *rows, const gpuenv_spec *spec, uint64_t height,
                 const struct strided *out, gpuenv_error *error);

#endif
