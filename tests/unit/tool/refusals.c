/* The command line: the message of every refusal. */
#include "command_line.h"
#include "words.h"

#include <stdlib.h>

static const struct refusal {
    const char *words;
    const char *text;
} refusals[] = {
    /* missing, and too many */
    {"-w|3|a|b", "b: is a second input, after a: -o FILE is the output, and several inputs need "
                 "--out-dir DIR"},
    {"a|-w|3|b|c", "b: is a second input, after a: -o FILE is the output, and several inputs need "
                   "--out-dir DIR"},
    {"-w|3|--|-a|-b", "-b: is a second input, after -a: -o FILE is the output, and "
                      "several inputs need --out-dir DIR"},

    {"-w|10|ms|in.wav", "ms: is taken for an input: write a unit behind its number, as in -w 10ms"},
    {"-w|3|-f|s16le|in.f32",
     "s16le: is taken for an input: -t gives its type, -T that of the output"},

    /* names */
    {"-version", "-version: unknown option: did you mean --version?"},
    {"-w|3|-ar|48000", "-ar: unknown option: -r says the rate of raw samples"},
    {"-w|3|-j4", "-j: unknown option: --threads says how many threads, --jobs how many files at "
                 "a time"},
    {"-w|3|--sep|;", "--sep: unknown option: --delimiter says what is between columns"},
    {"--hopp|3", "--hopp: unknown option: did you mean --hop?"},
    {"--hopp=3", "--hopp: unknown option: did you mean --hop?"},
    {"-w|3|--frobnicate", "--frobnicate: unknown option"},
    {"-w|3|--start|1", "--start: unknown option: --skip passes over the beginning"},
    {"-w|3|--duration=1", "--duration: unknown option: --frames says how much is used"},
    {"---window", "---window: unknown option: did you mean --window?"},
    {"--=3", "--: unknown option"},
    {"--Window|3", "--Window: unknown option: did you mean --window?"},
    {"--windw|3", "--windw: unknown option: did you mean --window?"},
    {"--chanels=2", "--chanels: unknown option: did you mean --channels?"},
    {"-x", "-x: unknown option"},
    {"-fx", "-x: unknown option"},
    {"-f-", "--: unknown option"},
    {"-:", "-:: unknown option"},
    {"-?", "-?: unknown option"},
    {"-\303\251", "-\\xc3: unknown option"},
    {"- ", "-\\x20: unknown option"},
    {"-\033", "-\\x1b: unknown option"},
    {"--h", "--h: could be any of --hop, --header, --help"},
    {"--f=3", "--f: could be any of --frames, --force, --files-from, --fail-fast"},
    {"--output-type|f32|--out|x", "--out: could be any of --output, --output-type, --out-dir"},
    {"--statistics|-", "--statistics: unknown option"},

    /* windows of time */
    {"-w|1h|--time|t|--hop|60min",
     "--hop 60min: is the window, too: that is --zoom 60min, intervals of the clock"},
    {"-w|1h|--time|t|--hop|10min",
     "--hop 10min: a window of time is written for every row: leave --hop out, or use --zoom"},
    {"-w|1h|--time|t|--hop|2",
     "--hop 2: a window of time is written for every row: leave --hop out, or use --zoom"},
    {"-w|1h|--time|t|--align|valid", "--align valid: windows of time are causal or center"},
    {"-w|1h|--time|t|--align|forward", "--align forward: windows of time are causal or center"},
    {"-w|1h|--time|t|--align|center|-T|spans|--level|above:1",
     "--align center: spans are of whole windows: leave it out"},
    {"-w|.0000000001s|--time|t", "-w .0000000001s: not a whole number of nanoseconds"},

    /* missing or superfluous values */
    {"-w", "-w: needs a value"},
    {"-fw", "-w: needs a value"},
    {"--window", "--window: needs a value"},
    {"-w|3|--rep", "--rep: needs a value"},
    {"-w|3|-o", "-o: needs a value"},
    {"--force=yes", "--force=yes: takes no value"},
    {"--counts=", "--counts=: takes no value"},
    {"--help=x", "--help=x: takes no value"},
    {"--no-p=1", "--no-p=1: takes no value"},

    /* parts */
    {"--emit|none|--stats|-|--shard|1/2",
     "--shard: a record of the whole input has no parts: give --stats-every"},
    {"-w|3|--stats|s|--shard|1/2",
     "--shard: a record of the whole input has no parts: give --stats-every"},

    /* LEN */
    {"-w|0", "-w 0: a window has 1 frame or more"},
    {"-w|00", "-w 00: a window has 1 frame or more"},
    {"--window=0", "--window 0: a window has 1 frame or more"},
    {"--win=0", "--window 0: a window has 1 frame or more"},
    {"-w|3|--hop|0", "--hop 0: a hop has 1 frame or more"},
    {"-w|1.8446744073709551616s", "-w 1.8446744073709551616s: too many digits: 19 are enough"},
    {"-w|-1", "-w -1: a length cannot be negative"},
    {"-w|-0", "-w -0: a length cannot be negative"},
    {"-w|-1.5ms", "-w -1.5ms: a length cannot be negative"},
    {"-w|3|--skip|-1", "--skip -1: a length cannot be negative"},
    {"-w|3|--frames=-1", "--frames -1: a length cannot be negative"},
    {"-w|1.5", "-w 1.5: frames are whole numbers; a time needs a unit: us, ms, s, min, h, d, w"},
    {"-w|5.", "-w 5.: frames are whole numbers; a time needs a unit: us, ms, s, min, h, d, w"},

    /* rates */
    {"-w|3|--rate=",
     "--rate '': not a rate: give frames a second (48000, 44.1k, 1/60), or the time of one (60s)"},

    /* integers */
    {"-w|3|--channels=4294967297", "--channels 4294967297: not a whole number from 1 to 65535"},
    {"-w|3|--threads|0", "--threads 0: not a whole number from 1 to 1024"},
    {"-w|3|--threads|1025", "--threads 1025: not a whole number from 1 to 1024"},
    {"-w|3|--threads|many", "--threads many: not a whole number from 1 to 1024"},
    {"-w|3|--chunk|0", "--chunk 0: not a whole number from 1 to 1073741824"},
    {"-w|3|--chunk|1073741825", "--chunk 1073741825: not a whole number from 1 to 1073741824"},
    {"-w|3|--hop|1e30", "--hop 1e30: too large"},
    {"-w|3|--threads|-2", "--threads -2: not a whole number from 1 to 1024"},
    {"-w|3|--chunk|1e30", "--chunk 1e30: not a whole number from 1 to 1073741824"},
    {"-w|3|--chunk|1ms", "--chunk 1ms: not a whole number from 1 to 1073741824"},

    /* words */
    {"-w|3|--edge|wrap", "--edge wrap: unknown value: use one of shrink, nan"},
    {"-w|3|--nan|maybe", "--nan maybe: unknown value: use one of propagate, omit, error"},
    {"-w|3|--isa|mmx", "--isa mmx: unknown value: use one of scalar, sse4, avx2, avx512, neon"},
    {"-w|3|--algorithm|x", "--algorithm x: unknown value: use one of engine, lemire"},
    {"-w|3|--device|abacus", "--device abacus: unknown value: use one of auto, cpu, cuda, cuda:N"},
    {"-w|3|--device|cpu:0", "--device cpu:0: unknown value: use one of auto, cpu, cuda, cuda:N"},
    {"-w|3|--device|cuda:2,1,2", "--device cuda:2,1,2: names device 2 twice"},

    /* --zoom */
    {"--zoom|0", "--zoom 0: a pixel has 1 frame or more"},
    {"--zoom|5|-w|3", "--zoom 5: is short for -w, --hop and --align: leave -w out"},
    {"--hop|3|--zoom|5", "--zoom 5: is short for -w, --hop and --align: leave --hop out"},
    {"--zoom|5|--align|valid", "--zoom 5: is short for -w, --hop and --align: leave --align out"},

    /* --emit */
    {"-w|3|--emit|min,min", "--emit min,min: min is named twice"},
    {"-w|3|--emit|min,max,abs,range,mid,min",
     "--emit min,max,abs,range,mid,min: min is named twice"},
    {"-w|3|--emit|min,median",
     "--emit min,median: unknown name 'median': use min, max, abs, range, mid, or none"},
    {"-w|3|--emit|mi", "--emit mi: unknown name 'mi': use min, max, abs, range, mid, or none"},
    {"-w|3|--emit|none", "--emit none: leaves nothing to do without --stats FILE"},
    {"--emit|none", "--emit none: leaves nothing to do without --stats FILE"},
    {"-w|3|--emit|min,none", "--emit min,none: none stands alone"},
    {"-w|3|--emit|none,min", "--emit none,min: none stands alone"},

    /* --stats */
    {"-w|3|--stats|", "--stats '': a file name is missing"},
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
    {"-w|3|--stats|x|--stats-format|json",
     "--stats-format json: unknown value: use one of jsonl, tsv, csv, text"},
    {"--emit|none|--stats|x|-o|y", "-o: there are no frames to write (--emit none)"},
    {"--emit|none|--stats|x|-T|wav", "-T: there are no frames to write (--emit none)"},

    /* pictures */
    {"-T|svg|--size|800",
     "--size 800: not a size in pixels: give WxH, each from 200 to 10000 (1200x600)"},
    {"-T|svg|--size|199x200",
     "--size 199x200: not a size in pixels: give WxH, each from 200 to 10000 (1200x600)"},
    {"-T|svg|--size|200x10001",
     "--size 200x10001: not a size in pixels: give WxH, each from 200 to 10000 (1200x600)"},
    {"-T|svg|--size|300x99999999999999999999",
     "--size 300x99999999999999999999: not a size in pixels: give WxH, each from 200 to 10000 "
     "(1200x600)"},
    {"-T|svg|--size|300x300px",
     "--size 300x300px: not a size in pixels: give WxH, each from 200 to 10000 (1200x600)"},
    {"-T|svg|--title|", "--title '': a title is missing"},
    {"-T|svg|--scale|1",
     "--scale 1: unknown value: use one of full, fit (or the ends, LO:HI, as in -2:2)"},
    {"-T|svg|--scale|1:2:3",
     "--scale 1:2:3: unknown value: use one of full, fit (or the ends, LO:HI, as in -2:2)"},
    {"-T|svg|--scale|1:", "--scale 1:: unknown value: use one of full, fit (or the ends, LO:HI, as "
                          "in -2:2)"},
    {"-T|svg|--scale|2:-2", "--scale 2:-2: LO must be a number below HI"},
    {"-T|svg|--scale|-1e308:1e308", "--scale -1e308:1e308: LO must be a number below HI"},
    {"-T|svg|--scale|0:1e-320", "--scale 0:1e-320: LO must be a number below HI"},
    {"-T|svg|--scale|nan:2", "--scale nan:2: LO must be a number below HI"},
    {"-w|3|--size|800x600", "--size: needs a picture: -T svg"},
    {"-w|3|--title|x|-o|x.csv", "--title: needs a picture: -T svg"},
    {"-w|3|--scale|fit|-T|wav|-o|x.svg", "--scale: needs a picture: -T svg"},
    {"-w|3|--scale|fit|--emit|none|--stats|x", "--scale: needs a picture: -T svg"},

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

/* Wrong values of an option with one message. */
static const struct {
    const char *option;
    const char *text;
    const char *values[24];
} wrong_values[] = {
    {"--shard",
     "not a part of the output: give I/K, the I-th of K, I from 1 to K",
     {"3/2", "0/4", "x", "1/-2", "1/18446744073709551616", "1/0", "1/", "/2", "1", "-1/2", "1.5/2",
      "0000000000000000000001234/5000", "1/2/3", "", "1/4294967296",
      "11111111111111111111111111/2"}},
    {"-w",
     "not a length: give frames (512) or a time (10ms; us, ms, s, min, h, d, w)",
     {"",   " 5", "5 ",  "5x", "0x10",   "1e",   "1e3k", "1.0005k", "5m",   "1e3s",
      "+5", "ms", ".ms", ".",  "1.2.3s", "5 ms", "5MS",  "infs",    "nans", "--hop"}},
    {"-w",
     "too large",
     {"1e30", "1e19", "9223372036854775.808k", "1e99999", "18446744073709551616s",
      "9223372036854775808", "99999999999999999999999", "18446744073709551617"}},
    {"-r", "a rate is 1e-9 to 1e12 Hz", {"0", "0.0k", "1e-308", "1e-999", "1001G", "1e999"}},
    {"-r",
     "not a rate: give frames a second (48000, 44.1k, 1/60), or the time of one (60s)",
     {"-8000", "nan", "inf", "fast", "0x10", "48000hz", "2.4m", "2e", "2e3k", " 1"}},
    {"-c", "not a whole number from 1 to 65535", {"0", "65536", "-1", "two", "2.0", ""}},
    {"--align",
     "unknown value: use one of valid, causal, center, forward",
     {"sideways", "cent", "centers", ""}},
    {"--device",
     "after cuda: comes a number from 0 to 1023, or several with commas between them, or all",
     {"cuda:", "cuda:x", "cuda:-1", "cuda:1024", "cuda:0,"}},
    {"--emit", "a name is missing", {"", ",", "min,", ",min", "min,,max"}},
};

static void check_refusal(const char *words, const char *text)
{
    struct options options;
    struct error error = {.status = STATUS_DONE, .quiet = true, .reason = ""};
    int result = parse(words, &options, &error);

    CHECK_THAT(result == -1, "%s: taken", words);
    CHECK_THAT(strcmp(words_of(&error), text) == 0, "%s:\n  said %s\n  want %s", words,
               words_of(&error), text);
    CHECK_THAT(error.status == STATUS_USAGE && !error.quiet, "%s", words);
}

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        check_refusal(refusals[i].words, refusals[i].text);
    for (size_t i = 0; i < sizeof wrong_values / sizeof wrong_values[0]; i++) {
        const char *option = wrong_values[i].option;

        for (const char *const *value = wrong_values[i].values; *value != NULL; value++) {
            const char *quote = **value == '\0' || strchr(*value, ' ') != NULL ? "'" : "";
            char words[200];
            char text[300];

            (void)snprintf(words, sizeof words, "%s%s|%s", strcmp(option, "-w") == 0 ? "" : "-w|3|",
                           option, *value);
            (void)snprintf(text, sizeof text, "%s %s%s%s: %s", option, quote, *value, quote,
                           wrong_values[i].text);
            check_refusal(words, text);
        }
    }
}

/* The reason must be complete, however long the value is. */
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
        CHECK_THAT(strstr(words_of(&error), "yyy...: ") != NULL, "%s", words_of(&error));
        CHECK(strlen(words_of(&error)) < 500);
    }
    snprintf(words, sizeof words, "--%s|3", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(words_of(&error), ": unknown option") != NULL);
    snprintf(words, sizeof words, "-w|3|%s|%s", value, value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(words_of(&error), ": is a second input, after yyy") != NULL);

    /* A number of 1799 digits. */
    memset(value, '9', sizeof value - 1);
    snprintf(words, sizeof words, "-w|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(words_of(&error), "999...: too large") != NULL);
    value[sizeof value - 2] = 's';
    snprintf(words, sizeof words, "-w|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(words_of(&error), "999...: too large") != NULL);
    value[sizeof value - 2] = 'k';
    snprintf(words, sizeof words, "-w|3|-r|%s", value);
    CHECK(parse(words, &options, &error) == -1);
    CHECK(strstr(words_of(&error), "999...: a rate is 1e-9 to 1e12 Hz") != NULL);
}

int main(void)
{
    unsetenv("POSIXLY_CORRECT");
    test_refusals();
    test_long_values();
    return check_result();
}
