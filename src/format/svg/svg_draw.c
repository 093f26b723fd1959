/* SPDX-License-Identifier: MIT */
/* Writes a picture as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "base/utf8.h"
#include "format/channels.h"
#include "format/svg/svg_priv.h"
#include "format/text/number.h"

enum {
    FEW_FRAMES = 500, /* frames whose lines would be hard to see if they were thin */
    FACTS_DIGIT = 7,  /* about the width of a character of the facts */
    TITLE_DIGIT = 11,
    DATA_DIGITS = 10, /* digits of numbers that are written as in the data */
};

#define DOT " \u00b7 "

/* The picture is never wider than its page. */
#define SCALES "style=\"max-width:100%%;height:auto\""

const char *svg_title(const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;

    return context->picture.title != NULL ? context->picture.title : context->title;
}

/* ---- words */

/* Puts " (hPa)", and the power of ten by which labels are shortened. */
static void put_unit(struct memory_text *text, const struct svg *svg, unsigned channel,
                     const struct svg_axis *axis)
{
    const struct sink_context *context = &svg->sink.format.context;
    const char *unit = context->units != NULL ? context->units[channel % context->channels] : "";
    const bool both = axis->name[0] != '\0' && unit[0] != '\0';

    if (axis->name[0] == '\0' && unit[0] == '\0')
        return;
    memory_text_print(text, " (%s%s", axis->name, both ? " " : "");
    svg_text_put(text, unit, SVG_WORDS / 2);
    memory_text_put(text, ")");
}

