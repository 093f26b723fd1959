#include "format/svg/svg_path.h"

#include <math.h>

void svg_path_plan(struct svg_path *path, double shown, bool fine, double width, double height)
{
    double pixels = shown > 0 ? width / shown : width;

    /* A unit is about a tenth of a pixel, or a sixth to save bytes. */
    *path = (struct svg_path){.column = 2 * (long)ceil(pixels * (fine ? 5 : 3)), .reach = 1};
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

static bool has_value(struct svg_column column)
{
    return column.low <= column.high;
}

/* Columns first .. last, which both have values, like all between them that have frames. At the
 * borders of the picture it reaches the edge; a single column between gaps is drawn at full width,
 * or it would be invisible. */
static void put_run(FILE *file, const struct svg_path *path, const struct svg_axis *level,
                    const struct svg_column *columns, size_t first, size_t last, size_t count)
{
    long half = first == last ? path->column / 2 : 0;
    long from = first == 0 ? 0 : column_x(path, first) - half;
    long to = last + 1 == count ? path->width : column_x(path, last) + half;
    struct pen pen = {.file = file, .x = from, .y = level_y(path, level, columns[first].high)};

    fprintf(file, "M%ld %ldl", pen.x, pen.y);
    for (size_t i = first; i <= last; i++) {
        if (has_value(columns[i]))
            pen_to(&pen, column_x(path, i), level_y(path, level, columns[i].high));
    }
    pen_to(&pen, to, level_y(path, level, columns[last].high));
    pen_to(&pen, to, level_y(path, level, columns[last].low));
    for (size_t i = last + 1; i-- > first;) {
        if (has_value(columns[i]))
            pen_to(&pen, column_x(path, i), level_y(path, level, columns[i].low));
    }
    pen_to(&pen, from, level_y(path, level, columns[first].low));
    pen_flush(&pen);
    fprintf(file, "z");
}

void svg_path_put(FILE *file, const struct svg_path *path, const struct svg_axis *level,
                  const struct svg_column *columns, size_t count)
{
    for (size_t first = 0; first < count; first++) {
        size_t last = first;

        if (!has_value(columns[first]))
            continue;
        for (size_t i = first + 1; i < count && i - last <= path->reach; i++) {
            if (isnan(columns[i].low))
                break;
            if (has_value(columns[i]))
                last = i;
        }
        put_run(file, path, level, columns, first, last, count);
        first = last;
    }
}
