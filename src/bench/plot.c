/* Pictures by gnuplot: time over samples, a panel a window, and throughput over the window. Both
 * axes are logarithmic. The legend has a strip of its own under the panels, so it covers no line.
 */
#include <math.h>
#include <string.h>

#include "bench/account.h"
#include "bench/ceiling.h"

enum {
    PANELS_MOST = SERIES_MOST + 1,
    LINES_MOST = 48,
    COLUMNS_MOST = 3,
    PANEL_WIDTH = 440, /* pixels, or their like in SVG */
    PANEL_HEIGHT = 330,
    LEGEND_ROW = 24,
    LEGEND_COLUMN = 160,
};

/* Okabe and Ito's colours, which colour-blind people can tell apart, without the yellow, which is
 * hard to see on white. Shapes and dashes make the difference once more. */
static const char *const colours[] = {"#000000", "#D55E00", "#0072B2", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9"};
static const int shapes[] = {7, 5, 9, 11, 13, 4, 6, 8, 10, 12, 2, 1, 3};
enum {
    COLOURS = sizeof colours / sizeof *colours,
    SHAPES = sizeof shapes / sizeof *shapes,
};

/* A line is a flavour; a panel is a window, or all windows of the largest number of samples. */
struct picture {
    const struct account *account;
    const struct bench_flavour *lines[LINES_MOST];
    size_t line_count;
    size_t panel_count;
    size_t time_panels;   /* come first */
    double time_range[2]; /* milliseconds, over all panels, so that they can be compared */
    double rate_range[2]; /* 10^6 samples a second */
};

static bool drawn(const struct result *result)
{
    return result->outcome == OUTCOME_TIMED;
}

static double milliseconds(const struct result *result)
{
    return result->total.median * 1e3;
}

/* 10^6 samples a second. */
static double rate(const struct result *result)
{
    return (double)result->count / result->total.median * 1e-6;
}

static void widen(double range[2], double number)
{
    if (range[0] == 0 || number < range[0])
        range[0] = number;
    if (number > range[1])
        range[1] = number;
}

/* To whole powers of ten, which are what the axes name. */
static void round_range(double range[2])
{
    if (range[0] == 0)
        range[0] = range[1] = 1;
    range[0] = pow(10, floor(log10(range[0])));
    range[1] = pow(10, ceil(log10(range[1])));
    if (range[0] == range[1])
        range[1] *= 10;
}
static void find_lines(struct picture *picture)
{
    for (size_t i = 0; i < picture->account->count; i++) {
        const struct result *result = &picture->account->results[i];
        size_t line = 0;

        while (line < picture->line_count && picture->lines[line] != result->flavour)
            line++;
        if (drawn(result) && line == picture->line_count && line < LINES_MOST)
            picture->lines[picture->line_count++] = result->flavour;
    }
}

static void find_panels(struct picture *picture)
{
    const struct bench_options *options = picture->account->options;

    /* One number of samples makes no line over samples, unless there is nothing else to show. */
    if (options->samples.count > 1 || options->windows.count == 1)
        picture->time_panels = options->windows.count;
    picture->panel_count = picture->time_panels + (options->windows.count > 1 ? 1 : 0);
}

/* After the panels. */
static void find_ranges(struct picture *picture)
{
    uint64_t largest = series_largest(&picture->account->options->samples);

    for (size_t i = 0; i < picture->account->count; i++) {
        const struct result *result = &picture->account->results[i];

        if (!drawn(result))
            continue;
        widen(picture->time_range, milliseconds(result));
        if (result->count == largest)
            widen(picture->rate_range, rate(result));
    }
    round_range(picture->time_range);
    round_range(picture->rate_range);
}

/* Is the result a point of this panel? */
static bool in_panel(const struct picture *picture, size_t panel, const struct result *result)
{
    const struct bench_options *options = picture->account->options;

    if (panel < picture->time_panels)
        return options->problem != BENCH_WINDOW || result->width == options->windows.number[panel];
    return result->count == series_largest(&options->samples);
}

/* The points of a line in a panel as a block of data. Returns how many there are. */
static size_t put_points(const struct picture *picture, size_t panel, size_t line, FILE *file)
{
    bool times = panel < picture->time_panels;
    size_t points = 0;

    fprintf(file, "$p%zul%zu << EOD\n", panel, line);
    for (size_t i = 0; i < picture->account->count; i++) {
        const struct result *result = &picture->account->results[i];

        if (result->flavour != picture->lines[line] || !drawn(result) ||
            !in_panel(picture, panel, result))
            continue;
        points++;
        if (times)
            fprintf(file, "%zu %.9g\n", result->count, milliseconds(result));
        else
            fprintf(file, "%llu %.9g\n", (unsigned long long)result->width, rate(result));
    }
    fputs("EOD\n", file);
    return points;
}

/* The numbers of the axis below: with some room at the ends; a few are named one by one, unless
 * they are whole powers of ten. */
static void put_numbers(const struct series *series, FILE *file)
{
    double range[2] = {0, 0};
    bool named = series->count <= 8;

    for (size_t i = 0; i < series->count; i++)
        widen(range, (double)series->number[i]);
    if (range[1] >= 10 * range[0] && range[0] >= 1000)
        named = false;
    fprintf(file, "set xrange [%.9g:%.9g]\n", range[0] / 1.3, range[1] * 1.3);
    if (!named) {
        fputs("set xtics norotate auto\n", file);
        return;
    }
    /* Slanted, so that neighbours do not touch. */
    fprintf(file, "set xtics %s (", series->count > 2 ? "rotate by 35 right" : "norotate");
    for (size_t i = 0; i < series->count; i++)
        fprintf(file, "%s'%llu' %llu", i == 0 ? "" : ", ", (unsigned long long)series->number[i],
                (unsigned long long)series->number[i]);
    fputs(")\n", file);
}

static void put_labels(const struct picture *picture, size_t panel, FILE *file)
{
    const struct bench_options *options = picture->account->options;
    bool times = panel < picture->time_panels;
    const double *range = times ? picture->time_range : picture->rate_range;

    if (!times)
        fprintf(file, "set title '%llu samples'\n",
                (unsigned long long)series_largest(&options->samples));
    else if (options->problem == BENCH_WINDOW)
        fprintf(file, "set title 'window %llu'\n",
                (unsigned long long)options->windows.number[panel]);
    else
        fprintf(file, "set title '%s'\n",
                options->problem == BENCH_MAX ? "largest magnitude and its index" : "sum");
    fprintf(file, "set xlabel '%s'\nset ylabel '%s'\nset yrange [%.9g:%.9g]\n",
            times ? "samples" : "window (samples)",
            times ? "milliseconds" : "10^6 samples a second", range[0], range[1]);
    put_numbers(times ? &options->samples : &options->windows, file);
}

static void put_panel(const struct picture *picture, size_t panel, FILE *file)
{
    bool first = true;
    bool any[LINES_MOST];

    for (size_t line = 0; line < picture->line_count; line++)
        any[line] = put_points(picture, panel, line, file) > 0;
    put_labels(picture, panel, file);
    for (size_t line = 0; line < picture->line_count; line++) {
        if (!any[line])
            continue;
        fprintf(file, "%s$p%zul%zu using 1:2 with linespoints linestyle %zu notitle",
                first ? "plot " : ", \\\n  ", panel, line, line + 1);
        first = false;
    }
    if (first) /* an empty panel is better than none: the others keep their places */
        fputs("plot [1:10] [1:10] NaN notitle", file);
    fputs("\n", file);
}

static void put_styles(const struct picture *picture, FILE *file)
{
    size_t style = 0;

    for (size_t line = 0; line < picture->line_count; line++) {
        fprintf(file, "set linetype %zu ", line + 1);
        /* The ceiling is no flavour. */
        if (picture->lines[line] == ceiling_of(picture->account->options->problem)) {
            fputs("linecolor '#888888' linewidth 2 dashtype 3 pointtype 0\n", file);
            continue;
        }
        fprintf(file, "linecolor '%s' linewidth 1.6 dashtype %zu pointtype %d pointsize 0.8\n",
                colours[style % COLOURS], style / COLOURS % 4 + 1, shapes[style % SHAPES]);
        style++;
    }
}

/* Names in a plot without anything else, as wide as the picture. */
static void put_legend(const struct picture *picture, double height, FILE *file)
{
    fprintf(file,
            "set origin 0, 0\nset size 1, %.6f\nunset logscale\nunset border\nunset tics\n"
            "unset grid\nunset title\nunset xlabel\nunset ylabel\n"
            "set lmargin 2\nset rmargin 2\nset tmargin 0\nset bmargin 0\n"
            "set key inside center center horizontal Left reverse samplen 3 width 1\n"
            "set xrange [0:1]\nset yrange [0:1]\n",
            height);
    for (size_t line = 0; line < picture->line_count; line++)
        fprintf(file, "%sNaN with linespoints linestyle %zu title '%s' noenhanced",
                line == 0 ? "plot " : ", \\\n  ", line + 1, picture->lines[line]->name);
    fputs("\n", file);
}

/* Where everything is. */
struct layout {
    size_t columns;
    size_t width;
    size_t height;
    size_t legend;
};

static struct layout lay_out(const struct picture *picture)
{
    size_t panels = picture->panel_count;
    struct layout layout = {.columns = COLUMNS_MOST};
    size_t rows = 0;

    if (panels < COLUMNS_MOST)
        layout.columns = panels > 0 ? panels : 1;
    else if (panels == 4)
        layout.columns = 2;
    rows = (panels + layout.columns - 1) / layout.columns;
    layout.width = layout.columns * (size_t)PANEL_WIDTH;
    layout.legend =
        1 + (picture->line_count * (size_t)LEGEND_COLUMN + layout.width - 1) / layout.width;
    layout.legend *= (size_t)LEGEND_ROW;
    layout.height = rows * (size_t)PANEL_HEIGHT + layout.legend;
    return layout;
}

static void put_terminal(const struct layout *layout, const char *path, FILE *file)
{
    if (strcmp(path + strlen(path) - 4, ".svg") == 0)
        fprintf(file,
                "set terminal svg size %zu,%zu dynamic font 'sans-serif,12' "
                "background rgb 'white'\n",
                layout->width, layout->height);
    else
        fprintf(file, "set terminal pngcairo size %zu,%zu font 'sans,10' background rgb 'white'\n",
                layout->width, layout->height);
}

void plot_script(const struct account *account, const char *path, FILE *file)
{
    struct picture picture = {.account = account};
    struct layout layout;
    double height = 0;

    find_lines(&picture);
    find_panels(&picture);
    find_ranges(&picture);
    layout = lay_out(&picture);
    height = (double)layout.height;
    put_terminal(&layout, path, file);
    put_styles(&picture, file);
    fputs("set multiplot\nset logscale xy\nset tics nomirror scale 0.6, 0\nset format x "
          "'10^{%T}'\nset format y '10^{%T}'\n"
          "set grid linecolor '#dddddd' linewidth 0.5 dashtype solid\nset border linecolor "
          "'#444444'\n",
          file);
    for (size_t panel = 0; panel < picture.panel_count; panel++) {
        size_t row = panel / layout.columns;
        size_t below = layout.height - (row + 1) * (size_t)PANEL_HEIGHT;

        fprintf(file, "set origin %.6f, %.6f\nset size %.6f, %.6f\n",
                (double)(panel % layout.columns) / (double)layout.columns, (double)below / height,
                1 / (double)layout.columns, PANEL_HEIGHT / height);
        put_panel(&picture, panel, file);
    }
    if (picture.line_count > 0)
        put_legend(&picture, (double)layout.legend / height, file);
    fputs("unset multiplot\n", file);
}
