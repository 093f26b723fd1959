/* A picture for a report: the envelope of each channel over time, as SVG. One strip per channel,
 * stacked, over a common time axis and with a common level axis. Everything is written at the end,
 * when the picture is complete. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "base/utf8.h"
#include "format/format.h"
#include "format/svg_plot.h"

enum {
    /* Columns of the picture, for few channels and in total for many. At 11 bytes each, the worst
     * case, 16 channels need less than 300 KB. */
    COLUMNS_MOST = 1800,
    COLUMNS_LEAST = 300,
    COLUMNS_ALL = 22400,
    FINE = 8, /* so many more columns are kept, so that merging loses little resolution */

    WIDTH = 960, /* pixels, like everything below */
    TOP = 50,
    TITLE = 22, /* more where there is a title */
    BOTTOM = 56,
    STRIP_LEAST = 40,
    RIGHT = 36,
    RIGHT_NAMES = 112, /* if channels have names */
    GAP = 18,          /* between strips */
    DIGIT = 8,         /* an upper limit of the width of a character */
    TICK_WIDTH = 84,
};

struct svg {
    struct sink sink;
    struct svg_columns columns;
    struct svg_pick pick;
    enum emit emit; /* what is drawn instead of minimum and maximum: EMIT_KINDS */
    int width;      /* of the picture */
    int top;
    double height; /* of a strip */
};

/* Coordinates of a path are integers in a unit well below a pixel, relative to the point before,
 * so that they take few bytes. */
struct path_scale {
    double unit; /* pixels */
    long column; /* in units; even, so that its middle is an integer */
    long width;
    long height;
};

/* Positions in the picture. */
struct layout {
    struct svg_axis time;
    struct svg_axis level;
    struct svg_extent extent; /* of all channels; `missing` is the largest of them */
    double left;
    double width;  /* of a strip */
    double bottom; /* of the last strip */
    double over;   /* how far beyond its strip a path is drawn, and cut there; of its height */
    struct path_scale path;
};

/* ---- columns in */

static size_t columns_to_draw(const struct svg *svg)
{
    size_t most = COLUMNS_ALL / svg->sink.format.context.channels;

    most = most > COLUMNS_MOST ? COLUMNS_MOST : most < COLUMNS_LEAST ? COLUMNS_LEAST : most;
    return most * (size_t)svg->width / WIDTH;
}

static int svg_write(struct sink *sink, void *frames, size_t count, bool gift, struct error *error)
{
    struct svg *svg = (struct svg *)sink;

    (void)gift;
    (void)error;
    svg_columns_take(&svg->columns, svg->pick, sink->format.row.kind[0], frames, count);
    return 0;
}

/* ---- the layout */

/* What stands above the picture; NULL: nothing. */
static const char *heading(const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;

    return context->picture.title != NULL ? context->picture.title : context->title;
}

/* The parts whose size does not depend on the values. */
static int plan_size(struct svg *svg, struct error *error)
{
    const struct picture *picture = &svg->sink.format.context.picture;
    unsigned channels = svg->sink.format.context.channels;
    double beside;

    svg->width = picture->width > 0 ? (int)picture->width : WIDTH;
    svg->top = heading(svg) != NULL ? TOP + TITLE : TOP;
    svg->height = channels == 1   ? 300
                  : channels == 2 ? 180
                  : channels <= 4 ? 120
                  : channels <= 8 ? 84
                                  : 60;
    if (picture->height == 0)
        return 0;
    beside = svg->top + BOTTOM + GAP * (channels - 1.0);
    svg->height = (picture->height - beside) / channels;
    if (svg->height >= STRIP_LEAST)
        return 0;
    return error_set(error, ERROR_PICTURE_SIZE, svg->sink.output->name,
                     "%u channels need a height of at least %.0f pixels", channels,
                     beside + STRIP_LEAST * (double)channels);
}

static struct svg_extent extent_of_all(const struct svg_columns *columns)
{
    struct svg_extent all = {.low = (double)INFINITY, .high = -(double)INFINITY};

    for (unsigned i = 0; i < columns->channels; i++) {
        const struct svg_extent *extent = &columns->extents[i];

        all.low = extent->low < all.low ? extent->low : all.low;
        all.high = extent->high > all.high ? extent->high : all.high;
        all.missing = extent->missing > all.missing ? extent->missing : all.missing;
    }
    return all;
}

