/* SPDX-License-Identifier: MIT */
/* A command line and what it makes of an input: the first line is "frames channels rate", each line
 * behind it a word. What is parsed is planned; both are pure. */
#include "../unit/words.h"
#include "fuzz.h"

#include <string.h>

#include "job/plan_priv.h"
#include "tool/options_priv.h"

enum { WORDS_MOST = 24, TEXT_MOST = 1024 };

static struct machine machine = {.cpus = 4, .threads_most = 4, .memory = UINT64_C(1) << 32};

static void check_error(const struct error *error)
{
    FUZZ_CHECK(words_of(error)[0] != '\0');
    FUZZ_CHECK(error->status == STATUS_USAGE || error->status == STATUS_FAILED);
    FUZZ_CHECK(memchr(error->reason, '\0', sizeof error->reason) != NULL);
}

static void check_plan(const struct plan *plan, const struct source_format *source)
{
    FUZZ_CHECK(plan->stream.setup.window.width >= 1 && plan->stream.setup.window.hop >= 1);
    FUZZ_CHECK(plan->stream.setup.chunk_frames >= 1 &&
               plan->stream.setup.channels == source->channels);
    if (source->frames != SOURCE_FRAMES_UNKNOWN) {
        FUZZ_CHECK(plan->stream.frames <= source->frames && plan->reads <= source->frames);
        FUZZ_CHECK(plan->sink.frames == SINK_FRAMES_UNKNOWN || plan->sink.frames <= source->frames);
    }
}

static void try_plan(const struct options *options, const struct source_format *source, bool raw)
{
    const struct source from = {.format = *source, .table = &source_no_table};
    static struct plan plan;
    struct error error = {.reason = ""};

    if (plan_begin(&plan, &options->settings, &options->task, raw, &error) != 0 ||
        plan_stream(&plan, &options->settings, &options->task, &from, &error) != 0) {
        check_error(&error);
        return;
    }
    plan_engine(&plan, &options->settings, &machine, &engine_cpu);
    check_plan(&plan, source);
    if (plan_check_memory(&plan, &options->settings, &options->task, &machine, &error) != 0)
        check_error(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char program[] = "gpuenv";
    char text[TEXT_MOST];
    char *words[WORDS_MOST + 1] = {program};
    int count = 1;
    unsigned long long frames = 0;
    unsigned long channels = 0;
    double rate = 0;
    char *end = NULL;
    struct options options;
    struct error error = {.reason = ""};

    if (size >= sizeof text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    frames = strtoull(text, &end, 10);
    channels = strtoul(end, &end, 10);
    rate = strtod(end, &end);
    if (*end != '\n' || channels < 1 || channels > 65535 || !(rate >= 0 && rate < 1e12))
        return 0;
    for (char *next = strchr(text, '\n'); next != NULL && count < WORDS_MOST;) {
        *next++ = '\0';
        words[count++] = next;
        next = strchr(next, '\n');
    }
    words[count] = NULL;
    if (options_parse(&options, count, words, &error) != 0) {
        check_error(&error);
        return 0;
    }
    if (options.action == OPTIONS_RUN) {
        const struct source_format source = {.sample = {.kind = SAMPLE_F32},
                                             .channels = (unsigned)channels,
                                             .rate = rate,
                                             .frames = frames};

        try_plan(&options, &source, rate == 0);
    }
    return 0;
}
