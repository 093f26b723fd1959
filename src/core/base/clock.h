/* SPDX-License-Identifier: MIT */
/* A monotonic clock. */
#pragma once

/* Seconds since an arbitrary point in the past. */
double clock_seconds(void);

/* Seconds since `*from`, which is then set to now. */
double clock_lap(double *from);
