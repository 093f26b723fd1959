/* SPDX-License-Identifier: MIT */
/* Computes the positions in a picture. */
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "format/svg/svg_priv.h"
#include "format/text/time_form.h"

enum {
    RIGHT = 36,
    TICK_HEIGHT = 30,
    LABEL_HEIGHT = 20, /* least height for a label of the levels of sound */

    EDGE = 4, /* space beside a text */

    NAME_HEIGHT = 140, /* height that "level (full scale = 1)" needs */

    DECIBELS_LEAST = -96, /* lower levels are drawn at this level */
};

static const double QUIET = 0.1; /* -20 dB */

static const double YEAR = 365 * 86400.0;  /* seconds of a year */
static const double YEAR_1 = -62135596800; /* the beginning of year 1, in seconds since 1970 */
static const double YEAR_10000 = 253402300800;

/* Full scale has five lines, or three; and six if it begins at 0. */
static double level_steps(const struct svg *svg, double least, bool exact)
{
    const double most = least == 0 ? 5 : 4;

    if (svg->scale == PICTURE_FULL && exact && !svg->sink.format.context.db)
        return svg->height >= most * LABEL_HEIGHT ? most : 2;
    return fmax(svg->height / TICK_HEIGHT, 2);
}

void svg_plan_level(struct svg_axis *axis, const struct svg *svg, const struct svg_extent *extent)
{
    const struct picture *picture = &svg->sink.format.context.picture;
    bool exact = svg->scale == PICTURE_RANGE;
    const bool db = svg->sink.format.context.db;
    const double full = db ? 0 : svg->emit == EMIT_RANGE ? 2 : 1;
    const bool positive = svg->emit == EMIT_ABS || svg->emit == EMIT_RANGE ||
                          svg->emit == EMIT_RMS || svg->emit == EMIT_STD ||
                          svg->sink.format.context.magnitudes;
    const double least = db ? DECIBELS_LEAST : positive ? 0 : -1;
    /* Levels are limited so that no number becomes infinite. */
    double low = fmax(extent->low, db ? least : -1e300);
    double high = fmin(db ? fmax(extent->high, least) : extent->high, 1e300);

    if (exact) {
        low = picture->low;
        high = picture->high;
    } else if (low > high || svg->scale == PICTURE_FULL) {
        exact = !(low < least) && !(high > full);
        low = fmin(low, least);
        high = fmax(high, full);
    } else if (least == 0) {
        low = 0;
        high = high > 0 ? high : full;
    }
    svg_axis_level(axis, low, high, exact, level_steps(svg, least, exact));
    if (db)
        (void)snprintf(axis->name, sizeof axis->name, "dBFS");
    else if (svg->scale == PICTURE_FULL && axis->name[0] == '\0' &&
             svg->height * svg->columns.channels >= NAME_HEIGHT)
        (void)snprintf(axis->name, sizeof axis->name, "full scale = 1");
}

/* Plans the levels, and the left margin, which fits their longest label. */
static void plan_levels(struct svg_layout *layout, const struct svg *svg)
{
    size_t longest = 0;

    for (unsigned c = 0; c < (svg->own_axes ? svg->columns.channels : 1); c++) {
        svg_plan_level(&layout->level, svg,
                       svg->own_axes ? &svg->columns.extents[c] : &layout->extent);
        for (unsigned i = 0; i < layout->level.count; i++) {
            const size_t length = utf8_count(layout->level.ticks[i].label);

            longest = length > longest ? length : longest;
        }
    }
    layout->left = (svg->own_axes ? 24.0 : 44.0) + (double)(SVG_DIGIT * longest);
}

bool svg_is_quiet(const struct svg *svg, const struct svg_extent *extent)
{
    const struct sink_context *context = &svg->sink.format.context;
    const double peak = fmax(fabs(extent->low), fabs(extent->high));

    return !svg->plain && !context->numbers && !context->db &&
           context->picture.scale == PICTURE_USUAL && extent->low <= extent->high && peak > 0 &&
           peak < QUIET;
}

double svg_middle(const struct svg *svg, double x, size_t length)
{
    const double half = (double)(length * SVG_DIGIT) / 2 + EDGE;

    return fmax(fmin(x, svg->width - half), half);
}

bool svg_has_intervals(const struct sink_context *context)
{
    const struct window *window = &context->window;

    return context->period > 0 ||
           (window->width > 1 && window->hop == window->width && window->align == ALIGN_FORWARD);
}

/* Plans the time axis, and the width of a column of `span` frames. */
static void plan_time(struct svg_layout *layout, const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;
    const double rate = context->input_rate;
    const double second = rate > 0 ? rate : 1;
    const double frames = (double)svg->columns.frames;

    svg_axis_time(&layout->time, (double)context->first_frame / second,
                  frames * (double)context->window.hop / second, rate > 0,
                  layout->width / SVG_TICK_WIDTH);
    svg_path_plan(&layout->path, frames / (double)svg->columns.span, svg->columns.channels <= 4,
                  layout->width, svg->height);
}

/* Plans the axis of times. Numbers near 0, or beyond what a clock shows, do not count from 1970. */
static void plan_clock(struct svg_layout *layout, const struct svg *svg)
{
    const struct svg_columns *columns = &svg->columns;
    const double span = (double)columns->span;
    const struct moment begin = columns->begin;
    const double first = (double)begin.seconds + begin.nanoseconds * 1e-9;
    const struct time_form *form = svg->sink.format.context.times;
    const bool zoned = form->zone || form->kind == TIME_NUMBER || form->clock.zone != NULL;
    const double length = (double)(moment_to_count(columns->end) - moment_to_count(begin));

    if (form->kind == TIME_NUMBER &&
        (fabs(first) < YEAR || first < YEAR_1 || first + length / MOMENT_SECOND > YEAR_10000))
        svg_axis_time(&layout->time, first, length / MOMENT_SECOND, true,
                      layout->width / SVG_TICK_WIDTH);
    else
        svg_axis_clock(&layout->time, &form->clock, zoned, begin, columns->end,
                       layout->width / SVG_TICK_WIDTH);
    svg_path_plan(&layout->path, length / span, columns->channels <= 4, layout->width, svg->height);
    if (svg->sink.format.context.period == 0)
        layout->path.reach = SIZE_MAX;
}

void svg_lay_out(struct svg_layout *layout, const struct svg *svg)
{
    struct svg_extent *all = &layout->extent;

    *all = svg->columns.extents[0];
    for (unsigned i = 1; i < svg->columns.channels; i++) {
        const struct svg_extent *extent = &svg->columns.extents[i];

        all->low = fmin(extent->low, all->low);
        all->high = fmax(extent->high, all->high);
        all->missing = extent->missing > all->missing ? extent->missing : all->missing;
    }
    plan_levels(layout, svg);
    if (svg->plain)
        layout->left = 0;
    layout->width = fmax(svg->width - layout->left - (svg->plain ? 0 : RIGHT), 1);
    layout->bottom = svg->top + svg->columns.channels * (svg->heading + svg->height);
    if (svg->timed && svg->columns.frames > 0)
        plan_clock(layout, svg);
    else
        plan_time(layout, svg);
    layout->path.over = svg->scale == PICTURE_RANGE ? 0.2 : 0;
    /* Thinner columns look like steps in any case. */
    layout->path.steps = svg_has_intervals(&svg->sink.format.context) &&
                         (double)layout->path.column * layout->path.unit >= 2;
}
