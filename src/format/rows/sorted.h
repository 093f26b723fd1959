/* SPDX-License-Identifier: MIT */
/* Rows with times that come in any order, in the order of their times. */
#ifndef GPUENV_FORMAT_ROWS_SORTED_H
#define GPUENV_FORMAT_ROWS_SORTED_H

#include <stdbool.h>
#include <stdint.h>

#include "format/source.h"

/* Replaces `*source`, whose rows have times, by a source of the same rows in the order of their
 * times; those at the same time stay in the order in which they came. All are read before the first
 * comes: `memory` bytes of them are kept at most, or a few rows, the others in a temporary file.
 * Two that lie more than a million times `gap_period` nanoseconds apart are an error, unless it is
 * 0. After an error no row comes, unless it is one of damage that is accepted. Closing it closes
 * the original. */
int sorted_open(struct source **source, uint64_t memory, int64_t gap_period, bool accepts_damage,
                struct error *error);

#endif
