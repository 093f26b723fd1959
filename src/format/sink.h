/* SPDX-License-Identifier: MIT */
/* Where frames go. */
#ifndef GPUENV_FORMAT_SINK_H
#define GPUENV_FORMAT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/rate.h"
#include "format/rows/gaps.h"
#include "io/output.h"
#include "sample/moment.h"
#include "sample/sample_type.h"
#include "window/emit_list.h"
#include "window/window.h"

#define SINK_FRAMES_UNKNOWN UINT64_MAX

struct format;
struct source;
struct source_table;
struct row_key;
struct threads;
struct time_form;

/* What the user says about a picture. */
enum {
    PICTURE_LEAST = 200, /* pixels of either side */
    PICTURE_LEAST_PLAIN = 30,
    PICTURE_MOST = 10000,
};

enum picture_scale {
    PICTURE_USUAL, /* full for sound, fit for numbers */
    PICTURE_FULL,  /* full scale, or more where the values need it */
    PICTURE_FIT,   /* the values */
    PICTURE_RANGE,
};

struct picture {
    unsigned width; /* width in pixels; a usual one if 0, and so for the height */
    unsigned height;
    const char *title; /* title of the picture; the name of the input if NULL */
    bool plain;        /* nothing but the envelope */
    enum picture_scale scale;
    double low; /* the range of levels, for PICTURE_RANGE */
    double high;
};

struct span_length {
    bool given;
    bool by_time; /* `length` is in nanoseconds, not in frames */
    int64_t length;
};

/* What the user says about spans: where a value is above or below a level. */
struct span_rule {
    const char *text; /* the rule as the user wrote it; NULL if there is none */
    bool below;
    double level;
    uint64_t whole; /* the level's magnitude without its fraction: exact, where the level is not */
    bool fraction;  /* the level has a fraction */
    bool relative;  /* the level is a part of full scale */
    struct span_length join;  /* spans with less than this between them are one */
    struct span_length least; /* shorter ones are not written */
};

/* What writers of text and pictures need besides the format: the values of a frame, and its place
 * in the input. */
struct sink_context {
    struct emit_list emits;   /* values of each channel, in this order */
    unsigned channels;        /* channels of the input; a frame has channels * emits.count values */
    struct window window;     /* output frame k stands at input frame first_frame + k * hop */
    uint64_t first_frame;     /* the first frame of the input that was not skipped */
    double input_rate;        /* 0 if not known */
    struct rate_ratio ratio;  /* the exact input rate, where `input_rate` is rounded */
    const char *const *names; /* names of the channels; may be NULL */
    const char *const *units; /* units of the channels; may be NULL */
    const struct time_form *times;    /* how times are written; NULL if rows have none */
    const struct source_table *table; /* has the columns of these times */
    bool no_frame;                    /* text has no column of frames */
    bool db;                          /* values are written in decibels */
    const char *title;                /* name of the input: UTF-8, or any bytes; may be NULL */
    bool numbers;                     /* samples are numbers of any size, not sound */
    bool decimal;                     /* samples were decimal text */
    bool rows;                        /* messages say rows and columns, not frames and channels */
    bool magnitudes;    /* samples are magnitudes of complex numbers, never negative */
    const char *length; /* length of windows or intervals, as the user gave it; may be NULL */
    struct picture picture;
    int64_t period;          /* nanoseconds of an interval by the clock; 0 if rows are counted */
    int64_t time_width;      /* nanoseconds of a window of time; 0 if rows are counted */
    struct gap_rule gap;     /* the rule for gaps between rows with times */
    struct span_rule rule;   /* the rule for spans */
    const char *file;        /* name for a column of file names, in a batch; may be NULL */
    bool together;           /* the spans of several files make one table, with a header */
    bool continues;          /* the frames continue another part: text has no header */
    struct threads *threads; /* threads that format text; only the caller's if NULL */
    const char *isa;         /* the best instruction set allowed; NULL if all are */
};

/* The values of a frame, for each channel of the input; all have one size. They are integers
 * (VALUE_I64, VALUE_U64) only if format.sample is s32, u32, s64 or u64 with the `counts` of the
 * input, and in text of counts. */
struct sink_row {
    unsigned count;
    enum value_kind kind[EMIT_KINDS];
    bool narrow[EMIT_KINDS]; /* float64 values that are float32, with fewer digits as text */
};

