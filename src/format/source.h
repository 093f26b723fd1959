/* SPDX-License-Identifier: MIT */
/* Sources of frames. A source returns raw frames, as they are in the file: engines decode them. */
#ifndef GPUENV_FORMAT_SOURCE_H
#define GPUENV_FORMAT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/rate.h"
#include "io/input.h"
#include "sample/moment.h"
#include "sample/sample_type.h"

struct format;
struct text_dialect;
struct time_form;

#define SOURCE_FRAMES_UNKNOWN UINT64_MAX

/* A rate is 0, which means unknown, or in this range, so that results computed from it are
 * finite. */
#define SOURCE_RATE_LEAST 1e-9
#define SOURCE_RATE_MOST 1e12
#define SOURCE_RATES "1e-9 to 1e12 Hz"
bool source_rate_is_sane(double rate); /* for a known rate */

struct source_format {
    struct sample_type sample;
    bool numbers; /* of any size: they have no full scale */
    bool decimal; /* they were decimal text: float64 has their few digits, which pictures show */
    bool array;   /* frames and channels are its shape */
    bool rows;    /* messages and statistics have rows and columns, not frames and channels */
    bool nan_is_missing; /* a NaN stands for a missing value: omitted, unless the user says else */

    /* The format of an output that neither -T nor its name says. NULL: raw frames. */
    const struct format *usual_output;
    bool decoded; /* the samples were codes of another kind (G.711): */
    enum sample_kind codes;
    bool mixed;              /* the means of channels */
    struct sample_type part; /* of these */
    bool magnitudes;         /* the samples are those of pairs of columns */
    unsigned channels;
    bool flat;               /* an array of one dimension */
    bool planar;             /* an array whose columns follow one another */
    bool truth;              /* an array of type bool */
    double rate;             /* frames per second; 0: unknown */
    struct rate_ratio ratio; /* the same, if it is exact */
    uint64_t frames;         /* from here to the end, or SOURCE_FRAMES_UNKNOWN */
};

static inline size_t source_frame_bytes(const struct source_format *format)
{
    return sample_type_bytes(format->sample) * format->channels;
}

/* The key of a row of a table (--by): which series it belongs to. */
struct row_key {
    uint32_t number; /* in the order in which keys appear, from 0 */
    const char *name;
};

/* What a table has besides its samples. Each member may be 0. */
struct source_table {
    const char *others;       /* columns that are not read, "1, 3"; or NULL */
    const char *dates;        /* columns with times, "'day', 'clock'"; or NULL */
    uint64_t header_lines[2]; /* the first and the last line of the header; 0: there is none */
    bool counted;             /* the first row, 0,1,2,..., may be names */
    bool sorts;               /* its rows are in no order, and wanted in that of their times */
    const char *look;         /* what was found in the first rows, in lines; or NULL */
    const char *remark;       /* what of that is not plain, in one line; or NULL */
    const struct text_words *words; /* of columns of text, so far; NULL: they are not counted */

    /* How the times of rows are written; NULL: rows have none. Otherwise `moments`, `begin` and the
     * last three are set, too. */
    const struct time_form *times;
    const struct moment *moments;      /* the times of the frames that the last read() returned */
    const struct row_key *const *keys; /* and their keys; NULL: rows have none */
    const char *by_name;               /* of the column of keys; or NULL */
    const uint64_t
        *offset_line;          /* so far: the first with another offset than the first row; or 0 */
    const uint64_t *bad_lines; /* so far, passed over or missing values */
    struct moment *begin;      /* gaps before it do not matter; to be set before the first read */
    unsigned time_columns;     /* of a time */
    const char *const *time_names; /* of these columns; some may be NULL */
    const unsigned *time_blanks;   /* in each of them */
};

/* What the column of keys is called in tables that are written. NULL: rows have no keys. */
const char *source_key_name(const struct source_table *table);

struct source;
struct frame_reader;

/* A reader of frames by number, for one other thread. It is made by source_class.reader(); whoever
 * called that closes it, before the source. */
struct frame_reader_class {
    /* Reads `count` frames from this number on, and returns how many it could: fewer after an
     * error, which is not reported, or at the end. Sets `bytes` and `failed`. */
    size_t (*read)(struct frame_reader *reader, uint64_t frame, void *frames, size_t count);

    /* Frees it. */
    void (*close)(struct frame_reader *reader);
};

struct frame_reader {
    const struct frame_reader_class *class;
    uint64_t bytes; /* read from the file */
    bool failed;    /* something was not as expected */
};

/* The functions of a source. One thread at a time calls them. Those that can fail return 0, or -1
 * with the error set; what they may return after that is said at each. */
struct source_class {
    size_t bytes; /* of its own struct, which begins with a struct source */

    /* Reads 1 to `capacity` whole frames (1 or more), and returns as soon as it has one: it waits
     * for the first alone. `*got` is how many, 0 at the end.
     *
     * Frames lie in `frames` one behind the other, source_frame_bytes() each, their samples as
     * source->format.sample says. `frames` belongs to the caller, and is aligned as such samples
     * are; behind the frames that it returns nothing may be expected there later.
     *
     * A stream that stops inside a frame, or before the length in its header, is an error
     * (ERROR_DAMAGED), but only of the call after the one that returned the last whole frame. After
     * the end, or an error, a call gives the same again. An input that was stopped
     * (input->stopped) has ended without an error. */
    int (*read)(struct source *source, void *frames, size_t capacity, size_t *got,
                struct error *error);

