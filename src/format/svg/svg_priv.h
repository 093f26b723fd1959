/* SPDX-License-Identifier: MIT */
/* What the files of a picture share. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_PRIV_H
#define GPUENV_FORMAT_SVG_PRIV_H

#include <stddef.h>

#include "base/array.h"
#include "base/error.h"
#include "format/format.h"
#include "format/sink.h"
#include "format/source.h"
#include "format/svg/svg_columns_priv.h"
#include "io/output.h"
#include "io/program.h"

/* ---- pictures as pixels or PDF, drawn by rsvg-convert */

struct svg_converter {
    struct program program;
    int feed; /* file that the program reads */
    int made; /* file without a name that the program writes */
};

/* Starts the program before there is a picture, so that a missing one is an error at once. `format`
 * is "png" or "pdf". Close it in either case. */
int svg_converter_open(struct svg_converter *converter, const char *format,
                       const struct output *output, struct error *error);

/* Converts this SVG text and writes the result. */
int svg_converter_finish(struct svg_converter *converter, const char *bytes, size_t size,
                         struct output *output, struct error *error);

void svg_converter_close(struct svg_converter *converter);

/* Pixels. */
enum {
    SVG_BOTTOM = 56,
    SVG_TICK_WIDTH = 84,
    SVG_DIGIT = 8, /* an upper limit of the width of a character */
    SVG_RMS = 8,   /* fewest frames of a column that has an RMS of its own */
};

/* The rows of a key, which have panels of their own. */
struct svg_series {
    const struct row_key *key;
    struct svg_columns columns;
    struct gap_rows rows;
};

struct svg {
    struct sink sink;
    struct svg_columns columns;
    struct gap_rows rows;           /* rows with times, unless intervals of a clock are drawn */
    struct pointers keys;           /* struct svg_series for each key; NULL if it has had no row */
    unsigned taken;                 /* panels of keys so far */
    unsigned panels;                /* panels of all channels of all keys */
    struct pointers names;          /* names of the panels, where rows have keys */
    struct svg_converter converter; /* converter for png and pdf */
    enum emit emit; /* the value that is drawn; EMIT_KINDS if minimum and maximum are */
    enum picture_scale scale;
    bool timed;    /* rows have times */
    bool has_rows; /* there were rows with times, from `first_row` to `last_row` */
    struct moment first_row;
    struct moment last_row;
    uint64_t row_count;
    bool own_axes; /* each channel has its own axis */
    bool plain;    /* without axes and text */
    bool has_rms;  /* a darker band is the RMS */
    int width;     /* width of the picture */
    int top;       /* top of the first panel, or of its heading */
    int heading;   /* height of a heading */
    double height; /* height of a panel */
};

/* Positions in the picture. */
struct svg_layout {
    struct svg_axis time;
    struct svg_axis level;    /* levels of all channels, or of the channel that is being drawn */
    struct svg_extent extent; /* extent of all channels; `missing` is the largest of theirs */
    double left;
    double width;  /* width of a panel */
    double bottom; /* bottom of the last panel */
    struct svg_path path;
};

/* The title above the picture; NULL if there is none. */
const char *svg_title(const struct svg *svg);

/* Would a scale that fits the values show more? */
bool svg_is_quiet(const struct svg *svg, const struct svg_extent *extent);

/* Do frames stand for intervals side by side? */
bool svg_has_intervals(const struct sink_context *context);

/* Lays the picture out when it is complete. */
void svg_lay_out(struct svg_layout *layout, const struct svg *svg);

/* Where the middle of a text of `length` characters has to be, as near to `x` as the text stays in
 * the picture. */
double svg_middle(const struct svg *svg, double x, size_t length);

/* The axis of levels in `extent`. */
void svg_plan_level(struct svg_axis *axis, const struct svg *svg, const struct svg_extent *extent);

/* Writes the picture. */
void svg_draw(struct memory_text *text, struct svg *svg, struct svg_layout *layout);

#endif
