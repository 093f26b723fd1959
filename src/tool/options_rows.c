/* SPDX-License-Identifier: MIT */
/* The options of gpuenv. Functions above the rows set values that have rules of their own;
 * functions of option_values.c set values that have a grammar. */
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "format/format.h"
#include "format/text/dialect.h"
#include "format/text/time_form.h"
#include "tool/option_values_priv.h"
#include "tool/options_priv.h"
#include "tool/others_priv.h"

enum {
    THREADS_MOST = 1024,
    JOBS_MOST = 1024,
    CHANNELS_MOST = 65535,
    CHUNK_MOST = 1 << 30, /* so that a chunk's bytes can be counted without overflow */
};

/* The index of a word in its list is its number in the enumeration. */
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
static void list_time_zones(char *list, size_t size)
{
    snprintf(list, size, " local UTC");
}

static const char *const gaps_words[] = {"nan", "skip", NULL};
static const char *const all_words[] = {"all", NULL};
static const char *const isa_words[] = {"scalar", "sse4", "avx2", "avx512", "neon", NULL};
static const char *const algorithm_words[] = {"engine", "lemire", NULL};

static void list_none(char *list, size_t size)
{
    snprintf(list, size, " none");
}

/* ---- setters ---- */

static int set_rate(void *field, const struct option_value *value, struct error *error)
{
    struct settings *settings = field;

    return values_rate(value, &settings->rate, &settings->ratio, error);
}

/* Channels, from 1. */
static int set_pick(void *field, const struct option_value *value, struct error *error)
{
    struct settings *settings = field;

    settings->pick_count = 0;
    for (const char *rest = value->text; rest != NULL;) {
        const char *item = rest;
        uint64_t channel;

        if (!values_number(item, list_item(&rest), 1, CHANNELS_MOST, &channel))
            return settings_refuse(error, value,
                                   "not a list of channels: give 1,3 (they count from 1)");
        if (settings->pick_count == SETTINGS_PICKS)
            return settings_refuse(error, value, "more than %d channels", SETTINGS_PICKS);
        settings->pick[settings->pick_count++] = (unsigned)channel - 1;
    }
    return 0;
}

/* I/K: the part, and how many there are. */
static int set_shard(void *field, const struct option_value *value, struct error *error)
{
    struct settings *settings = field;
    uint64_t part[2];

    if (!values_pair(value->text, '/', 1, UINT32_MAX, part) || part[0] > part[1])
        return settings_refuse(error, value,
                               "not a part of the output: give I/K, the I-th of K, I from 1 to K");
    settings->shard = (uint32_t)part[0];
    settings->shards = (uint32_t)part[1];
    return 0;
}

/* A time, which only the input's form can tell, or a length. */
static int set_cut(void *field, const struct option_value *value, struct error *error)
{
    struct span *cut = field;
    struct error ignored;

    if (values_length(value, NULL, cut, &ignored) != 0)
        *cut = (struct span){.value = *value};
    return values_text(value, "a time", &cut->value.text, error);
}

static int set_late(void *field, const struct option_value *value, struct error *error)
{
    struct settings *settings = field;

    settings->late_all = strcmp(value->text, "all") == 0;
    settings->late = (struct span){.given = true, .value = *value};
    return settings->late_all ? 0 : values_length(value, "a delay", &settings->late, error);
}

/* One of the characters `signs`, or the word for it. */
static int set_sign(char *field, const struct option_value *value, const char *signs,
                    const char *reason, struct error *error)
{
    static const char *const names[] = {"comma", "semicolon", "tab", "bar", "blank", "\\t", NULL};
    const int named = values_find(names, value->text, strlen(value->text));
    char sign = value->text[0];

    if (named >= 0)
        sign = ",;\t| \t"[named];
    if ((named < 0 && strlen(value->text) != 1) || strchr(signs, sign) == NULL)
        return settings_refuse(error, value, "%s", reason);
    *field = sign;
    return 0;
}

static int set_delimiter(void *field, const struct option_value *value, struct error *error)
{
    return set_sign(field, value, ",;:\t| !/&$%@^~=_*",
                    "not a delimiter: give one of , ; | : or tab, blank, comma, semicolon", error);
}

static int set_decimal(void *field, const struct option_value *value, struct error *error)
{
    return set_sign(field, value, ".,", "the decimal sign is a point or a comma", error);
}

static int set_thousands(void *field, const struct option_value *value, struct error *error)
{
    return set_sign(field, value, ",.'_ ",
                    "the thousands separator is a comma, a point, an apostrophe, _ or blank",
                    error);
}

