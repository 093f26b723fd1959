/* The command line: what every option sets, and the words of every refusal. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"

enum { WORDS_MOST = 16 };

static char first_word[] = "gpuenv";

/* The last command line: options point into it. */
static struct {
    char text[4096];
    char *argv[WORDS_MOST + 1];
    int argc;
} line;

/* Cuts a command line at '|', so that a word may be empty or hold spaces. getopt reorders the
 * words, so each parse needs new ones. */
static int parse(const char *words, struct options *options, struct error *error)
{
    char *next = line.text;

    snprintf(line.text, sizeof line.text, "%s", words);
    line.argc = 0;
    line.argv[line.argc++] = first_word;
    while (words[0] != '\0' && next != NULL && line.argc < WORDS_MOST) {
        line.argv[line.argc++] = next;
        next = strchr(next, '|');
        if (next != NULL)
            *next++ = '\0';
    }
    line.argv[line.argc] = NULL;
    return options_parse(options, line.argc, line.argv, error);
}

/* Parses what must be right. */
static struct options good(const char *words)
{
    struct options options = {.action = OPTIONS_HELP};
    struct error error = {.text = ""};
    int result = parse(words, &options, &error);

    CHECK_THAT(result == 0, "%s: %s", words, error.text);
    return options;
}

static const struct refusal {
    const char *words;
    const char *text;
} refusals[] = {
    /* what is missing, what is too much */
    {"", "-w: the length of the window is missing: give frames or a time, for example -w 512 or "
         "-w 10ms"},
    {"in.f32", "-w: the length of the window is missing: give frames or a time, for example -w "
               "512 or -w 10ms"},
    {"-w|3|a|b", "b: one input at a time, and a came before it"},
    {"a|-w|3|b|c", "b: one input at a time, and a came before it"},
    {"-w|3|--|-a|-b", "-b: one input at a time, and -a came before it"},

    /* names */
    {"--hopp|3", "--hopp: unknown option"},
    {"--hopp=3", "--hopp: unknown option"},
    {"-w|3|--frobnicate", "--frobnicate: unknown option"},
    {"---window", "---window: unknown option"},
    {"--=3", "--: unknown option"},
    {"--Window|3", "--Window: unknown option"},
    {"-x", "-x: unknown option"},
    {"-fx", "-x: unknown option"},
    {"-f-", "--: unknown option"},
    {"-:", "-:: unknown option"},
    {"-?", "-?: unknown option"},
    {"-\303\251", "-\\xc3: unknown option"},
    {"- ", "-\\x20: unknown option"},
    {"-\033", "-\\x1b: unknown option"},
    {"--h", "--h: could be any of --hop, --help"},
    {"--f=3", "--f: could be any of --frames, --force"},
    {"--output-type|f32|--out|x", "--out: could be any of --output, --output-type"},
    {"--statistics|-", "--statistics: unknown option"},
    {"--shard=1/2", "--shard: unknown option"},

    /* values that are missing or too many */
    {"-w", "-w: needs a value"},
    {"-fw", "-w: needs a value"},
    {"--window", "--window: needs a value"},
    {"-w|3|--rep", "--rep: needs a value"},
    {"-w|3|-o", "-o: needs a value"},
    {"--force=yes", "--force=yes: takes no value"},
    {"--counts=", "--counts=: takes no value"},
    {"--help=x", "--help=x: takes no value"},
    {"--no=1", "--no=1: takes no value"},

    /* LEN */
    {"-w|0", "-w 0: a window has 1 frame or more"},
    {"-w|00", "-w 00: a window has 1 frame or more"},
    {"--window=0", "--window 0: a window has 1 frame or more"},
    {"--win=0", "--window 0: a window has 1 frame or more"},
    {"-w|3|--hop|0", "--hop 0: a hop has 1 frame or more"},
    {"-w|", "-w '': not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w| 5", "-w ' 5': not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|5 ", "-w '5 ': not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|5x", "-w 5x: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|0x10", "-w 0x10: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|1e30", "-w 1e30: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|1e3s", "-w 1e3s: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|+5", "-w +5: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|ms", "-w ms: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|.ms", "-w .ms: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|.", "-w .: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|1.2.3s", "-w 1.2.3s: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|5 ms", "-w '5 ms': not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|5MS", "-w 5MS: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|infs", "-w infs: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|nans", "-w nans: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|--hop", "-w --hop: not a length: give frames (512) or a time (10ms; us, ms, s, min, h)"},
    {"-w|-1", "-w -1: a length cannot be negative"},
    {"-w|-0", "-w -0: a length cannot be negative"},
    {"-w|-1.5ms", "-w -1.5ms: a length cannot be negative"},
    {"-w|3|--skip|-1", "--skip -1: a length cannot be negative"},
    {"-w|3|--frames=-1", "--frames -1: a length cannot be negative"},
    {"-w|1.5", "-w 1.5: frames are whole numbers; a time needs a unit: us, ms, s, min, h"},
    {"-w|5.", "-w 5.: frames are whole numbers; a time needs a unit: us, ms, s, min, h"},
    {"-w|9223372036854775808", "-w 9223372036854775808: too large"},
    {"-w|99999999999999999999999", "-w 99999999999999999999999: too large"},
    {"-w|18446744073709551617", "-w 18446744073709551617: too large"},

    /* -r */
    {"-w|3|-r|0", "-r 0: a rate is more than 0"},
    {"-w|3|-r|0.0k", "-r 0.0k: a rate is more than 0"},
    {"-w|3|-r|1e-999", "-r 1e-999: a rate is more than 0"},
    {"-w|3|-r|1e999", "-r 1e999: too large"},
    {"-w|3|-r|-8000", "-r -8000: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|nan", "-r nan: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|inf", "-r inf: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|fast", "-r fast: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|0x10", "-r 0x10: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|48000Hz", "-r 48000Hz: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|2.4m", "-r 2.4m: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|2e", "-r 2e: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r|2e3k", "-r 2e3k: not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|-r| 1", "-r ' 1': not a rate: give frames a second (48000, 44.1k, 2.4M)"},
    {"-w|3|--rate=", "--rate '': not a rate: give frames a second (48000, 44.1k, 2.4M)"},

    /* whole numbers */
    {"-w|3|-c|0", "-c 0: not a whole number from 1 to 65535"},
    {"-w|3|-c|65536", "-c 65536: not a whole number from 1 to 65535"},
    {"-w|3|-c|-1", "-c -1: not a whole number from 1 to 65535"},
    {"-w|3|-c|two", "-c two: not a whole number from 1 to 65535"},
    {"-w|3|-c|2.0", "-c 2.0: not a whole number from 1 to 65535"},
    {"-w|3|-c|", "-c '': not a whole number from 1 to 65535"},
    {"-w|3|--channels=4294967297", "--channels 4294967297: not a whole number from 1 to 65535"},
    {"-w|3|--threads|0", "--threads 0: not a whole number from 1 to 1024"},
    {"-w|3|--threads|1025", "--threads 1025: not a whole number from 1 to 1024"},
    {"-w|3|--threads|many", "--threads many: not a whole number from 1 to 1024"},
    {"-w|3|--chunk|0", "--chunk 0: not a whole number from 1 to 1073741824"},
    {"-w|3|--chunk|1073741825", "--chunk 1073741825: not a whole number from 1 to 1073741824"},
    {"-w|3|--chunk|1ms", "--chunk 1ms: not a whole number from 1 to 1073741824"},

    /* words */
    {"-w|3|--align|sideways", "--align sideways: unknown value: use one of valid, causal, center"},
    {"-w|3|--align|cent", "--align cent: unknown value: use one of valid, causal, center"},
    {"-w|3|--align|centers", "--align centers: unknown value: use one of valid, causal, center"},
    {"-w|3|--align|", "--align '': unknown value: use one of valid, causal, center"},
    {"-w|3|--edge|wrap", "--edge wrap: unknown value: use one of shrink, nan"},
    {"-w|3|--nan|maybe", "--nan maybe: unknown value: use one of propagate, omit, error"},
    {"-w|3|--isa|mmx", "--isa mmx: unknown value: use one of scalar, sse4, avx2, avx512, neon"},
    {"-w|3|--algorithm|x", "--algorithm x: unknown value: use one of engine, lemire"},
    {"-w|3|--device|abacus", "--device abacus: unknown value: use one of auto, cpu, cuda, cuda:N"},
    {"-w|3|--device|cpu:0", "--device cpu:0: unknown value: use one of auto, cpu, cuda, cuda:N"},
    {"-w|3|--device|cuda:", "--device cuda:: after cuda: comes a number from 0 to 1023"},
    {"-w|3|--device|cuda:x", "--device cuda:x: after cuda: comes a number from 0 to 1023"},
    {"-w|3|--device|cuda:-1", "--device cuda:-1: after cuda: comes a number from 0 to 1023"},
    {"-w|3|--device|cuda:1024", "--device cuda:1024: after cuda: comes a number from 0 to 1023"},

    /* --emit */
    {"-w|3|--emit|", "--emit '': a name is missing"},
    {"-w|3|--emit|,", "--emit ,: a name is missing"},
    {"-w|3|--emit|min,", "--emit min,: a name is missing"},
    {"-w|3|--emit|,min", "--emit ,min: a name is missing"},
    {"-w|3|--emit|min,,max", "--emit min,,max: a name is missing"},
    {"-w|3|--emit|min,min", "--emit min,min: min is named twice"},
    {"-w|3|--emit|min,max,abs,range,mid,min",
     "--emit min,max,abs,range,mid,min: min is named twice"},
    {"-w|3|--emit|min,median",
     "--emit min,median: unknown name 'median': use min, max, abs, range, mid, or none"},
    {"-w|3|--emit|mi", "--emit mi: unknown name 'mi': use min, max, abs, range, mid, or none"},
    {"-w|3|--emit|min, max",
     "--emit 'min, max': unknown name ' max': use min, max, abs, range, mid, or none"},
    {"-w|3|--emit|none", "--emit none: leaves nothing to do without --stats FILE"},
    {"--emit|none", "--emit none: leaves nothing to do without --stats FILE"},
    {"-w|3|--emit|min,none", "--emit min,none: none stands alone"},
    {"-w|3|--emit|none,min", "--emit none,min: none stands alone"},

    /* --stats */
    {"-w|3|--stats|", "--stats '': a file name is missing"},
    {"--stats|x", "-w: the length of the window is missing: give frames or a time, for example "
                  "-w 512 or -w 10ms"},
    {"-w|3|--stats|-",
     "--stats -: standard output carries frames: name a file, or add --emit none"},
    {"-w|3|--stats|-|-o|x",
     "--stats -: standard output carries frames: name a file, or add --emit none"},
    {"-w|3|--stats|/dev/stdout",
     "--stats /dev/stdout: standard output carries frames only: name a file"},
    {"-w|3|--stats|x|-o|x", "--stats x: the output has this name too"},
    {"-w|3|--stats|x|x", "--stats x: the input has this name too"},
    {"--emit|none|--stats|x|x", "--stats x: the input has this name too"},
    {"-w|3|--stats|x|--report|x", "--report x: --stats has this name too"},
    {"-w|3|--stats-every|5", "--stats-every: needs --stats FILE"},
    {"-w|3|--stats-format|tsv", "--stats-format: needs --stats FILE"},
    {"-w|3|--stats|x|--stats-every|0", "--stats-every 0: a block has 1 frame or more"},
    {"-w|3|--stats|x|--stats-format|csv",
     "--stats-format csv: unknown value: use one of jsonl, tsv"},
    {"--emit|none|--stats|x|-o|y", "-o: there are no frames to write (--emit none)"},
    {"--emit|none|--stats|x|-T|wav", "-T: there are no frames to write (--emit none)"},

    /* texts and files */
    {"-w|3|-t|", "-t '': a type is missing"},
    {"-w|3|--type=", "--type '': a type is missing"},
    {"-w|3|-T|", "-T '': a type is missing"},
    {"-w|3|--report|", "--report '': a file name is missing"},
    {"-w|3|--report|-", "--report -: standard output carries frames only: name a file"},
    {"-w|3|--report|-|-o|x", "--report -: standard output carries frames only: name a file"},
    {"-w|3|--report|/dev/stdout",
     "--report /dev/stdout: standard output carries frames only: name a file"},
    {"-w|3|--report|/dev/fd/1|-o|-",
     "--report /dev/fd/1: standard output carries frames only: name a file"},
    {"-w|3|--report|x|-o|x", "--report x: the output has this name too"},
    {"-w|3|--report|x|x", "--report x: the input has this name too"},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *refusal = &refusals[i];
        struct options options;
        struct error error = {.status = STATUS_DONE, .quiet = true, .text = ""};
        int result = parse(refusal->words, &options, &error);

        CHECK_THAT(result == -1, "%s: taken", refusal->words);
        CHECK_THAT(strcmp(error.text, refusal->text) == 0, "%s:\n  said %s\n  want %s",
                   refusal->words, error.text, refusal->text);
        CHECK_THAT(error.status == STATUS_USAGE && !error.quiet, "%s", refusal->words);
    }
}

