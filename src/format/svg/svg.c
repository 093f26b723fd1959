/* A picture for a report: the envelope of each channel over time, as SVG. One panel per channel,
 * stacked, over a common time axis. Channels of sound have a common level axis, columns of numbers
 * one of their own each. Everything is written at the end, when the picture is complete. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "format/format.h"
#include "format/svg/svg_columns.h"

enum {
    /* Columns of the picture, for few channels and in total for many. At 11 bytes each, the worst
     * case, 16 channels need less than 300 KB. */
    COLUMNS_MOST = 1800,
    COLUMNS_LEAST = 300,
    COLUMNS_ALL = 22400,
    FINE = 8, /* so many more columns are kept, so that merging loses little resolution */

    FEW_FRAMES = 500, /* whose lines would be hard to see if they were thin */

    WIDTH = 960, /* pixels, like everything below */
    TOP = 50,
    TITLE = 22, /* more where there is a title */
    BOTTOM = 56,
    PANEL_LEAST = 30,
    HEADING = 28, /* above each of several panels */
    RIGHT = 36,
    DIGIT = 8, /* an upper limit of the width of a character */
    TICK_WIDTH = 84,
    TICK_HEIGHT = 30,
    FACTS_DIGIT = 7, /* about the width of one; */
    TITLE_DIGIT = 11,

    DECIBELS_LEAST = -96, /* what is below is drawn there */
};

static const double YEAR = 365 * 86400.0;  /* in seconds */
static const double YEAR_1 = -62135596800; /* its beginning, from that of 1970 */
static const double YEAR_10000 = 253402300800;

struct svg {
    struct sink sink;
    struct svg_columns columns;
    enum emit emit; /* what is drawn instead of minimum and maximum: EMIT_KINDS */
    enum picture_scale scale;
    bool timed;    /* rows have times */
    bool own_axes; /* each channel has one */
    int width;     /* of the picture */
    int top;       /* of the first panel, or of its heading */
    int heading;   /* the height of a heading */
    double height; /* of a panel */
};

/* Positions in the picture. */
struct layout {
    struct svg_axis time;
    struct svg_axis level;    /* of all channels, or of the one that is being drawn */
    struct svg_extent extent; /* of all channels; `missing` is the largest of them */
    double left;
    double width;  /* of a panel */
    double bottom; /* of the last panel */
    struct svg_path path;
    char *facts; /* a line that describes the picture */
};

/* ---- columns in */

static size_t columns_to_draw(const struct svg *svg)
{
    size_t most = COLUMNS_ALL / svg->sink.format.context.channels;

    most = most > COLUMNS_MOST ? COLUMNS_MOST : most < COLUMNS_LEAST ? COLUMNS_LEAST : most;
    return most * (size_t)svg->width / WIDTH;
}

static int svg_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                     bool gift, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    const size_t frame_bytes = sink->format.channels * value_bytes(sink->format.row.kind[0]);

    (void)gift;
    (void)error;
    if (rows == NULL)
        svg_columns_take(&svg->columns, frames, count);
    for (size_t i = 0; rows != NULL && i < count; i++)
        svg_columns_take_at(&svg->columns, (const unsigned char *)frames + i * frame_bytes,
                            rows[i].first_time);
    return 0;
}

/* ---- the size */

/* What stands above the picture; NULL: nothing. */
static const char *title_of(const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;

    return context->picture.title != NULL ? context->picture.title : context->title;
}

