/* The command line: what every option sets. */
#include "command_line.h"

#include <math.h>
#include <stdlib.h>

#include "cli/help.h"

/* Parses what must be right. */
static struct options good(const char *words)
{
    struct options options = {.action = OPTIONS_HELP};
    struct error error = {.text = ""};
    int result = parse(words, &options, &error);

    CHECK_THAT(result == 0, "%s: %s", words, error.text);
    return options;
}

static void test_defaults(void)
{
    struct options options = good("-w|512");

    CHECK(options.action == OPTIONS_RUN);
    CHECK(options.input_count == 0 && options.task.input == NULL);
    CHECK(options.task.output == NULL);
    CHECK(strcmp(options.settings.type, "auto") == 0);
    CHECK(options.settings.output_type == NULL);
    CHECK(options.settings.channels == 1 && !options.settings.channels_given);
    CHECK(options.settings.rate == 0);
    CHECK(!options.settings.big_endian && !options.settings.counts && !options.settings.force);
    CHECK(options.settings.window.given && !options.settings.window.is_time &&
          options.settings.window.frames == 512);
    CHECK(strcmp(options.settings.window.text, "512") == 0);
    CHECK(!options.settings.hop.given && !options.settings.skip.given &&
          !options.settings.frames.given);
    CHECK(options.settings.align == ALIGN_VALID && options.settings.edge == EDGE_SHRINK);
    CHECK(options.settings.emits.count == 2);
    CHECK(options.settings.emits.item[0] == EMIT_MIN && options.settings.emits.item[1] == EMIT_MAX);
    CHECK(options.settings.nan == NAN_PROPAGATE);
    CHECK(options.settings.device == DEVICE_AUTO && options.settings.device_index == 0);
    CHECK(options.settings.threads == 0 && options.settings.isa == NULL &&
          options.settings.chunk == 0 && !options.settings.lemire);
    CHECK(!options.settings.quiet && !options.verbose &&
          options.settings.progress == PROGRESS_AUTO);
    CHECK(options.task.report == NULL);
    CHECK(options.task.stats == NULL && !options.settings.stats_every.given);
    CHECK(options.settings.stats_format == STATS_JSONL);
}

static void test_stats(void)
{
    struct options options = good("--emit|none|--stats|-|--stats-every|10ms|--stats-format|tsv|-");

    CHECK(options.settings.emits.count == 0 && !options.settings.window.given);
    CHECK(strcmp(options.task.stats, "-") == 0);
    CHECK(options.settings.stats_every.is_time && options.settings.stats_every.seconds == 0.01);
    CHECK(options.settings.stats_format == STATS_TSV);
    options = good("-w|3|--stats|/dev/fd/3|-o|x");
    CHECK(options.settings.emits.count == 2 && strcmp(options.task.stats, "/dev/fd/3") == 0);
}

static void test_texts(void)
{
    struct options options = good("in.f32|-w|7|-o|out.f32|-t|s16|-T|f64be|--report|r.json");

    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "in.f32") == 0);
    CHECK(options.inputs[0] == line.text && options.task.input == line.text);
    CHECK(strcmp(options.task.output, "out.f32") == 0);
    CHECK(options.task.output > line.text && options.task.output < line.text + sizeof line.text);
    CHECK(strcmp(options.settings.type, "s16") == 0);
    CHECK(strcmp(options.settings.output_type, "f64be") == 0);
    CHECK(strcmp(options.task.report, "r.json") == 0);

    options = good("--output=x|--type=cu8|--output-type=u8|--window=1|-");
    CHECK(strcmp(options.task.output, "x") == 0 && strcmp(options.settings.type, "cu8") == 0);
    CHECK(strcmp(options.settings.output_type, "u8") == 0);
    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "-") == 0);

    options = good("-w|1|--|-w");
    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "-w") == 0);
    options = good("-w|1|--report|/dev/null|-o|/dev/null|/dev/null");
    CHECK(strcmp(options.task.report, "/dev/null") == 0);
    CHECK(good("-w|1|--report|/dev/stdout|-o|x").task.report != NULL);
    CHECK(good("-w|1|--report|/dev/stderr").task.report != NULL);
    options = good("-w|1|-o||");
    CHECK(options.task.output[0] == '\0' && options.input_count == 1); /* opening them will say */
}

