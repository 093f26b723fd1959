/* The option table of gpuenv: every row parses right values and refuses wrong ones. */
#include "command_rows.h"

#include <stdlib.h>

#include "cli/options.h"
#include "cli/options_rows.h"

static const struct right_value right[] = {{"columns", "2,level", true},
                                           {"shard", "1/2", false},
                                           {"name", "{name}", true},
                                           {NULL, NULL, false}};

int main(void)
{
    struct options options = {.action = OPTIONS_RUN};

    unsetenv("POSIXLY_CORRECT");
    check_table(&options_command);
    /* An empty file name is reported when it is opened. */
    check_values(&options_command, right, "output", &options);
    return check_result();
}