/* Everything that does not depend on the values. */
static int plan_size(struct svg *svg, struct error *error)
{
    const struct sink_context *context = &svg->sink.format.context;
    const struct picture *picture = &context->picture;
    unsigned channels = context->channels;
    double beside;

    svg->scale = picture->scale != PICTURE_USUAL ? picture->scale
                 : context->numbers              ? PICTURE_FIT
                                                 : PICTURE_FULL;
    svg->own_axes = context->numbers && channels > 1;
    svg->width = picture->width > 0 ? (int)picture->width : WIDTH;
    svg->heading = channels > 1 ? HEADING : 0;
    svg->top = title_of(svg) != NULL ? TOP + TITLE : TOP;
    svg->top -= svg->heading / 3;
    svg->height = channels == 1   ? 300
                  : channels == 2 ? 180
                  : channels <= 4 ? 120
                  : channels <= 8 ? 84
                                  : 60;
    if (picture->height == 0)
        return 0;
    beside = svg->top + BOTTOM + svg->heading * (double)channels;
    svg->height = (picture->height - beside) / channels;
    if (svg->height >= PANEL_LEAST)
        return 0;
    return error_set(error, ERROR_PICTURE_SIZE, svg->sink.output->name,
                     "%u channels need a height of at least %.0f pixels", channels,
                     beside + PANEL_LEAST * (double)channels);
}

/* ---- the layout */

static void plan_level(struct svg_axis *axis, const struct svg *svg,
                       const struct svg_extent *extent)
{
    const struct picture *picture = &svg->sink.format.context.picture;
    bool exact = svg->scale == PICTURE_RANGE;
    const bool db = svg->sink.format.context.db;
    const double full = db ? 0 : svg->emit == EMIT_RANGE ? 2 : 1;
    const double least = db                                                 ? DECIBELS_LEAST
                         : svg->emit == EMIT_ABS || svg->emit == EMIT_RANGE ? 0
                                                                            : -1;
    /* So far that no number becomes infinite. */
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
    svg_axis_level(axis, low, high, exact, fmax(svg->height / TICK_HEIGHT, 2));
    if (db)
        (void)snprintf(axis->name, sizeof axis->name, "dBFS");
    else if (svg->scale == PICTURE_FULL && axis->name[0] == '\0')
        (void)snprintf(axis->name, sizeof axis->name, "full scale = 1");
}

/* Levels, and the left margin, which fits their longest label. */
static void plan_levels(struct layout *layout, const struct svg *svg)
{
    size_t longest = 0;

    for (unsigned c = 0; c < (svg->own_axes ? svg->columns.channels : 1); c++) {
        plan_level(&layout->level, svg, svg->own_axes ? &svg->columns.extents[c] : &layout->extent);
        for (unsigned i = 0; i < layout->level.count; i++) {
            size_t length = 0;

            for (const char *at = layout->level.ticks[i].label; *at != '\0'; at++)
                length += ((unsigned char)*at & 0xc0) != 0x80; /* characters */
            longest = length > longest ? length : longest;
        }
    }
    layout->left = (svg->own_axes ? 24.0 : 44.0) + (double)(DIGIT * longest);
}

/* The time axis, and the widths of columns, which are so many frames. */
static void plan_time(struct layout *layout, const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;
    const double rate = context->input_rate;
    const double second = rate > 0 ? rate : 1;
    const double frames = (double)svg->columns.frames;

    svg_axis_time(&layout->time, (double)context->first_frame / second,
                  frames * (double)context->window.hop / second, rate > 0,
                  layout->width / TICK_WIDTH);
    svg_path_plan(&layout->path, frames / (double)svg->columns.span, svg->columns.channels <= 4,
                  layout->width, svg->height);
}

/* The same where columns are times. Numbers near 0, or beyond what a clock shows, do not count from
 * 1970. */
