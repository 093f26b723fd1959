/* A stream that begins far from its first frame, past 32 bits or past the integers of a double: the
 * output frames are those of a stream from 0, and frame numbers stay exact. */
#include "check.h"
#include "words.h"

#include <inttypes.h>
#include <stdio.h>

#include "format/text/stats.h"
#include "job/fakes.h"

enum { COUNT = 3000, WIDTH = 64, EVERY = 1000 };

static const uint64_t firsts[] = {
    (UINT64_C(1) << 31) - 500, (UINT64_C(1) << 32) - 500, (UINT64_C(1) << 53) - 500,
    (UINT64_C(1) << 53) + 1,   (UINT64_C(1) << 62) + 3,
};

/* Noise that depends on the distance from the stream's beginning; the largest and the least are at
 * known places. */
static float sample(size_t frame)
{
    if (frame % EVERY == 17)
        return 1000;
    if (frame % EVERY == 711)
        return -1000;
    return (float)((frame * 7919) % 1009);
}

static int run(const struct engine_class *class, uint64_t first, size_t nan_at, struct error *error)
{
    struct machine machine;
    struct pipeline pipeline = fake_stream(&ordered, &machine, class);
    int failed;

    source.nan_at = nan_at;
    planned.frames = SOURCE_FRAMES_UNKNOWN;
    planned.extent.start = planned.extent.own = first;
    planned.extent.windows.from = first + WIDTH - 1;
    planned.setup.chunk_frames = 333;
    planned.setup.nan = NAN_ERROR;
    memset(error, 0, sizeof *error);
    window_init(&planned.setup.window, WIDTH, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    CHECK(machine_open(&machine, 2, NULL, 0) == 0);
    failed = pipeline_run(&pipeline, &result, error);
    machine_close(&machine);
    return failed;
}

static void check_stream(uint64_t first)
{
    static const struct engine_class *const classes[] = {&engine_cpu, &engine_lemire};
    struct error error;
    char words[128];

    for (size_t i = 0; i < 2; i++) {
        CHECK_THAT(run(classes[i], 0, NEVER, &error) == 0, "%s", words_of(&error));
        due_note();
        CHECK_THAT(run(classes[i], first, NEVER, &error) == 0, "%s", words_of(&error));
        CHECK_THAT(due_count == COUNT - WIDTH + 1, "%" PRIu64 ": %zu frames", first, due_count);
        due_check("far");

        CHECK(run(classes[i], first, 2000, &error) == -1);
        snprintf(words, sizeof words, "fake: NaN in frame %" PRIu64 ", channel 1 (--nan error)",
                 first + 2000);
        CHECK_THAT(strcmp(words_of(&error), words) == 0, "%s; due: %s", words_of(&error), words);
        CHECK(sink.count == 2000 - WIDTH + 1);
    }
}

/* Each record's frame numbers, to the last digit. */
static void check_stats(uint64_t first)
{
    const struct stats_setup setup = {
        .format = STATS_TSV, .every = EVERY, .sample = {.kind = SAMPLE_F32}, .channels = 1};
    struct stats *stats = stats_open(&setup, NULL, first);
    const struct stats_parts none = {.count = 0};
    struct memory_text text = {.used = 0};
    char *line;

    CHECK(stats != NULL);
    if (stats == NULL)
        return;
    CHECK(stats_add(stats, values, NULL, COUNT, &none, &text) == 0 && stats_end(stats, &text) == 0);
    CHECK(stats_records(stats) == COUNT / EVERY);
    CHECK(memory_text_add(&text, "", 1) == 0);
    line = strchr(text.bytes, '\n');
    for (uint64_t block = first; block < first + COUNT && line != NULL; block += EVERY) {
        char words[128];

        snprintf(words, sizeof words, "\n%" PRIu64 "\t%d\t0\t-1000\t%" PRIu64 "\t", block, EVERY,
                 block + 711);
        CHECK_THAT(strncmp(line, words, strlen(words)) == 0, "%.100s; due:%s", line, words);
        line = strchr(line + 1, '\n');
    }
    memory_text_free(&text);
    stats_close(stats);
}

int main(void)
{
    if (!due_open())
        return 1;
    reset_fakes();
    source.end = COUNT;
    source.piece = 101;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = sample(i);
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        check_stream(firsts[i]);
        check_stats(firsts[i]);
    }
    due_close();
    return check_result();
}
