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
#include "sample/bytes.h"
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
bool source_rate_is_sane(double rate); /* `rate` must be known */

struct source_format {
    struct sample_type sample;
    bool numbers; /* samples are numbers of any size, without a full scale */
    bool decimal; /* samples were decimal text; pictures show their few digits */
    bool array;   /* frames and channels are the shape of an array */
    bool rows;    /* messages and statistics have rows and columns, not frames and channels */
    bool nan_is_missing; /* a NaN stands for a missing value: omitted unless the user says otherwise
                          */

    /* The format of an output if neither -T nor its name says one. Raw frames if NULL. */
    const struct format *usual_output;
    bool decoded; /* the samples were codes (G.711) of the kind `codes` */
    enum sample_kind codes;
    bool mixed;              /* frames are the means of channels */
    struct sample_type part; /* the type of these channels */
    bool magnitudes;         /* samples are magnitudes of pairs of columns */
    unsigned channels;
    bool flat;               /* the array has one dimension */
    bool planar;             /* the columns of the array are stored one after the other */
    bool truth;              /* the array has type bool, as long as its samples are u8 */
    double rate;             /* frames per second; 0 if unknown */
    struct rate_ratio ratio; /* the exact rate, where `rate` is rounded */
    uint64_t frames;         /* frames up to the end, or SOURCE_FRAMES_UNKNOWN */
};

static inline size_t source_frame_bytes(const struct source_format *format)
{
    return sample_type_bytes(format->sample) * format->channels;
}

/* The type of samples that a reader has decoded: in the byte order of the machine. */
static inline struct sample_type source_decoded(enum sample_kind kind, bool counts)
{
    return (struct sample_type){kind, SAMPLE_MACHINE_IS_BIG, counts, 0};
}

/* The key of a row of a table (--by): which series it belongs to. */
struct row_key {
    uint32_t number; /* keys are numbered as they appear, from 0 */
    const char *name;
};

/* What a table has besides its samples. Each member may be 0. */
struct source_table {
    const char *others;       /* columns that are not read, "1, 3"; may be NULL */
    const char *dates;        /* columns with times, "'day', 'clock'"; may be NULL */
    const char *date;         /* name of the first of them; may be NULL */
    uint64_t header_lines[2]; /* first and last line of the header; 0 if there is none */
    bool counted;             /* the first row, 0,1,2,..., may be names */
    bool sorts;               /* its rows are in no order, and are to be sorted by time */
    const char *look;         /* findings of the look in the first rows, in lines; may be NULL */
    const char *remark;       /* remark of the look, in one line; may be NULL */
    const struct text_words *words; /* words of text columns so far; NULL if not counted */

    /* How the times of rows are written; NULL if rows have no times. Otherwise `moments`, `begin`
     * and the last three members are set, too. */
    const struct time_form *times;
    const struct moment *moments;      /* the times of the frames that the last read() returned */
    const struct row_key *const *keys; /* the keys of these frames; NULL if rows have none */
    const char *by_name;               /* name of the column of keys; may be NULL */
    /* The first line so far whose offset differs from that of the first row; 0 if there is none. */
    const uint64_t *offset_line;
    const uint64_t *bad_lines; /* bad lines so far, skipped or read as missing values */
    struct moment *begin;      /* gaps before it do not matter; to be set before the first read */
    unsigned time_columns;     /* number of columns of a time */
    const char *const *time_names; /* names of these columns; some may be NULL */
    const unsigned *time_blanks;   /* number of blanks in each of these columns */
};

/* The name of the column of keys in tables that are written; NULL if rows have no keys. */
const char *source_key_name(const struct source_table *table);

struct source;
struct frame_reader;

/* A reader of frames by number, for one other thread. The caller of source_class.reader() closes it
 * before the source. */
struct frame_reader_class {
    /* Reads `count` frames from this number on, and returns how many it could: fewer after an
     * error, which is not reported, or at the end. Sets `bytes` and `failed`. */
    size_t (*read)(struct frame_reader *reader, uint64_t frame, void *frames, size_t count);

    /* Frees it. */
    void (*close)(struct frame_reader *reader);
};

struct frame_reader {
    const struct frame_reader_class *class;
    uint64_t bytes; /* bytes read from the file */
    bool failed;    /* the reader has found something unexpected */
};

/* The functions of a source. One thread at a time calls them. Those that can fail return 0, or -1
 * with the error set; each comment says what the function may return after that. */
struct source_class {
    size_t bytes; /* size of the class' own struct, which begins with a struct source */

    /* Reads 1 to `capacity` whole frames (1 or more), and returns as soon as it has one: it waits
     * only for the first. `*got` is their number, 0 at the end.
     *
     * Frames lie in `frames` one behind the other, source_frame_bytes() each, their samples as
     * source->format.sample says. `frames` belongs to the caller, and is aligned as such samples
     * are; its bytes behind the returned frames are undefined.
     *
     * A stream that stops inside a frame, or before the length in its header, is an error
     * (ERROR_DAMAGED), but only of the call after the one that returned the last whole frame. After
     * the end, or an error, every call repeats that result. An input that was stopped
     * (input->stopped) has ended without an error. */
    int (*read)(struct source *source, void *frames, size_t capacity, size_t *got,
                struct error *error);
    bool passes; /* read() does not look at samples: they may still be read (input->reading) */

