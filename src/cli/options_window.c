/* Options: what is computed. */
#include <string.h>

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

static int set_align(void *field, const struct value *value, struct error *error)
{
    int place =
        strcmp(value->text, "centre") == 0 ? ALIGN_CENTER : values_word(value, align_words, error);

    if (place < 0)
        return -1;
    *(enum window_align *)field = (enum window_align)place;
    return 0;
}

static int set_emit(void *field, const struct value *value, struct error *error)
{
    const char *text = value->text;
    struct emit_list list = {0};
    char known[64];

    if (strcmp(text, "none") == 0) {
        *(struct emit_list *)field = list;
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
    *(struct emit_list *)field = list;
    return 0;
}

static const struct option_row rows[] = {
    {"window", "LEN", "how long the window is (required)", OPTION_LENGTH, AT(settings.window),
     .what = "a window", .letter = 'w'},
    {"zoom", "LEN", "an overview: -w LEN --hop LEN --align forward", OPTION_LENGTH,
     AT(settings.zoom), .what = "a pixel"},
    {"align", "WHERE",
     "what output k covers: valid (frames k to k+LEN-1; default), forward (the same, cut at the "
     "end), causal (LEN frames up to k), center (LEN around k)",
     .set = set_align, AT(settings.align), GIVEN(align_given)},
    {"edge", "RULE", "a window cut by an end gives: shrink (default), nan", OPTION_WORD,
     AT(settings.edge), .words = edge_words},
    {"hop", "LEN", "write every LEN-th output frame only", OPTION_LENGTH, AT(settings.hop),
     .what = "a hop"},
    {"emit", "LIST", "what to write: min,max (default),abs,range,mid; none", .set = set_emit,
     AT(settings.emits), GIVEN(settings.emit_given)},
    {"overall", NULL, "one answer for all channels: the least minimum, the greatest maximum",
     OPTION_ON, AT(settings.overall)},
    {"nan", "POLICY", "NaN in the input: propagate (default), omit, error", OPTION_WORD,
     AT(settings.nan), .words = nan_words},
};

const struct option_section options_window = OPTION_SECTION("Window", rows);
