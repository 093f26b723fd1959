/* SPDX-License-Identifier: MIT */
/* Windows that leave all channels as they are, inside a span or outside: most are. Private to this
 * folder. */
#ifndef GPUENV_FORMAT_SPAN_WINDOWS_PRIV_H
#define GPUENV_FORMAT_SPAN_WINDOWS_PRIV_H

#include <stddef.h>

struct spans;

/* Passes the next windows that leave all channels as they are; `values` are those from the next
 * window on. Returns the number of these windows. Rows must have no times, and there must be
 * spans->kernels. */
size_t spans_pass(struct spans *spans, const char *values, size_t count);

#endif
