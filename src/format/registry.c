/* SPDX-License-Identifier: MIT */
/* The table of formats, in the order of the names in messages. No two of them begin alike. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/likely.h"
#include "format/format.h"
#include "io/unpack.h"

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
    row(svg) row(png) row(pdf)                /* svg/sink.c */        \
    row(spans) row(labels)                    /* spans.c */           \
    row(flac) row(ogg) row(opus) row(mp3) row(mat4) row(sndfile)  /* sndfile/formats.c */  \
    row(sigmf) row(sigmf_meta)                /* sigmf.c */           \
    row(no_samples) row(others) row(films) row(voices) row(asterisk)  /* rejected_formats.c */
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

enum { ENDING_ROOM = 16 };

/* The text after the last dot in the file's name, in `size` bytes of a path; "" if there is no dot,
 * or if the text is longer than all known endings. */
static const char *ending_of(const char *path, size_t size, char ending[ENDING_ROOM])
{
    const char *dot = memrchr(path, '.', size);
    const size_t length = dot == NULL ? 0 : (size_t)(path + size - dot) - 1;

    ending[0] = '\0';
    if (length > 0 && length < ENDING_ROOM && memchr(dot, '/', length) == NULL) {
        memcpy(ending, dot + 1, length);
        ending[length] = '\0';
    }
    return ending;
}

/* Finds a format by the ending of the first `size` bytes of a path. */
static const struct format *by_ending(const char *path, size_t size, struct sample_type *type)
{
    char buffer[ENDING_ROOM];
    const char *ending = ending_of(path, size, buffer);
    struct sample_type raw = {.kind = SAMPLE_F32, .big_endian = type != NULL && type->big_endian};

    if (ending[0] == '\0')
        return NULL;
    for (size_t i = 0; i < FORMATS; i++) {
        if (formats[i]->endings != NULL &&
            format_is_among(formats[i]->endings, ending, strlen(ending)))
            return formats[i];
    }
    if (strcasecmp(ending, "cfile") == 0) /* GNU Radio's; others are names of types */
        raw.kind = SAMPLE_CF32;
    else if (strcasecmp(ending, "raw") != 0 && !sample_type_parse(ending, raw.big_endian, &raw))
        return NULL;
    if (type != NULL) {
        raw.counts = type->counts;
        *type = raw;
    }
    return &format_raw;
}

const struct format *format_by_ending(const char *path, struct sample_type *type)
{
    return by_ending(path, strlen(path), type);
}

const struct format *format_of_input(const char *path, struct sample_type *type)
{
    return by_ending(path, unpack_stem(path), type);
}

bool format_ending_says_nothing(const char *path)
{
    const size_t size = unpack_stem(path);
    char buffer[ENDING_ROOM];
    const char *ending = ending_of(path, size, buffer);

    return ending[0] == '\0' || format_is_among(" raw bin pcm dat iq", ending, strlen(ending));
}

const char *format_of_table(const char *path, const char *type, bool table)
{
    const struct format *format = format_named(type, strlen(type));

    if (strcmp(type, "auto") == 0)
        format = format_of_input(path, NULL);
    if (format != NULL && format->delimiter != '\0' &&
        (format->by_ending || strcmp(type, "auto") != 0))
        return format->names[0];
    return table && format != &format_raw ? "csv" : NULL;
}

bool format_is_input(const char *path, const char *type)
{
    const struct format *format = format_of_input(path, NULL);
    const struct format *named = format_named(type, strlen(type));

    if (format == NULL || format->open == NULL || format->names[0] == NULL || format->no_samples)
        return false;
    return format->delimiter == '\0' || format->by_ending ||
           (named != NULL && named->delimiter != '\0');
}

bool format_describes(const char *path)
{
    const struct format *format = format_of_input(path, NULL);

    return format != NULL && format->describes;
}

size_t format_stem(const char *path)
{
    const size_t size = unpack_stem(path);
    const char *dot = memrchr(path, '.', size);

    return by_ending(path, size, NULL) == NULL ? size : (size_t)(dot - path);
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

/* Names have 15 characters at most, as unit/format/registry checks. */
enum { LIST_MOST = FORMATS * 16 + 1 };

/* Lists names with blanks between them: " wav rf64 ...". Omits read-only formats that have their
 * family's name. */
static void list_names(bool writers, char list[LIST_MOST])
{
    size_t size = 0;

    list[0] = '\0';
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *format = formats[i];
        bool read = format->open != NULL && (format->writer != NULL || format->family == NULL);
        bool listed = writers ? format->writer != NULL : read;

        if (format->names[0] != NULL && listed)
            size += (size_t)snprintf(list + size, LIST_MOST - size, " %s", format->names[0]);
    }
}

void format_input_types(char *list, size_t size)
{
    char names[LIST_MOST];

    list_names(false, names);
    snprintf(list, size, " auto" SAMPLE_TYPE_NAMES "%s", names);
}

void format_output_types(char *list, size_t size)
{
    char names[LIST_MOST];

    list_names(true, names);
    snprintf(list, size, SAMPLE_TYPE_REAL_NAMES "%s", names);
}

int format_unknown(const char *type, bool writers, struct error *error)
{
    const size_t name = strcspn(type, ":");
    char names[LIST_MOST];
    struct likely likely;

    if (writers && format_named(type, name) != NULL && format_named(type, name)->writer == NULL)
        return USAGE(error, "-T %s: %.*s files are read, not written", type, (int)name, type);
    list_names(writers, names);
    likely_begin(&likely, type, strlen(type));
    likely_of_list(&likely, names);
    likely_of_list(&likely, writers ? SAMPLE_TYPE_NAMES : SAMPLE_TYPE_NAMES " auto");
    if (likely.word != NULL)
        return USAGE(error, "-%c %s: unknown type: did you mean %.*s?", writers ? 'T' : 't', type,
                     (int)likely.length, likely.word);
    if (writers)
        return USAGE(error,
                     "-T %s: unknown type: raw" SAMPLE_TYPE_REAL_NAMES
                     " (and le or be), or%s, with a type as in wav:s16",
                     type, names);
    return USAGE(error, "-t %s: unknown type: auto, raw" SAMPLE_TYPE_NAMES " (and le or be), or%s",
                 type, names);
}
