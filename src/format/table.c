/* The table of formats, in the order of the names in messages. No two of them begin alike. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/format.h"

/* A row is the `struct format format_NAME` in the file named beside it. */
/* clang-format off */
#define ROWS(row)                                                     \
    row(wav) row(rf64) row(bw64) row(w64)     /* wav.c */             \
    row(au)                                   /* au.c */              \
    row(npy)                                  /* npy.c */             \
    row(aiff) row(aifc)                       /* aiff.c */            \
    row(caf)                                  /* caf.c */             \
    row(csv) row(tsv) row(txt)                /* text/sink.c */       \
    row(dat) row(json)                        /* audiowaveform.c */   \
    row(svg)                                  /* svg.c */             \
    row(spans)                                /* spans.c */           \
    row(flac) row(ogg) row(opus) row(mp3) row(mat4) row(sndfile)  /* sndfile/formats.c */  \
    row(sigmf) row(sigmf_meta)                /* sigmf.c */           \
    row(no_samples) row(others)               /* refused.c */
/* clang-format on */

#define DECLARE(name) extern const struct format format_##name;
ROWS(DECLARE)

#define ROW(name) &format_##name,
static const struct format *const formats[] = {ROWS(ROW)};

enum { FORMATS = sizeof formats / sizeof *formats };

const struct format *format_at(size_t index)
{
    return index < FORMATS ? formats[index] : NULL;
}

bool format_is_among(const char *words, const char *word, size_t length)
{
    for (const char *at = words; length > 0 && *at == ' '; at += strcspn(at, " ")) {
        at++;
        if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0)
            return true;
    }
    return false;
}

const struct format *format_named(const char *name, size_t length)
{
    for (size_t i = 0; i < (size_t)FORMATS * FORMAT_NAMES; i++) {
        const struct format *format = formats[i / FORMAT_NAMES];
        const char *own = format->names[i % FORMAT_NAMES];

        if (own != NULL && strlen(own) == length && memcmp(own, name, length) == 0)
            return format;
    }
    return NULL;
}

/* The part after the last dot of the file's name; NULL: no dot. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');

    return dot == NULL ? NULL : dot + 1;
}

const struct format *format_by_ending(const char *path)
{
    const char *ending = ending_of(path);

    for (size_t i = 0; ending != NULL && i < FORMATS; i++) {
        if (formats[i]->endings != NULL &&
            format_is_among(formats[i]->endings, ending, strlen(ending)))
            return formats[i];
    }
    return NULL;
}

bool format_raw_by_ending(const char *path, struct sample_type *type)
{
    const char *ending = ending_of(path);
    struct sample_type named = {.kind = SAMPLE_F32, .big_endian = type->big_endian};
    char lower[16];
    size_t length = ending == NULL ? 0 : strlen(ending);

    if (length == 0 || length >= sizeof lower)
        return false;
    for (size_t i = 0; i <= length; i++)
        lower[i] = (char)tolower((unsigned char)ending[i]);
    if (strcmp(lower, "cfile") == 0) /* GNU Radio */
        named.kind = SAMPLE_CF32;
    else if (strcmp(lower, "raw") != 0 && !sample_type_parse(lower, type->big_endian, &named))
        return false;
    named.counts = type->counts;
    *type = named;
    return true;
}

bool format_is_input(const char *path, const char *type)
{
    struct sample_type raw = {.kind = SAMPLE_F32};
    const struct format *format = format_by_ending(path);
    const struct format *named = format_named(type, strlen(type));

    if (format == NULL)
        return format_raw_by_ending(path, &raw);
    if (format->open == NULL || format->names[0] == NULL || format->no_samples)
        return false;
    return format->delimiter == '\0' || format->by_ending ||
           (named != NULL && named->delimiter != '\0');
}

bool format_describes(const char *path)
{
    const struct format *format = format_by_ending(path);

    return format != NULL && format->describes;
}

size_t format_stem(const char *path)
{
    struct sample_type raw = {.kind = SAMPLE_F32};

    if (format_by_ending(path) == NULL && !format_raw_by_ending(path, &raw))
        return strlen(path);
    return (size_t)(ending_of(path) - 1 - path);
}

static const char *family(const struct format *format)
{
    return format->family != NULL ? format->family : format->names[0];
}

bool format_reads(const struct format *format, const struct format *other)
{
    return format->any_family ||
           (family(other) != NULL && strcmp(family(format), family(other)) == 0);
}

void format_list(bool writers, char list[FORMAT_LIST_MOST])
{
    size_t size = 0;

    list[0] = '\0';
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *format = formats[i];
        bool read = format->open != NULL && (format->writer != NULL || format->family == NULL);
        bool listed = writers ? format->writer != NULL : read;

        if (format->names[0] != NULL && listed && size < FORMAT_LIST_MOST)
            size += (size_t)snprintf(list + size, FORMAT_LIST_MOST - size, " %s", format->names[0]);
    }
}
