/* SPDX-License-Identifier: MIT */
/* The option table of gpuenv-bench: every row parses right values and refuses wrong ones. */
#include "command_rows.h"

#include <stdlib.h>

#include "bench/bench_options.h"

static const struct right_value right[] = {
    {"only", "cpu", true},
    {"sweep", "threads=32", false},
    {"plot", "file.svg", false},
    {NULL, NULL, false},
};

int main(void)
{
    static struct bench_options options;

    unsetenv("POSIXLY_CORRECT");
    check_table(&bench_command);
    check_values(&bench_command, right, "", &options);
    return check_result();
}