static const char style[] =
    "<style>"
    ".gpuenv{color-scheme:light dark;" /* applies also to the parts that a browser shows around the
                                          picture */
    "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    ".gpuenv .b{fill:#fff}.gpuenv .p{fill:#f4f6f9}"
    ".gpuenv .g{stroke:#dde2ea;fill:none}.gpuenv .z{stroke:#aab3c1;fill:none}"
    ".gpuenv .w{fill:#1f6fc4;stroke:#1f6fc4;stroke-linejoin:round}.gpuenv .s{fill:#154a85}"
    ".gpuenv text{fill:#1b212b;font-size:13px}.gpuenv .t{font-size:18px;font-weight:600}"
    ".gpuenv .m{fill:#566071}.gpuenv .r{text-anchor:end}.gpuenv .c{text-anchor:middle}"
    "@media(prefers-color-scheme:dark){"
    ".gpuenv .b{fill:#14181f}.gpuenv .p{fill:#1c222b}"
    ".gpuenv .g{stroke:#2d3541}.gpuenv .z{stroke:#56627a}"
    ".gpuenv .w{fill:#62adf7;stroke:#62adf7}.gpuenv .s{fill:#2f74bd}"
    ".gpuenv text{fill:#e6eaf0}.gpuenv .m{fill:#9aa6b8}}"
    "</style>\n";

static const char *emit_words(const struct svg *svg)
{
    static const char *const words[] = {
        [EMIT_MIN] = "minimum", [EMIT_MAX] = "maximum", [EMIT_ABS] = "largest magnitude",
        [EMIT_RANGE] = "range", [EMIT_MID] = "middle",  [EMIT_MEAN] = "mean",
        [EMIT_RMS] = "RMS",     [EMIT_COUNT] = "count", [EMIT_STD] = "standard deviation",
        [EMIT_FIRST] = "first", [EMIT_LAST] = "last",   [EMIT_KINDS] = "level",
    };
    const struct sink_context *context = &svg->sink.format.context;

    if (svg->emit == EMIT_KINDS && context->numbers)
        return "value";
    if (svg->emit == EMIT_KINDS && context->magnitudes)
        return "magnitude";
    return words[svg->emit] != NULL ? words[svg->emit] : emit_names[svg->emit];
}

static const char *channel_words(const struct svg *svg, unsigned channel, char words[SVG_WORDS])
{
    const struct sink_context *context = &svg->sink.format.context;
    const char *name = channel_name(context->names, channel % context->channels, words);

    if (svg->names.count > 0)
        return svg->names.at[channel];
    if (name == words && context->channels == 2 && !context->numbers)
        return channel == 0 ? "left" : "right";
    return name;
}

/* Writes both ends as the table has them: with equal numbers of decimals, as many as either needs.
 * False if they have too many digits. */
static bool words_of_data(const struct svg_extent *extent, char words[2][SVG_WORDS])
{
    const double ends[2] = {extent->low, extent->high};
    size_t decimals = 0;

    for (int i = 0; i < 2; i++) {
        char digits[NUMBER_MOST + 1];
        const char *point;

        digits[number_write_f64(digits, ends[i])] = '\0';
        point = strchr(digits, '.');
        if (strlen(digits) > DATA_DIGITS || strchr(digits, 'e') != NULL)
            return false;
        if (point != NULL && strlen(point + 1) > decimals)
            decimals = strlen(point + 1);
    }
    for (int i = 0; i < 2; i++)
        svg_words_decimal(ends[i], (int)decimals, words[i]);
    return true;
}

/* Puts "992 to 1013". */
static void put_range(struct memory_text *text, const struct svg *svg,
                      const struct svg_extent *extent)
{
    const struct sink_context *context = &svg->sink.format.context;
    char words[2][SVG_WORDS];

    if (extent->low > extent->high) {
        memory_text_print(text, "no value");
        return;
    }
    if (context->db) {
        svg_words_decimal(extent->low, 1, words[0]);
        svg_words_decimal(extent->high, 1, words[1]);
        if (strcmp(words[0], words[1]) != 0)
            memory_text_print(text, "%s to ", words[0]);
        memory_text_print(text, "%s\u2009dB", words[1]);
        return;
    }
    if (!context->decimal || svg->emit == EMIT_RANGE || svg->emit == EMIT_MID ||
        !words_of_data(extent, words))
        svg_words_range(extent->low, extent->high, words);
    memory_text_print(text, "%s", words[0]);
    if (extent->low < extent->high)
        memory_text_print(text, " to %s", words[1]);
}

/* Puts "peak -3.0 dB", for the samples of sound and magnitudes. */
static bool put_peak(struct memory_text *text, const struct svg *svg,
                     const struct svg_extent *extent)
{
    const struct sink_context *context = &svg->sink.format.context;
    const double peak = fmax(fabs(extent->low), fabs(extent->high));
    const double level = context->db ? extent->high : decibels(peak);

    if (context->numbers || (svg->emit != EMIT_KINDS && svg->emit != EMIT_ABS) ||
        extent->low > extent->high)
        return false;
    if (isinf(level))
        memory_text_put(text, "silent");
    else
        memory_text_print(text, "peak %s%.1f\u2009dB", level <= -0.05 ? "\u2212" : "", fabs(level));
    return true;
}

/* Begins the next fact under the title. */
static struct memory_text *next_fact(struct memory_text *text)
{
    if (text->used > 0)
        memory_text_put(text, DOT);
    return text;
}

static void put_length(struct memory_text *text, const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;
    const double frames = (double)(svg->has_rows ? svg->row_count : svg->sink.in_frames);
    double seconds = 0;
    char words[SVG_WORDS];

    if (svg->has_rows)
        seconds = (double)(moment_to_count(svg->last_row) - moment_to_count(svg->first_row)) /
                  MOMENT_SECOND;
    else if (context->input_rate > 0)
        seconds = frames / context->input_rate;
    if (seconds > 0)
        memory_text_put(next_fact(text), svg_words_duration(seconds, words));
    else if (frames > 0)
        memory_text_print(next_fact(text), "%s %s%s", svg_words_number(frames, words),
                          context->rows ? "row" : "frame", frames == 1 ? "" : "s");
}

static void put_channels(struct memory_text *text, const struct svg *svg)
{
    const struct sink_context *context = &svg->sink.format.context;

    if (svg->taken > 0)
        memory_text_print(next_fact(text), "%u key%s", svg->taken / context->channels,
                          svg->taken > context->channels ? "s" : "");
    if (context->channels > 1 && context->rows)
        memory_text_print(next_fact(text), "%u columns", context->channels);
    else if (context->channels > 2 || (context->channels == 2 && context->numbers))
        memory_text_print(next_fact(text), "%u channels", context->channels);
    else if (context->channels == 2)
        memory_text_put(next_fact(text), "stereo");
}

/* Puts "5 % without a value"; nothing if all frames have a value, or none has. */
static void put_missing(struct memory_text *text, const struct svg_extent *extent)
{
    const double share = (double)extent->missing / (double)extent->frames;
    char words[SVG_WORDS];

    if (extent->missing > 0 && extent->low <= extent->high)
        memory_text_print(next_fact(text), "%s\u2009%% without a value",
                          svg_words_number(100 * share, words));
}

/* Puts the facts under the title, as many as fit into `most` characters. */
static void put_facts(struct memory_text *text, const struct svg *svg,
                      const struct svg_layout *layout, size_t most)
{
    const struct svg_extent *extent = &layout->extent;
    const struct sink_context *context = &svg->sink.format.context;
    const double rate = context->input_rate;
    struct memory_text facts = {.bytes = NULL};
    char words[SVG_WORDS];
    char *end;

    put_length(&facts, svg);
    if (rate >= 1)
        memory_text_print(next_fact(&facts), "%s Hz", svg_words_number(rate, words));
    else if (rate > 0)
        memory_text_print(next_fact(&facts), "a %s every %s", context->rows ? "row" : "frame",
                          svg_words_duration(1 / rate, words));
    put_channels(&facts, svg);
    if (svg->emit != EMIT_KINDS)
        memory_text_put(next_fact(&facts), emit_words(svg));
    if (!svg->own_axes) {
        (void)next_fact(&facts);
        if (!put_peak(&facts, svg, extent))
            put_range(&facts, svg, extent);
    }
    if (context->length != NULL)
        memory_text_print(next_fact(&facts), "%s %s",
                          svg_has_intervals(context) ? "intervals of" : "window", context->length);
    if (svg->panels == 1)
        put_missing(&facts, extent);
    text->failed = text->failed || facts.failed;
    while (!facts.failed && facts.used > 0 && utf8_count(facts.bytes) > most) {
        end = memrchr(facts.bytes, DOT[1], strlen(facts.bytes));
        if (end == NULL)
            break;
        end[-1] = '\0';
    }
    if (facts.used > 0)
        svg_text_put(text, facts.bytes, most);
    memory_text_free(&facts);
}

static void put_head(struct memory_text *text, const struct svg *svg,
                     const struct svg_layout *layout)
{
    const char *title = svg_title(svg);
    double height = layout->bottom + SVG_BOTTOM;
    const double span = (double)(svg->columns.span * svg->sink.format.context.window.hop);
    char words[SVG_WORDS];

    memory_text_print(text,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpuenv\" role=\"img\" "
                      "width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\" " SCALES ">\n<title>",
                      svg->width, height, svg->width, height);
    svg_text_put(text, title != NULL ? title : "Envelope", SIZE_MAX);
    memory_text_put(text, "</title>\n<desc>The envelope over time. ");
    put_facts(text, svg, layout, SIZE_MAX);
    if (!svg->timed && span > 1)
        memory_text_print(text, DOT "a column is %s frames", svg_words_number(span, words));
    memory_text_print(text, "</desc>\n%s", style);
    memory_text_print(text, "<rect class=\"b\" width=\"%d\" height=\"%g\"/>\n", svg->width, height);
    if (title != NULL) {
        memory_text_print(text, "<text class=\"t\" x=\"20\" y=\"31\">");
        svg_text_put(text, title, (size_t)(svg->width - 40) / TITLE_DIGIT);
        memory_text_print(text, "</text>\n");
    }
    memory_text_print(text, "<text class=\"m\" x=\"20\" y=\"%d\">", title != NULL ? 53 : 31);
    put_facts(text, svg, layout, (size_t)(svg->width - 40) / FACTS_DIGIT);
    memory_text_print(text, "</text>\n");
}

/* Puts the time axis below the panels, and the name of the levels if all panels have one. */
static void put_axes(struct memory_text *text, const struct svg *svg,
                     const struct svg_layout *layout)
{
    const struct sink_context *context = &svg->sink.format.context;
    const struct svg_axis *time = &layout->time;
    const char *name = svg->names.count > 0     ? svg->names.at[0]
                       : context->names != NULL ? context->names[0]
                                                : NULL;
    const bool named = svg->panels == 1 && name != NULL && name[0] != '\0';

    for (unsigned i = 0; i < time->count; i++) {
        const char *label = time->ticks[i].label;
        const int length = (int)strcspn(label, "\n");
        const double x = svg_middle(svg, layout->left + time->ticks[i].place * layout->width,
                                    max_u64((size_t)length, strlen(label + length)));

        memory_text_print(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">%.*s", x,
                          layout->bottom + 19, length, label);
        if (label[length] != '\0')
            memory_text_print(text, "<tspan x=\"%.1f\" dy=\"15\">%s</tspan>", x,
                              label + length + 1);
        memory_text_put(text, "</text>\n");
    }
    memory_text_print(text, "<text class=\"c\" x=\"%.1f\" y=\"%.1f\">%s",
                      svg_middle(svg, layout->left + layout->width / 2, strlen(time->name) + 7),
                      layout->bottom + 42,
                      context->input_rate > 0 || svg->timed ? "time"
                      : context->rows                       ? "row"
                                                            : "frame");
    if (time->name[0] != '\0')
        memory_text_print(text, " (%s)", time->name);
    memory_text_print(text, "</text>\n");
    if (svg->own_axes)
        return;
    memory_text_print(text, "<text class=\"c\" transform=\"translate(24 %.1f)rotate(-90)\">",
                      (svg->top + svg->heading + layout->bottom) / 2);
    svg_text_put(text, named ? name : emit_words(svg),
                 (size_t)(layout->bottom - svg->top) / SVG_DIGIT);
    put_unit(text, svg, 0, &layout->level);
    memory_text_print(text, "</text>\n");
}

/* ---- a panel */

static void put_grid(struct memory_text *text, const struct svg *svg,
                     const struct svg_layout *layout)
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

static void put_path(struct memory_text *text, const struct svg *svg,
                     const struct svg_layout *layout, unsigned channel, const char *look)
{
    memory_text_print(text, "<path %s transform=\"scale(%.6g)\" d=\"", look, layout->path.unit);
    svg_path_put(text, &layout->path, &layout->level, &svg->columns, channel);
    memory_text_put(text, "\"/>\n");
}

/* The parts beyond the ends that the user gave are cut. */
static void put_envelope(struct memory_text *text, struct svg *svg, const struct svg_layout *layout,
                         unsigned channel)
{
    struct svg_columns *columns = &svg->columns;
    const double stroke = columns->frames < FEW_FRAMES ? 1.6 : 0.8;
    const bool cut = layout->path.over > 0;
    char look[SVG_WORDS];

    if (columns->count == 0) {
        if (!svg->plain)
            memory_text_print(text, "<text class=\"m c\" x=\"%.1f\" y=\"%.1f\">no %s</text>\n",
                              layout->width / 2, svg->height / 2 - 8,
                              svg->sink.format.context.rows ? "rows" : "frames");
        return;
    }
    if (cut)
        memory_text_print(text, "<svg width=\"%.1f\" height=\"%g\">\n", layout->width, svg->height);
    (void)snprintf(look, sizeof look, "class=\"w\" stroke-width=\"%.3g\"%s",
                   stroke / layout->path.unit,
                   svg->plain && svg->has_rms ? " opacity=\"0.5\"" : "");
    put_path(text, svg, layout, channel, look);
    if (svg->has_rms) {
        svg_columns_to_rms(columns, channel, svg->sink.format.context.db);
        put_path(text, svg, layout, channel, "class=\"s\" stroke=\"none\"");
    }
    if (cut)
        memory_text_put(text, "</svg>\n");
}

/* Puts the name of a channel above its panel and, if there is room, its range. */
static void put_heading(struct memory_text *text, const struct svg *svg,
                        const struct svg_layout *layout, unsigned channel, const char *name)
{
    const struct svg_extent *extent = &svg->columns.extents[channel];
    const size_t most = (size_t)(layout->width / SVG_DIGIT);
    struct memory_text range = {.bytes = NULL};

    memory_text_print(text, "<text y=\"-7\">");
    svg_text_put(text, name, most * 3 / 5);
    if (svg->own_axes)
        put_unit(text, svg, channel, &layout->level);
    if (!put_peak(&range, svg, extent))
        put_range(&range, svg, extent);
    put_missing(&range, extent);
    text->failed = text->failed || range.failed;
    if (range.used > 0 && utf8_count(name) + utf8_count(range.bytes) < most)
        memory_text_print(text, "<tspan class=\"m\" dx=\"10\">%s</tspan>", range.bytes);
    memory_text_print(text, "</text>\n");
    memory_text_free(&range);
}

static void put_panel(struct memory_text *text, struct svg *svg, struct svg_layout *layout,
                      unsigned channel)
{
    const struct svg_extent *extent = &svg->columns.extents[channel];
    double pitch = svg->heading + svg->height;
    char words[SVG_WORDS];
    const char *name = channel_words(svg, channel, words);

    if (svg->own_axes)
        svg_plan_level(&layout->level, svg, extent);
    memory_text_print(text, "<g transform=\"translate(%g %g)\">\n<title>", layout->left,
                      svg->top + svg->heading + channel * pitch);
    svg_text_put(text, name, SIZE_MAX);
    memory_text_print(text, "</title>\n");
    put_grid(text, svg, layout);
    put_envelope(text, svg, layout, channel);
    if (svg->heading > 0)
        put_heading(text, svg, layout, channel, name);
    memory_text_print(text, "</g>\n");
}

/* Draws a strip for the user's own page: transparent, in the colour of the page's text. */
static void draw_plain(struct memory_text *text, struct svg *svg, struct svg_layout *layout)
{
    memory_text_print(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "aria-label=\"Envelope\" width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\" " SCALES
        " fill=\"currentColor\" stroke=\"currentColor\">\n",
        svg->width, layout->bottom, svg->width, layout->bottom);
    for (unsigned i = 0; i < svg->columns.channels; i++) {
        if (svg->own_axes)
            svg_plan_level(&layout->level, svg, &svg->columns.extents[i]);
        memory_text_print(text, "<g transform=\"translate(0 %g)\">\n", svg->height * i);
        put_envelope(text, svg, layout, i);
        memory_text_put(text, "</g>\n");
    }
    memory_text_put(text, "</svg>\n");
}

void svg_draw(struct memory_text *text, struct svg *svg, struct svg_layout *layout)
{
    if (svg->plain) {
        draw_plain(text, svg, layout);
        return;
    }
    put_head(text, svg, layout);
    for (unsigned i = 0; i < svg->columns.channels; i++)
        put_panel(text, svg, layout, i);
    put_axes(text, svg, layout);
    memory_text_put(text, "</svg>\n");
}
