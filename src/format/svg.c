/* The picture: a strip a channel, one above the other, over one axis of time, all with the same
 * axis of levels. */
#include "format/svg.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/svg_axis.h"
#include "format/svg_columns.h"
#include "format/svg_path.h"
#include "format/svg_text.h"

enum {
    /* Columns of the picture, for few channels and for all of them together. At 11 bytes, which is
     * the worst that comes, 16 channels stay below 300 KB. */
    COLUMNS_MOST = 1800,
    COLUMNS_LEAST = 300,
    COLUMNS_ALL = 22400,
    FINE = 8, /* so many times the columns are kept, so that what is drawn is at most a part less */

    WIDTH = 960, /* pixels, as everything below */
    TOP = 72,
    BOTTOM = 56,
    RIGHT = 36,
    RIGHT_NAMES = 112, /* where channels have names */
    GAP = 18,          /* between strips */
    DIGIT = 8,         /* the width of a character of a label, generously */
    TICK_WIDTH = 84,
    TITLE_MOST = 84, /* characters */
};

struct svg {
    struct sink sink;
    struct svg_columns columns;
    struct svg_pick pick;
    enum emit emit; /* what is drawn when it is not minimum and maximum: EMIT_KINDS */
    uint64_t hop;
    uint64_t first_frame;
    double rate;
    char *title;
};

/* Where things are. */
struct layout {
    struct svg_axis time;
    struct svg_axis level;
    struct svg_extent extent; /* of all channels; missing: the most */
    double left;
    double width; /* of a strip */
    double height;
    double bottom; /* of the last strip */
    struct svg_path_scale path;
};

/* ---- columns in */

static size_t columns_to_draw(unsigned channels)
{
    size_t most = COLUMNS_ALL / channels;

    return most > COLUMNS_MOST ? COLUMNS_MOST : most < COLUMNS_LEAST ? COLUMNS_LEAST : most;
}

static int svg_write(struct sink *sink, float *frames, size_t count, bool gift, struct error *error)
{
    struct svg *svg = (struct svg *)sink;

    (void)gift;
    (void)error;
    svg_columns_take(&svg->columns, svg->pick, frames, count);
    return 0;
}

/* ---- the layout */

static double strip_height(unsigned channels)
{
    return channels == 1   ? 300
           : channels == 2 ? 180
           : channels <= 4 ? 120
           : channels <= 8 ? 84
                           : 60;
}

static struct svg_extent extent_of_all(const struct svg_columns *columns)
{
    struct svg_extent all = {.low = INFINITY, .high = -INFINITY};

    for (unsigned i = 0; i < columns->channels; i++) {
        const struct svg_extent *extent = &columns->extents[i];

        all.low = extent->low < all.low ? extent->low : all.low;
        all.high = extent->high > all.high ? extent->high : all.high;
        all.missing = extent->missing > all.missing ? extent->missing : all.missing;
    }
    return all;
}

/* The left margin holds the longest label of the levels. */
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

static void plan(struct layout *layout, const struct svg *svg)
{
    unsigned channels = svg->columns.channels;
    bool timed = svg->rate > 0;
    double second = timed ? svg->rate : 1;
    double length = (double)svg->columns.frames * (double)svg->hop / second;

    layout->extent = extent_of_all(&svg->columns);
    layout->height = strip_height(channels);
    svg_axis_level(&layout->level, layout->extent.low, layout->extent.high,
                   svg->emit == EMIT_ABS || svg->emit == EMIT_RANGE, layout->height / 30);
    layout->left = left_margin(&layout->level);
    layout->width = WIDTH - layout->left - (channels > 1 ? RIGHT_NAMES : RIGHT);
    layout->bottom = TOP + channels * (layout->height + GAP) - GAP;
    svg_axis_time(&layout->time, (double)svg->first_frame / second, length, timed,
                  layout->width / TICK_WIDTH);
    svg_path_plan(&layout->path, &svg->columns, layout->width, layout->height);
}

/* ---- words */

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

