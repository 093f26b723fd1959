/* SPDX-License-Identifier: MIT */
/* Lengths: from the command line to frames. */
#include "command_line.h"
#include "table.h"
#include "words.h"

#include <math.h>

static void test_spans(void)
{
    TABLE (row, "spans", 4) {
        const char *const due = row.field[3];
        char words[64];
        struct error error = {.reason = ""};
        uint64_t frames = 12345;
        const struct rate_ratio decimal = {.frames = 0};
        struct span span;
        int result = 0;

        snprintf(words, sizeof words, "-w|1|--skip|%s", row.field[0]);
        span = good(words).settings.skip;
        CHECK(span.given);
        result = settings_span(&span, strtod(row.field[1], NULL), decimal,
                               strtoull(row.field[2], NULL, 10), 99, &frames, &error);
        if (strchr(due, ':') == NULL) {
            CHECK_THAT(result == 0, "%s: %s", words, words_of(&error));
            CHECK_THAT(frames == strtoull(due, NULL, 10), "%s: %llu", words,
                       (unsigned long long)frames);
        } else {
            CHECK_THAT(result == -1 && error.status == STATUS_USAGE, "%s", words);
            CHECK_THAT(strcmp(words_of(&error), due) == 0, "%s: %s", words, words_of(&error));
        }
    }
}

static void test_span_ends(void)
{
    struct error error = {.reason = ""};
    const struct rate_ratio decimal = {.frames = 0};
    struct span span = {.given = false};
    uint64_t frames = 0;

    CHECK(settings_span(&span, 0, decimal, 1, 77, &frames, &error) == 0 && frames == 77);
    CHECK(settings_span(&span, 0, decimal, 0, UINT64_MAX, &frames, &error) == 0);
    CHECK(frames == UINT64_MAX);
    span = good("-w|100000000000000h").settings.window;
    CHECK(settings_span(&span, 1e6, decimal, 1, 1, &frames, &error) == -1);
    CHECK_WORDS(&error, "-w 100000000000000h: too large");
    span = good("-w|9223372036854774784s").settings.window; /* the last double below 2^63 */
    CHECK(settings_span(&span, 1, decimal, 1, 1, &frames, &error) == 0);
    CHECK(frames == UINT64_C(9223372036854774784));
    span = good("-w|9223372036854775808s").settings.window;
    CHECK(settings_span(&span, 1, decimal, 1, 1, &frames, &error) == -1);
    span = good("-w|1s").settings.window;
    CHECK(settings_span(&span, (double)NAN, decimal, 1, 1, &frames, &error) == -1);
    CHECK(settings_span(&span, -5, decimal, 1, 1, &frames, &error) == -1);
    CHECK(strstr(words_of(&error), "rate of the input is not known") != NULL);
}

CHECK_MAIN(test_spans, test_span_ends)
