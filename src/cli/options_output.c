/* Options: where frames and statistics go. */
#include <math.h>
#include <string.h>

#include "cli/options_rows.h"
#include "cli/values.h"
#include "sample/number.h"

/* A number of pixels that a character or the end follows. Returns where, or NULL. */
static const char *read_side(const char *text, unsigned *side)
{
    *side = 0;
    while (*text >= '0' && *text <= '9' && *side <= PICTURE_MOST)
        *side = 10 * *side + (unsigned)(*text++ - '0');
    return *side >= PICTURE_LEAST && *side <= PICTURE_MOST ? text : NULL;
}

static int set_size(void *field, const struct value *value, struct error *error)
{
    struct picture *picture = field;
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

static int set_scale(void *field, const struct value *value, struct error *error)
{
    struct picture *picture = field;
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

static int set_level(void *field, const struct value *value, struct error *error)
{
    struct span_rule *rule = field;
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

static const struct option_row rows[] = {
    {"output", "FILE", "a file that appears whole or not at all", OPTION_TEXT, AT(task.output),
     .letter = 'o'},
    {"output-type", "TYPE",
     "f32 (default) f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64; containers: wav rf64 w64 au npy "
     "aiff caf flac ogg, wav:s16; text: csv tsv txt; overviews: dat json; a picture: svg; a list: "
     "spans",
     OPTION_TEXT, AT(settings.output_type), .what = "a type", .letter = 'T'},
    {"size", "SIZE", "of a picture, in pixels: 1200x600", .set = set_size, AT(settings.picture)},
    {"title", "TEXT", "of a picture, instead of the name of the input", OPTION_TEXT,
     AT(settings.picture.title), .what = "a title"},
    {"scale", "SCALE", "of a picture: full (for sound), fit (numbers), LO:HI", .set = set_scale,
     AT(settings.picture)},
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
};

const struct option_section options_output = OPTION_SECTION("Output", rows);