static void plan_clock(struct layout *layout, const struct svg *svg)
{
    const struct svg_columns *columns = &svg->columns;
    const double span = (double)columns->span;
    const double rate = svg->sink.format.rate;
    const double far = rate > 0 ? 1.5 * MOMENT_SECOND / rate : 2 * svg_columns_distance(columns);
    const struct moment begin = columns->begin;
    const double first = (double)begin.seconds + begin.nanoseconds * 1e-9;
    struct moment end = columns->end;
    double length;

    if (!moment_is_before(begin, end))
        end = moment_add(begin, MOMENT_SECOND);
    length = (double)(moment_to_count(end) - moment_to_count(begin));
    if (svg->sink.format.context.times.kind == TIME_NUMBER &&
        (fabs(first) < YEAR || first < YEAR_1 || first + length / MOMENT_SECOND > YEAR_10000))
        svg_axis_time(&layout->time, first, length / MOMENT_SECOND, true,
                      layout->width / TICK_WIDTH);
    else
        svg_axis_clock(&layout->time, &svg->sink.format.context.times.clock, begin, end,
                       layout->width / TICK_WIDTH);
    svg_path_plan(&layout->path, length / span, columns->channels <= 4, layout->width, svg->height);
    layout->path.reach = (size_t)fmin(fmax(far / span, 1), 1e9);
}

static void lay_out(struct layout *layout, const struct svg *svg)
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
    layout->width = fmax(svg->width - layout->left - RIGHT, 1);
    layout->bottom = svg->top + svg->columns.channels * (svg->heading + svg->height);
    if (svg->timed && svg->columns.frames > 0)
        plan_clock(layout, svg);
    else
        plan_time(layout, svg);
    layout->path.over = svg->scale == PICTURE_RANGE ? 0.2 : 0;
}

/* ---- text */

/* " (s)" */
static void put_unit(struct memory_text *text, const struct svg_axis *axis)
{
    if (axis->name[0] != '\0')
        memory_text_print(text, " (%s)", axis->name);
}

