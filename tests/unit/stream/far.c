/* A stream that begins far from its first frame, past 32 bits or past the integers of a double: the
 * output frames are those of a stream from 0, and frame numbers stay exact. */
#include "check.h"
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats/stats.h"
#include "stream/pipeline.h"

enum { FRAMES = 3000, WIDTH = 64, EVERY = 1000 };

static const uint64_t firsts[] = {
    (UINT64_C(1) << 31) - 500, (UINT64_C(1) << 32) - 500, (UINT64_C(1) << 53) - 500,
    (UINT64_C(1) << 53) + 1,   (UINT64_C(1) << 62) + 3,
};

struct far_source {
    struct source source;
    struct input input;
    size_t next;
    size_t nan_at;
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

static int far_read(struct source *source, void *frames, size_t room, size_t *got,
                    struct error *error)
{
    struct far_source *far = (struct far_source *)(void *)source;
    float *samples = frames;

    (void)error;
    for (*got = 0; *got < room && *got < 101 && far->next < FRAMES; far->next++)
        samples[(*got)++] = far->next == far->nan_at ? NAN : sample(far->next);
    return 0;
}

static bool far_ready(struct source *source, unsigned microseconds)
{
    (void)source;
    (void)microseconds;
    return true;
}

static const struct source_class far_source_class = {.read = far_read, .ready = far_ready};

struct kept_sink {
    struct sink sink;
    struct output output;
    float frames[FRAMES * 2];
    size_t count;
};

static int kept_write(struct sink *sink, void *frames, size_t count, bool gift, struct error *error)
{
    struct kept_sink *kept = (struct kept_sink *)(void *)sink;

    (void)gift;
    (void)error;
    memcpy(kept->frames + kept->count * 2, frames, count * 2 * sizeof(float));
    kept->count += count;
    return 0;
}

static int kept_finish(struct sink *sink, struct error *error)
{
    (void)sink;
    (void)error;
    return 0;
}

static const struct sink_class kept_sink_class = {.write = kept_write, .finish = kept_finish};

static struct kept_sink near;
static struct kept_sink far;

static int run(const struct engine_class *class, uint64_t first, size_t nan_at,
               struct kept_sink *kept, struct error *error)
{
    struct far_source source = {
        .source = {.class = &far_source_class, .format = {.frames = SOURCE_FRAMES_UNKNOWN}},
        .input = {.name = "far", .stop_fd = -1, .end_fd = -1},
        .nan_at = nan_at};
    struct machine machine;
    struct account account;
    struct pipeline_progress progress = {.chunks = 0};
    struct pipeline pipeline = {
        .progress = &progress,
        .machine = &machine,
        .source = &source.source,
        .plan.frames = SOURCE_FRAMES_UNKNOWN,
        .plan.limit = UINT64_MAX,
        .plan.extent = {.start = first,
                        .own = first,
                        .windows = {first + WIDTH - 1, UINT64_MAX},
                        .blocks = RANGE_ALL},
        .plan.engine_class = class,
        .sink = &kept->sink,
        .plan.setup = {.emits = {2, {EMIT_MIN, EMIT_MAX}},
                       .channels = 1,
                       .chunk_frames = 333,
                       .nan = NAN_ERROR},
    };
    int result;

    source.source.input = &source.input;
    memset(kept, 0, sizeof *kept);
    memset(error, 0, sizeof *error);
    kept->sink = (struct sink){.class = &kept_sink_class, .output = &kept->output};
    window_init(&pipeline.plan.setup.window, WIDTH, 1, ALIGN_CAUSAL, EDGE_SHRINK);
    CHECK(machine_open(&machine, 2, NULL, 0) == 0);
    result = pipeline_run(&pipeline, &account, error);
    machine_close(&machine);
    return result;
}

static void check_stream(uint64_t first)
{
    static const struct engine_class *const classes[] = {&engine_cpu, &engine_lemire};
    struct error error;
    char due[128];

    for (size_t i = 0; i < 2; i++) {
        CHECK_THAT(run(classes[i], 0, SIZE_MAX, &near, &error) == 0, "%s", words_of(&error));
        CHECK_THAT(run(classes[i], first, SIZE_MAX, &far, &error) == 0, "%s", words_of(&error));
        CHECK_THAT(near.count == FRAMES - WIDTH + 1 && far.count == near.count,
                   "%" PRIu64 ": %zu frames", first, far.count);
        CHECK(memcmp(near.frames, far.frames, near.count * 2 * sizeof(float)) == 0);

        CHECK(run(classes[i], first, 2000, &far, &error) == -1);
        snprintf(due, sizeof due, "far: NaN in frame %" PRIu64 ", channel 0 (--nan error)",
                 first + 2000);
        CHECK_THAT(strcmp(words_of(&error), due) == 0, "%s; due: %s", words_of(&error), due);
        CHECK(far.count == 2000 - WIDTH + 1);
    }
}

/* Each record's frame numbers, to the last digit. */
static void check_stats(uint64_t first)
{
    const struct stats_setup setup = {
        .format = STATS_TSV, .every = EVERY, .sample = {.kind = SAMPLE_F32}, .channels = 1};
    struct stats *stats = stats_open(&setup, NULL, first);
    const struct stats_parts none = {.count = 0};
    struct stats_text text = {.used = 0};
    static float frames[FRAMES];
    char *line;

    CHECK(stats != NULL);
    if (stats == NULL)
        return;
    for (size_t i = 0; i < FRAMES; i++)
        frames[i] = sample(i);
    CHECK(stats_add(stats, frames, FRAMES, &none, &text) == 0 && stats_end(stats, &text) == 0);
    CHECK(stats_records(stats) == FRAMES / EVERY);
    CHECK(stats_text_put(&text, "", 1) == 0);
    line = strchr(text.bytes, '\n');
    for (uint64_t block = first; block < first + FRAMES && line != NULL; block += EVERY) {
        char due[128];

        snprintf(due, sizeof due, "\n%" PRIu64 "\t%d\t0\t-1000\t%" PRIu64 "\t", block, EVERY,
                 block + 711);
        CHECK_THAT(strncmp(line, due, strlen(due)) == 0, "%.100s; due:%s", line, due);
        line = strchr(line + 1, '\n');
    }
    stats_text_free(&text);
    stats_close(stats);
}

int main(void)
{
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        check_stream(firsts[i]);
        check_stats(firsts[i]);
    }
    return check_result();
}