/* The reason must be there, however long the value is. */
static void test_long_values(void)
{
    static const char *const names[] = {
        "-w", "-c", "-r", "--emit", "--align", "--device", "--threads", "--isa",
    };
    char words[4000];
    char value[1800];
    struct options options;
    struct error error;

    memset(value, 'y', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(words, sizeof words, "-w|3|%s|%s", names[i], value);
        CHECK(parse(words, &options, &error) == -1);
        CHECK_THAT(strstr(error.text, "yyy...: ") != NULL, "%s", error.text);
        CHECK(strlen(error.text) < 500);
    }
    snprintf(words, sizeof words, "--%s|3", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(error.text, ": unknown option") != NULL);
    snprintf(words, sizeof words, "-w|3|%s|%s", value, value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(error.text, ": one input at a time, and yyy") != NULL);

    /* A number of 1799 digits. */
    memset(value, '9', sizeof value - 1);
    snprintf(words, sizeof words, "-w|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(error.text, "999...: too large") != NULL);
    value[sizeof value - 2] = 's';
    snprintf(words, sizeof words, "-w|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(error.text, "999...: too large") != NULL);
    value[sizeof value - 2] = 'k';
    snprintf(words, sizeof words, "-w|3|-r|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(error.text, "999...: too large") != NULL);
}

static void test_defaults(void)
{
    struct options options = good("-w|512");

    CHECK(options.action == OPTIONS_RUN);
    CHECK(options.input_count == 0);
    CHECK(options.output == NULL);
    CHECK(strcmp(options.type, "auto") == 0);
    CHECK(options.output_type == NULL);
    CHECK(options.channels == 1 && !options.channels_given);
    CHECK(options.rate == 0);
    CHECK(!options.big_endian && !options.counts && !options.force);
    CHECK(options.window.given && !options.window.is_time && options.window.frames == 512);
    CHECK(strcmp(options.window.text, "512") == 0);
    CHECK(!options.hop.given && !options.skip.given && !options.frames.given);
    CHECK(options.align == ALIGN_VALID && options.edge == EDGE_SHRINK);
    CHECK(options.emits.count == 2);
    CHECK(options.emits.item[0] == EMIT_MIN && options.emits.item[1] == EMIT_MAX);
    CHECK(options.nan == NAN_PROPAGATE);
    CHECK(options.device == DEVICE_AUTO && options.device_index == 0);
    CHECK(options.threads == 0 && options.isa == NULL && options.chunk == 0 && !options.lemire);
    CHECK(!options.quiet && !options.verbose && options.progress == PROGRESS_AUTO);
    CHECK(options.report == NULL);
    CHECK(options.stats == NULL && !options.stats_every.given);
    CHECK(options.stats_format == STATS_JSONL);
}

static void test_stats(void)
{
    struct options options = good("--emit|none|--stats|-|--stats-every|10ms|--stats-format|tsv|-");

    CHECK(options.emits.count == 0 && !options.window.given);
    CHECK(strcmp(options.stats, "-") == 0);
    CHECK(options.stats_every.is_time && options.stats_every.seconds == 0.01);
    CHECK(options.stats_format == STATS_TSV);
    options = good("-w|3|--stats|/dev/fd/3|-o|x");
    CHECK(options.emits.count == 2 && strcmp(options.stats, "/dev/fd/3") == 0);
}

static void test_texts(void)
{
    struct options options = good("in.f32|-w|7|-o|out.f32|-t|s16|-T|f64be|--report|r.json");

    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "in.f32") == 0);
    CHECK(options.inputs[0] == line.text);
    CHECK(strcmp(options.output, "out.f32") == 0);
    CHECK(options.output > line.text && options.output < line.text + sizeof line.text);
    CHECK(strcmp(options.type, "s16") == 0);
    CHECK(strcmp(options.output_type, "f64be") == 0);
    CHECK(strcmp(options.report, "r.json") == 0);

    options = good("--output=x|--type=cu8|--output-type=u8|--window=1|-");
    CHECK(strcmp(options.output, "x") == 0 && strcmp(options.type, "cu8") == 0);
    CHECK(strcmp(options.output_type, "u8") == 0);
    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "-") == 0);

    options = good("-w|1|--|-w");
    CHECK(options.input_count == 1 && strcmp(options.inputs[0], "-w") == 0);
    options = good("-w|1|--report|/dev/null|-o|/dev/null|/dev/null");
    CHECK(strcmp(options.report, "/dev/null") == 0);
    CHECK(good("-w|1|--report|/dev/stdout|-o|x").report != NULL);
    CHECK(good("-w|1|--report|/dev/stderr").report != NULL);
    options = good("-w|1|-o||");
    CHECK(options.output[0] == '\0' && options.input_count == 1); /* opening them will say */
}

