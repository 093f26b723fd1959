/* SPDX-License-Identifier: MIT */
/* The formats. A format is a `struct format` in its own file: its names, its first bytes, its
 * reader and its writer. format/registry.c lists all of them. */
#ifndef GPUENV_FORMAT_FORMAT_H
#define GPUENV_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sample/sample_type.h"

struct input;
struct output;
struct sink;
struct sink_format;
struct source;
struct source_format;
struct source_request;

/* A look at all bytes seen, 4 or more: are they a format's? `ended`: the input ends after them.
 * False with `*wanted` set: `*wanted` bytes, at most INPUT_PEEK, are needed to decide. */
typedef bool format_look(const unsigned char *bytes, size_t size, bool ended, size_t *wanted);

/* First bytes. Raw samples can have any bytes, so a magic must be long enough that samples
 * practically never match: if it has only four letters, the bytes that must follow them are
 * compared as well. */
struct format_magic {
    size_t size;       /* 0 if only the look decides */
    const char *bytes; /* NULL ends a list */
    const char *mask;  /* the bits that count, as many bytes; NULL if all do */
    const char *words; /* name in messages: "a big-endian WAV file"; the format's if NULL */
    format_look *look; /* checks what else must be right; may be NULL */

    /* For rejected formats, which as raw samples would silently give garbage: follows the words in
     * the message, and says what to do. NULL if the format is read. */
    const char *advice;
    const char *behind; /* text after the input's name, if that follows the advice; may be NULL */
    enum error_code code;
    const char *file; /* what the advice calls standard input; "-" if NULL */
};

/* What an input has been recognised as. */
struct recognised {
    const struct format *format;        /* NULL if not recognised */
    const char *words;                  /* name in messages: "a FLAC file" */
    const struct format_magic *refused; /* its advice says why it is not read; NULL if it is */
};

/* A mask of bytes 0-3 and 8-11: RIFF and similar formats have a size in between. */
#define FORMAT_MASK_CHUNK "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"

struct header_rules;

struct format_writer {
    enum sample_kind usual; /* the default kind; float32 if the row says none */
    const char *kinds;      /* possible kinds, each after a blank; also shown in messages */
    bool big_endian;
    bool any_order; /* supports both byte orders */
    bool numbers;   /* integers are plain numbers, not fractions of full scale */
    /* The highest rate that the header can state, or 0 if it states none. Up to UINT32_MAX, rates
     * are whole numbers. */
    double rate_most;
    bool rate_of_input; /* the stored rate is that of the input, not of the frames */
    bool streams;       /* can be written in one pass, with an unknown length */
    bool text;          /* readable text: may be written to a terminal */
    bool decibels;      /* values may be in decibels */
    bool any_window;    /* without a window, every frame counts */
    bool positions;     /* values may be positions; without `whole`, only alone, as s64 */

    /* Takes values of every kind, of any source or of decimal text alone; otherwise the sample type
     * says which kind the values have. */
    bool whole;
    bool whole_decimals;

    /* Chooses the sample type by the results, if the user has not named one (format->type_named).
     * `cut`: results are NaN where a window is cut. May be NULL. The emits are in
     * format->context. */
    void (*fit)(struct sink_format *format, const struct source_format *source, bool cut);

    int (*open)(struct output *output, const struct sink_format *format, struct sink **sink,
                struct error *error);

    /* The rules of sink_open_header() (format/raw_writer_priv.h). NULL for raw frames, and for
     * formats with a sink of their own. */
    const struct header_rules *header;
};

enum { FORMAT_NAMES = 2 };

struct chunked_header;

struct format {
    /* For -t; the first also for -T, and for messages. A format without a name is only
     * recognised. */
    const char *names[FORMAT_NAMES];
    const char *words; /* name in messages: "a FLAC file" */

    /* The name of the format whose reader also reads this one: -t with either name reads both. NULL
     * if the format has its own reader. */
    const char *family;
    bool any_family; /* -t with its name reads every file */

    const char *endings; /* endings of file names, each after a blank, in lower case; may be NULL */
    bool by_ending;      /* an unrecognised input with such an ending is this format */

