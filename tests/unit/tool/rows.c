/* SPDX-License-Identifier: MIT */
/* The option table of gpuenv: every row parses right values and refuses wrong ones. */
#include "command_rows.h"

#include <stdlib.h>

#include "tool/options_priv.h"

static const struct right_value right[] = {
    {"type", "s16", true},       {"columns", "2,level", true}, {"not-columns", "2,level", true},
    {"shard", "1/2", false},     {"output-type", "wav", true}, {"size", "800x600", false},
    {"delimiter", "tab", false}, {"decimal", ",", false},      {"thousands", "blank", false},
    {"missing", "-999,x", true}, {"time", "date,clock", true}, {"pick", "2,1", false},
    {"level", "above:1", false}, {"time-format", "%H", false}, {"time-zone", "UTC", true},
    {"name", "{name}", true},    {"by", "sensor", true},       {"gap", "2h", false},
    {"from", "90s", true},       {"to", "1:30", true},         {NULL, NULL, false},
};

int main(void)
{
    struct options options = {.action = OPTIONS_RUN};

    unsetenv("POSIXLY_CORRECT");
    check_table(&options_command);
    /* An empty file name is reported when it is opened. */
    check_values(&options_command, right, "output", &options);
    return check_result();
}