/* What the picture shows, in a line. */
static void put_facts(struct svg_text *text, const struct svg *svg, const struct layout *layout)
{
    static const char dot[] = " \u00b7 ";
    const struct svg_extent *extent = &layout->extent;
    uint64_t span = svg->columns.span * svg->hop;
    char words[SVG_WORDS];

    if (svg->rate > 0)
        svg_text_put(text, "%s Hz%s", svg_words_number(svg->rate, words), dot);
    if (svg->columns.channels > 1)
        svg_text_put(text, "%u channels%s", svg->columns.channels, dot);
    if (extent->low > extent->high) {
        svg_text_put(text, "no value");
    } else {
        svg_text_put(text, "%s %s", emit_words(svg->emit), svg_words_number(extent->low, words));
        svg_text_put(text, " to %s", svg_words_number(extent->high, words));
    }
    if (span > 1)
        svg_text_put(text, "%sa column is %s frames", dot, svg_words_number((double)span, words));
    if (span > 1 && svg->rate > 0)
        svg_text_put(text, ", %s", svg_words_duration((double)span / svg->rate, words));
    if (extent->missing > 0)
        svg_text_put(
            text, "%s%s\u2009%% without a value", dot,
            svg_words_number(100 * (double)extent->missing / (double)svg->columns.frames, words));
}

static void put_head(struct svg_text *text, const struct svg *svg, const struct layout *layout)
{
    double height = layout->bottom + BOTTOM;

    svg_text_put(text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpuenv\" role=\"img\" "
                 "width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\">\n<title>",
                 WIDTH, height, WIDTH, height);
    svg_text_put_name(text, svg->title, SIZE_MAX);
    svg_text_put(text, "</title>\n<desc>The envelope over time. ");
    put_facts(text, svg, layout);
    svg_text_put(text, "</desc>\n");
    svg_text_put(text, "%s", style);
    svg_text_put(text, "<rect class=\"b\" width=\"%d\" height=\"%g\"/>\n", WIDTH, height);
    svg_text_put(text, "<text class=\"t\" x=\"20\" y=\"31\">");
    svg_text_put_name(text, svg->title, TITLE_MOST);
    svg_text_put(text, "</text>\n<text class=\"m\" x=\"20\" y=\"53\">");
    put_facts(text, svg, layout);
    svg_text_put(text, "</text>\n");
}

/* The axis of time below the strips, and the words beside the levels. */
static void put_axes(struct svg_text *text, const struct svg *svg, const struct layout *layout)
{
    const struct svg_axis *time = &layout->time;
    double middle = (TOP + layout->bottom) / 2;
    char words[SVG_WORDS];

    for (long long i = svg_axis_first(time); i <= svg_axis_last(time); i++) {
        double value = (double)i * time->step;

        svg_text_put(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                     layout->left + svg_axis_place(time, value) * layout->width,
                     layout->bottom + 19, svg_axis_label(time, value, words));
    }
    svg_text_put(text, "<text class=\"c\" x=\"%.1f\" y=\"%.1f\">%s%s%s%s</text>\n",
                 layout->left + layout->width / 2, layout->bottom + 42,
                 svg->rate > 0 ? "time" : "frame", time->name[0] != '\0' ? " (" : "", time->name,
                 time->name[0] != '\0' ? ")" : "");
    svg_text_put(text,
                 "<text class=\"c\" transform=\"translate(24 %.1f)rotate(-90)\">%s%s%s%s</text>\n",
                 middle, emit_words(svg->emit), layout->level.name[0] != '\0' ? " (" : "",
                 layout->level.name, layout->level.name[0] != '\0' ? ")" : "");
}

/* ---- a strip */

static void put_grid(struct svg_text *text, const struct layout *layout)
{
    const struct svg_axis *level = &layout->level;
    const struct svg_axis *time = &layout->time;
    char words[SVG_WORDS];

    svg_text_put(text, "<rect class=\"p\" width=\"%.1f\" height=\"%g\"/>\n<path class=\"g\" d=\"",
                 layout->width, layout->height);
    for (long long i = svg_axis_first(time); i <= svg_axis_last(time); i++)
        svg_text_put(text, "M%.1f 0v%g",
                     svg_axis_place(time, (double)i * time->step) * layout->width, layout->height);
    for (long long i = svg_axis_first(level); i <= svg_axis_last(level); i++)
        svg_text_put(text, "M0 %.1fh%.1f",
                     (1 - svg_axis_place(level, (double)i * level->step)) * layout->height,
                     layout->width);
    svg_text_put(text, "\"/>\n");
    if (level->low < 0 && level->high > 0)
        svg_text_put(text, "<path class=\"z\" d=\"M0 %.1fh%.1f\"/>\n",
                     (1 - svg_axis_place(level, 0)) * layout->height, layout->width);
    for (long long i = svg_axis_first(level); i <= svg_axis_last(level); i++) {
        double value = (double)i * level->step;

        svg_text_put(text, "<text class=\"m r\" x=\"-8\" y=\"%.1f\">%s</text>\n",
                     (1 - svg_axis_place(level, value)) * layout->height + 4.5,
                     svg_axis_label(level, value, words));
    }
}