struct sink_format {
    const struct format *format; /* the format with the writer */
    const char *container;       /* name of the container; or "raw" */
    struct sample_type sample;
    bool type_named; /* the user has named the sample type, not only a container */
    bool unnamed;    /* neither -T nor the name of the output has chosen the format */
    struct sink_row row;
    bool flat;  /* the input is an array of one dimension; so is an output of one channel */
    bool truth; /* npy writes an array of type bool */
    unsigned channels;
    double rate;     /* 0 if not known */
    uint64_t frames; /* number of frames that will be written, or SINK_FRAMES_UNKNOWN */
    struct sink_context context;
};

/* What the user says about an output. */
struct sink_request {
    const char *type; /* -T: a raw type or a container, perhaps with a type: wav:s16; or NULL */
    const char *path; /* -o; standard output if NULL. Its ending decides if there is no type. */
    bool counts;      /* integers keep their values */
};

/* The frames of the input that an output frame is made of. */
struct sink_rows {
    uint64_t number; /* number of the input frame at which the output frame stands */
    /* The rows from `first` to before `end`, counted as by times(), in their series alone. */
    uint64_t first;
    uint64_t end;
    /* Where rows have times: the times of the first row and of the last row of a whole window, or
     * the begin and the end of the interval. */
    struct moment first_time;
    struct moment last_time;
    const struct row_key *key; /* key of the rows; NULL if they have none */
};

struct sink;

struct sink_class {
    /* Writes `count` frames of format.row, and the `rows` of each, which are NULL if rows have no
     * times. With `gift` the memory is private, and written again before it is read: a sink may
     * give its pages away. */
    int (*write)(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                 bool gift, struct error *error);

    /* Tells the times of rows of a series before the frames that they complete. The first of the
     * rows has this number in the series. `key` is NULL if all rows are one series. The function is
     * NULL if the sink does not want times. */
    int (*times)(struct sink *sink, const struct row_key *key, uint64_t number,
                 const struct moment *moments, size_t count, struct error *error);

    /* For output by several threads: place() writes the frames from number `frame` on, in any
     * thread. Call reserve() first, for about this number of frames and threads, and placed() when
     * all frames before number `frames` are written: write() continues there. They are NULL if
     * frames can only be written in order. */
    void (*reserve)(struct sink *sink, uint64_t frames, unsigned threads);
    int (*place)(struct sink *sink, uint64_t frame, const void *frames, size_t count,
                 struct sample_losses *losses, struct error *error);
    int (*placed)(struct sink *sink, uint64_t frames, struct error *error);

    /* For a sink that keeps summaries of frames: after reserve(), part() opens a sink for at most
     * `count` frames from number `frame` on, to be written in any thread. It returns NULL if memory
     * runs out. join() adds the contents of a part to this sink: in order, without gaps, and before
     * write() continues. */
    struct sink *(*part)(const struct sink *sink, uint64_t frame, uint64_t count);
    int (*join)(struct sink *sink, struct sink *part, struct error *error);
    bool parts_wait; /* a part grows with its frames, and there is no reserve() */
    /* A part takes frames with the rows of each, from anywhere; after join(), it is as when it was
     * opened. */
    bool parts_have_rows;
    bool parts_are_small; /* a part usually grows much less than its frames */

    /* After the last frame: writes buffered data. Does not commit the output. */
    int (*finish)(struct sink *sink, struct error *error);

    void (*close)(struct sink *sink);
};

struct sink {
    const struct sink_class *class;
    struct sink_format format;
    struct output *output; /* not owned */
    struct sample_losses losses;
    uint64_t in_frames;   /* frames of the input; set before finish() */
    const char *remark;   /* advice for the user, set by finish(); may be NULL */
    bool remark_of_input; /* the remark is about the input: each input of a batch has its own */
};

/* Sets `format`, `container` and `sample` of the format. */
int sink_choose(const struct sink_request *request, struct sink_format *format,
                struct error *error);

/* Without -T and a known ending, the output has the usual format of its input. */
void sink_follow(struct sink_format *format, const struct source *source);

/* Can the output do without a window? False for an unknown type. */
bool sink_needs_no_window(const struct sink_request *request);

/* Can the values of a row be raw samples that need no conversion? Then all of them must be. */
bool sink_takes_samples(const struct sink_format *format);

/* Are the values of a row raw samples that need no conversion? */
bool sink_row_is_native(const struct sink_format *format);

/* Can several threads write frames at once? */
bool sink_places(const struct sink *sink);

/* The rate of an output, and the rate that its header states, which may have to be a whole
 * number. */
struct sink_rate {
    double due;
    double said;
};
struct sink_rate sink_rate(const struct sink_format *format);

/* Opens the writer of the format. On success, close `*sink` by its class. */
int sink_open(struct output *output, const struct sink_format *format, struct sink **sink,
              struct error *error);

#endif
