/* SPDX-License-Identifier: MIT */
/* The report of a run: JSON, and the same as text. */
#include "table.h"

#include <math.h>
#include <stdint.h>

#include "heard.h"
#include "job/job_priv.h"
#include "tool/host_priv.h"
#include "tool/messages.h"

/* The result of the example; a test may change it. */
static struct run_result result;

static void make_account(void)
{
    result = (struct run_result){
        .in_frames = UINT64_MAX,
        .out_frames = 3,
        .in_bytes = 12,
        .out_bytes = 24,
        .chunks = 1,
        .seconds = 0.1,
        .busy = {0.25, 1.0 / 3, 1e-9},
        .engine = "cpu",
        .engine_words = "avx2, 2 threads",
        .way = "pieces",
        .workers = 2,
        .device = {.number = 0,
                   .state = DEVICE_FAILED,
                   .frames = 20,
                   .started = 0.5,
                   .failed = 1.5,
                   .words = "a \"card\"",
                   .error = {.code = ERROR_RESOURCE,
                             .subject = "cuda device 0",
                             .reason = "kernel: fault"}},
    };
}

/* The job of the example. */
static struct source source = {.container = "wav", .encoding = "s16le"};
static struct sink sink;
static struct settings settings;
static struct job_files task;
static struct output stats_output = {.name = "level.tsv"};
static struct stats *stats; /* of 12 records */
static const struct stream_plan planned = {
    .setup = {.channels = 2, .window = {.width = 512, .hop = 1}}};
static struct job job;

static void open_stats(void)
{
    static const unsigned char samples[12];
    const struct stats_setup setup = {.every = 1, .sample = {.kind = SAMPLE_U8}, .channels = 2};
    struct memory_text text = {.bytes = NULL};

    stats = stats_open(&setup, NULL, 0);
    CHECK(stats != NULL && stats_add(stats, samples, NULL, 6, &text) == 0);
    memory_text_free(&text);
}

static void make_job(void)
{
    make_account();
    settings.stats_format = STATS_TSV;
    sink = (struct sink){
        .format = {.container = "raw", .sample = {.kind = SAMPLE_F32}},
        .losses.clipped = 7,
    };
    job = (struct job){
        .host = &tool_host,
        .settings = &settings,
        .task = &task,
        .input.name = "in.wav",
        .outputs[OUTPUT_FRAMES].name = "standard output",
        .pipeline = {.source = &source,
                     .sink = &sink,
                     .stats = stats,
                     .stats_output = &stats_output,
                     .plan = &planned},
        .result = &result,
    };
}

/* The JSON of a report, until the next one. */
static const char *written(const struct error *failure)
{
    static char *text;
    size_t size;

    free(text);
    text = report_format(&job, failure, false, &size);
    CHECK(text != NULL && strlen(text) == size);
    return text;
}

/* Of the example, from the second line on. */
static const char example[] =
    "\n"
    "  \"status\": 0,\n"
    "  \"error\": null,\n"
    "  \"input\": \"in.wav\",\n"
    "  \"input_container\": \"wav\",\n"
    "  \"input_encoding\": \"s16le\",\n"
    "  \"output\": \"standard output\",\n"
    "  \"output_container\": \"raw\",\n"
    "  \"output_encoding\": \"f32le\",\n"
    "  \"channels\": 2,\n"
    "  \"width\": 512,\n"
    "  \"hop\": 1,\n"
    "  \"in_frames\": 18446744073709551615,\n"
    "  \"out_frames\": 3,\n"
    "  \"in_bytes\": 12,\n"
    "  \"out_bytes\": 24,\n"
    "  \"clipped\": 7,\n"
    "  \"chunks\": 1,\n"
    "  \"stats\": \"level.tsv\",\n"
    "  \"stats_format\": \"tsv\",\n"
    "  \"stats_records\": 12,\n"
    "  \"engine\": \"cpu\",\n"
    "  \"engine_words\": \"avx2, 2 threads\",\n"
    "  \"seconds\": 0.1,\n"
    "  \"busy\": {\"reader\": 0.25, \"engine\": 0.3333333333333333, \"writer\": 1e-09},\n"
    "  \"bottleneck\": \"engine\",\n"
    "  \"way\": \"pieces\",\n"
    "  \"why\": null,\n"
    "  \"workers\": 2,\n"
    "  \"choice\": null,\n"
    "  \"engines\": [{\"engine\": \"cpu\", \"words\": \"avx2, 2 threads\", \"frames\": "
    "18446744073709551595}, {\"engine\": \"cuda:0\", \"words\": \"a \\\"card\\\"\", \"frames\": "
    "20, \"started\": 0.5, \"failed\": 1.5, \"why\": \"kernel: fault\"}]\n"
    "}\n";