static void test_words(void)
{
    struct options options = good("-w|1|--align|causal|--edge|nan|--nan|omit");

    CHECK(options.align == ALIGN_CAUSAL && options.edge == EDGE_NAN && options.nan == NAN_OMIT);
    options = good("-w|1|--align=center|--edge=shrink|--nan=error");
    CHECK(options.align == ALIGN_CENTER && options.edge == EDGE_SHRINK);
    CHECK(options.nan == NAN_ERROR);
    options = good("-w|1|--align=valid|--nan=propagate");
    CHECK(options.align == ALIGN_VALID && options.nan == NAN_PROPAGATE);
    CHECK(good("-w|1|--algorithm|lemire").lemire);
    CHECK(!good("-w|1|--algorithm|lemire|--algorithm|engine").lemire);
    CHECK(strcmp(good("-w|1|--isa|scalar").isa, "scalar") == 0);
    CHECK(strcmp(good("-w|1|--isa|sse4").isa, "sse4") == 0);
    CHECK(strcmp(good("-w|1|--isa|avx2").isa, "avx2") == 0);
    CHECK(strcmp(good("-w|1|--isa|avx512").isa, "avx512") == 0);
    CHECK(strcmp(good("-w|1|--isa|neon").isa, "neon") == 0);

    options = good("-w|1|--emit|mid,range,abs,max,min");
    CHECK(options.emits.count == 5);
    CHECK(options.emits.item[0] == EMIT_MID && options.emits.item[1] == EMIT_RANGE);
    CHECK(options.emits.item[2] == EMIT_ABS && options.emits.item[3] == EMIT_MAX);
    CHECK(options.emits.item[4] == EMIT_MIN);
    options = good("-w|1|--emit|min,max|--emit|abs");
    CHECK(options.emits.count == 1 && options.emits.item[0] == EMIT_ABS);

    CHECK(good("-w|1|--device|cpu").device == DEVICE_CPU);
    CHECK(good("-w|1|--device|auto").device == DEVICE_AUTO);
    options = good("-w|1|--device|cuda");
    CHECK(options.device == DEVICE_CUDA && options.device_index == 0);
    options = good("-w|1|--device|cuda:12");
    CHECK(options.device == DEVICE_CUDA && options.device_index == 12);
    options = good("-w|1|--device|cuda:12|--device|cpu");
    CHECK(options.device == DEVICE_CPU && options.device_index == 0);
}

