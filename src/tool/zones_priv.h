/* SPDX-License-Identifier: MIT */
/* The system's time zones. */
#ifndef GPUENV_TOOL_ZONES_PRIV_H
#define GPUENV_TOOL_ZONES_PRIV_H

#include "base/error.h"
#include "format/text/zone.h"

/* Finds the zone that --time-zone names: "UTC", "Europe/Berlin", in the folder TZDIR or
 * /usr/share/zoneinfo; or "local", what the variable TZ or /etc/localtime says. */
int zones_find(struct zone *zone, const char *name, struct error *error);

#endif
