/* Lengths: from the command line to frames. */
#include "command_line.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>

static void test_spans(void)
{
    static const struct {
        const char *length;
        double rate;
        uint64_t least;
        uint64_t frames;
        const char *text; /* NULL: accepted */
    } spans[] = {
        {"512", 0, 1, 512, NULL},
        {"512", 44100, 512, 512, NULL},
        {"9223372036854775807", 0, 1, INT64_MAX, NULL},
        {"0000012", 0, 1, 12, NULL},
        {"10k", 0, 1, 10000, NULL},
        {"1.5M", 0, 1, 1500000, NULL},
        {"1e6", 0, 1, 1000000, NULL},
        {"1200e-2", 0, 1, 12, NULL},
        {"2G", 0, 1, 2000000000, NULL},
        {"2", 0, 3, 0, "--skip 2: must be 3 or more"},
        {"0", 0, 0, 0, NULL},
        {"10ms", 44100, 1, 441, NULL},
        {"0.25ms", 44100, 1, 11, NULL},
        {"0.2ms", 44100, 1, 9, NULL},
        {"250us", 48000, 1, 12, NULL},
        {"1.5s", 10, 1, 15, NULL},
        {"2min", 10, 1, 1200, NULL},
        {"0.5h", 1, 1, 1800, NULL},
        {".5s", 10, 1, 5, NULL},
        {"5.s", 10, 1, 50, NULL},
        {"1.1ms", 10000, 1, 11, NULL},
        {"007s", 1, 1, 7, NULL},
        {"1000000us", 1, 1, 1, NULL},
        {"10203.0405000s", 10000, 1, 102030405, NULL},
        {"18446744073709551615us", 1, 1, 18446744073710, NULL},
        {"0.00000000000000000000000000001s", 1e29, 1, 1, NULL},
        {"0.5ms", 1000, 1, 1, NULL}, /* a half is rounded up */
        {"1.5ms", 1000, 1, 2, NULL},
        {"2.5ms", 1000, 1, 3, NULL},
        {"1h", 192000, 1, 691200000, NULL},
        {"0ms", 1000, 0, 0, NULL},
        {"10ms", 0, 1, 0, "--skip 10ms: the rate of the input is not known: give -r HZ, or frames"},
        {"0ms", 0, 0, 0, "--skip 0ms: the rate of the input is not known: give -r HZ, or frames"},
        {"0ms", 1000, 1, 0, "--skip 0ms: that is 0 frames at 1000 Hz; must be 1 or more"},
        {"0.4ms", 1000, 1, 0, "--skip 0.4ms: that is 0 frames at 1000 Hz; must be 1 or more"},
        {"0.02ms", 44100, 2, 0, "--skip 0.02ms: that is 1 frames at 44100 Hz; must be 2 or more"},
        /* rounding to double twice gives these wrong */
        {"0.145s", 100, 1, 15, NULL},
        {"0.1449999999999999s", 100, 1, 14, NULL},
        {"1.005s", 100, 1, 101, NULL},
        {"5s", 44.3, 1, 222, NULL},
        {"4.99999999999999999s", 44.3, 1, 221, NULL},
        {"35us", 1e5 / 7, 1, 1, NULL},
        {"0.0000000000000000000000001s", 5e24, 1, 1, NULL},
        {"0.9999999999999999999h", 12345.678901234567, 1, 0,
         "--skip 0.9999999999999999999h: too many digits for a rate of 12345.678901234567 Hz"},
    };

    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        char words[64];
        struct error error = {.reason = ""};
        uint64_t frames = 12345;
        const struct rate_ratio decimal = {.frames = 0};
        struct span span;
        int result = 0;

        snprintf(words, sizeof words, "-w|1|--skip|%s", spans[i].length);
        span = good(words).settings.skip;
        CHECK(span.given);
        result = settings_span(&span, spans[i].rate, decimal, spans[i].least, 99, &frames, &error);
        if (spans[i].text == NULL) {
            CHECK_THAT(result == 0, "%s: %s", words, words_of(&error));
            CHECK_THAT(frames == spans[i].frames, "%s: %llu", words, (unsigned long long)frames);
        } else {
            CHECK_THAT(result == -1 && error.status == STATUS_USAGE, "%s", words);
            CHECK_THAT(strcmp(words_of(&error), spans[i].text) == 0, "%s: %s", words,
                       words_of(&error));
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
