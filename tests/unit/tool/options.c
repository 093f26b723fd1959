/* SPDX-License-Identifier: MIT */
/* tool/options: rates, to the last digit; job/settings.c has lengths. What options do,
 * tests/cli/commands.txt says. */
#include "command_line.h"
#include "table.h"

#include <stdlib.h>

static void test_rates(void)
{
    TABLE (row, "rates", 2) {
        char words[32];

        snprintf(words, sizeof words, "-w|1|%s", row.field[0]);
        CHECK_THAT(good(words).settings.rate == strtod(row.field[1], NULL), "%s", words);
    }
}

/* A program may be started without any arguments. */
static void test_nothing(void)
{
    struct options options;
    struct error error;

    line.argv[0] = NULL;
    CHECK(options_parse(&options, 0, line.argv, &error) == 0);
    CHECK(!options.settings.window.given && options.task.input == NULL);
}

CHECK_MAIN(test_rates, test_nothing)
