/* Pictures by gnuplot: how many times as long as a copy of the same bytes a flavour takes, over the
 * number of samples, and over the window. The work for a sample hardly depends on the window, so
 * one window stands for all in the first panel. Both axes are logarithmic. The legend has a strip
 * of its own under the panels, so it covers no line; where an engine of ours is slower than what
 * was published, its point has a ring. */
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/cpus.h"
#include "bench/account.h"
#include "bench/ceiling.h"

enum {
    LINES_MOST = 48,
    PANEL_WIDTH = 560, /* pixels, or their like in SVG */
    PANEL_HEIGHT = 420,
    HEAD = 44,
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

/* A line is a flavour. There is a panel over samples, one over windows, or both. */
struct picture {
    const struct account *account;
    const struct bench_flavour *lines[LINES_MOST];
    size_t line_count;
    size_t panel_count;
    bool over_samples; /* the first panel is */
    uint64_t width;    /* the window of that */
    double range[2];   /* over all panels, so that they can be compared */
    bool rings;
};

static bool drawn(const struct result *result)
{
    return result->outcome == OUTCOME_TIMED && result->of_ceiling > 0;
}

/* As many times as long as the ceiling: the median of pairs. */
static double times(const struct result *result)
{
    return 1 / result->of_ceiling;
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

/* Is it an engine of gpuenv, as users run it? */
static bool is_ours(const struct bench_flavour *flavour)
{
    return strcmp(flavour->name, "cpu") == 0 || strcmp(flavour->name, "cuda") == 0;
}

/* Or one of its parts: these are no methods of others. */
static bool is_of_ours(const struct bench_flavour *flavour)
{
    return strncmp(flavour->name, "cpu", 3) == 0 || strncmp(flavour->name, "cuda", 4) == 0;
}

/* Is another's method faster for the same task? */
static bool is_beaten(const struct account *account, const struct result *ours)
{
    for (size_t i = 0; i < account->count; i++) {
        const struct result *result = &account->results[i];

        if (drawn(result) && result->count == ours->count && result->width == ours->width &&
            !is_of_ours(result->flavour) &&
            result->flavour != ceiling_of(account->options->problem) &&
            result->total.median < ours->total.median)
            return true;
    }
    return false;
}

static void find_panels(struct picture *picture)
{
    const struct bench_options *options = picture->account->options;

    /* One number of samples makes no line over samples, unless there is nothing else to show. */
    picture->over_samples = options->samples.count > 1 || options->windows.count <= 1;
    picture->panel_count =
        (picture->over_samples ? 1U : 0U) + (options->windows.count > 1 ? 1U : 0U);
    if (options->windows.count > 0)
        picture->width = options->windows.number[options->windows.count / 2];
}

/* Is the result a point of this panel? */
static bool in_panel(const struct picture *picture, size_t panel, const struct result *result)
{
    const struct bench_options *options = picture->account->options;

    if (picture->over_samples && panel == 0)
        return options->problem != BENCH_WINDOW || result->width == picture->width;
    return result->count == series_largest(&options->samples);
}

/* After the panels. */
static void find_ranges(struct picture *picture)
{
    for (size_t i = 0; i < picture->account->count; i++) {
        const struct result *result = &picture->account->results[i];

        for (size_t panel = 0; drawn(result) && panel < picture->panel_count; panel++) {
            if (!in_panel(picture, panel, result))
                continue;
            widen(picture->range, times(result));
            picture->rings |= is_ours(result->flavour) && is_beaten(picture->account, result);
        }
    }
    round_range(picture->range);
}

/* The points of a line in a panel as a block of data; of the line behind the last, the rings.
 * Returns how many there are. */
static size_t put_points(const struct picture *picture, size_t panel, size_t line, FILE *file)
{
    const struct account *account = picture->account;
    bool rings = line == picture->line_count;
    size_t points = 0;

    fprintf(file, "$p%zul%zu << EOD\n", panel, line);
    for (size_t i = 0; i < account->count; i++) {
        const struct result *result = &account->results[i];

        if (!drawn(result) || !in_panel(picture, panel, result) ||
            (rings ? !is_ours(result->flavour) || !is_beaten(account, result)
                   : result->flavour != picture->lines[line]))
            continue;
        points++;
        fprintf(file, "%llu %.9g\n",
                picture->over_samples && panel == 0 ? (unsigned long long)result->count
                                                    : (unsigned long long)result->width,
                times(result));
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
    bool samples = picture->over_samples && panel == 0;

    if (!samples)
        fprintf(file, "set title '%llu samples'\n",
                (unsigned long long)series_largest(&options->samples));
    else if (options->problem == BENCH_WINDOW)
        fprintf(file, "set title 'window %llu'\n", (unsigned long long)picture->width);
    else
        fprintf(file, "set title '%s'\n",
                options->problem == BENCH_MAX ? "largest magnitude and its index" : "sum");
    fprintf(file, "set xlabel '%s'\nset ylabel 'time over that of a %s'\nset yrange [%.9g:%.9g]\n",
            samples ? "samples" : "window (samples)", ceiling_of(options->problem)->name,
            picture->range[0], picture->range[1]);
    put_numbers(samples ? &options->samples : &options->windows, file);
}

static void put_panel(const struct picture *picture, size_t panel, FILE *file)
{
    bool first = true;
    bool any[LINES_MOST + 1];

    for (size_t line = 0; line <= picture->line_count; line++)
        any[line] = put_points(picture, panel, line, file) > 0;
    put_labels(picture, panel, file);
    for (size_t line = 0; line < picture->line_count; line++) {
        if (!any[line])
            continue;
        fprintf(file, "%s$p%zul%zu using 1:2 with linespoints linestyle %zu notitle",
                first ? "plot " : ", \\\n  ", panel, line, line + 1);
        first = false;
    }
    if (any[picture->line_count])
        fprintf(file, ", \\\n  $p%zul%zu using 1:2 with points linestyle %zu notitle", panel,
                picture->line_count, picture->line_count + 1);
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
    fprintf(file, "set linetype %zu linecolor '#CC0000' linewidth 1.6 pointtype 6 pointsize 2\n",
            picture->line_count + 1);
}

/* The processor's name, as far as the system tells it. */
static void machine_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    struct utsname system;
    char line[256];

    snprintf(name, size, "%s", uname(&system) == 0 ? system.machine : "");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 1, "\n") - 1, value + 2);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
}

