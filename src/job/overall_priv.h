/* SPDX-License-Identifier: MIT */
/* One answer for all channels: the least minimum and the greatest maximum. */
#ifndef GPUENV_JOB_OVERALL_PRIV_H
#define GPUENV_JOB_OVERALL_PRIV_H

#include "engine/engine.h"
#include "format/sink.h"

/* True if each of these values, over all channels, is the least or the greatest of the channels'
 * values. Otherwise it is computed from the minimum and the maximum over all channels. */
bool overall_is_direct(const struct emit_list *emits);

/* Replaces a sink for the frames of one channel by one for the frames of an engine with this setup:
 * it joins the channels and passes the result on. It owns the other sink; the setup must outlive
 * it. */
int overall_open(const struct engine_setup *setup, struct sink **sink, struct error *error);

#endif