    /* Why an unrecognised input with such an ending is rejected: the format has no magic, so only
     * the name tells it. May be NULL. */
    const struct format_magic *by_name;

    const struct format_magic *magic; /* a list; NULL if the format has no first bytes of its own */

    /* For formats with hardly any first bytes: does a plain file of `length` bytes, which begins
     * with these, have the size that its header says? Called last. Returns the name for messages;
     * NULL if the size differs. The function may be NULL. */
    const char *(*fits)(const unsigned char *bytes, size_t size, uint64_t length);

    bool describes; /* the file describes another file, which is read together with it */

    /* Contains no samples: a raw type implied by the file name takes precedence, and it does not
     * count as a second file after the frames of another. */
    bool no_samples;

    /* Makes a source of `input`, and reads its header. The function is NULL for formats that are
     * write-only or rejected.
     *
     * `input` is at the beginning of the file, and nothing of it has been consumed; `found` is the
     * format that was recognised, with its words for messages. `request` are the settings of the
     * user: only raw frames use its type and channels, and source_open() compares the others.
     *
     * Calls source_new() for a class of its own, or the `open` of another format. From then on
     * `*source` belongs to the caller, which closes it whether this succeeds or fails: nothing is
     * closed or freed here. Returns 0, or -1 with the error.
     *
     * On success these members of the source are set: `container`, `encoding`, and of `format` the
     * sample type, `channels` (1 or more), and `frames`; also `rate`, or 0. Everything else may be
     * left as source_new() has made it. Strings and tables that they point to belong to the source.
     * The test unit/format/model has a reader to copy. */
    int (*open)(struct input *input, const struct source_request *request,
                const struct recognised *found, struct source **source, struct error *error);
    void (*parse)(struct chunked_header *header); /* the parser for source_open_chunked() */
    char delimiter; /* delimiter with which text in columns is written; 0 for other formats */

    const struct format_writer *writer; /* NULL if read-only */
};

/* Frames without a header. Not in the table: an input is raw if it is nothing else, and an output
 * if a sample type is requested. */
extern const struct format format_raw;

/* The formats by index, from 0; NULL after the last. */
const struct format *format_at(size_t index);

/* Finds a format by one of its names; NULL if there is none. */
const struct format *format_named(const char *name, size_t length);

/* Finds a format by the ending of a path, in any case; NULL if there is none. Raw frames end in
 * their type, or in "raw", which means float32, or in "cfile", which means cf32: then sets the
 * kind, and the byte order if the ending says it. `type` may be NULL. */
const struct format *format_by_ending(const char *path, struct sample_type *type);

/* Finds the format of a file to be read by its ending, or by the one before that of a compressed
 * file. */
const struct format *format_of_input(const char *path, struct sample_type *type);

/* True if the path has no ending, or an ending that programs give to frames of every type. */
bool format_ending_says_nothing(const char *path);

/* The name of the kind of table that this input is, or NULL if it is no table. `type` is the
 * argument of -t, and `table` says that an option about columns is given. */
const char *format_of_table(const char *path, const char *type, bool table);

/* True if the path has an ending that can be read. If `type`, the argument of -t, is text, any
 * text ending will do. */
bool format_is_input(const char *path, const char *type);

/* True for a file that only describes another, and is useless without it. */
bool format_describes(const char *path);

/* The length of an input's path without its ending, if that is a known one, and without that of a
 * compressed file. */
size_t format_stem(const char *path);

/* True if -t with the name of `format` reads files of format `other`. */
bool format_reads(const struct format *format, const struct format *other);

/* The arguments of -t, and of -T, each after a blank. */
void format_input_types(char *list, size_t size);
void format_output_types(char *list, size_t size);

/* The error for an unknown argument of -t, or of -T: it lists their names. Returns -1. */
int format_unknown(const char *type, bool writers, struct error *error);

/* Loads the optional libraries and says in a line each whether it was found. */
enum { FORMAT_LIBRARIES = 256 };
void format_libraries(char lines[FORMAT_LIBRARIES]);

/* True if this is one of the words, each of which follows a blank. */
bool format_is_among(const char *words, const char *word, size_t length);

#endif
