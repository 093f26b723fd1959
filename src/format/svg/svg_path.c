#include "format/svg/svg_path.h"

#include <math.h>

void svg_path_plan(struct svg_path *path, const struct svg_columns *columns, double width,
                   double height)
{
    /* A unit is about a tenth of a pixel, or a sixth for many channels, to save bytes. */
    double fine = columns->channels <= 4 ? 10 : 6;
    double shown = (double)columns->frames / (double)columns->span; /* columns, with a fraction */
    double pixels = shown > 0 ? width / shown : width;

    path->column = 2 * (long)ceil(pixels * fine / 2);
    path->unit = pixels / (double)path->column;
    path->width = lround(width / path->unit);
    path->height = lround(height / path->unit);
}

/* A point of the path, relative to the one before, and the pending line to it: collinear lines are
 * merged. */
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

static long level_y(const struct svg_path *path, const struct svg_axis *axis, double level)
{
    double place = fmin(fmax(svg_axis_place(axis, level), -path->over), 1 + path->over);

    return lround((1 - place) * (double)path->height);
}

/* The middle of a column; the last one may be partial. */
static long column_x(const struct svg_path *path, size_t column)
{
    long x = (long)column * path->column + path->column / 2;

    return x < path->width ? x : path->width;
}

/* Columns first .. end-1, all with values. At the borders of the picture it reaches the edge; a
 * single column between gaps is drawn at full width, or it would be invisible. */
static void put_run(FILE *file, const struct svg_path *path, const struct svg_axis *level,
                    const struct svg_column *columns, size_t first, size_t end, size_t count)
{
    long half = end - first == 1 ? path->column / 2 : 0;
    long from = first == 0 ? 0 : column_x(path, first) - half;
    long to = end == count ? path->width : column_x(path, end - 1) + half;
    struct pen pen = {.file = file, .x = from, .y = level_y(path, level, columns[first].high)};

    fprintf(file, "M%ld %ldl", pen.x, pen.y);
    for (size_t i = first; i < end; i++)
        pen_to(&pen, column_x(path, i), level_y(path, level, columns[i].high));
    pen_to(&pen, to, level_y(path, level, columns[end - 1].high));
    pen_to(&pen, to, level_y(path, level, columns[end - 1].low));
    for (size_t i = end; i-- > first;)
        pen_to(&pen, column_x(path, i), level_y(path, level, columns[i].low));
    pen_to(&pen, from, level_y(path, level, columns[first].low));
    pen_flush(&pen);
    fprintf(file, "z");
}

void svg_path_put(FILE *file, const struct svg_path *path, const struct svg_axis *level,
                  const struct svg_column *columns, size_t count)
{
    size_t end = 0;

    for (size_t first = 0; first < count; first = end + 1) {
        for (end = first; end < count && !isnan(columns[end].low);)
            end++;
        if (end > first)
            put_run(file, path, level, columns, first, end, count);
    }
}
