/* SPDX-License-Identifier: MIT */
#include "format/rows/time_line_priv.h"

#include <inttypes.h>
#include <stdlib.h>

/* Adds the step between a row and the row above it. */
static void add_step(struct time_line *line, struct moment moment)
{
    const moment_count step = moment_to_count(moment) - moment_to_count(line->last);

    line->back += step < 0;
    line->same += step == 0;
    if (step > 0 && line->steps < TIME_LINE_STEPS)
        line->step[line->steps++] = step;
    if (step < 0 || !gaps_add(&line->gaps, moment))
        return;
    line->gap_count++;
    if (step <= line->longest)
        return;
    line->longest = step;
    line->behind = moment;
}

void time_line_add(struct time_line *line, const struct moment *moments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (line->rows++ > 0)
            add_step(line, moments[i]);
        else
            line->from = line->to = moments[i];
        if (moment_is_before(moments[i], line->from))
            line->from = moments[i];
        if (moment_is_before(line->to, moments[i]))
            line->to = moments[i];
        line->last = moments[i];
    }
}

static int compare_steps(const void *one, const void *other)
{
    const moment_count a = *(const moment_count *)one;
    const moment_count b = *(const moment_count *)other;

    return (a > b) - (a < b);
}

/* Says a length: "600 s", "1.5 h". */
static void say_length(moment_count length, struct memory_text *text)
{
    static const struct {
        int64_t unit;
        const char *name;
    } units[] = {{MOMENT_DAY, "days"}, {MOMENT_HOUR, "h"}, {MOMENT_MINUTE, "min"}};
    size_t i = 0;

    while (i < sizeof units / sizeof *units && length < 2 * (moment_count)units[i].unit)
        i++;
    if (i < sizeof units / sizeof *units)
        memory_text_print(text, "%.4g %s", (double)length / (double)units[i].unit, units[i].name);
    else
        memory_text_print(text, "%.9g s", (double)length / MOMENT_SECOND);
}

static void say_time(const struct time_form *form, struct moment moment, struct memory_text *text)
{
    char time[TIME_MOST + 1];

    time[time_write(form, moment, time)] = '\0';
    memory_text_put(text, time);
}

void time_line_say(struct time_line *line, const struct time_form *form, struct memory_text *text)
{
    if (line->rows == 0)
        return;
    memory_text_put(text, "from: ");
    say_time(form, line->from, text);
    memory_text_put(text, "\nto: ");
    say_time(form, line->to, text);
    if (line->steps > 0) {
        qsort(line->step, line->steps, sizeof *line->step, compare_steps);
        memory_text_put(text, "\nusual step: ");
        say_length(line->step[(line->steps - 1) / 2], text);
    }
    if (line->gap_count > 0) {
        memory_text_print(text, "\ngaps: %" PRIu64 ", the longest ", line->gap_count);
        say_length(line->longest, text);
        memory_text_put(text, " before ");
        say_time(form, line->behind, text);
    }
    if (line->back > 0)
        memory_text_print(text, "\nrows before the one above them: %" PRIu64, line->back);
    if (line->same > 0)
        memory_text_print(text, "\nrows at the time of the one above them: %" PRIu64, line->same);
    memory_text_put(text, "\n");
}
