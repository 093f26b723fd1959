/* SPDX-License-Identifier: MIT */
/* Rows with times, in the order of their times, in place of rows that come late. */
#ifndef GPUENV_FORMAT_ROWS_LATE_H
#define GPUENV_FORMAT_ROWS_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/source.h"

/* Replaces `*source`, whose rows have times, by a source of the same rows in the order of their
 * times; those at the same time stay in the order in which they came. A row is held back until one
 * comes that lies `late` nanoseconds or more behind it, or the end: no row may come later than
 * that. Rows of different keys do not wait for each other. After an error, rows that are held back
 * do not come, unless it is one of damage that is accepted. Closing it closes the original. */
int late_open(struct source **source, int64_t late, bool accepts_damage, struct error *error);

#endif