static void test_switches(void)
{
    struct options options = good("-BfvL|-w1|--counts|--progress");

    CHECK(!options.big_endian && options.force && options.verbose && !options.quiet);
    CHECK(options.counts && options.progress == PROGRESS_ON);
    CHECK(options.window.frames == 1);
    CHECK(good("-w1|-L|-B").big_endian);
    CHECK(good("-w1|--big-endian").big_endian);
    CHECK(!good("-w1|--big-endian|--little-endian").big_endian);
    CHECK(good("-w1|--force").force);
    options = good("-w1|-v|-q");
    CHECK(options.quiet && !options.verbose);
    options = good("-w1|--quiet|--verbose");
    CHECK(!options.quiet && options.verbose);
    CHECK(good("-w1|--progress|--no-progress").progress == PROGRESS_OFF);
    CHECK(good("-w1|--no-progress|--progress").progress == PROGRESS_ON);
    CHECK(good("-w1|--no").progress == PROGRESS_OFF);
    CHECK(good("-h").action == OPTIONS_HELP);
    CHECK(good("--help").action == OPTIONS_HELP);
    CHECK(good("a|b|--help|--hopp").action == OPTIONS_HELP);
    CHECK(good("-V").action == OPTIONS_VERSION);
    CHECK(good("-w|5|--version").action == OPTIONS_VERSION);
}

