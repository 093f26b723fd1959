/* Where frames go. */
#ifndef GPUENV_FORMAT_SINK_H
#define GPUENV_FORMAT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"
#include "format/picture.h"
#include "format/rows.h"
#include "format/span_rule.h"
#include "sample/rate.h"
#include "sample/sample_type.h"
#include "sample/time_form.h"
#include "window/rules.h"

#define SINK_FRAMES_UNKNOWN UINT64_MAX

struct format;
struct source_table;

/* What a writer of text or of pictures has to know beside the format: what the values of a frame
 * are, and where in the input a frame lies. Writers of samples do without. */
struct sink_context {
    struct emit_list emits;  /* of each channel, in this order */
    unsigned channels;       /* of the input; a frame has channels * emits.count values */
    uint64_t hop;            /* output frame k stands at input frame first_frame + k * hop */
    uint64_t first_frame;    /* of the input: what was skipped */
    double input_rate;       /* 0: not known */
    struct rate_ratio ratio; /* the same, where it is no decimal */
    const struct source_table *table; /* NULL: the input is none */
    const char *const *names;         /* of the channels; NULL: they have none */
    struct time_form times;           /* how times are written, if rows have times */
    bool no_frame;                    /* text has no column of frames */
    const char *title; /* the name of the input: UTF-8, or what a file name holds; or NULL */
    bool numbers;      /* samples are numbers of any size, not sound */
    struct picture picture;
    uint64_t width;        /* frames of a window */
    int64_t period;        /* nanoseconds of an interval by the clock; 0: rows are counted */
    struct span_rule rule; /* of spans */
    const char *file;      /* in a batch, the name for a column of names; or NULL */
    bool pixels;           /* a frame is of the `hop` input frames from its own one on: --zoom */
    bool continues;        /* these frames go on from those of another part: text has no header */
};

/* What the frames given to a sink consist of: for each channel of the input these values, all of
 * one size. Integers (VALUE_I64, VALUE_U64) only where format.sample is s32, u32, s64 or u64 with
 * the `counts` of the input, and in text of counts. */
struct sink_row {
    unsigned count;
    enum value_kind kind[EMIT_KINDS];
};

struct sink_format {
    const struct format *format; /* whose writer it is (format/format.h) */
    const char *container;       /* its name; "raw" */
    struct sample_type sample;
    bool type_named; /* the user has named the sample type, not only a container */
    struct sink_row row;
    bool flat;  /* npy: one-dimensional; */
    bool truth; /* and of type bool */
    unsigned channels;
    double rate;     /* 0: not known */
    uint64_t frames; /* how many will be written; SINK_FRAMES_UNKNOWN */
    struct sink_context context;
};

/* What the user says about an output. */
struct sink_request {
    const char
        *type; /* -T: a raw type, or a container and perhaps a type: wav:s16; NULL: not said */
    const char *path; /* -o; NULL: standard output. Its ending tells where `type` does not. */
    bool counts;      /* integers are numbers as they are */
};

struct sink;

struct sink_class {
    /* Writes `count` frames of format.row. With `gift` the memory at `frames` is private to us and
     * will be written anew before it is read: a sink may give its pages away. */
    int (*write)(struct sink *sink, void *frames, size_t count, bool gift, struct error *error);

    /* Puts frames where they belong in the output, number `frame` and those behind it; any thread
     * may call. reserve() comes before it, for about so many frames, by so many threads. placed()
     * says up to which one all are there: write() goes on behind it. NULL: frames have no place of
     * their own. */
    void (*reserve)(struct sink *sink, uint64_t frames, unsigned threads);
    int (*place)(struct sink *sink, uint64_t frame, const void *frames, size_t count,
                 struct sample_losses *losses, struct error *error);
    int (*placed)(struct sink *sink, uint64_t frames, struct error *error);

    /* No more frames: what is still held back is written. The output is not yet committed. */
    int (*finish)(struct sink *sink, struct error *error);

    void (*close)(struct sink *sink);
};

struct sink {
    const struct sink_class *class;
    struct sink_format format;
    struct output *output;  /* not owned */
    struct row_queue *rows; /* for each frame its row, before it is written; NULL: not asked for */
    bool every_row;         /* and the other rows of its window */
    struct sample_losses losses;
};

/* Sets the format, the container and the sample type of the format. */
int sink_choose(const struct sink_request *request, struct sink_format *format,
                struct error *error);

/* Does the output make do without a window of the user's? A type that is not known does not. */
bool sink_needs_no_window(const struct sink_request *request);

/* Are the values of a row raw samples already, which need no conversion? */
bool sink_row_is_native(const struct sink_format *format);

/* Have frames a place of their own, so that several threads can write them side by side? */
bool sink_places(const struct sink *sink);

/* The rate of an output, and what its header says of it where it has one: a whole number, perhaps.
 */
struct sink_rate {
    double due;
    double said;
};
struct sink_rate sink_rate(const struct sink_format *format);

/* The greatest rate that its header can say. */
double sink_rate_most(const struct sink_format *format);

/* Opens the writer of the format. On success `*sink` is to be closed by its class. */
int sink_open(struct output *output, const struct sink_format *format, struct sink **sink,
              struct error *error);

#endif
