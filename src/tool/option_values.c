/* SPDX-License-Identifier: MIT */
#include "tool/option_values_priv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "base/min_max.h"
#include "format/text/number.h"
#include "tool/values.h"

enum { DEVICE_MOST = 1023 };

/* ---- the window ---- */

int set_emit(void *field, const struct option_value *value, struct error *error)
{
    struct emit_list *list = field;

    *list = (struct emit_list){0};
    if (strcmp(value->text, "none") == 0)
        return 0;
    for (const char *rest = value->text; rest != NULL;) {
        const char *name = rest;
        const size_t length = list_item(&rest);
        const int place = values_find(emit_names, name, length);

        if (length == 0)
            return settings_refuse(error, value, "a name is missing");
        if (length == 4 && strncmp(name, "none", length) == 0)
            return settings_refuse(error, value, "none cannot be combined with other values");
        if (place < 0) {
            char *known = values_list(emit_names);

            settings_refuse(error, value, "unknown name '%.*s': use %s, or none",
                            (int)min_u64(length, VALUES_SHOWN), name, known != NULL ? known : "");
            free(known);
            return -1;
        }
        for (unsigned i = 0; i < list->count; i++) {
            if (list->item[i] == (enum emit)place)
                return settings_refuse(error, value, "%s is named twice", emit_names[place]);
        }
        list->item[list->count++] = (enum emit)place;
    }
    return 0;
}

/* ---- the output ---- */

int set_size(void *field, const struct option_value *value, struct error *error)
{
    struct picture *picture = field;
    uint64_t side[2];

    /* Refuses sizes such as 1kx1k. */
    if (strspn(value->text, "0123456789xX") < strlen(value->text) ||
        !values_pair(value->text, strchr(value->text, 'X') != NULL ? 'X' : 'x', PICTURE_LEAST_PLAIN,
                     PICTURE_MOST, side))
        return settings_refuse(error, value,
                               "not a size in pixels: give WxH, each from %d to %d (1200x600)",
                               PICTURE_LEAST, PICTURE_MOST);
    picture->width = (unsigned)side[0];
    picture->height = (unsigned)side[1];
    return 0;
}

const char *const scale_words[] = {"full", "fit", NULL};

int set_scale(void *field, const struct option_value *value, struct error *error)
{
    struct picture *picture = field;
    const char *end = value->text + strlen(value->text);
    const char *at = number_read_f64(value->text, end, '.', &picture->low);
    const int place = values_find(scale_words, value->text, strlen(value->text));

    if (place >= 0) {
        picture->scale = (enum picture_scale)(PICTURE_FULL + place);
        return 0;
    }
    picture->scale = PICTURE_RANGE;
    if (at == NULL || *at != ':' || number_read_f64(at + 1, end, '.', &picture->high) != end)
        return settings_refuse(error, value,
                               "unknown value: use one of full, fit (or the ends, LO:HI, as in "
                               "-2:2)");
    /* Neither end is NaN or infinite, and ticks fit between them. */
    if (!(picture->high - picture->low > 1e-300) || !isfinite(picture->high - picture->low))
        return settings_refuse(error, value, "LO must be a number below HI");
    return 0;
}

/* A number, -50dB, or 99% of full scale. */
static bool read_level(const char *text, double *level, bool *relative)
{
    const char *end = text + strlen(text);
    const char *unit = number_read_f64(text, end, '.', level);

    if (unit == NULL || !isfinite(*level))
        return false;
    *relative = unit < end;
    if (strcasecmp(unit, "dB") == 0 || strcasecmp(unit, "dBFS") == 0)
        *level = pow(10, *level / 20);
    else if (strcmp(unit, "%") == 0)
        *level /= 100;
    else
        return unit == end;
    return isfinite(*level);
}

/* A plain number is read exactly, for integers of 64 bits; other levels are split from the
 * float64. */
