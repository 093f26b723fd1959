/* tool/options: what every option sets. */
#include "command_line.h"
#include "words.h"

#include <stdlib.h>

static void test_defaults(void)
{
    struct options options = good("-w|512");

    CHECK(options.action == OPTIONS_RUN);
    CHECK(options.many.count == 0 && options.task.input == NULL);
    CHECK(options.task.output == NULL);
    CHECK(strcmp(options.settings.type, "auto") == 0);
    CHECK(options.settings.output_type == NULL);
    CHECK(options.settings.channels == 1 && !options.settings.channels_given);
    CHECK(options.settings.rate == 0);
    CHECK(!options.settings.big_endian && !options.settings.counts && !options.settings.force);
    CHECK(options.settings.window.given && !options.settings.window.is_time &&
          options.settings.window.frames == 512);
    CHECK(strcmp(options.settings.window.value.text, "512") == 0);
    CHECK(!options.settings.hop.given && !options.settings.skip.given &&
          !options.settings.frames.given);
    CHECK(options.settings.align == ALIGN_VALID && options.settings.edge == EDGE_SHRINK);
    CHECK(options.settings.emits.count == 2);
    CHECK(options.settings.emits.item[0] == EMIT_MIN && options.settings.emits.item[1] == EMIT_MAX);
    CHECK(options.settings.nan == NAN_PROPAGATE);
    CHECK(options.settings.device == DEVICE_AUTO && options.settings.devices[0] == 0);
    CHECK(options.settings.threads == 0 && options.settings.isa == NULL &&
          options.settings.chunk == 0 && !options.settings.lemire);
    CHECK(options.level == MESSAGES_NORMAL && options.settings.progress == PROGRESS_AUTO);
    CHECK(options.task.report == NULL);
    CHECK(options.task.stats == NULL && !options.settings.stats_every.given);
    CHECK(options.settings.stats_format == STATS_JSONL);
}

static void test_stats(void)
{
    struct options options = good("--emit|none|--stats|-|--stats-every|10ms|--stats-format|tsv|-");

    CHECK(options.settings.emits.count == 0 && !options.settings.window.given);
    CHECK(strcmp(options.task.stats, "-") == 0);
    CHECK(options.settings.stats_every.is_time && options.settings.stats_every.time == 1);
    CHECK(options.settings.stats_format == STATS_TSV);
    CHECK(good("-w1|--stats|a.tsv").settings.stats_format == STATS_TSV);
    CHECK(good("-w1|--stats|a.b/c.TXT").settings.stats_format == STATS_TSV);
    CHECK(good("-w1|--stats|.csv").settings.stats_format == STATS_CSV);
    CHECK(good("-w1|--stats|a.tsv/b").settings.stats_format == STATS_JSONL);
    CHECK(good("-w1|--stats|a.jsonl").settings.stats_format == STATS_JSONL);
    CHECK(good("-w1|--stats-format|jsonl|--stats|a.tsv").settings.stats_format == STATS_JSONL);
    CHECK(good("-w1|--stats|a.csv|--stats-format|text").settings.stats_format == STATS_TABLE);
    options = good("-w|3|--stats|/dev/fd/3|-o|x");
    CHECK(options.settings.emits.count == 2 && strcmp(options.task.stats, "/dev/fd/3") == 0);
}