static void test_words(void)
{
    struct options options = good("-w|1|--align|causal|--edge|nan|--nan|omit");

    CHECK(options.settings.align == ALIGN_CAUSAL && options.settings.edge == EDGE_NAN &&
          options.settings.nan == NAN_OMIT);
    options = good("-w|1|--align=center|--edge=shrink|--nan=error");
    CHECK(options.settings.align == ALIGN_CENTER && options.settings.edge == EDGE_SHRINK);
    CHECK(options.settings.nan == NAN_ERROR);
    options = good("-w|1|--align=valid|--nan=propagate");
    CHECK(options.settings.align == ALIGN_VALID && options.settings.nan == NAN_PROPAGATE);
    CHECK(good("-w|1|--algorithm|lemire").settings.lemire);
    CHECK(!good("-w|1|--algorithm|lemire|--algorithm|engine").settings.lemire);
    CHECK(strcmp(good("-w|1|--isa|scalar").settings.isa, "scalar") == 0);
    CHECK(strcmp(good("-w|1|--isa|sse4").settings.isa, "sse4") == 0);
    CHECK(strcmp(good("-w|1|--isa|avx2").settings.isa, "avx2") == 0);
    CHECK(strcmp(good("-w|1|--isa|avx512").settings.isa, "avx512") == 0);
    CHECK(strcmp(good("-w|1|--isa|neon").settings.isa, "neon") == 0);

    options = good("-w|1|--emit|mid,range,abs,max,min");
    CHECK(options.settings.emits.count == 5);
    CHECK(options.settings.emits.item[0] == EMIT_MID &&
          options.settings.emits.item[1] == EMIT_RANGE);
    CHECK(options.settings.emits.item[2] == EMIT_ABS && options.settings.emits.item[3] == EMIT_MAX);
    CHECK(options.settings.emits.item[4] == EMIT_MIN);
    options = good("-w|1|--emit|min,max|--emit|abs");
    CHECK(options.settings.emits.count == 1 && options.settings.emits.item[0] == EMIT_ABS);

    CHECK(good("-w|1|--device|cpu").settings.device == DEVICE_CPU);
    CHECK(good("-w|1|--device|auto").settings.device == DEVICE_AUTO);
    options = good("-w|1|--device|cuda");
    CHECK(options.settings.device == DEVICE_CUDA && options.settings.device_index == 0);
    options = good("-w|1|--device|cuda:12");
    CHECK(options.settings.device == DEVICE_CUDA && options.settings.device_index == 12);
    options = good("-w|1|--device|cuda:12|--device|cpu");
    CHECK(options.settings.device == DEVICE_CPU && options.settings.device_index == 0);
}

static void test_switches(void)
{
    struct options options = good("-BfvL|-w1|--counts|--progress");

    CHECK(!options.settings.big_endian && options.settings.force && options.verbose &&
          !options.settings.quiet);
    CHECK(options.settings.counts && options.settings.progress == PROGRESS_ON);
    CHECK(options.settings.window.frames == 1);
    CHECK(good("-w1|-L|-B").settings.big_endian);
    CHECK(good("-w1|--big-endian").settings.big_endian);
    CHECK(!good("-w1|--big-endian|--little-endian").settings.big_endian);
    CHECK(good("-w1|--force").settings.force);
    options = good("-w1|-v|-q");
    CHECK(options.settings.quiet && !options.verbose);
    options = good("-w1|--quiet|--verbose");
    CHECK(!options.settings.quiet && options.verbose);
    CHECK(good("-w1|--progress|--no-progress").settings.progress == PROGRESS_OFF);
    CHECK(good("-w1|--no-progress|--progress").settings.progress == PROGRESS_ON);
    CHECK(good("-w1|--no").settings.progress == PROGRESS_OFF);
    CHECK(good("-h").action == OPTIONS_HELP);
    CHECK(good("--help").action == OPTIONS_HELP);
    CHECK(good("a|b|--help|--hopp").action == OPTIONS_HELP);
    CHECK(good("-V").action == OPTIONS_VERSION);
    CHECK(good("-w|5|--version").action == OPTIONS_VERSION);
}