static int set_list(const struct option_value *value, unsigned most, const char **list,
                    struct error *error)
{
    struct error reason;

    if (values_text(value, "a column", list, error) != 0)
        return -1;
    return text_columns_check(value->text, most, &reason) == 0
               ? 0
               : settings_refuse(error, value, "%s", reason.reason);
}

static int set_columns(void *field, const struct option_value *value, struct error *error)
{
    return set_list(value, TEXT_CHANNELS_MOST, field, error);
}

static int set_header(void *field, const struct option_value *value, struct error *error)
{
    uint32_t *header = field;
    uint64_t lines = 0;

    *header = TEXT_HEADER_AUTO;
    if (strcmp(value->text, "auto") == 0)
        return 0;
    if (strcmp(value->text, "no") != 0 && values_whole(value, 0, 1000, &lines, error) != 0)
        return settings_refuse(error, value, "give a number of lines, no, or auto");
    *header = (uint32_t)lines;
    return 0;
}

static int set_missing(void *field, const struct option_value *value, struct error *error)
{
    const char *fault = text_missing_fault(value->text);

    if (fault != NULL)
        return settings_refuse(error, value, "%s", fault);
    return values_text(value, NULL, field, error);
}

static int set_time(void *field, const struct option_value *value, struct error *error)
{
    return set_list(value, TEXT_TIMES, field, error);
}

static int set_by(void *field, const struct option_value *value, struct error *error)
{
    return set_list(value, 1, field, error);
}

static int set_time_format(void *field, const struct option_value *value, struct error *error)
{
    const char *fault = time_format_fault(value->text);

    if (strlen(value->text) > TIME_FORMAT_MOST)
        return settings_refuse(error, value, "longer than %d characters", TIME_FORMAT_MOST);
    if (fault == value->text && strchr(value->text, '%') != value->text)
        return settings_refuse(error, value, "has no conversion, such as %%Y-%%m-%%d");
    if (fault != NULL)
        return settings_refuse(error, value, "no conversion %.2s: there are %s", fault,
                               time_conversions);
    return values_text(value, NULL, field, error);
}

static int set_gap(void *field, const struct option_value *value, struct error *error)
{
    struct gap_rule *rule = field;
    struct span span;

    *rule = (struct gap_rule){.given = true};
    if (strcmp(value->text, "none") == 0)
        return 0;
    if (values_length(value, "a gap", &span, error) != 0)
        return -1;
    if (!span.is_time || span.minutes)
        return settings_refuse(error, value, "a gap is a time with a unit, as in 2h, or none");
    return settings_period(&span, &rule->longest, error);
}

/* ---- the rows ---- */

#define AT(member) .field = offsetof(struct options, member)
#define GIVEN(member) .given = offsetof(struct options, member)
#define OF_OUTPUT GIVEN(of_output)
#define TABLE .named = offsetof(struct options, settings.table)