static void test_numbers(void)
{
    struct options options = good("-w|9223372036854775807|-c|65535|--threads|1024");

    CHECK(options.window.frames == INT64_MAX);
    CHECK(options.channels == 65535 && options.channels_given && options.threads == 1024);
    CHECK(good("-w|0000012").window.frames == 12);
    CHECK(good("-w|1|-c|1").channels_given);
    CHECK(good("-w|1|--chunk|1073741824").chunk == (size_t)1 << 30);
    CHECK(good("-w|1|--chunk|1").chunk == 1);
    options = good("-w|1|--skip|0|--frames|0|--hop|3");
    CHECK(options.skip.given && options.skip.frames == 0);
    CHECK(options.frames.given && options.frames.frames == 0);
    CHECK(options.hop.given && options.hop.frames == 3);

    CHECK(good("-w|1|-r|48000").rate == 48000);
    CHECK(good("-w|1|-r|44.1k").rate == 44100);
    CHECK(good("-w|1|-r|2.4M").rate == 2400000);
    CHECK(good("-w|1|-r|1.005k").rate == 1005); /* 1.005 * 1000 is not, in double */
    CHECK(good("-w|1|-r|1G").rate == 1e9);
    CHECK(good("-w|1|-r|.5").rate == 0.5);
    CHECK(good("-w|1|-r|2.4e6").rate == 2.4e6);
    CHECK(good("-w|1|--rate=1E+3").rate == 1e3);
    CHECK(good("-w|1|-r|22050.5").rate == 22050.5);
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
        struct span span = good(times[i].words).window;

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
        span = good(words).skip;
        result = options_span(&span, "--skip", spans[i].rate, spans[i].least, 99, &frames, &error);
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

    CHECK(options_span(&span, "--hop", 0, 1, 77, &frames, &error) == 0 && frames == 77);
    CHECK(options_span(&span, "--frames", 0, 0, UINT64_MAX, &frames, &error) == 0);
    CHECK(frames == UINT64_MAX);
    span = good("-w|100000000000000h").window;
    CHECK(options_span(&span, "-w", 1e6, 1, 1, &frames, &error) == -1);
    CHECK_THAT(strcmp(error.text, "-w 100000000000000h: too large") == 0, "%s", error.text);
    span = good("-w|9223372036854774784s").window; /* the last double below 2^63 */
    CHECK(options_span(&span, "-w", 1, 1, 1, &frames, &error) == 0);
    CHECK(frames == UINT64_C(9223372036854774784));
    span = good("-w|9223372036854775808s").window;
    CHECK(options_span(&span, "-w", 1, 1, 1, &frames, &error) == -1);
    span = good("-w|1s").window;
    CHECK(options_span(&span, "-w", (double)NAN, 1, 1, &frames, &error) == -1);
    CHECK(options_span(&span, "-w", -5, 1, 1, &frames, &error) == -1);
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
        CHECK(good("a|-w|3|-f").window.frames == 3);
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
    test_refusals();
    test_long_values();
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