static void test_numbers(void)
{
    struct options options = good("-w|9223372036854775807|-c|65535|--threads|1024");

    CHECK(options.settings.window.frames == INT64_MAX);
    CHECK(options.settings.channels == 65535 && options.settings.channels_given &&
          options.settings.threads == 1024);
    CHECK(good("-w|0000012").settings.window.frames == 12);
    CHECK(good("-w|1|-c|1").settings.channels_given);
    CHECK(good("-w|1|--chunk|1073741824").settings.chunk == (size_t)1 << 30);
    CHECK(good("-w|1|--chunk|1").settings.chunk == 1);
    options = good("-w|1|--skip|0|--frames|0|--hop|3");
    CHECK(options.settings.skip.given && options.settings.skip.frames == 0);
    CHECK(options.settings.frames.given && options.settings.frames.frames == 0);
    CHECK(options.settings.hop.given && options.settings.hop.frames == 3);

    CHECK(good("-w|1|-r|48000").settings.rate == 48000);
    CHECK(good("-w|1|-r|44.1k").settings.rate == 44100);
    CHECK(good("-w|1|-r|2.4M").settings.rate == 2400000);
    CHECK(good("-w|1|-r|1.005k").settings.rate == 1005); /* 1.005 * 1000 is not, in double */
    CHECK(good("-w|1|-r|1G").settings.rate == 1e9);
    CHECK(good("-w|1|-r|.5").settings.rate == 0.5);
    CHECK(good("-w|1|-r|2.4e6").settings.rate == 2.4e6);
    CHECK(good("-w|1|--rate=1E+3").settings.rate == 1e3);
    CHECK(good("-w|1|-r|22050.5").settings.rate == 22050.5);
}

static void test_times(void)
{
    static const struct {
        const char *words;
        double seconds;
    } times[] = {
        {"-w|10ms", 0.01},    {"-w|250us", 0.00025}, {"-w|1.5s", 1.5}, {"-w|2min", 120},
        {"-w|0.5h", 1800},    {"-w|.5s", 0.5},       {"-w|5.s", 5},    {"-w|1.1ms", 0.0011},
        {"-w|0ms", 0},        {"-w|0.0h", 0},        {"-w|007s", 7},   {"-w|1000000us", 1},
        {"-w|0.3ms", 0.0003},
    };

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct span span = good(times[i].words).settings.window;

        CHECK(span.given && span.is_time && span.frames == 0);
        CHECK_THAT(span.seconds == times[i].seconds, "%s: %.17g", times[i].words, span.seconds);
        CHECK(strcmp(span.text, times[i].words + 3) == 0);
    }
}

static void test_spans(void)
{
    static const struct {
        const char *length;
        double rate;
        uint64_t least;
        uint64_t frames;
        const char *text; /* NULL: right */
    } spans[] = {
        {"512", 0, 1, 512, NULL},
        {"512", 44100, 512, 512, NULL},
        {"9223372036854775807", 0, 1, INT64_MAX, NULL},
        {"2", 0, 3, 0, "--skip 2: must be 3 or more"},
        {"0", 0, 0, 0, NULL},
        {"10ms", 44100, 1, 441, NULL},
        {"0.25ms", 44100, 1, 11, NULL},
        {"0.2ms", 44100, 1, 9, NULL},
        {"250us", 48000, 1, 12, NULL},
        {"1.5s", 10, 1, 15, NULL},
        {"0.5ms", 1000, 1, 1, NULL}, /* a half goes up */
        {"1.5ms", 1000, 1, 2, NULL},
        {"2.5ms", 1000, 1, 3, NULL},
        {"1h", 192000, 1, 691200000, NULL},
        {"0ms", 1000, 0, 0, NULL},
        {"10ms", 0, 1, 0, "--skip 10ms: the rate of the input is not known: give -r HZ, or frames"},
        {"0ms", 0, 0, 0, "--skip 0ms: the rate of the input is not known: give -r HZ, or frames"},
        {"0ms", 1000, 1, 0, "--skip 0ms: that is 0 frames at 1000 Hz; must be 1 or more"},
        {"0.4ms", 1000, 1, 0, "--skip 0.4ms: that is 0 frames at 1000 Hz; must be 1 or more"},
        {"0.02ms", 44100, 2, 0, "--skip 0.02ms: that is 1 frames at 44100 Hz; must be 2 or more"},
        {"9e", 0, 0, 0, NULL}, /* the end */
    };

    for (size_t i = 0; strcmp(spans[i].length, "9e") != 0; i++) {
        char words[64];
        struct error error = {.text = ""};
        uint64_t frames = 12345;
        struct span span;
        int result = 0;

        snprintf(words, sizeof words, "-w|1|--skip|%s", spans[i].length);
        span = good(words).settings.skip;
        result = settings_span(&span, "--skip", spans[i].rate, spans[i].least, 99, &frames, &error);
        if (spans[i].text == NULL) {
            CHECK_THAT(result == 0, "%s: %s", words, error.text);
            CHECK_THAT(frames == spans[i].frames, "%s: %llu", words, (unsigned long long)frames);
        } else {
            CHECK_THAT(result == -1 && error.status == STATUS_USAGE, "%s", words);
            CHECK_THAT(strcmp(error.text, spans[i].text) == 0, "%s: %s", words, error.text);
        }
    }
}

