/* SPDX-License-Identifier: MIT */
/* tool/options: rates, to the last digit; job/settings.c has lengths. What options do,
 * tests/cli/commands.txt says. */
#include "command_line.h"

#include <stdlib.h>

static void test_rates(void)
{
    static const struct {
        const char *words;
        double rate;
    } rates[] = {
        {"-r|48000", 48000}, {"-r|44.1k", 44100}, {"-r|2.4M", 2400000}, {"-r|1G", 1e9},
        {"-r|.5", 0.5},      {"-r|2.4e6", 2.4e6}, {"--rate=1E+3", 1e3}, {"-r|22050.5", 22050.5},
        {"-r|1.005k", 1005}, /* 1.005 * 1000 is not exact in double */
    };

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        char words[32];

        snprintf(words, sizeof words, "-w|1|%s", rates[i].words);
        CHECK_THAT(good(words).settings.rate == rates[i].rate, "%s", words);
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