/* To the right of the strip: which channel it is, and how far it goes. */
static void put_name(struct svg_text *text, const struct layout *layout,
                     const struct svg_extent *extent, unsigned channel)
{
    double x = layout->width + 12;
    double y = layout->height / 2 + 4.5;
    struct svg_axis fine = layout->level;
    char words[SVG_WORDS];

    fine.decimals += 2;
    svg_text_put(text, "<text x=\"%.1f\" y=\"%.1f\">channel %u</text>\n", x, y - 16, channel);
    if (extent->low > extent->high) {
        svg_text_put(text, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">no value</text>\n", x, y);
        return;
    }
    svg_text_put(text, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">max %s</text>\n", x, y,
                 svg_axis_label(&fine, extent->high, words));
    svg_text_put(text, "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">min %s</text>\n", x, y + 16,
                 svg_axis_label(&fine, extent->low, words));
}

static void put_strip(struct svg_text *text, const struct svg *svg, const struct layout *layout,
                      unsigned channel)
{
    const struct svg_columns *columns = &svg->columns;

    svg_text_put(text, "<g transform=\"translate(%g %g)\">\n<title>channel %u</title>\n",
                 layout->left, TOP + channel * (layout->height + GAP), channel);
    put_grid(text, layout);
    if (columns->count == 0)
        svg_text_put(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">no frames</text>\n",
                     layout->width / 2, layout->height / 2 - 8);
    else
        svg_path_put(text, &layout->path, &layout->level,
                     columns->columns + columns->most * channel, columns->count);
    if (columns->channels > 1)
        put_name(text, layout, &columns->extents[channel], channel);
    svg_text_put(text, "</g>\n");
}

static int svg_finish(struct sink *sink, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    struct svg_text *text = malloc(sizeof *text);
    struct layout layout;
    int result;

    if (text == NULL)
        return error_system(error, ERROR_FILE, sink->output->name, errno);
    svg_columns_reduce(&svg->columns, columns_to_draw(svg->columns.channels));
    plan(&layout, svg);
    svg_text_begin(text, sink->output, error);
    put_head(text, svg, &layout);
    for (unsigned i = 0; i < svg->columns.channels; i++)
        put_strip(text, svg, &layout, i);
    put_axes(text, svg, &layout);
    svg_text_put(text, "</svg>\n");
    result = svg_text_end(text);
    free(text);
    return result;
}

/* ---- opening */

static void svg_close(struct sink *sink)
{
    struct svg *svg = (struct svg *)sink;

    svg_columns_close(&svg->columns);
    free(svg->title);
    free(svg);
}

static const struct sink_class svg_class = {
    .write = svg_write,
    .finish = svg_finish,
    .close = svg_close,
};

/* What is drawn of the emits. */
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

int sink_open_svg(struct output *output, const struct sink_format *format, struct sink **sink,
                  struct error *error)
{
    const struct sink_context *context = &format->context;
    const char *title = context->title != NULL ? context->title : "Envelope";
    struct svg *svg = calloc(1, sizeof *svg);

    if (svg == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    svg->sink = (struct sink){.class = &svg_class, .format = *format, .output = output};
    svg->hop = context->hop;
    svg->first_frame = context->first_frame;
    svg->rate = context->input_rate;
    svg->title = strdup(title);
    if (!pick_emits(svg, &context->emits)) {
        error_set(error, ERROR_PICTURE_VALUES, output->name,
                  "a picture shows the minimum and the maximum, or one value");
        goto error;
    }
    if (svg->title == NULL || svg_columns_open(&svg->columns, context->channels,
                                               FINE * columns_to_draw(context->channels)) != 0) {
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
    .open = sink_open_svg,
};

const struct format format_svg = {
    .names = {"svg"},
    .words = "an SVG picture",
    .endings = " svg",
    .writer = &writer,
};
