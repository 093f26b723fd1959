/* Options: where frames and statistics go. */
#include <math.h>
#include <string.h>

#include "cli/options.h"
#include "cli/options_rows.h"
#include "cli/values.h"
#include "sample/number.h"

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

/* A number of pixels that a character or the end follows. Returns where, or NULL. */
static const char *read_side(const char *text, unsigned *side)
{
    *side = 0;
    while (*text >= '0' && *text <= '9' && *side <= PICTURE_MOST)
        *side = 10 * *side + (unsigned)(*text++ - '0');
    return *side >= PICTURE_LEAST && *side <= PICTURE_MOST ? text : NULL;
}

static int set_size(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    struct picture *picture = &options->settings.picture;
    const char *end = read_side(value->text, &picture->width);

    if (end != NULL && *end == 'x')
        end = read_side(end + 1, &picture->height);
    else
        end = NULL;
    if (end == NULL || *end != '\0')
        return values_refuse(error, value,
                             "not a size in pixels: give WxH, each from %d to %d (1200x600)",
                             PICTURE_LEAST, PICTURE_MOST);
    return 0;
}

static int set_title(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a title", &options->settings.picture.title, error);
}

static int set_scale(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    struct picture *picture = &options->settings.picture;
    const char *end = value->text + strlen(value->text);
    const char *at = number_read_f64(value->text, end, '.', &picture->low);

    if (strcmp(value->text, "full") == 0 || strcmp(value->text, "fit") == 0) {
        picture->scale = strcmp(value->text, "fit") == 0 ? PICTURE_FIT : PICTURE_FULL;
        return 0;
    }
    picture->scale = PICTURE_RANGE;
    if (at == NULL || *at != ':' || number_read_f64(at + 1, end, '.', &picture->high) != end)
        return values_refuse(error, value,
                             "unknown value: use one of full, fit (or the ends, LO:HI, as in "
                             "-2:2)");
    /* Neither end is NaN or infinite, and ticks fit between them. */
    if (!(picture->high - picture->low > 1e-300) || !isfinite(picture->high - picture->low))
        return values_refuse(error, value, "LO must be a number below HI");
    return 0;
}

/* A number, -50dB, or 99% of full scale. */
static bool read_level(const char *text, double *level)
{
    const char *end = text + strlen(text);
    const char *unit = number_read_f64(text, end, '.', level);

    if (unit == NULL || !isfinite(*level))
        return false;
    if (strcmp(unit, "dB") == 0)
        *level = pow(10, *level / 20);
    else if (strcmp(unit, "%") == 0)
        *level /= 100;
    else
        return unit == end;
    return isfinite(*level);
}

static int set_level(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    struct span_rule *rule = &options->settings.rule;
    const char *colon = strchr(value->text, ':');

    rule->given = true;
    rule->below = strncmp(value->text, "below:", 6) == 0;
    if (colon == NULL || (!rule->below && strncmp(value->text, "above:", 6) != 0) ||
        !read_level(colon + 1, &rule->level))
        return values_refuse(error, value,
                             "unknown value: give above:L or below:L, L as in 0.5, "
                             "-50dB or 99%%");
    return 0;
}

static int set_join(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_length(value, &options->settings.join, error);
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
    int place = values_word(value, stats_words, error);

    if (place < 0)
        return -1;
    options->settings.stats_format = (enum stats_format)place;
    options->settings.stats_format_given = true;
    return 0;
}

static const struct option_row rows[] = {
    {"output", "FILE", "a file that appears whole or not at all", .letter = 'o', .set = set_output},
    {"output-type", "TYPE",
     "f32 (default) f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64; containers: wav rf64 w64 au npy "
     "aiff caf flac ogg, wav:s16; text: csv tsv txt; overviews: dat json; a picture: svg; a list: "
     "spans",
     .letter = 'T', .set = set_output_type},
    {"size", "SIZE", "of a picture, in pixels: 1200x600", .set = set_size},
    {"title", "TEXT", "of a picture, instead of the name of the input", .set = set_title},
    {"scale", "SCALE", "of a picture: full (for sound), fit (numbers), LO:HI", .set = set_scale},
    {"level", "RULE", "for -T spans: above:L or below:L, L as in 0.5, -50dB, 99%",
     .set = set_level},
    {"join", "LEN", "spans with less than LEN between them are one", .set = set_join},
    {"no-frame", NULL, "text without its column of frame numbers",
     .flag = offsetof(struct options, settings.no_frame)},
    {"force", NULL, "use a terminal for frames", .letter = 'f',
     .flag = offsetof(struct options, settings.force)},
    {"no-clobber", NULL, "leave an output alone that is there already", .letter = 'n',
     .flag = offsetof(struct options, settings.no_clobber)},
    {"stats", "FILE", "extremes, mean, RMS of the input; - with --emit none", .set = set_stats},
    {"stats-every", "LEN", "a record each LEN frames", .set = set_stats_every},
    {"stats-format", "NAME", "jsonl (default), tsv, csv, text (a table for people)",
     .set = set_stats_format},
};

const struct option_section options_output = {
    .title = "Output",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