static void test_span_ends(void)
{
    struct error error = {.text = ""};
    struct span span = {.given = false};
    uint64_t frames = 0;

    CHECK(settings_span(&span, "--hop", 0, 1, 77, &frames, &error) == 0 && frames == 77);
    CHECK(settings_span(&span, "--frames", 0, 0, UINT64_MAX, &frames, &error) == 0);
    CHECK(frames == UINT64_MAX);
    span = good("-w|100000000000000h").settings.window;
    CHECK(settings_span(&span, "-w", 1e6, 1, 1, &frames, &error) == -1);
    CHECK_THAT(strcmp(error.text, "-w 100000000000000h: too large") == 0, "%s", error.text);
    span = good("-w|9223372036854774784s").settings.window; /* the last double below 2^63 */
    CHECK(settings_span(&span, "-w", 1, 1, 1, &frames, &error) == 0);
    CHECK(frames == UINT64_C(9223372036854774784));
    span = good("-w|9223372036854775808s").settings.window;
    CHECK(settings_span(&span, "-w", 1, 1, 1, &frames, &error) == -1);
    span = good("-w|1s").settings.window;
    CHECK(settings_span(&span, "-w", (double)NAN, 1, 1, &frames, &error) == -1);
    CHECK(settings_span(&span, "-w", -5, 1, 1, &frames, &error) == -1);
    CHECK(strstr(error.text, "rate of the input is not known") != NULL);
}

/* getopt keeps its place between calls, also after an error in the middle of a word. */
static void test_again(void)
{
    struct options options;
    struct error error;

    for (int i = 0; i < 3; i++) {
        CHECK(parse("-fxv|-w|3", &options, &error) == -1);
        CHECK(strcmp(error.text, "-x: unknown option") == 0);
        CHECK(good("a|-w|3|-f").settings.window.frames == 3);
        CHECK(good("-hx").action == OPTIONS_HELP);
    }
    /* A program may be started without any word at all. */
    line.argv[0] = NULL;
    CHECK(options_parse(&options, 0, line.argv, &error) == -1);
    CHECK(strncmp(error.text, "-w: ", 4) == 0);
}

/* 79 columns, under 60 lines, plain ASCII. */
static void test_help(void)
{
    const char *text = help_text();
    char printable['~' - ' ' + 2] = "";
    size_t lines = 0;

    for (int c = ' '; c <= '~'; c++)
        printable[c - ' '] = (char)c;
    CHECK(strncmp(text, "Usage: gpuenv -w LEN [OPTION]... [FILE]\n", 40) == 0);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        CHECK_THAT(length <= 79, "%.*s", (int)length, text);
        CHECK(text[length] == '\n');
        CHECK(length == 0 || text[length - 1] != ' ');
        CHECK(strspn(text, printable) == length);
        text += length + (text[length] == '\n' ? 1 : 0);
        lines++;
    }
    CHECK_THAT(lines < 60, "%zu", lines);
    CHECK(strncmp(help_version(), "gpuenv ", 7) == 0);
}

int main(void)
{
    unsetenv("POSIXLY_CORRECT");
    test_defaults();
    test_stats();
    test_texts();
    test_words();
    test_switches();
    test_numbers();
    test_times();
    test_spans();
    test_span_ends();
    test_again();
    test_help();
    return check_result();
}