/* The left margin fits the longest level label. */
static double left_margin(const struct svg_axis *level)
{
    char label[SVG_WORDS];
    size_t longest = 0;

    for (long long i = svg_axis_first(level); i <= svg_axis_last(level); i++) {
        const char *at = svg_axis_label(level, (double)i * level->step, label);
        size_t count = 0;

        for (; *at != '\0'; at++)
            count += ((unsigned char)*at & 0xc0) != 0x80;
        longest = count > longest ? count : longest;
    }
    return 44.0 + (double)(DIGIT * longest);
}

/* A unit of the path is about a tenth of a pixel, or a sixth for many channels, to save bytes. */
static void plan_path(struct path_scale *scale, const struct svg_columns *columns, double width,
                      double height)
{
    double fine = columns->channels <= 4 ? 10 : 6;
    double shown = (double)columns->frames / (double)columns->span; /* columns, with a fraction */
    double pixels = shown > 0 ? width / shown : width;

    scale->column = 2 * (long)ceil(pixels * fine / 2);
    scale->unit = pixels / (double)scale->column;
    scale->width = lround(width / scale->unit);
    scale->height = lround(height / scale->unit);
}

/* Whether the levels are sound or numbers, the user has the last word. */
static enum picture_scale scale_of(const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;

    if (context->picture.scale != PICTURE_USUAL)
        return context->picture.scale;
    return context->numbers ? PICTURE_FIT : PICTURE_FULL;
}

static void plan_level(struct svg_axis *axis, const struct svg *svg,
                       const struct svg_extent *extent)
{
    const struct picture *picture = &svg->sink.format.context.picture;
    enum picture_scale scale = scale_of(svg);
    double full = svg->emit == EMIT_RANGE ? 2 : 1;
    double least = svg->emit == EMIT_ABS || svg->emit == EMIT_RANGE ? 0 : -1;
    /* So far that no number becomes infinite. */
    double low = fmax(extent->low, -1e300);
    double high = fmin(extent->high, 1e300);

    if (low > high || (scale == PICTURE_FULL && low >= least && high <= full)) {
        low = least;
        high = full;
    } else if (scale == PICTURE_FULL) {
        low = fmin(low, least);
        high = fmax(high, full);
    } else if (least == 0) {
        low = 0;
        high = high > 0 ? high : full;
    }
    if (scale == PICTURE_RANGE)
        svg_axis_level(axis, picture->low, picture->high, true, svg->height / 30);
    else
        svg_axis_level(axis, low, high, false, svg->height / 30);
    if (scale == PICTURE_FULL && axis->name[0] == '\0')
        (void)snprintf(axis->name, sizeof axis->name, "full scale = 1");
}

static void plan(struct layout *layout, const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;
    unsigned channels = svg->columns.channels;
    bool timed = context->input_rate > 0;
    double second = timed ? context->input_rate : 1;
    double length = (double)svg->columns.frames * (double)context->hop / second;

    layout->extent = extent_of_all(&svg->columns);
    plan_level(&layout->level, svg, &layout->extent);
    layout->left = left_margin(&layout->level);
    layout->width = svg->width - layout->left - (channels > 1 ? RIGHT_NAMES : RIGHT);
    layout->bottom = svg->top + channels * (svg->height + GAP) - GAP;
    svg_axis_time(&layout->time, (double)context->first_frame / second, length, timed,
                  layout->width / TICK_WIDTH);
    layout->over = scale_of(svg) == PICTURE_RANGE ? 0.2 : 0;
    plan_path(&layout->path, &svg->columns, layout->width, svg->height);
}

/* ---- text */

/* The length of the character at this place, or 0 if it is invalid or not allowed in XML. */
static size_t character_size(const unsigned char *at)
{
    uint32_t code;
    size_t size = utf8_length(at, &code);

    return code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff ? 0 : size;
}

/* Writes a name as character data, at most `most` characters. Invalid UTF-8, and characters that
 * XML forbids, become U+FFFD; an ellipsis replaces the rest. */