static void test_report(void)
{
    static const struct error failure = {
        .code = ERROR_FILE, .status = STATUS_FAILED, .subject = "in.f32", .reason = "broken"};
    const char *text;

    make_job();
    text = written(NULL);
    CHECK(strncmp(text, "{\n  \"version\": \"", 16) == 0);
    text = strchr(text + 2, '\n');
    CHECK_THAT(text != NULL && strcmp(text, example) == 0, "%s", text == NULL ? "" : text);

    result.seconds = (double)INFINITY;
    result.busy[2] = (double)NAN;
    text = written(&failure);
    CHECK(strstr(text, "\"seconds\": null,") != NULL);
    CHECK(strstr(text, "\"writer\": null}") != NULL);
    CHECK(strstr(text, "\"status\": 2,\n  \"error\": \"in.f32: broken\",") != NULL);

    result.engine = NULL; /* there was no stream */
    task.input = "a";
    text = written(&failure);
    CHECK(strstr(text, "\"input\": \"a\",\n  \"input_container\": null,") != NULL);
    CHECK(strstr(text, "\"output_encoding\": null,") != NULL);
    CHECK(strstr(text, "\"stats\": null,") != NULL);

    job.plan.choice = (struct choice){.why = "so", .cpu_seconds = 0.5, .device_seconds = 0.25};
    text = written(&failure);
    CHECK(strstr(text, "\"choice\": {\"device\": \"cpu\", \"why\": \"so\", "
                       "\"cpu_seconds\": 0.5, \"cuda_seconds\": 0.25},") != NULL);
    job.plan.choice = (struct choice){.device = false};
}

/* File names are any bytes except NUL; what is not UTF-8 becomes U+FFFD, byte by byte. */
static void test_strings(void)
{
    TABLE (row, "strings", 2) {
        char want[128];

        make_job();
        job.input.name = row.field[0];
        snprintf(want, sizeof want, "\n  \"input\": %s,\n", row.field[1]);
        CHECK_THAT(strstr(written(NULL), want) != NULL, "%s", want);
    }
}

static void test_report_say(void)
{
    make_job();
    result.in_frames = 3000;
    result.seconds = 0.5;
    listen_to_pipe();
    messages_level(MESSAGES_VERBOSE);
    report_say(&job);
    expect("report", "gpuenv: read 3000 frames (12 B) from in.wav\n"
                     "gpuenv: wrote 3 frames (24 B) to standard output\n"
                     "gpuenv: wrote 12 records of statistics to level.tsv\n"
                     "gpuenv: pieces, by 2 workers\n"
                     "gpuenv: cpu engine (avx2, 2 threads): 0.500 s, 6.0 kframe/s, 24 B/s, "
                     "chunks: 1\n"
                     "gpuenv: busy: reader 50%, engine 67%, writer 0%; the engine is the "
                     "bottleneck\n"
                     "gpuenv: cuda:0 (a \"card\"): started after 0.500 s, did 20 frames\n"
                     "gpuenv: cuda:0: failed after 1.500 s: kernel: fault\n");
}

static void check_names(const char *due)
{
    char names[64];

    report_name_engines(&result, names, sizeof names);
    CHECK_THAT(strcmp(names, due) == 0, "'%s', not '%s'", names, due);
}

static void test_names(void)
{
    make_account();
    check_names("cpu and cuda:0");
    result.in_frames = 20;
    check_names("cuda:0");
    result.in_frames = result.device.frames = 0;
    check_names("cpu");
    result.engine = NULL;
    check_names("");
}

static void test_bottleneck(void)
{
    make_job();
    result.busy[2] = 3;
    CHECK(strstr(written(NULL), "\"bottleneck\": \"writer\"") != NULL);
    result.busy[0] = 4;
    CHECK(strstr(written(NULL), "\"bottleneck\": \"reader\"") != NULL);
}

static void close_stats(void)
{
    stats_close(stats);
}

CHECK_MAIN(open_stats, test_report, test_strings, test_report_say, test_names, test_bottleneck,
           close_stats)
