/* SPDX-License-Identifier: MIT */
/* A part of the windows has the lines of its spans, but for the first span of each channel, and the
 * last if it is open: these are joined with spans of its neighbours. Private to this folder. */
#ifndef GPUENV_FORMAT_SPAN_PARTS_PRIV_H
#define GPUENV_FORMAT_SPAN_PARTS_PRIV_H

struct error;
struct sink;

/* Adds the part `other`, as sink_class.join() does. */
int spans_join(struct sink *sink, struct sink *other, struct error *error);

#endif
