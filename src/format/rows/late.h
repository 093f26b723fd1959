/* SPDX-License-Identifier: MIT */
/* Sorts rows with times that come late into the order of their times. */
#ifndef GPUENV_FORMAT_ROWS_LATE_H
#define GPUENV_FORMAT_ROWS_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/source.h"

/* Replaces `*source`, whose rows have times, by a source of its rows in the order of their times;
 * rows with equal times stay in the order in which they came. A row is held back until a row comes
 * that lies `late` nanoseconds or more behind it, or until the end: no row may come later than
 * that. Rows of different keys do not wait for each other. After an error, rows that are held back
 * are not returned, unless it is an error of damage that is accepted. Closing it closes the
 * original. */
int late_open(struct source **source, int64_t late, bool accepts_damage, struct error *error);

#endif
