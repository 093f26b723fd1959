/* tool/options: lengths in frames, rates, and times, to the last digit. What options do,
 * tests/cli/commands.txt says. */
#include "command_line.h"
#include "words.h"

#include <stdlib.h>

static void test_frames(void)
{
    static const struct {
        const char *words;
        uint64_t frames;
    } lengths[] = {
        {"-w|9223372036854775807", INT64_MAX},
        {"-w|0000012", 12},
        {"-w|10k", 10000},
        {"-w|1.5M", 1500000},
        {"-w|1e6", 1000000},
        {"-w|1200e-2", 12},
        {"-w|2G", 2000000000},
        {"--window=12", 12},
        {"-w12", 12},
    };

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct span span = good(lengths[i].words).settings.window;

        CHECK_THAT(span.given && !span.is_time && span.frames == lengths[i].frames, "%s: %llu",
                   lengths[i].words, (unsigned long long)span.frames);
    }
}

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

static void test_times(void)
{
    static const struct {
        const char *words;
        uint64_t time;
        int power;
        unsigned unit;
    } times[] = {
        {"-w|10ms", 1, -2, 1},
        {"-w|250us", 25, -5, 1},
        {"-w|1.5s", 15, -1, 1},
        {"-w|2min", 2, 0, 60},
        {"-w|0.5h", 5, -1, 3600},
        {"-w|.5s", 5, -1, 1},
        {"-w|5.s", 5, 0, 1},
        {"-w|1.1ms", 11, -4, 1},
        {"-w|007s", 7, 0, 1},
        {"-w|1000000us", 1, 0, 1},
        {"-w|10203.0405000s", 102030405, -4, 1},
        {"-w|18446744073709551615us", UINT64_MAX, -6, 1},
        {"-w|0.00000000000000000000000000001s", 1, -29, 1},
    };

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct span span = good(times[i].words).settings.window;

        CHECK(span.given && span.is_time && span.frames == 0);
        CHECK_THAT(span.time == times[i].time && span.unit == times[i].unit, "%s: %llu",
                   times[i].words, (unsigned long long)span.time);
        CHECK_THAT(span.power == times[i].power || span.time == 0, "%s: %d", times[i].words,
                   span.power);
        CHECK(strcmp(span.value.text, times[i].words + 3) == 0);
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

CHECK_MAIN(test_frames, test_rates, test_times, test_nothing)
