/* SPDX-License-Identifier: MIT */
/* What the files of a picture share. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_PRIV_H
#define GPUENV_FORMAT_SVG_PRIV_H

#include "base/array.h"
#include "format/format.h"
#include "format/sink.h"
#include "format/source.h"
#include "format/svg/svg_columns_priv.h"
#include "format/svg/svg_convert_priv.h"

/* Pixels. */
enum {
    SVG_BOTTOM = 56,
    SVG_TICK_WIDTH = 84,
    SVG_DIGIT = 8, /* an upper limit of the width of a character */
    SVG_RMS = 8,   /* frames of a column that has an RMS of its own, at least */
};

/* The rows of a key: they have panels of their own. */
struct svg_series {
    const struct row_key *key;
    struct svg_columns columns;
    struct gap_rows rows;
};

struct svg {
    struct sink sink;
    struct svg_columns columns;
    struct gap_rows rows;           /* with times, that no clock counts */
    struct pointers keys;           /* struct svg_series; NULL: there was no row of it */
    unsigned taken;                 /* panels of these so far */
    unsigned panels;                /* of all channels, of each key */
    struct pointers names;          /* of the panels, where rows have keys */
    struct svg_converter converter; /* of png and pdf */
    enum emit emit;                 /* what is drawn instead of minimum and maximum: EMIT_KINDS */
    enum picture_scale scale;
    bool timed;    /* rows have times */
    bool has_rows; /* with times; the first and the last of them are at */
    struct moment first_row;
    struct moment last_row;
    uint64_t row_count;
    bool own_axes; /* each channel has one */
    bool plain;    /* without axes and text */
    bool has_rms;  /* a darker band is the RMS */
    int width;     /* of the picture */
    int top;       /* of the first panel, or of its heading */
    int heading;   /* the height of a heading */
    double height; /* of a panel */
};

/* Positions in the picture. */
struct svg_layout {
    struct svg_axis time;
    struct svg_axis level;    /* of all channels, or of the one that is being drawn */
    struct svg_extent extent; /* of all channels; `missing` is the largest of them */
    double left;
    double width;  /* of a panel */
    double bottom; /* of the last panel */
    struct svg_path path;
};

/* What stands above the picture; NULL: nothing. */
const char *svg_title(const struct svg *svg);

/* Would a fitting scale show more? */
bool svg_is_quiet(const struct svg *svg, const struct svg_extent *extent);

/* Do frames stand for intervals side by side? */
bool svg_has_intervals(const struct sink_context *context);

/* Lays the picture out when it is complete. */
void svg_lay_out(struct svg_layout *layout, const struct svg *svg);

/* The middle of a text of so many characters that is to be at `x`, so that it does not leave the
 * picture. */
double svg_middle(const struct svg *svg, double x, size_t length);

/* The axis of levels in `extent`. */
void svg_plan_level(struct svg_axis *axis, const struct svg *svg, const struct svg_extent *extent);

/* Writes the picture. */
void svg_draw(struct memory_text *text, struct svg *svg, struct svg_layout *layout);

#endif