static const char style[] =
    "<style>"
    ".gpuenv{color-scheme:light dark;" /* also what a browser shows around the picture */
    "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    ".gpuenv .b{fill:#fff}.gpuenv .p{fill:#f4f6f9}"
    ".gpuenv .g{stroke:#dde2ea;fill:none}.gpuenv .z{stroke:#aab3c1;fill:none}"
    ".gpuenv .w{fill:#1f6fc4;stroke:#1f6fc4;stroke-linejoin:round}"
    ".gpuenv text{fill:#1b212b;font-size:13px}.gpuenv .t{font-size:18px;font-weight:600}"
    ".gpuenv .m{fill:#566071}.gpuenv .r{text-anchor:end}.gpuenv .c{text-anchor:middle}"
    "@media(prefers-color-scheme:dark){"
    ".gpuenv .b{fill:#14181f}.gpuenv .p{fill:#1c222b}"
    ".gpuenv .g{stroke:#2d3541}.gpuenv .z{stroke:#56627a}"
    ".gpuenv .w{fill:#62adf7;stroke:#62adf7}"
    ".gpuenv text{fill:#e6eaf0}.gpuenv .m{fill:#9aa6b8}}"
    "</style>\n";

static const char *emit_words(const struct svg *svg)
{
    static const char *const words[] = {
        [EMIT_MIN] = "minimum", [EMIT_MAX] = "maximum", [EMIT_ABS] = "largest magnitude",
        [EMIT_RANGE] = "range", [EMIT_MID] = "middle",  [EMIT_KINDS] = "level",
    };

    return svg->emit == EMIT_KINDS && svg->sink.format.context.numbers ? "value" : words[svg->emit];
}

static const char *channel_words(const struct svg *svg, unsigned channel, char words[SVG_WORDS])
{
    static const char *const sides[] = {"left", "right"};
    const struct sink_context *context = &svg->sink.format.context;
    const char *name = context->names != NULL ? context->names[channel] : NULL;

    if (name != NULL && name[0] != '\0')
        return name;
    if (context->channels == 2 && !context->numbers)
        return sides[channel];
    (void)snprintf(words, SVG_WORDS, "channel %u", channel + 1);
    return words;
}

/* "992 to 1013" */
static void put_range(struct memory_text *text, const struct svg *svg,
                      const struct svg_extent *extent)
{
    char words[2][SVG_WORDS];

    if (extent->low > extent->high) {
        memory_text_print(text, "no value");
        return;
    }
    if (isfinite(extent->low)) {
        svg_words_range(extent->low, extent->high, words);
    } else { /* decibels of silence */
        svg_words_number(extent->low, words[0]);
        svg_words_number(extent->high, words[1]);
    }
    memory_text_print(text, "%s", words[0]);
    if (extent->low < extent->high)
        memory_text_print(text, " to %s", words[1]);
    if (svg->sink.format.context.db)
        memory_text_put(text, " dB");
}

#define DOT " \u00b7 "

static void put_facts(struct memory_text *text, const struct svg *svg, const struct layout *layout)
{
    const struct svg_extent *extent = &layout->extent;
    const struct sink_context *context = &svg->sink.format.context;
    const bool named = !svg->own_axes || svg->emit != EMIT_KINDS;
    double rate = context->input_rate;
    uint64_t span = svg->columns.span * context->window.hop;
    char words[SVG_WORDS];

    if (rate >= 1)
        memory_text_print(text, "%s Hz" DOT, svg_words_number(rate, words));
    else if (rate > 0)
        memory_text_print(text, "a frame every %s" DOT, svg_words_duration(1 / rate, words));
    if (svg->columns.channels > 1)
        memory_text_print(text, "%u channels%s", svg->columns.channels, named ? DOT : "");
    if (named)
        memory_text_print(text, "%s", emit_words(svg));
    if (!svg->own_axes) {
        memory_text_print(text, " ");
        put_range(text, svg, extent);
    }
    if (svg->timed && svg->columns.frames > svg->columns.count)
        memory_text_print(text, DOT "a column is %s",
                          svg_words_duration((double)svg->columns.span / MOMENT_SECOND, words));
    if (!svg->timed && span > 1)
        memory_text_print(text, DOT "a column is %s frames", svg_words_number((double)span, words));
    if (!svg->timed && span > 1 && rate > 0)
        memory_text_print(text, ", %s", svg_words_duration((double)span / rate, words));
    if (extent->missing > 0)
        memory_text_print(
            text, DOT "%s\u2009%% without a value",
            svg_words_number(100 * (double)extent->missing / (double)svg->columns.frames, words));
}

static void put_head(struct memory_text *text, const struct svg *svg, const struct layout *layout)
{
    const char *title = title_of(svg);
    double height = layout->bottom + BOTTOM;

    memory_text_print(text,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpuenv\" role=\"img\" "
                      "width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\">\n<title>",
                      svg->width, height, svg->width, height);
    svg_text_put(text, title != NULL ? title : "Envelope", SIZE_MAX);
    memory_text_print(text, "</title>\n<desc>The envelope over time. %s</desc>\n%s", layout->facts,
                      style);
    memory_text_print(text, "<rect class=\"b\" width=\"%d\" height=\"%g\"/>\n", svg->width, height);
    if (title != NULL) {
        memory_text_print(text, "<text class=\"t\" x=\"20\" y=\"31\">");
        svg_text_put(text, title, (size_t)(svg->width - 40) / TITLE_DIGIT);
        memory_text_print(text, "</text>\n");
    }
    memory_text_print(text, "<text class=\"m\" x=\"20\" y=\"%d\">", title != NULL ? 53 : 31);
    svg_text_put(text, layout->facts, (size_t)(svg->width - 40) / FACTS_DIGIT);
    memory_text_print(text, "</text>\n");
}

/* The time axis below the panels, and what the levels are, if that is the same for all. */
static void put_axes(struct memory_text *text, const struct svg *svg, const struct layout *layout)
{
    const struct sink_context *context = &svg->sink.format.context;
    const struct svg_axis *time = &layout->time;
    const char *name = context->names != NULL ? context->names[0] : NULL;
    const bool named = context->channels == 1 && name != NULL && name[0] != '\0';

    for (unsigned i = 0; i < time->count; i++) {
        const char *label = time->ticks[i].label;
        const double x = layout->left + time->ticks[i].place * layout->width;
        const int length = (int)strcspn(label, "\n");

        memory_text_print(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">%.*s", x,
                          layout->bottom + 19, length, label);
        if (label[length] != '\0')
            memory_text_print(text, "<tspan x=\"%.1f\" dy=\"15\">%s</tspan>", x,
                              label + length + 1);
        memory_text_put(text, "</text>\n");
    }
    memory_text_print(text, "<text class=\"c\" x=\"%.1f\" y=\"%.1f\">%s",
                      layout->left + layout->width / 2, layout->bottom + 42,
                      context->input_rate > 0 || svg->timed ? "time" : "frame");
    put_unit(text, time);
    memory_text_print(text, "</text>\n");
    if (svg->own_axes)
        return;
    memory_text_print(text, "<text class=\"c\" transform=\"translate(24 %.1f)rotate(-90)\">",
                      (svg->top + svg->heading + layout->bottom) / 2);
    svg_text_put(text, named ? name : emit_words(svg), (size_t)(layout->bottom - svg->top) / DIGIT);
    put_unit(text, &layout->level);
    memory_text_print(text, "</text>\n");
}

/* ---- a panel */

static void put_grid(struct memory_text *text, const struct svg *svg, const struct layout *layout)
{
    const struct svg_axis *level = &layout->level;
    const struct svg_axis *time = &layout->time;

    memory_text_print(text,
                      "<rect class=\"p\" width=\"%.1f\" height=\"%g\"/>\n<path class=\"g\" d=\"",
                      layout->width, svg->height);
    for (unsigned i = 0; i < time->count; i++)
        memory_text_print(text, "M%.1f 0v%g", time->ticks[i].place * layout->width, svg->height);
    for (unsigned i = 0; i < level->count; i++)
        memory_text_print(text, "M0 %.1fh%.1f", (1 - level->ticks[i].place) * svg->height,
                          layout->width);
    memory_text_print(text, "\"/>\n");
    if (level->low < 0 && level->high > 0)
        memory_text_print(text, "<path class=\"z\" d=\"M0 %.1fh%.1f\"/>\n",
                          (1 - svg_axis_place(level, 0)) * svg->height, layout->width);
    for (unsigned i = 0; i < level->count; i++)
        memory_text_print(text, "<text class=\"m r\" x=\"-8\" y=\"%.1f\">%s</text>\n",
                          (1 - level->ticks[i].place) * svg->height + 4.5, level->ticks[i].label);
}

/* What lies beyond the ends that the user gave is cut. */
static void put_envelope(struct memory_text *text, const struct svg *svg,
                         const struct layout *layout, unsigned channel)
{
    const struct svg_columns *columns = &svg->columns;
    const double unit = layout->path.unit;
    const double stroke = columns->frames < FEW_FRAMES ? 1.6 : 0.8;
    const bool cut = layout->path.over > 0;

    if (columns->count == 0) {
        memory_text_print(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">no frames</text>\n",
                          layout->width / 2, svg->height / 2 - 8);
        return;
    }
    if (cut)
        memory_text_print(text, "<svg width=\"%.1f\" height=\"%g\">", layout->width, svg->height);
    memory_text_print(text,
                      "<path class=\"w\" transform=\"scale(%.6g)\" stroke-width=\"%.3g\" d=\"",
                      unit, stroke / unit);
    svg_path_put(text, &layout->path, &layout->level, columns, channel);
    memory_text_print(text, cut ? "\"/></svg>\n" : "\"/>\n");
}

static void put_panel(struct memory_text *text, const struct svg *svg, struct layout *layout,
                      unsigned channel)
{
    const struct svg_extent *extent = &svg->columns.extents[channel];
    double pitch = svg->heading + svg->height;
    char words[SVG_WORDS];
    const char *name = channel_words(svg, channel, words);

    if (svg->own_axes)
        plan_level(&layout->level, svg, extent);
    memory_text_print(text, "<g transform=\"translate(%g %g)\">\n<title>", layout->left,
                      svg->top + svg->heading + channel * pitch);
    svg_text_put(text, name, SIZE_MAX);
    memory_text_print(text, "</title>\n");
    put_grid(text, svg, layout);
    put_envelope(text, svg, layout, channel);
    if (svg->heading > 0) {
        memory_text_print(text, "<text y=\"-7\">");
        svg_text_put(text, name, (size_t)(layout->width / DIGIT * 0.6));
        if (svg->own_axes)
            put_unit(text, &layout->level);
        memory_text_print(text, "<tspan class=\"m\" dx=\"10\">");
        put_range(text, svg, extent);
        memory_text_print(text, "</tspan></text>\n");
    }
    memory_text_print(text, "</g>\n");
}

static int svg_finish(struct sink *sink, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    struct layout layout = {.width = 0};
    struct memory_text text = {.bytes = NULL};
    int result = -1;

    svg_columns_reduce(&svg->columns, columns_to_draw(svg));
    if (sink->format.context.db)
        svg_columns_decibels(&svg->columns);
    lay_out(&layout, svg);
    put_facts(&text, svg, &layout);
    layout.facts = memory_text_take(&text, NULL);
    if (layout.facts == NULL)
        return error_system(error, ERROR_FILE, sink->output->name, errno);
    put_head(&text, svg, &layout);
    for (unsigned i = 0; i < svg->columns.channels; i++)
        put_panel(&text, svg, &layout, i);
    put_axes(&text, svg, &layout);
    memory_text_put(&text, "</svg>\n");
    if (text.failed)
        error_system(error, ERROR_FILE, sink->output->name, ENOMEM);
    else
        result = output_write(sink->output, text.bytes, text.used, error);
    memory_text_free(&text);
    free(layout.facts);
    return result;
}

/* ---- opening */

static void svg_close(struct sink *sink)
{
    struct svg *svg = (struct svg *)sink;

    svg_columns_close(&svg->columns);
    free(svg);
}

static const struct sink_class svg_class = {
    .write = svg_write,
    .finish = svg_finish,
    .close = svg_close,
};

/* Selects the emits to draw. */
static bool pick_emits(struct svg *svg, struct svg_pick *pick)
{
    const struct emit_list *emits = &svg->sink.format.context.emits;

    *pick = (struct svg_pick){.values = emits->count, .kind = svg->sink.format.row.kind[0]};
    svg->emit = emits->item[0];
    if (emits->count == 1)
        return true;
    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN)
            pick->low = i;
        else if (emits->item[i] == EMIT_MAX)
            pick->high = i;
        else
            return false;
    }
    svg->emit = EMIT_KINDS;
    return emits->count == 2;
}

