/* Setters of options whose values have rules of their own. */
#ifndef GPUENV_TOOL_OPTION_VALUES_PRIV_H
#define GPUENV_TOOL_OPTION_VALUES_PRIV_H

#include "tool/command.h"

enum { CHANNELS_MOST = 65535 };

/* The field is the struct settings: */
option_setter set_rate, set_late, set_pick, set_shard, set_device;

/* The field is what the name says: */
option_setter set_align, set_emit, set_size, set_scale, set_level, set_gap, set_name;
option_setter set_cut;
option_setter set_delimiter, set_decimal, set_thousands, set_columns, set_header, set_missing;
option_setter set_time, set_time_format;
option_setter set_by;

/* What the values of --scale and --device may begin with; both end with NULL. */
extern const char *const scale_words[];
extern const char *const device_words[];

#endif