static void put_text(FILE *file, const char *name, size_t most)
{
    const unsigned char *at = (const unsigned char *)name;

    for (size_t count = 0; *at != '\0'; count++) {
        size_t size = character_size(at);

        if (count == most) {
            fputs("\u2026", file);
            return;
        }
        if (size == 0)
            fputs("\ufffd", file);
        else if (*at == '&')
            fputs("&amp;", file);
        else if (*at == '<')
            fputs("&lt;", file);
        else if (*at == '>')
            fputs("&gt;", file);
        else
            fwrite(at, 1, size, file);
        at += size == 0 ? 1 : size;
    }
}

static const char style[] =
    "<style>"
    ".gpuenv{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
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

static const char *emit_words(enum emit emit)
{
    static const char *const words[] = {
        [EMIT_MIN] = "minimum", [EMIT_MAX] = "maximum", [EMIT_ABS] = "largest magnitude",
        [EMIT_RANGE] = "range", [EMIT_MID] = "middle",  [EMIT_KINDS] = "level",
    };

    return words[emit];
}

/* A line that describes the picture. */
static void put_facts(FILE *file, const struct svg *svg, const struct layout *layout)
{
    static const char dot[] = " \u00b7 ";
    const struct svg_extent *extent = &layout->extent;
    const struct sink_context *context = &svg->sink.format.context;
    double rate = context->input_rate;
    uint64_t span = svg->columns.span * context->hop;
    char words[SVG_WORDS];

    if (rate > 0)
        fprintf(file, "%s Hz%s", svg_words_number(rate, words), dot);
    if (svg->columns.channels > 1)
        fprintf(file, "%u channels%s", svg->columns.channels, dot);
    if (extent->low > extent->high) {
        fprintf(file, "no value");
    } else {
        fprintf(file, "%s %s", emit_words(svg->emit), svg_words_number(extent->low, words));
        fprintf(file, " to %s", svg_words_number(extent->high, words));
    }
    if (span > 1)
        fprintf(file, "%sa column is %s frames", dot, svg_words_number((double)span, words));
    if (span > 1 && rate > 0)
        fprintf(file, ", %s", svg_words_duration((double)span / rate, words));
    if (extent->missing > 0)
        fprintf(
            file, "%s%s\u2009%% without a value", dot,
            svg_words_number(100 * (double)extent->missing / (double)svg->columns.frames, words));
}

static void put_head(FILE *file, const struct svg *svg, const struct layout *layout)
{
    const char *title = heading(svg);
    double height = layout->bottom + BOTTOM;

    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpuenv\" role=\"img\" "
            "width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\">\n<title>",
            svg->width, height, svg->width, height);
    put_text(file, title != NULL ? title : "Envelope", SIZE_MAX);
    fprintf(file, "</title>\n<desc>The envelope over time. ");
    put_facts(file, svg, layout);
    fprintf(file, "</desc>\n%s", style);
    fprintf(file, "<rect class=\"b\" width=\"%d\" height=\"%g\"/>\n", svg->width, height);
    if (title != NULL) {
        fprintf(file, "<text class=\"t\" x=\"20\" y=\"31\">");
        put_text(file, title, (size_t)(svg->width - 40) / 11);
        fprintf(file, "</text>\n");
    }
    fprintf(file, "<text class=\"m\" x=\"20\" y=\"%d\">", svg->top - 19);
    put_facts(file, svg, layout);
    fprintf(file, "</text>\n");
}

/* Writes "time (s)", and closes the element. */
static void put_title(FILE *file, const char *what, const struct svg_axis *axis)
{
    fprintf(file, axis->name[0] != '\0' ? "%s (%s)</text>\n" : "%s%s</text>\n", what, axis->name);
}

/* The time axis below the strips, and the level labels. */
static void put_axes(FILE *file, const struct svg *svg, const struct layout *layout)
{
    const struct svg_axis *time = &layout->time;
    char words[SVG_WORDS];

    for (long long i = svg_axis_first(time); i <= svg_axis_last(time); i++) {
        double value = (double)i * time->step;

        fprintf(file, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                layout->left + svg_axis_place(time, value) * layout->width, layout->bottom + 19,
                svg_axis_label(time, value, words));
    }
    fprintf(file, "<text class=\"c\" x=\"%.1f\" y=\"%.1f\">", layout->left + layout->width / 2,
            layout->bottom + 42);
    put_title(file, svg->sink.format.context.input_rate > 0 ? "time" : "frame", time);
    fprintf(file, "<text class=\"c\" transform=\"translate(24 %.1f)rotate(-90)\">",
            (svg->top + layout->bottom) / 2);
    put_title(file, emit_words(svg->emit), &layout->level);
}