    /* Passes over `frames` frames, from where the next read() would begin. Sets `*passed`, which is
     * less only at the end, also if it fails. source_skip_by_reading() is one for every source. */
    int (*skip)(struct source *source, uint64_t frames, uint64_t *passed, struct error *error);

    /* Only if source->anywhere is ever set; otherwise both may be NULL. Frames are counted from
     * where the source was opened.
     *
     * reader(): makes a reader for another thread. `*reader` is set only on success.
     * go(): moves this source to a frame. `doubt`: a reader has found something unexpected, which
     * read() is to find, too. */
    int (*reader)(struct source *source, struct frame_reader **reader, struct error *error);
    int (*go)(struct source *source, uint64_t frame, bool doubt, struct error *error);

    /* True if read() would return at once, with a frame, the end or an error, or after a wait of at
     * most this long. What it has to read for that is kept for read(), and so is an error. */
    bool (*ready)(struct source *source, unsigned microseconds);

    /* Nothing from this frame on, counted from where the source was opened, is used: what has been
     * read ahead is to be forgotten in remarks. May be NULL: it makes none of that. */
    void (*set_end)(struct source *source, uint64_t frame);

    /* What is worth a warning when everything has been read, or NULL. The text belongs to the
     * source. May be NULL itself: then source_remark() asks the other source. */
    const char *(*remark)(struct source *source);

    /* Frees what the struct holds, but not the struct, which may be as source_new() has made it.
     * May be NULL: there is nothing. */
    void (*close)(struct source *source);
};

struct source {
    const struct source_class *class;
    struct source *other;  /* whose frames it passes on; NULL: it reads the input itself */
    const char *container; /* "raw", "wav", ... */
    const char *encoding;  /* its sample type in the file: "s16le" */
    struct source_format format;
    struct input *input;              /* not owned */
    const char *const *names;         /* of the channels; may be NULL */
    const char *const *units;         /* of the channels; may be NULL */
    const struct source_table *table; /* never NULL */
    bool anywhere;                    /* has random access, and so a class with reader() and go() */
    uint64_t left_over;               /* the last frames, which only read() can read */
    bool endless;       /* nothing says where its file ends: a missing end is not noticed */
    const char *doubt;  /* a warning that the input may be misinterpreted, with advice; or NULL */
    bool hardly_floats; /* taken for float32 by a guess, but has a NaN or huge numbers */
    const char *looks;  /* what raw input by name begins like: "a WAV file"; or NULL */
};

extern const struct source_table source_no_table;

/* Makes a source of the class without a table, whose other members are 0, and puts it into
 * `*source`. Returns it as the class' own struct; NULL: there is no memory, and `*source` is as
 * before. */
void *source_new(const struct source_class *class, struct input *input, struct source **source,
                 struct error *error);

/* Makes a source of the class over `*source`, which it replaces there, and closes with itself. It
 * begins as a copy of that one, but has random access only if its class has a reader(). Returns as
 * source_new() does. */
void *source_over(const struct source_class *class, struct source **source, struct error *error);

/* For the class of a source that makes a frame of each frame of the other one, and keeps none. */
int source_skip_other(struct source *source, uint64_t frames, uint64_t *passed,
                      struct error *error);
int source_go_other(struct source *source, uint64_t frame, bool doubt, struct error *error);
bool source_ready_other(struct source *source, unsigned microseconds);

/* Closes it and frees it; does nothing for NULL. */
void source_close(struct source *source);

/* Tells it, or the one that it is over, where the frames that are used end. */
void source_set_end(struct source *source, uint64_t frame);

/* What it, or the one that it is over, has to remark; or NULL. */
const char *source_remark(struct source *source);

/* A source_class.skip() that reads the frames, and drops them. */
int source_skip_by_reading(struct source *source, uint64_t frames, uint64_t *passed,
                           struct error *error);

/* What the user says about an input. */
struct source_request {
    const struct format *format; /* NULL: recognised by its first bytes */
    struct sample_type sample;   /* of raw frames; its `counts` also applies to containers */
    unsigned channels;
    bool channels_given;
    double rate; /* 0: not given */
    struct rate_ratio ratio;
    const struct text_dialect *dialect; /* of text in columns; NULL: the usual one */
    const char *table; /* the name of an option about columns that was given; NULL: none */
};

/* Sets the first two from the argument of -t: auto, a container or a raw type. A raw type without
 * a byte order is `big_endian` if so requested. */
int source_request_type(struct source_request *request, const char *type, bool big_endian,
                        struct error *error);

/* Picks the class, and reads the header if there is one. `*source` is to be closed by
 * source_close(); it is NULL after an error.
 * Errors: an input that is recognised but not readable, with advice; a header that disagrees with
 * the user about channels or rate. */
int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error);

#endif
