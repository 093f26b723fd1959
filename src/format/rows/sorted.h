/* SPDX-License-Identifier: MIT */
/* Sorts rows with times that come in any order, or late, into the order of their times. */
#ifndef GPUENV_FORMAT_ROWS_SORTED_H
#define GPUENV_FORMAT_ROWS_SORTED_H

#include <stdbool.h>
#include <stdint.h>

#include "format/source.h"

/* Replaces `*source`, whose rows have times, by a source of its rows in the order of their times;
 * rows with equal times stay in the order in which they came. All rows are read before the first is
 * returned: at most `memory` bytes of them, or a few rows, are kept in memory, the others in a
 * temporary file. Two rows that lie more than a million times `gap_period` nanoseconds apart are an
 * error, unless it is 0. After an error no row is returned, unless it is an error of damage that is
 * accepted. Closing it closes the original. */
int sorted_open(struct source **source, uint64_t memory, int64_t gap_period, bool accepts_damage,
                struct error *error);

/* Replaces `*source`, whose rows have times, by a source of its rows in the order of their times;
 * rows with equal times stay in the order in which they came. A row is held back until a row comes
 * that lies `late` nanoseconds or more behind it, or until the end: no row may come later than
 * that. Rows of different keys do not wait for each other. After an error, rows that are held back
 * are not returned, unless it is an error of damage that is accepted. Closing it closes the
 * original. */
int late_open(struct source **source, int64_t late, bool accepts_damage, struct error *error);

#endif