/* ---- the envelope: a path along the maxima of the columns to the right, and back along the
 * minima; a gap, where there is no value, ends a path */

/* A point of the path, and the pending line to it: collinear lines are merged. */
struct pen {
    FILE *file;
    long x;
    long y;
    long step_x;
    long step_y;
    long steps;
};

static void pen_flush(struct pen *pen)
{
    if (pen->steps > 0)
        fprintf(pen->file, "% ld% ld", pen->step_x * pen->steps, pen->step_y * pen->steps);
    pen->steps = 0;
}

static void pen_to(struct pen *pen, long x, long y)
{
    long step_x = x - pen->x;
    long step_y = y - pen->y;

    if (step_x == 0 && step_y == 0)
        return;
    if (pen->steps > 0 && (step_x != pen->step_x || step_y != pen->step_y))
        pen_flush(pen);
    pen->step_x = step_x;
    pen->step_y = step_y;
    pen->steps++;
    pen->x = x;
    pen->y = y;
}

static long level_y(const struct layout *layout, double level)
{
    double place = svg_axis_place(&layout->level, level);

    return lround((1 - fmin(fmax(place, -layout->over), 1 + layout->over)) *
                  (double)layout->path.height);
}

/* The middle of a column; the last one may be partial. */
static long column_x(const struct path_scale *scale, size_t column)
{
    long x = (long)column * scale->column + scale->column / 2;

    return x < scale->width ? x : scale->width;
}

/* Columns first .. end-1, all with values. At the borders of the picture it reaches the edge; a
 * single column between gaps is drawn at full width, or it would be invisible. */
static void put_run(FILE *file, const struct layout *layout, const struct svg_column *columns,
                    size_t first, size_t end, size_t count)
{
    const struct path_scale *scale = &layout->path;
    long half = end - first == 1 ? scale->column / 2 : 0;
    long from = first == 0 ? 0 : column_x(scale, first) - half;
    long to = end == count ? scale->width : column_x(scale, end - 1) + half;
    struct pen pen = {.file = file, .x = from, .y = level_y(layout, columns[first].high)};

    fprintf(file, "M%ld %ldl", pen.x, pen.y);
    for (size_t i = first; i < end; i++)
        pen_to(&pen, column_x(scale, i), level_y(layout, columns[i].high));
    pen_to(&pen, to, level_y(layout, columns[end - 1].high));
    pen_to(&pen, to, level_y(layout, columns[end - 1].low));
    for (size_t i = end; i-- > first;)
        pen_to(&pen, column_x(scale, i), level_y(layout, columns[i].low));
    pen_to(&pen, from, level_y(layout, columns[first].low));
    pen_flush(&pen);
    fprintf(file, "z");
}

static void put_path(FILE *file, const struct svg *svg, const struct layout *layout,
                     unsigned channel)
{
    const struct svg_column *columns = svg->columns.columns + svg->columns.most * channel;
    size_t count = svg->columns.count;
    double unit = layout->path.unit;
    size_t end = 0;

    if (layout->over > 0)
        fprintf(file, "<svg width=\"%.1f\" height=\"%g\">", layout->width, svg->height);
    fprintf(file, "<path class=\"w\" transform=\"scale(%.6g)\" stroke-width=\"%.3g\" d=\"", unit,
            0.8 / unit);
    for (size_t first = 0; first < count; first = end + 1) {
        for (end = first; end < count && !isnan(columns[end].low);)
            end++;
        if (end > first)
            put_run(file, layout, columns, first, end, count);
    }
    fprintf(file, layout->over > 0 ? "\"/></svg>\n" : "\"/>\n");
}

/* ---- a strip */