static const struct option_row rows[] = {
    {.help = "Window", OF_OUTPUT},
    {"window", "LEN",
     "slide a window of LEN along the signal; pictures, spans and statistics need none, all else "
     "needs this or --zoom",
     OPTION_LENGTH, AT(settings.window), .what = "a window", .letter = 'w', .common = true},
    {"zoom", "LEN", "cut the signal into pieces of LEN, one result each", OPTION_LENGTH,
     AT(settings.zoom), .what = "a piece", .common = true},
    {"align", "WHERE",
     "valid (default), forward, causal or center; result k covers: valid: k to k+LEN-1, forward: "
     "the same, cut at the end, causal: LEN frames up to k, center: LEN around k",
     OPTION_WORD, AT(settings.align), GIVEN(align_given), .words = window_aligns, .common = true},
    {"edge", "RULE", "a window cut by an end gives: shrink (default), nan", OPTION_WORD,
     AT(settings.edge), .words = edge_words},
    {"hop", "LEN", "write only every LEN-th result", OPTION_LENGTH, AT(settings.hop),
     .what = "a hop", .common = true},
    {"emit", "LIST",
     "min,max (default),abs,range,mid, and with --zoom mean,rms,std,count,first,last; these also "
     "where LEN is a multiple of the hop; positions: argmin,argmax (text and npy); no frames: none",
     .set = set_emit, AT(settings.emits), GIVEN(settings.emit_given), .words = emit_names,
     .list = list_none, .common = true},
    {"overall", NULL, "combine all channels into one minimum and maximum", OPTION_ON,
     AT(settings.overall), .common = true},

    {.help = "Input"},
    {"type", "TYPE",
     "of raw samples: s16, f32, cu8 and others; auto (default): what the first bytes or "
     "the "
     "name say, stdin otherwise f32; raw: f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64 ulaw "
     "alaw, s16le, s16be, complex: cf32 cf64 cs16 cs8 cu8; tables: csv tsv txt; containers: wav "
     "rf64 "
     "w64 au npy aiff caf flac ogg mp3 sndfile sigmf",
     OPTION_TEXT, AT(settings.type), .what = "a type", .letter = 't', .common = true,
     .list = format_input_types},
    {"channels", "N", "the number of channels of raw samples (1)", OPTION_NUMBER,
     AT(settings.channels), GIVEN(settings.channels_given), .least = 1, .most = CHANNELS_MOST,
     .letter = 'c', .common = true},
    {"rate", "HZ",
     "frames per second of raw samples: 48000, 44.1k, 2.4M; of rows: 1/60, or the time of one: 60s",
     .letter = 'r', .set = set_rate, AT(settings), .common = true},
    {"pick", "LIST", "use only these channels, in this order: 2,1", .set = set_pick, AT(settings),
     .common = true},
    {"mix", NULL, "use the mean of the channels as one channel", OPTION_ON, AT(settings.mix)},
    {"iq", NULL, "channels 1 and 2 (3 and 4, ...) are I and Q: use their magnitude", OPTION_ON,
     AT(settings.iq)},
    {"little-endian", NULL, "a TYPE without le or be is little-endian (default)", OPTION_OFF,
     AT(settings.big_endian), .letter = 'L'},
    {"big-endian", NULL, "a TYPE without le or be is big-endian", OPTION_ON,
     AT(settings.big_endian), .letter = 'B'},
    {"counts", NULL, "do not scale integers to [-1,1)", OPTION_ON, AT(settings.counts)},
    {"skip", "LEN", "skip the first LEN frames", OPTION_LENGTH, AT(settings.skip)},
    {"frames", "LEN", "read at most LEN frames", OPTION_LENGTH, AT(settings.frames)},
    {"from", "TIME", "begin at 90s, 1:30 or, in tables, 2026-01-01T06:00", .set = set_cut,
     AT(settings.from), .common = true},
    {"to", "TIME", "end before that time", .set = set_cut, AT(settings.to), .common = true},
    {"nan", "POLICY", "NaN in the input: propagate (default), omit (default for tables), error",
     OPTION_WORD, AT(settings.nan), GIVEN(settings.nan_given), .words = nan_words},
    {"accept-damaged", NULL, "use the frames of an input that is cut off or has gaps", OPTION_ON,
     AT(settings.accept_damaged)},

    {.help = "Tables"},
    {"delimiter", "C",
     "the character between columns: , ; | or tab, blank (csv: found in the first rows)",
     .set = set_delimiter, AT(settings.dialect.delimiter), TABLE},
    {"decimal", "C", "the decimal sign: . or , (found in the first rows)", .set = set_decimal,
     AT(settings.dialect.decimal), TABLE},
    {"thousands", "C", "the thousands separator, as the comma in 1,352", .set = set_thousands,
     AT(settings.dialect.thousands), TABLE},
    {"columns", "LIST", "read only these columns: 2,4 or names; default: all with numbers",
     .set = set_columns, AT(settings.dialect.columns), TABLE, .common = true},
    {"not-columns", "LIST", "read all columns with numbers except these", .set = set_columns,
     AT(settings.dialect.not_columns), TABLE},
    {"look", "N", "decide by the first N rows how a table is written (100)", OPTION_WHOLE,
     AT(settings.dialect.look), TABLE, .least = 1, .most = 10000},
    {"header", "N", "lines of names and units: a number, no, auto (default)", .set = set_header,
     AT(settings.dialect.header), TABLE},
    {"skip-lines", "N", "ignore N lines before the header", OPTION_WHOLE,
     AT(settings.dialect.skip_lines), TABLE, .most = INT64_MAX},
    {"skip-footer", "N", "ignore N lines at the end", OPTION_WHOLE,
     AT(settings.dialect.skip_footer), TABLE, .most = 1000},
    {"missing", "LIST",
     "the words for missing values, besides empty fields (nan,NA,N/A,null,none,-,--,#N/A,...)",
     .set = set_missing, AT(settings.dialect.missing), TABLE},
    {"bad-lines", "WHAT",
     "a line that cannot be read: error (default), nan (a row of missing values), skip",
     OPTION_WORD, AT(settings.dialect.bad_lines), TABLE, .words = bad_lines_words},
    {"time", "COLUMN",
     "the column with times, or date,clock; without it, --zoom 1h, -w 1d and the like find it; "
     "--zoom 1min then means the clock's minutes",
     .set = set_time, AT(settings.dialect.time), TABLE, .common = true},
    {"time-unit", "UNIT",
     "the unit of times that are numbers: s (default), ms, us, ns, min, h, d, year (1962.083), "
     "excel, matlab, jd, mjd",
     OPTION_WORD, AT(settings.dialect.time_unit), GIVEN(settings.dialect.time_unit_given),
     .words = time_unit_names},
    {"time-format", "FORMAT", "how times are written, as for strptime: '%d.%m.%Y %H:%M:%S'",
     .set = set_time_format, AT(settings.dialect.time_format)},
    {"time-zone", "ZONE",
     "the clock that intervals and times follow: local, UTC, Europe/Berlin (that of the first row)",
     OPTION_TEXT, AT(settings.time_zone), .what = "a time zone", .list = list_time_zones},
    {"by", "COLUMN", "a series for each word in this column (a sensor, say)", .set = set_by,
     AT(settings.dialect.by), TABLE, .common = true},
    {"late", "LEN", "sort rows that arrive up to LEN late; all: however late", .set = set_late,
     AT(settings), .words = all_words},
    {"gaps", "WHAT", "intervals without rows: nan (default), skip", OPTION_SECOND,
     AT(settings.skip_gaps), GIVEN(settings.gaps_given), .words = gaps_words},

    {.help = "Output", OF_OUTPUT},
    {"output", "FILE", "write to FILE, which appears when it is complete", OPTION_TEXT,
     AT(task.output), .letter = 'o', .common = true},
    {"output-type", "TYPE",
     "of the output: csv, svg, wav, npy, spans and others; default: what the ending of -o "
     "says, else csv for tables and raw f32 for all else; tables: csv tsv txt, pictures: svg png "
     "pdf, "
     "lists: spans labels, raw: f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64, containers: wav "
     "rf64 w64 au npy aiff caf flac ogg, wav:s16, overviews: dat json",
     OPTION_TEXT, AT(settings.output_type), .what = "a type", .letter = 'T', .common = true,
     .list = format_output_types},
    {"size", "SIZE", "the size of a picture in pixels: 1200x600", .set = set_size,
     AT(settings.picture)},
    {"title", "TEXT", "the title of a picture (default: the name of the input)", OPTION_TEXT,
     AT(settings.picture.title), .what = "a title"},
    {"plain", NULL, "draw the envelope alone, without axes and text", OPTION_ON,
     AT(settings.picture.plain)},
    {"scale", "SCALE", "the levels of a picture: full (for sound), fit (for tables), LO:HI",
     .set = set_scale, AT(settings.picture), .words = scale_words},
    {"level", "RULE",
     "for -T spans: above:L or below:L, as in below:-50dB; L as in 0.5, -50dB, 99%",
     .set = set_level, AT(settings.rule), .common = true},
    {"join", "LEN", "join spans with less than LEN between them", OPTION_LENGTH, AT(settings.join)},
    {"least", "LEN", "only spans that last LEN or longer", OPTION_LENGTH, AT(settings.least),
     .what = "a span"},
    {"gap", "LEN",
     "a longer time between rows ends spans and lines of pictures; none (default: 5 usual steps)",
     .set = set_gap, AT(settings.gap), .list = list_none},
    {"db", NULL, "write levels (abs, rms, magnitudes) in decibels", OPTION_ON, AT(settings.db),
     .common = true},
    {"no-frame", NULL, "write tables without the column of frame numbers", OPTION_ON,
     AT(settings.no_frame)},
    {"shard", "I/K", "write part I of K of the output only", .set = set_shard, AT(settings)},
    {"force", NULL, "write frames to a terminal, or read them from one", OPTION_ON,
     AT(settings.force), .letter = 'f'},
    {"no-clobber", NULL, "do not replace an existing output", OPTION_ON, AT(settings.no_clobber),
     .letter = 'n'},

    {.help = "Statistics"},
    {"stats", "FILE", "extremes, mean, RMS of the input; - with --emit none", OPTION_TEXT,
     AT(task.stats), .what = "a file name"},
    {"stats-every", "LEN", "a record for each LEN frames (default: one for all)", OPTION_LENGTH,
     AT(settings.stats_every), .what = "a block"},
    {"stats-format", "NAME", "jsonl (default), tsv, csv, text (a table for people)", OPTION_WORD,
     AT(settings.stats_format), GIVEN(settings.stats_format_given), .words = stats_format_words},

    {.help = "Many files"},
    {"out-dir", "DIR", "write one output per FILE into this folder", OPTION_TEXT, AT(many.folder),
     OF_OUTPUT, .what = "a folder", .common = true},
    {"recursive", NULL, "process the files in folders and their subfolders", OPTION_ON,
     AT(many.recursive), .common = true},
    {"files-from", "FILE", "names of inputs, one per line; - for stdin", OPTION_TEXT, AT(many.list),
     .what = "a file name"},
    {"null", NULL, "names end with a null byte, not a newline", OPTION_ON, AT(many.null),
     .letter = '0'},
    {"name", "TEMPLATE", "the name of an output: {name}.{ext} (default), {file}, {dir}",
     .set = set_name, AT(many.name), OF_OUTPUT},
    {"skip-existing", NULL, "skip inputs whose output exists", OPTION_ON, AT(many.skip_existing),
     OF_OUTPUT},
    {"fail-fast", NULL, "start no more files after one has failed", OPTION_ON, AT(many.fail_fast)},
    {"overwrite", NULL, "names from a pipe: replace files among the inputs", OPTION_ON,
     AT(many.overwrite), OF_OUTPUT},

    {.help = "Work (none of these changes the output)"},
    {"device", "NAME", "auto (default), cpu, cuda[:N,...], cuda:all", .set = set_device,
     AT(settings), .words = device_words},
    {"threads", "N", "use at most N threads", OPTION_NUMBER, AT(settings.threads), .least = 1,
     .most = THREADS_MOST},
    {"jobs", "N", "process at most N files at a time", OPTION_NUMBER, AT(many.jobs), .least = 1,
     .most = JOBS_MOST},
    {"isa", "NAME", "at most scalar, sse4, avx2, avx512, neon", OPTION_TEXT, AT(settings.isa),
     .words = isa_words},
    {"chunk", "FRAMES", "process at most FRAMES at a time", OPTION_NUMBER, AT(settings.chunk),
     .least = 1, .most = CHUNK_MOST},
    {"algorithm", "NAME", "engine (default), lemire (the sequential reference)", OPTION_SECOND,
     AT(settings.lemire), .words = algorithm_words},

    {.help = "Messages"},
    {"report", "FILE", "write a JSON object about the run", OPTION_TEXT, AT(task.report),
     .what = "a file name"},
    {"progress", NULL, "show progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_ON},
    {"no-progress", NULL, "show no progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_OFF},
    {"verbose", NULL, "print the plan before and a summary after", OPTION_CHOICE, AT(level),
     .choice = MESSAGES_VERBOSE, .letter = 'v'},
    {"quiet", NULL, "print errors only", OPTION_CHOICE, AT(level), .choice = MESSAGES_QUIET,
     .letter = 'q', .common = true},
    {"help", NULL, "print the common options; --help all prints all of them", OPTION_CHOICE,
     AT(action), .choice = OPTIONS_HELP, .words = all_words, .letter = 'h', .ends = true},
    {"version", NULL, "print the version", OPTION_CHOICE, AT(action), .choice = OPTIONS_VERSION,
     .letter = 'V', .ends = true},
};
_Static_assert(sizeof rows / sizeof *rows <= COMMAND_ROWS_MOST, "raise COMMAND_ROWS_MOST");

/* 79 columns; with the common options a screen. The manual has the rules. */
static const char usage[] =
    "Usage: gpuenv FILE...\n"
    "       gpuenv FILE -o PICTURE.svg\n"
    "       gpuenv -w LEN [OPTION]... [FILE] [-o OUTPUT]\n"
    "       gpuenv --zoom LEN [OPTION]... [FILE] [-o OUTPUT]\n"
    "       gpuenv --emit none --stats FILE [OPTION]... [FILE]...\n"
    "Finds the lowest and the highest value of a signal in every stretch of time.\n"
    "With only FILE, prints what is in it.\n"
    "FILE is sound, a table, an array or raw samples; - or none is stdin.\n"
    "LEN is frames (512) or, if the rate is known, a time (10ms; us ms s min h d w).\n";

static const char notes[] =
    "Examples:\n"
    "  gpuenv in.wav -o envelope.svg\n"
    "  gpuenv -w 10ms in.wav -o envelope.wav\n"
    "  gpuenv --zoom 1h log.csv -o hours.csv\n"
    "  rtl_sdr -f 100M -s 2.4M - | gpuenv -t cu8 -r 2.4M --zoom 1ms -T csv\n"
    "All options: gpuenv --help all. Every rule, more examples: man gpuenv\n";

const struct option_table options_command = {
    .program = "gpuenv",
    .files = true,
    .usage = usage,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .notes = notes,
    .others = others_table,
};
