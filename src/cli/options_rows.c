/* The options of gpuenv. Values with rules of their own are set by functions of option_values.c. */
#include <stdio.h>

#include "cli/option_values.h"
#include "cli/options.h"
#include "format/format.h"

enum {
    THREADS_MOST = 1024,
    JOBS_MOST = 1024,
    CHUNK_MOST = 1 << 30, /* so that a chunk's bytes can be counted without overflow */
};

/* The place of a word in its list is its number in the enumeration. */
static const char *const edge_words[] = {[EDGE_SHRINK] = "shrink", [EDGE_NAN] = "nan", NULL};
static const char *const nan_words[] = {
    [NAN_PROPAGATE] = "propagate",
    [NAN_OMIT] = "omit",
    [NAN_ERROR] = "error",
    NULL,
};
static const char *const bad_lines_words[] = {
    [TEXT_BAD_ERROR] = "error",
    [TEXT_BAD_NAN] = "nan",
    [TEXT_BAD_SKIP] = "skip",
    NULL,
};
static const char *const time_unit_words[] = {
    [TIME_S] = "s", [TIME_MS] = "ms", [TIME_US] = "us", [TIME_NS] = "ns", NULL,
};
static const char *const gaps_words[] = {"nan", "skip", NULL};
static const char *const isa_words[] = {"scalar", "sse4", "avx2", "avx512", "neon", NULL};
static const char *const algorithm_words[] = {"engine", "lemire", NULL};

static void list_none(char *list, size_t size)
{
    snprintf(list, size, " none");
}

#define AT(member) .field = offsetof(struct options, member)
#define GIVEN(member) .given = offsetof(struct options, member)
#define TABLE GIVEN(settings.table)