static void split_level(const char *text, struct span_rule *rule)
{
    const char *at = text + (*text == '-' || *text == '+');
    const double magnitude = fabs(rule->level);
    bool fits = true;

    rule->whole = 0;
    rule->fraction = false;
    for (; isdigit((unsigned char)*at); at++)
        fits = fits && !__builtin_mul_overflow(rule->whole, UINT64_C(10), &rule->whole) &&
               !__builtin_add_overflow(rule->whole, (uint64_t)(*at - '0'), &rule->whole);
    if (*at == '.')
        at++;
    for (; isdigit((unsigned char)*at); at++)
        rule->fraction = rule->fraction || *at != '0';
    if (*at != '\0') {
        fits = magnitude < 0x1p64;
        rule->whole = fits ? (uint64_t)magnitude : 0;
        rule->fraction = magnitude > trunc(magnitude);
    }
    if (!fits) { /* beyond all integers */
        rule->whole = UINT64_MAX;
        rule->fraction = true;
    }
}

int set_level(void *field, const struct option_value *value, struct error *error)
{
    struct span_rule *rule = field;
    const char *colon = strchr(value->text, ':');

    rule->text = value->text;
    rule->below = strncmp(value->text, "below:", 6) == 0;
    if (colon == NULL || (!rule->below && strncmp(value->text, "above:", 6) != 0) ||
        !read_level(colon + 1, &rule->level, &rule->relative))
        return settings_refuse(error, value,
                               "unknown value: give above:L or below:L, L as in 0.5, "
                               "-50dB or 99%%");
    split_level(colon + 1, rule);
    return 0;
}

/* ---- many files ---- */

/* Does the last part of the template name nothing in a folder: "", "." or ".."? Where the input has
 * no folder, {dir} is ".". */
static bool names_folder(const char *template)
{
    const char *slash = strrchr(template, '/');
    const char *at = slash == NULL ? template : slash + 1;
    size_t dots = 0;

    for (; *at == '.' || strncmp(at, "{dir}", 5) == 0; at += *at == '.' ? 1 : 5)
        dots++;
    return *at == '\0' && dots <= 2;
}

/* A template has words in braces; all other characters are copied. */
int set_name(void *field, const struct option_value *value, struct error *error)
{
    static const char *const words[] = {"dir", "name", "file", "ext", NULL};
    const char *at = value->text;

    if (values_text(value, "a template", field, error) != 0)
        return -1;
    if (settings_leads_up(at))
        return settings_refuse(error, value, "leads out of the folder of --out-dir");
    if (names_folder(at))
        return settings_refuse(error, value, "ends like a folder: give a name, too");
    while ((at = strchr(at, '{')) != NULL) {
        size_t length = strcspn(++at, "}");

        if (at[length] == '\0' || values_find(words, at, length) < 0)
            return settings_refuse(error, value, "after { comes dir}, name}, file} or ext}");
        at += length;
    }
    return 0;
}

/* ---- the work ---- */

/* What comes after "cuda:": all, or numbers with commas between them. */
static int set_devices(struct settings *settings, const struct option_value *value,
                       const char *list, struct error *error)
{
    settings->all_devices = strcmp(list, "all") == 0;
    while (!settings->all_devices && list != NULL) {
        const char *item = list;
        uint64_t index;

        if (!values_number(item, list_item(&list), 0, DEVICE_MOST, &index))
            return settings_refuse(error, value,
                                   "cuda: needs a number from 0 to %d, or several with commas "
                                   "between them, or all",
                                   DEVICE_MOST);
        for (unsigned i = 0; i < settings->device_count; i++) {
            if (settings->devices[i] == index)
                return settings_refuse(error, value, "names device %u twice", (unsigned)index);
        }
        if (settings->device_count == SETTINGS_DEVICES)
            return settings_refuse(error, value, "names more than %d devices", SETTINGS_DEVICES);
        settings->devices[settings->device_count++] = (unsigned)index;
    }
    return 0;
}

const char *const device_words[] = {
    [DEVICE_AUTO] = "auto", [DEVICE_CPU] = "cpu", [DEVICE_CUDA] = "cuda", NULL};

int set_device(void *field, const struct option_value *value, struct error *error)
{
    struct settings *settings = field;
    const char *colon = strchr(value->text, ':');
    const size_t length = strcspn(value->text, ":");
    const int place = values_find(device_words, value->text, length);

    settings->all_devices = false;
    settings->device_count = 0;
    settings->devices[0] = 0;
    if (place < 0 || (colon != NULL && place != DEVICE_CUDA))
        return settings_refuse(error, value, "unknown value: use one of auto, cpu, cuda, cuda:N");
    settings->device = (enum settings_device)place;
    return colon == NULL ? 0 : set_devices(settings, value, colon + 1, error);
}
