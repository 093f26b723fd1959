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

struct text_dialect;
struct time_form;

#define SOURCE_FRAMES_UNKNOWN UINT64_MAX

/* A rate is 0, which means unknown, or in this range, so that results computed from it are
 * finite. */
#define SOURCE_RATE_LEAST 1e-9
#define SOURCE_RATE_MOST 1e12
#define SOURCE_RATES "1e-9 to 1e12 Hz"
bool source_rate_is_sane(double rate); /* for a known rate */

/* What a source has. */
enum source_content {
    SOURCE_SAMPLES, /* raw samples, or those of a container */
    SOURCE_ARRAY,
    SOURCE_TABLE, /* numbers in columns; its samples are float64 of this machine */
};

struct source_format {
    enum source_content content;
    struct sample_type sample;
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

/* What a table has besides its samples. */
struct source_table {
    const char *const *names; /* of the channels; or NULL */
    const char *const *units; /* the same */
    const char *others;       /* columns that are not read, "1, 3"; or NULL */
    const char *dates;        /* columns with times, "'day', 'clock'"; or NULL */
    uint64_t header_lines[2]; /* the first and the last line of the header; 0: there is none */
    bool counted;             /* the first row, 0,1,2,..., may be names */
    const char *look;         /* what was found in the first rows, in lines; or NULL */
    const char *remark;       /* what of that is not plain, in one line; or NULL */

    const struct time_form *times;     /* how the times of rows are written; NULL: rows have none */
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

struct format;
struct source;
struct frame_reader;

/* Random access. Errors are not reported: fewer frames are returned. */
struct frame_reader_class {
    size_t (*read)(struct frame_reader *reader, uint64_t frame, void *frames, size_t count);
    void (*close)(struct frame_reader *reader);
};

struct frame_reader {
    const struct frame_reader_class *class;
    uint64_t bytes; /* read from the file */
    bool failed;    /* something was not as expected */
};

/* One thread at a time calls these. After the end, read() and skip() may be called again: they
 * return no frames, or the same error. `reader` and `go` are NULL if source->anywhere is never set.
 */
struct source_class {
    size_t bytes; /* of its own struct, which begins with a struct source */

    /* Reads 1 to `capacity` whole frames, and returns as soon as it has one; `*got` is 0 at the
     * end. Frames are packed: source_frame_bytes() from one to the next; `frames` is aligned as
     * samples of their type are. A stream that stops inside a frame, or before the length in its
     * header, is an error, but only after every whole frame has been returned. */
    int (*read)(struct source *source, void *frames, size_t capacity, size_t *got,
                struct error *error);

    /* Skips frames; `*passed` is less only at the end. */
    int (*skip)(struct source *source, uint64_t frames, uint64_t *passed, struct error *error);

    /* For random access: `reader` opens a reader for another thread, and go() moves this source to
     * a frame. `doubt`: a reader has found something unexpected. Frames are counted from where the
     * source was opened. */
    int (*reader)(struct source *source, struct frame_reader **reader, struct error *error);
    int (*go)(struct source *source, uint64_t frame, bool doubt, struct error *error);

    /* True if a read would return a frame at once, or after a wait of at most this long. */
    bool (*ready)(struct source *source, unsigned microseconds);

    /* What is worth a warning when everything has been read, or NULL. The function may be NULL:
     * then source_remark() asks the other source. */
    const char *(*remark)(struct source *source);

    /* Frees what the struct holds, but not the struct, which may be as source_new() has made it.
     * May be NULL. */
    void (*close)(struct source *source);
};

struct source {
    const struct source_class *class;
    struct source *other;  /* whose frames it passes on; NULL: it reads the input itself */
    const char *container; /* "raw", "wav", ... */
    const char *encoding;  /* its sample type in the file: "s16le" */
    struct source_format format;
    struct input *input;              /* not owned */
    const struct source_table *table; /* NULL: not a table */
    bool anywhere;                    /* has random access */
    uint64_t left_over;               /* the last frames, which only read() can read */
    const char *doubt;  /* a warning that the input may be misinterpreted, with advice; or NULL */
    bool hardly_floats; /* taken for float32 by a guess, but has a NaN or huge numbers */
    const char *looks;  /* what raw input by name begins like: "a WAV file"; or NULL */
};

/* Makes a source of the class, whose other members are 0, and puts it into `*source`. Returns it as
 * the class' own struct; NULL: there is no memory, and `*source` is as before. */
void *source_new(const struct source_class *class, struct input *input, struct source **source,
                 struct error *error);

/* Makes a source of the class over `*source`, which it replaces there, and closes with itself. It
 * begins as a copy of that one. Returns as source_new() does. */
void *source_over(const struct source_class *class, struct source **source, struct error *error);

/* Closes it and frees it; does nothing for NULL. */
void source_close(struct source *source);

/* What it, or the one that it is over, has to remark; or NULL. */
const char *source_remark(struct source *source);

/* Reads and drops frames until `*passed` is `frames`, or the source ends. */
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