static const struct option_row rows[] = {
    {.help = "Window"},
    {"window", "LEN", "how long the window is (required)", OPTION_LENGTH, AT(settings.window),
     .what = "a window", .letter = 'w'},
    {"zoom", "LEN", "an overview: -w LEN --hop LEN --align forward", OPTION_LENGTH,
     AT(settings.zoom), .what = "a pixel"},
    {"align", "WHERE",
     "what output k covers: valid (frames k to k+LEN-1; default), forward (the same, cut at the "
     "end), causal (LEN frames up to k), center (LEN around k)",
     .set = set_align, AT(settings.align), GIVEN(align_given), .words = window_aligns},
    {"edge", "RULE", "a window cut by an end gives: shrink (default), nan", OPTION_WORD,
     AT(settings.edge), .words = edge_words},
    {"hop", "LEN", "write every LEN-th output frame only", OPTION_LENGTH, AT(settings.hop),
     .what = "a hop"},
    {"emit", "LIST", "what to write: min,max (default),abs,range,mid; none", .set = set_emit,
     AT(settings.emits), GIVEN(settings.emit_given), .words = emit_names, .list = list_none},
    {"overall", NULL, "one answer for all channels: the least minimum, the greatest maximum",
     OPTION_ON, AT(settings.overall)},
    {"nan", "POLICY", "NaN in the input: propagate (default), omit (for text), error", OPTION_WORD,
     AT(settings.nan), GIVEN(settings.nan_given), .words = nan_words},

    {.help = "Input"},
    {"type", "TYPE",
     "auto (default): what its first bytes or its name say, of stdin else f32; wav rf64 w64 au npy "
     "aiff caf flac ogg "
     "mp3 sndfile sigmf; numbers in columns: csv tsv txt; raw: f32 f64 f16 s8 u8 s16 u16 s24 u24 "
     "s32 "
     "u32 s64 u64, complex: cf32 cf64 cs16 cs8 cu8; s16le, s16be",
     OPTION_TEXT, AT(settings.type), .what = "a type", .letter = 't', .list = format_input_types},
    {"channels", "N", "interleaved channels of raw frames (1)", OPTION_NUMBER,
     AT(settings.channels), GIVEN(settings.channels_given), .least = 1, .most = CHANNELS_MOST,
     .letter = 'c'},
    {"rate", "HZ", "their frames a second: 48000, 44.1k, 1/60, or the time of one: 60s",
     .letter = 'r', .set = set_rate, AT(settings)},
    {"pick", "LIST", "some channels, in this order: 2,1", .set = set_pick, AT(settings)},
    {"mix", NULL, "their mean, as one channel", OPTION_ON, AT(settings.mix)},
    {"little-endian", NULL, "a TYPE without le or be is little-endian (default)", OPTION_OFF,
     AT(settings.big_endian), .letter = 'L'},
    {"big-endian", NULL, "a TYPE without le or be is big-endian", OPTION_ON,
     AT(settings.big_endian), .letter = 'B'},
    {"counts", NULL, "integers as they are; else scaled to [-1,1)", OPTION_ON, AT(settings.counts)},
    {"skip", "LEN", "pass over the first LEN frames", OPTION_LENGTH, AT(settings.skip)},
    {"frames", "LEN", "read LEN frames at most", OPTION_LENGTH, AT(settings.frames)},
    {"shard", "I/K", "part I of K of the output, from its own input only", .set = set_shard,
     AT(settings)},

    {.help = "Text in columns"},
    {"delimiter", "C", "between columns: , ; | or tab, blank (csv: what its first line has)",
     .set = set_delimiter, AT(settings.dialect.delimiter), TABLE},
    {"decimal", "C", "the decimal sign: . (default) or ,", .set = set_decimal,
     AT(settings.dialect.decimal), TABLE},
    {"columns", "LIST", "the channels: 2,4 or names (all with numbers)", .set = set_columns,
     AT(settings.dialect.columns), TABLE},
    {"header", "N", "lines of names and units before the data; no; auto (default)",
     .set = set_header, AT(settings.dialect.header), TABLE},
    {"skip-lines", "N", "lines to pass over before the header", .set = set_skip_lines,
     AT(settings.dialect.skip_lines), TABLE},
    {"skip-footer", "N", "lines to pass over at the end of the text", .set = set_skip_footer,
     AT(settings.dialect.skip_footer), TABLE},
    {"missing", "LIST",
     "words for missing samples, beside empty fields (nan,NA,N/A,null,none,-,--,#N/A,...)",
     .set = set_missing, AT(settings.dialect.missing), TABLE},
    {"bad-lines", "WHAT", "error (default); nan: a row of NaN; skip", OPTION_WORD,
     AT(settings.dialect.bad_lines), TABLE, .words = bad_lines_words},
    {"time", "COLUMN",
     "the times of rows, or date,clock and more; --zoom 1min is then by the clock", .set = set_time,
     AT(settings.dialect.time), TABLE},
    {"time-unit", "UNIT", "of times that are numbers: s (default), ms, us, ns", OPTION_WORD,
     AT(settings.dialect.time_unit), GIVEN(settings.dialect.time_unit_given),
     .words = time_unit_words},
    {"time-format", "FORMAT", "of other times, as strptime: '%d.%m.%Y %H:%M:%S'",
     .set = set_time_format, AT(settings.dialect.time_format)},
    {"gaps", "WHAT", "intervals without rows: nan (default), skip", OPTION_SECOND,
     AT(settings.skip_gaps), GIVEN(settings.gaps_given), .words = gaps_words},

    {.help = "Output"},
    {"output", "FILE", "a file that appears whole or not at all", OPTION_TEXT, AT(task.output),
     .letter = 'o'},
    {"output-type", "TYPE",
     "f32 (default) f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64; containers: wav rf64 w64 au npy "
     "aiff caf flac ogg, wav:s16; text: csv tsv txt; overviews: dat json; a picture: svg; a list: "
     "spans",
     OPTION_TEXT, AT(settings.output_type), .what = "a type", .letter = 'T',
     .list = format_output_types},
    {"size", "SIZE", "of a picture, in pixels: 1200x600", .set = set_size, AT(settings.picture)},
    {"title", "TEXT", "of a picture, instead of the name of the input", OPTION_TEXT,
     AT(settings.picture.title), .what = "a title"},
    {"scale", "SCALE", "of a picture: full (for sound), fit (numbers), LO:HI", .set = set_scale,
     AT(settings.picture), .words = scale_words},
    {"level", "RULE", "for -T spans: above:L or below:L, L as in 0.5, -50dB, 99%", .set = set_level,
     AT(settings.rule)},
    {"join", "LEN", "spans with less than LEN between them are one", OPTION_LENGTH,
     AT(settings.join)},
    {"no-frame", NULL, "text without its column of frame numbers", OPTION_ON,
     AT(settings.no_frame)},
    {"force", NULL, "use a terminal for frames", OPTION_ON, AT(settings.force), .letter = 'f'},
    {"no-clobber", NULL, "leave an output alone that is there already", OPTION_ON,
     AT(settings.no_clobber), .letter = 'n'},
    {"stats", "FILE", "extremes, mean, RMS of the input; - with --emit none", OPTION_TEXT,
     AT(task.stats), .what = "a file name"},
    {"stats-every", "LEN", "a record each LEN frames", OPTION_LENGTH, AT(settings.stats_every),
     .what = "a block"},
    {"stats-format", "NAME", "jsonl (default), tsv, csv, text (a table for people)", OPTION_WORD,
     AT(settings.stats_format), GIVEN(settings.stats_format_given), .words = stats_format_words},

    {.help = "Many files"},
    {"out-dir", "DIR", "write an output for each FILE into this folder", OPTION_TEXT,
     AT(many.folder), .what = "a folder"},
    {"recursive", NULL, "take the files in folders, and the folders in them", OPTION_ON,
     AT(many.recursive)},
    {"files-from", "FILE", "read the names of inputs, one a line; - for stdin", OPTION_TEXT,
     AT(many.list), .what = "a file name"},
    {"null", NULL, "a zero byte ends each name, not a newline", OPTION_ON, AT(many.null),
     .letter = '0'},
    {"name", "TEMPLATE", "of an output's name: {name}.{ext} (default), {file}, {dir}",
     .set = set_name, AT(many.name)},
    {"jobs", "N", "work on at most N files at a time", OPTION_NUMBER, AT(many.jobs), .least = 1,
     .most = JOBS_MOST},
    {"skip-existing", NULL, "pass over inputs whose output is there", OPTION_ON,
     AT(many.skip_existing)},
    {"fail-fast", NULL, "begin no other file after one has failed", OPTION_ON, AT(many.fail_fast)},
    {"overwrite", NULL, "names from a pipe: replace files among the inputs", OPTION_ON,
     AT(many.overwrite)},

    {.help = "Work (changes no byte of the output)"},
    {"device", "NAME", "auto (default), cpu, cuda[:N,...], cuda:all", .set = set_device,
     AT(settings), .words = device_words},
    {"threads", "N", "at most N threads", OPTION_NUMBER, AT(settings.threads), .least = 1,
     .most = THREADS_MOST},
    {"isa", "NAME", "at most scalar, sse4, avx2, avx512, neon", OPTION_TEXT, AT(settings.isa),
     .words = isa_words},
    {"chunk", "FRAMES", "at most FRAMES at a time", OPTION_NUMBER, AT(settings.chunk), .least = 1,
     .most = CHUNK_MOST},
    {"algorithm", "NAME", "engine (default), lemire (the sequential reference)", OPTION_SECOND,
     AT(settings.lemire), .words = algorithm_words},

    {.help = "Messages"},
    {"report", "FILE", "write an account of the run, as JSON", OPTION_TEXT, AT(task.report),
     .what = "a file name"},
    {"progress", NULL, "show progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_ON},
    {"no-progress", NULL, "show no progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_OFF},
    {"verbose", NULL, "tell the plan and what became of it", OPTION_CHOICE, AT(level),
     .choice = MESSAGES_VERBOSE, .letter = 'v'},
    {"quiet", NULL, "no messages but errors", OPTION_CHOICE, AT(level), .choice = MESSAGES_QUIET,
     .letter = 'q'},
    {"help", NULL, "print this text", OPTION_CHOICE, AT(action), .choice = OPTIONS_HELP,
     .letter = 'h', .ends = true},
    {"version", NULL, "print the version", OPTION_CHOICE, AT(action), .choice = OPTIONS_VERSION,
     .letter = 'V', .ends = true},
};

/* 79 columns; with the options one page. The manual has the rules. */
static const char usage[] =
    "Usage: gpuenv -w LEN [OPTION]... [FILE]\n"
    "       gpuenv -w LEN --out-dir DIR [OPTION]... FILE...\n"
    "       gpuenv --emit none --stats FILE [OPTION]... [FILE]...\n"
    "The running minimum and maximum (the envelope) of sound or other samples.\n"
    "\n"
    "Reads FILE, or standard input. Writes to standard output, as float32, the\n"
    "minimum and the maximum of each channel in every window of LEN frames.\n"
    "LEN is frames (512) or, if the rate is known, a time (10ms; us ms s min h d).\n";

static const char notes[] =
    "Examples:\n"
    "  gpuenv -w 10ms in.wav -o envelope.wav\n"
    "  sox in.wav -t f32 - | gpuenv -w 512 -c 2 > envelope.f32\n"
    "  gpuenv -t s16 -r 48k -w 10ms --hop 10ms -o overview.f32 recording.s16\n"
    "  gpuenv -w 10ms --recursive --out-dir envelopes recordings\n"
    "  rtl_sdr -f 100M -s 2.4M - | gpuenv -t cu8 -r 2.4M -w 1ms --emit max > am.f32\n"
    "Every rule, more examples: man gpuenv\n";

/* As sox, ffmpeg, audiowaveform, rtl_sdr, pandas, mlr, csvkit and cut call them. */
static const struct option_elsewhere elsewhere[] = {
    {"i", "the input stands by itself: gpuenv -w 10ms in.wav"},
    {"y", "-o replaces an older file; -n keeps it"},
    {"b", "-t s16 says the bits of raw samples, -T wav:s16 those of an output"},
    {"s", "--size says that of a picture, -t s16 the type of samples"},
    {"j", "--threads says how many threads, --jobs how many files at a time"},
    {"d", "--delimiter says what is between columns"},
    {"O", "-o FILE is the output; the type is -T"},
    {"format", "-t is the type of the input, -T that of the output"},
    {"csv", "-t csv reads it, -T csv writes it"},
    {"tsv", "-t tsv reads it, -T tsv writes it"},
    {"json", "-T json writes an overview, --stats FILE.json records"},
    {"sample-rate", "-r says the rate of raw samples"},
    {"samplerate", "-r says the rate of raw samples"},
    {"fs", "-r says the rate of raw samples"},
    {"ar", "-r says the rate of raw samples"},
    {"ac", "-c says how many channels raw samples have"},
    {"step", "--hop says how far windows are apart"},
    {"stride", "--hop says how far windows are apart"},
    {"rolling", "-w is the length of the window"},
    {"width", "-w is the length of the window, --size that of a picture"},
    {"resample", "--zoom takes the length of an interval (1h, with --time)"},
    {"sep", "--delimiter says what is between columns"},
    {"output-dir", "--out-dir takes the folder of the outputs"},
    {"outdir", "--out-dir takes the folder of the outputs"},
    {"tz", "times without a zone are UTC: --time-format reads others"},
    {"dry-run", "-v tells the plan"},
    {"color", "messages have no colours"},
    {"usecols", "--columns says which columns are read"},
    {"na-values", "--missing says which words are missing samples"},
    {"gain", "levels are as they are: sox and ffmpeg change them"},
    {"start", "--skip passes over the beginning"},
    {"offset", "--skip passes over the beginning"},
    {"seek", "--skip passes over the beginning"},
    {"end", "--frames says how much is used"},
    {"duration", "--frames says how much is used"},
    {"length", "--frames says how much is used"},
    {"mono", "--mix takes the mean of the channels"},
    {"separator", "--delimiter says what is between columns"},
    {"pixels-per-second", "--zoom takes the time of a pixel (10ms)"},
    {"bits", "-T dat:s8 and -T dat:s16 say them"},
    {NULL, NULL},
};

const struct option_table options_command = {
    .program = "gpuenv",
    .files = true,
    .usage = usage,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .notes = notes,
    .elsewhere = elsewhere,
};