/* Draws minima and maxima if the emits are min and max, in either order, or a single emit. */
static int open_svg(struct output *output, const struct sink_format *format, struct sink **sink,
                    struct error *error)
{
    const struct sink_context *context = &format->context;
    struct svg *svg = calloc(1, sizeof *svg);
    struct svg_pick pick;

    if (svg == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    svg->sink = (struct sink){.class = &svg_class, .format = *format, .output = output};
    svg->timed = sink_has_times(&svg->sink);
    if (!pick_emits(svg, &pick)) {
        error_set(error, ERROR_PICTURE_VALUES, output->name,
                  "a picture shows the minimum and the maximum, or one value");
        goto error;
    }
    if (plan_size(svg, error) != 0)
        goto error;
    if (svg_columns_open(&svg->columns, context->channels, FINE * columns_to_draw(svg), pick) !=
        0) {
        error_system(error, ERROR_FILE, output->name, ENOMEM);
        goto error;
    }
    *sink = &svg->sink;
    return 0;

error:
    svg_close(&svg->sink);
    return -1;
}

static const struct format_writer writer = {
    .kinds = " f32",
    .streams = true,
    .text = true,
    .any_window = true,
    .decibels = true,
    .whole_tables = true,
    .open = open_svg,
};

const struct format format_svg = {
    .names = {"svg"},
    .words = "an SVG picture",
    .endings = " svg",
    .writer = &writer,
};