    /* Skips `frames` frames, from where the next read() would begin. Sets `*passed`, also if it
     * fails; it is less only at the end. source_skip_by_reading() works for every source. */
    int (*skip)(struct source *source, uint64_t frames, uint64_t *passed, struct error *error);

    /* Only if source->anywhere is ever set; otherwise both may be NULL. Frames are counted from
     * where the source was opened.
     *
     * reader(): makes a reader for another thread. `*reader` is set only on success.
     * go(): moves this source to a frame. `doubt`: a reader has found something unexpected, and
     * read() has to find it, too. */
    int (*reader)(struct source *source, struct frame_reader **reader, struct error *error);
    int (*go)(struct source *source, uint64_t frame, bool doubt, struct error *error);

    /* True if read() would return at once, with a frame, the end or an error, or after a wait of at
     * most this long. Bytes that it reads, and an error, are kept for read(). */
    bool (*ready)(struct source *source, unsigned microseconds);

    /* No frame from this number on, counted from where the source was opened, is used: remarks must
     * not be about frames that were read ahead. NULL if no remark is about such frames. */
    void (*set_end)(struct source *source, uint64_t frame);

    /* A warning when everything has been read, if source->remark is not enough; may be NULL. The
     * text belongs to the source. If the function is NULL, source_remark() asks the other source.
     */
    const char *(*remark)(struct source *source);

    /* Frees what the struct holds, but not the struct, which may be as source_new() has made it.
     * NULL if it holds nothing. */
    void (*close)(struct source *source);
};

struct source {
    const struct source_class *class;
    struct source *other;  /* source of its frames; NULL if it reads the input itself */
    const char *container; /* "raw", "wav", ... */
    const char *encoding;  /* its sample type in the file: "s16le" */
    struct source_format format;
    struct input *input;              /* not owned */
    const char *const *names;         /* names of the channels; may be NULL */
    const char *const *units;         /* units of the channels; may be NULL */
    const struct source_table *table; /* never NULL */
    bool anywhere;                    /* has random access, and so a class with reader() and go() */
    uint64_t left_over;               /* the last frames, which only read() can read */
    bool endless;       /* the file does not say where it ends, so a missing end is not noticed */
    const char *remark; /* a warning when everything has been read; may be NULL or empty */
    const char *doubt;  /* warning and advice if the input may be misinterpreted; may be NULL */
    bool hardly_floats; /* taken for float32 by a guess, but has a NaN or huge numbers */
    /* A file that the input begins like, "a WAV file", though it is to be read as raw; may be
     * NULL. */
    const char *looks;
};

extern const struct source_table source_no_table;

/* Makes a source of the class without a table, whose other members are 0, and puts it into
 * `*source`. Returns the class' own struct; NULL, with `*source` unchanged, if memory runs out. */
void *source_new(const struct source_class *class, struct input *input, struct source **source,
                 struct error *error);

/* Makes a source of the class over `*source`, which it replaces, and closes with itself. The new
 * source begins as a copy of the old one, but has random access only if its class has a reader().
 * Returns what source_new() does. */
void *source_over(const struct source_class *class, struct source **source, struct error *error);

/* Functions for a class whose source makes one frame of each frame of the other source, and keeps
 * none. */
int source_skip_other(struct source *source, uint64_t frames, uint64_t *passed,
                      struct error *error);
int source_go_other(struct source *source, uint64_t frame, bool doubt, struct error *error);
bool source_ready_other(struct source *source, unsigned microseconds);

/* Closes and frees a source; does nothing for NULL. */
void source_close(struct source *source);

/* Tells the source, or the source below it, where the frames that are used end. */
void source_set_end(struct source *source, uint64_t frame);

/* The remark of the source, or of the source below it; NULL if there is none. */
const char *source_remark(struct source *source);

/* A source_class.skip() that reads the frames, and drops them. */
int source_skip_by_reading(struct source *source, uint64_t frames, uint64_t *passed,
                           struct error *error);

/* What the user says about an input. */
struct source_request {
    const struct format *format; /* NULL if its first bytes have to decide */
    struct sample_type sample;   /* type of raw frames; its `counts` also applies to containers */
    unsigned channels;
    bool channels_given;
    double rate; /* 0 if not given */
    struct rate_ratio ratio;
    const struct text_dialect *dialect; /* how text in columns is written; the usual way if NULL */
    const char *table;                  /* an option about columns that was given; may be NULL */
};

/* Sets `format` and `sample` from the argument of -t: auto, a container or a raw type. A raw type
 * without a byte order is `big_endian` if so requested. */
int source_request_type(struct source_request *request, const char *type, bool big_endian,
                        struct error *error);

/* Picks the class, and reads the header if there is one. `*source` is to be closed by
 * source_close(); it is NULL after an error.
 * Errors: an input that is recognised but not readable, with advice; a header that disagrees with
 * the user about channels or rate. */
int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error);

#endif
