#include "format/svg_path.h"

#include <math.h>

/* A unit of the path is about a tenth of a pixel, or a sixth where many channels have to be drawn
 * in few bytes. */
void svg_path_plan(struct svg_path_scale *scale, const struct svg_columns *columns, double width,
                   double height)
{
    double fine = columns->channels <= 4 ? 10 : 6;
    double shown = (double)columns->frames / (double)columns->span; /* columns, and a part */
    double pixels = shown > 0 ? width / shown : width;

    scale->column = 2 * (long)ceil(pixels * fine / 2);
    scale->unit = pixels / (double)scale->column;
    scale->width = lround(width / scale->unit);
    scale->height = lround(height / scale->unit);
}

/* A point of the path, and the way to it: what goes straight on is written once. */
struct pen {
    struct svg_text *text;
    long x;
    long y;
    long step_x;
    long step_y;
    long steps;
};

static void pen_flush(struct pen *pen)
{
    long y = pen->step_y * pen->steps;

    if (pen->steps > 0)
        svg_text_put(pen->text, "%s%ld%s%ld", pen->step_x < 0 ? "" : " ", pen->step_x * pen->steps,
                     y < 0 ? "" : " ", y);
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

static long level_y(const struct svg_path_scale *scale, const struct svg_axis *axis, float level)
{
    return lround((1 - svg_axis_place(axis, level)) * (double)scale->height);
}

/* The middle of a column; the last one may be a part of one. */
static long column_x(const struct svg_path_scale *scale, size_t column)
{
    long x = (long)column * scale->column + scale->column / 2;

    return x < scale->width ? x : scale->width;
}

/* Columns first .. end-1, all with values. At the ends of the picture it reaches the edge; one
 * between two gaps is drawn as wide as it is, or there would be nothing to see. */
static void put_run(struct svg_text *text, const struct svg_path_scale *scale,
                    const struct svg_axis *axis, const struct svg_column *columns, size_t first,
                    size_t end, size_t count)
{
    long half = end - first == 1 ? scale->column / 2 : 0;
    long from = first == 0 ? 0 : column_x(scale, first) - half;
    long to = end == count ? scale->width : column_x(scale, end - 1) + half;
    struct pen pen = {.text = text, .x = from, .y = level_y(scale, axis, columns[first].high)};

    svg_text_put(text, "M%ld %ldl", pen.x, pen.y);
    for (size_t i = first; i < end; i++)
        pen_to(&pen, column_x(scale, i), level_y(scale, axis, columns[i].high));
    pen_to(&pen, to, level_y(scale, axis, columns[end - 1].high));
    pen_to(&pen, to, level_y(scale, axis, columns[end - 1].low));
    for (size_t i = end; i-- > first;)
        pen_to(&pen, column_x(scale, i), level_y(scale, axis, columns[i].low));
    pen_to(&pen, from, level_y(scale, axis, columns[first].low));
    pen_flush(&pen);
    svg_text_put(text, "z");
}

void svg_path_put(struct svg_text *text, const struct svg_path_scale *scale,
                  const struct svg_axis *level, const struct svg_column *columns, size_t count)
{
    size_t end = 0;

    svg_text_put(text, "<path class=\"w\" transform=\"scale(%.6g)\" stroke-width=\"%.3g\" d=\"",
                 scale->unit, 0.8 / scale->unit);
    for (size_t first = 0; first < count; first = end + 1) {
        for (end = first; end < count && !isnan(columns[end].low);)
            end++;
        if (end > first)
            put_run(text, scale, level, columns, first, end, count);
    }
    svg_text_put(text, "\"/>\n");
}
