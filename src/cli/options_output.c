/* Options: where frames and statistics go. */
#include "cli/options.h"
#include "cli/options_rows.h"
#include "cli/values.h"

static const char *const type_words[] = {
    "f32", "f64", "f16", "s8",   "u8",   "s16", "u16",  "s24",  "u24",
    "s32", "u32", "wav", "rf64", "w64",  "au",  "npy",  "aiff", "caf",
    "csv", "tsv", "txt", "dat",  "json", "svg", "flac", "ogg",  NULL,
};
static const char *const stats_words[] = {
    [STATS_JSONL] = "jsonl", [STATS_TSV] = "tsv", [STATS_CSV] = "csv", [STATS_TABLE] = "text", NULL,
};

static int set_output(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    (void)error;
    options->task.output = value->text;
    return 0;
}

static int set_output_type(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a type", &options->settings.output_type, error);
}

static void turn_force(void *into)
{
    struct options *options = into;

    options->settings.force = true;
}

static void turn_no_clobber(void *into)
{
    struct options *options = into;

    options->settings.no_clobber = true;
}

static int set_stats(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a file name", &options->task.stats, error);
}

static int set_stats_every(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_positive_length(value, "a block", &options->settings.stats_every, error);
}

static int set_stats_format(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    int place;

    if (values_word(value, stats_words, &place, error) != 0)
        return -1;
    options->settings.stats_format = (enum stats_format)place;
    options->settings.stats_format_given = true;
    return 0;
}

static const struct option_row rows[] = {
    {
        .name = "output",
        .letter = 'o',
        .value = "FILE",
        .help = "a file that appears whole or not at all",
        .brief = "write to a file",
        .hint = "output file",
        .offer = OFFER_FILES,
        .set = set_output,
    },
    {
        .name = "output-type",
        .letter = 'T',
        .value = "TYPE",
        .help = "f32 (default) or another real type; or a container:\n"
                "wav rf64 w64 au npy aiff caf flac ogg; wav:s16;\n"
                "text: csv tsv txt; overviews: dat json; a picture: svg",
        .brief = "type of the output",
        .hint = "type",
        .offer = OFFER_WORDS,
        .words = type_words,
        .set = set_output_type,
    },
    {
        .name = "force",
        .letter = 'f',
        .help = "use a terminal for frames",
        .brief = "use a terminal for frames",
        .turn = turn_force,
    },
    {
        .name = "no-clobber",
        .letter = 'n',
        .help = "leave an output alone that is there already",
        .brief = "leave an output alone that is there already",
        .turn = turn_no_clobber,
    },
    {
        .name = "stats",
        .value = "FILE",
        .help = "extremes, mean, RMS of the input; - with --emit none",
        .brief = "write statistics of the input",
        .hint = "statistics file",
        .offer = OFFER_FILES,
        .set = set_stats,
    },
    {
        .name = "stats-every",
        .value = "LEN",
        .help = "a record each LEN frames; --stats-format jsonl, tsv,\n"
                "csv, text (a table for people)",
        .brief = "a record for each so many frames",
        .hint = "frames or time",
        .set = set_stats_every,
    },
    {
        .name = "stats-format",
        .value = "NAME",
        .place = PLACE_WITHIN,
        .brief = "how statistics are written",
        .hint = "format",
        .offer = OFFER_WORDS,
        .words = stats_words,
        .set = set_stats_format,
    },
};

const struct option_section options_output = {
    .title = "Output",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
