/* Options: what is computed. */
#include <string.h>

#include "cli/options.h"
#include "cli/options_rows.h"
#include "cli/values.h"

/* The place of a word in its list is its number in the enumeration. */
static const char *const align_words[] = {
    [ALIGN_VALID] = "valid",
    [ALIGN_CAUSAL] = "causal",
    [ALIGN_CENTER] = "center",
    [ALIGN_FORWARD] = "forward",
    NULL,
};
static const char *const edge_words[] = {[EDGE_SHRINK] = "shrink", [EDGE_NAN] = "nan", NULL};
static const char *const nan_words[] = {
    [NAN_PROPAGATE] = "propagate",
    [NAN_OMIT] = "omit",
    [NAN_ERROR] = "error",
    NULL,
};
static const char *const emit_words[] = {
    [EMIT_MIN] = "min",     [EMIT_MAX] = "max", [EMIT_ABS] = "abs",
    [EMIT_RANGE] = "range", [EMIT_MID] = "mid", [EMIT_KINDS] = NULL,
};

static int set_window(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_positive_length(value, "a window", &options->settings.window, error);
}

static int set_zoom(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_positive_length(value, "a pixel", &options->settings.zoom, error);
}

static int set_align(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    int place =
        strcmp(value->text, "centre") == 0 ? ALIGN_CENTER : values_word(value, align_words, error);

    if (place < 0)
        return -1;
    options->settings.align = (enum window_align)place;
    options->align_given = true;
    return 0;
}

static int set_edge(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    int place = values_word(value, edge_words, error);

    if (place < 0)
        return -1;
    options->settings.edge = (enum window_edge)place;
    return 0;
}

static int set_hop(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_positive_length(value, "a hop", &options->settings.hop, error);
}

static int set_emit(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    const char *text = value->text;
    struct emit_list list = {0};
    char known[64];

    options->settings.emit_given = true;
    if (strcmp(text, "none") == 0) {
        options->settings.emits = list;
        return 0;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        int place = values_find(emit_words, text, length);

        if (length == 0)
            return values_refuse(error, value, "a name is missing");
        if (place < 0) {
            values_join(emit_words, known, sizeof known);
            if (strncmp(text, "none", length) == 0 && length == 4)
                return values_refuse(error, value, "none stands alone");
            return values_refuse(error, value, "unknown name '%.*s': use %s, or none",
                                 (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), text, known);
        }
        for (unsigned i = 0; i < list.count; i++) {
            if (list.item[i] == (enum emit)place)
                return values_refuse(error, value, "%s is named twice", emit_words[place]);
        }
        list.item[list.count++] = (enum emit)place;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    options->settings.emits = list;
    return 0;
}

static int set_nan(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    int place = values_word(value, nan_words, error);

    if (place < 0)
        return -1;
    options->settings.nan = (enum nan_policy)place;
    return 0;
}

static const struct option_row rows[] = {
    {"window", "LEN", "how long the window is (required)", .letter = 'w', .set = set_window},
    {"zoom", "LEN", "an overview: -w LEN --hop LEN --align forward", .set = set_zoom},
    {"align", "WHERE",
     "what output k covers: valid (frames k to k+LEN-1; default), forward (the same, cut at the "
     "end), causal (LEN frames up to k), center (LEN around k)",
     .set = set_align},
    {"edge", "RULE", "a window cut by an end gives: shrink (default), nan", .set = set_edge},
    {"hop", "LEN", "write every LEN-th output frame only", .set = set_hop},
    {"emit", "LIST", "what to write: min,max (default),abs,range,mid; none", .set = set_emit},
    {"overall", NULL, "one answer for all channels: the least minimum, the greatest maximum",
     .flag = offsetof(struct options, settings.overall)},
    {"nan", "POLICY", "NaN in the input: propagate (default), omit, error", .set = set_nan},
};

const struct option_section options_window = {
    .title = "Window",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