static void test_texts(void)
{
    struct options options = good("in.f32|-w|7|-o|out.f32|-t|s16|-T|f64be|--report|r.json");

    CHECK(options.many.count == 1 && strcmp(options.many.operands[0], "in.f32") == 0);
    CHECK(options.many.operands[0] == line.text && options.task.input == line.text);
    CHECK(strcmp(options.task.output, "out.f32") == 0);
    CHECK(options.task.output > line.text && options.task.output < line.text + sizeof line.text);
    CHECK(strcmp(options.settings.type, "s16") == 0);
    CHECK(strcmp(options.settings.output_type, "f64be") == 0);
    CHECK(strcmp(options.task.report, "r.json") == 0);

    options = good("--output=x|--type=cu8|--output-type=u8|--window=1|-");
    CHECK(strcmp(options.task.output, "x") == 0 && strcmp(options.settings.type, "cu8") == 0);
    CHECK(strcmp(options.settings.output_type, "u8") == 0);
    CHECK(options.many.count == 1 && strcmp(options.many.operands[0], "-") == 0);

    options = good("-w|1|--|-w");
    CHECK(options.many.count == 1 && strcmp(options.many.operands[0], "-w") == 0);
    options = good("-w|1|--report|/dev/null|-o|/dev/null|/dev/null");
    CHECK(strcmp(options.task.report, "/dev/null") == 0);
    CHECK(good("-w|1|--report|/dev/stdout|-o|x").task.report != NULL);
    CHECK(good("-w|1|--report|/dev/stderr").task.report != NULL);
    options = good("-w|1|-o||");
    CHECK(options.task.output[0] == '\0' && options.many.count == 1); /* fails when it is opened */
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
    CHECK(options.settings.device == DEVICE_CUDA && options.settings.devices[0] == 0);
    options = good("-w|1|--device|cuda:12");
    CHECK(options.settings.device == DEVICE_CUDA && options.settings.devices[0] == 12);
    options = good("-w|1|--device|cuda:3,0");
    CHECK(options.settings.device_count == 2 && options.settings.devices[1] == 0);
    CHECK(options.settings.devices[0] == 3 && !options.settings.all_devices);
    options = good("-w|1|--device|cuda:3,0|--device|cuda:all");
    CHECK(options.settings.device_count == 0 && options.settings.all_devices);
    CHECK(options.settings.devices[0] == 0);
    options = good("-w|1|--device|cuda:12|--device|cpu");
    CHECK(options.settings.device == DEVICE_CPU && options.settings.devices[0] == 0);
}

static void test_switches(void)
{
    struct options options = good("-BfvL|-w1|--counts|--progress");

    CHECK(!options.settings.big_endian && options.settings.force &&
          options.level == MESSAGES_VERBOSE);
    CHECK(options.settings.counts && options.settings.progress == PROGRESS_ON);
    CHECK(options.settings.window.frames == 1);
    CHECK(good("-w1|-L|-B").settings.big_endian);
    CHECK(good("-w1|--big-endian").settings.big_endian);
    CHECK(!good("-w1|--big-endian|--little-endian").settings.big_endian);
    CHECK(good("-w1|--force").settings.force);
    options = good("-w1|-v|-q");
    CHECK(options.level == MESSAGES_QUIET);
    options = good("-w1|--quiet|--verbose");
    CHECK(options.level == MESSAGES_VERBOSE);
    CHECK(good("-w1|--progress|--no-progress").settings.progress == PROGRESS_OFF);
    CHECK(good("-w1|--no-progress|--progress").settings.progress == PROGRESS_ON);
    CHECK(good("-w1|--no-p").settings.progress == PROGRESS_OFF);
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
    CHECK(good("-w|10k").settings.window.frames == 10000);
    CHECK(good("-w|1.5M").settings.window.frames == 1500000);
    CHECK(good("-w|1e6").settings.window.frames == 1000000);
    CHECK(good("-w|1200e-2").settings.window.frames == 12);
    CHECK(good("-w|1|--hop|2G").settings.hop.frames == 2000000000);
    CHECK(good("-w|1|--skip|0k").settings.skip.frames == 0);
    CHECK(good("-w|1|--chunk|64k").settings.chunk == 64000);
    CHECK(good("-w|1|--threads|1e1").settings.threads == 10);
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
    CHECK(good("-w|1|-r|1.005k").settings.rate == 1005); /* 1.005 * 1000 is not exact in double */
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

static void test_zoom(void)
{
    struct settings settings = good("--zoom|10ms|--edge|nan").settings;

    CHECK(settings.zoom.given && settings.window.time == 1 && settings.hop.power == -2);
    CHECK(settings.align == ALIGN_FORWARD && settings.edge == EDGE_NAN);
    /* A picture chooses its number of columns. */
    CHECK(!good("-T|svg").settings.window.given && !good("-o|x.svg").settings.window.given);
}

/* getopt keeps its position between calls, even after an error in the middle of a word. */
static void test_again(void)
{
    struct options options;
    struct error error;

    for (int i = 0; i < 3; i++) {
        CHECK(parse("-fxv|-w|3", &options, &error) == -1);
        CHECK_WORDS(&error, "-x: unknown option");
        CHECK(good("a|-w|3|-f").settings.window.frames == 3);
        CHECK(good("-hx").action == OPTIONS_HELP);
    }
    /* A program may be started without any arguments. */
    line.argv[0] = NULL;
    CHECK(options_parse(&options, 0, line.argv, &error) == 0);
    CHECK(!options.settings.window.given && options.task.input == NULL);
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
    test_zoom();
    test_again();
    return check_result();
}