/* Where and when, above the panels. */
static void put_head(const struct picture *picture, double height, FILE *file)
{
    const struct bench_options *options = picture->account->options;
    time_t now = time(NULL);
    struct tm calendar;
    char day[16] = "";
    char name[128];

    machine_name(name, sizeof name);
    for (char *at = name; *at != '\0'; at++) {
        if (*at == '\'' || *at == '\\' || (unsigned char)*at < ' ')
            *at = ' ';
    }
    if (gmtime_r(&now, &calendar) != NULL)
        strftime(day, sizeof day, "%Y-%m-%d", &calendar);
    fprintf(file,
            "set label 1 '%s, %u CPUs, %s; medians of pairs, %u each' at screen 0.5, screen %.6f "
            "center noenhanced\n",
            name, cpus_available(), day, options->iterations, 1 - HEAD / 3.0 / height);
    if (picture->rings)
        fprintf(file,
                "set label 2 'red ring: slower than a method of others' at screen 0.5, screen %.6f "
                "center textcolor rgb '#CC0000'\n",
                1 - HEAD / 1.3 / height);
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
    struct layout layout = {.columns = picture->panel_count > 0 ? picture->panel_count : 1};
    size_t names = picture->line_count;

    layout.width = layout.columns * (size_t)PANEL_WIDTH;
    layout.legend = (1 + (names * (size_t)LEGEND_COLUMN + layout.width - 1) / layout.width) *
                    (size_t)LEGEND_ROW;
    layout.height = (size_t)HEAD + PANEL_HEIGHT + layout.legend;
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
    put_head(&picture, height, file);
    for (size_t panel = 0; panel < picture.panel_count; panel++) {
        fprintf(file, "set origin %.6f, %.6f\nset size %.6f, %.6f\n",
                (double)panel / (double)layout.columns, (double)layout.legend / height,
                1 / (double)layout.columns, PANEL_HEIGHT / height);
        put_panel(&picture, panel, file);
        fputs("unset label\n", file);
    }
    if (picture.line_count > 0)
        put_legend(&picture, (double)layout.legend / height, file);
    fputs("unset multiplot\n", file);
}