static void put_grid(FILE *file, const struct svg *svg, const struct layout *layout)
{
    const struct svg_axis *level = &layout->level;
    const struct svg_axis *time = &layout->time;
    char words[SVG_WORDS];

    fprintf(file, "<rect class=\"p\" width=\"%.1f\" height=\"%g\"/>\n<path class=\"g\" d=\"",
            layout->width, svg->height);
    for (long long i = svg_axis_first(time); i <= svg_axis_last(time); i++)
        fprintf(file, "M%.1f 0v%g", svg_axis_place(time, (double)i * time->step) * layout->width,
                svg->height);
    for (long long i = svg_axis_first(level); i <= svg_axis_last(level); i++)
        fprintf(file, "M0 %.1fh%.1f",
                (1 - svg_axis_place(level, (double)i * level->step)) * svg->height, layout->width);
    fprintf(file, "\"/>\n");
    if (level->low < 0 && level->high > 0)
        fprintf(file, "<path class=\"z\" d=\"M0 %.1fh%.1f\"/>\n",
                (1 - svg_axis_place(level, 0)) * svg->height, layout->width);
    for (long long i = svg_axis_first(level); i <= svg_axis_last(level); i++) {
        double value = (double)i * level->step;

        fprintf(file, "<text class=\"m r\" x=\"-8\" y=\"%.1f\">%s</text>\n",
                (1 - svg_axis_place(level, value)) * svg->height + 4.5,
                svg_axis_label(level, value, words));
    }
}

/* To the right of the strip: the channel and its range. */
static void put_name(FILE *file, const struct svg *svg, const struct layout *layout,
                     unsigned channel)
{
    const struct svg_extent *extent = &svg->columns.extents[channel];
    double x = layout->width + 12;
    double y = svg->height / 2 + 4.5;
    struct svg_axis fine = layout->level;
    char words[SVG_WORDS];

    fine.decimals += 2;
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">channel %u</text>\n", x, y - 16, channel);
    if (extent->low > extent->high) {
        fprintf(file, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">no value</text>\n", x, y);
        return;
    }
    fprintf(file, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">max %s</text>\n", x, y,
            svg_axis_label(&fine, extent->high, words));
    fprintf(file, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">min %s</text>\n", x, y + 16,
            svg_axis_label(&fine, extent->low, words));
}

static void put_strip(FILE *file, const struct svg *svg, const struct layout *layout,
                      unsigned channel)
{
    const struct svg_columns *columns = &svg->columns;

    fprintf(file, "<g transform=\"translate(%g %g)\">\n<title>channel %u</title>\n", layout->left,
            svg->top + channel * (svg->height + GAP), channel);
    put_grid(file, svg, layout);
    if (columns->count == 0)
        fprintf(file, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">no frames</text>\n",
                layout->width / 2, svg->height / 2 - 8);
    else
        put_path(file, svg, layout, channel);
    if (columns->channels > 1)
        put_name(file, svg, layout, channel);
    fprintf(file, "</g>\n");
}

static int svg_finish(struct sink *sink, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    struct layout layout;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    int result;

    if (file == NULL)
        return error_system(error, ERROR_FILE, sink->output->name, errno);
    svg_columns_reduce(&svg->columns, columns_to_draw(svg));
    plan(&layout, svg);
    put_head(file, svg, &layout);
    for (unsigned i = 0; i < svg->columns.channels; i++)
        put_strip(file, svg, &layout, i);
    put_axes(file, svg, &layout);
    fputs("</svg>\n", file);
    if (memory_text_close(file, &text) == NULL)
        return error_system(error, ERROR_FILE, sink->output->name, errno);
    result = output_write(sink->output, text, size, error);
    free(text);
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
static bool pick_emits(struct svg *svg, const struct emit_list *emits)
{
    svg->pick = (struct svg_pick){.values = emits->count};
    svg->emit = emits->item[0];
    if (emits->count == 1)
        return true;
    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN)
            svg->pick.low = i;
        else if (emits->item[i] == EMIT_MAX)
            svg->pick.high = i;
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

    if (svg == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    svg->sink = (struct sink){.class = &svg_class, .format = *format, .output = output};
    if (!pick_emits(svg, &context->emits)) {
        error_set(error, ERROR_PICTURE_VALUES, output->name,
                  "a picture shows the minimum and the maximum, or one value");
        goto error;
    }
    if (plan_size(svg, error) != 0)
        goto error;
    if (svg_columns_open(&svg->columns, context->channels, FINE * columns_to_draw(svg)) != 0) {
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
    .usual = SAMPLE_F32,
    .kinds = " f32",
    .rateless = true,
    .streams = true,
    .text = true,
    .any_window = true,
    .whole_tables = true,
    .open = open_svg,
};

const struct format format_svg = {
    .names = {"svg"},
    .words = "an SVG picture",
    .endings = " svg",
    .writer = &writer,
};
