/* SPDX-License-Identifier: MIT */
/* Words of other programs: sox, ffmpeg, audiowaveform, rtl_sdr, pandas, mlr, csvkit, cut. */
#ifndef GPUENV_TOOL_OTHERS_PRIV_H
#define GPUENV_TOOL_OTHERS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tool/command.h"

struct other_word {
    /* Options whose values these are; "option": options; "sound": options, unless the line says a
     * type; "alone": options, unless it says a window or an output; "sums": options beside a mean
     * and a time; "many": options beside several files; "mono": options of sound, beside -ac 1;
     * "operand": what is taken for an input; "command": what is one, and words follow it; "unit": a
     * unit that stands alone; "length": one that is unknown, behind a number. */
    const char *where;

    /* Blanks between them, and - for _. Except in options, case counts only of a word that begins
     * with a capital. "http*" is all that begins so, "*.csv" all that ends so, "#" a number, "*"
     * what has been refused. */
    const char *theirs;

    /* "=mean": the value that is taken. "REASON@--skip {s}": what is typed instead, a value or
     * options; & moves it to the end of the line. Without an @ there is only a reason. In both {}
     * is their value, {s} the same in seconds, {n} a number, {o} the ending of -o, {-} a value that
     * is dropped. With @! nothing is typed instead, nor -w. Of commands {} is the file, and behind
     * @ stands the program that has them. */
    const char *ours;
};

/* The table of gpuenv; it ends with NULL. */
extern const struct other_word others_table[];

/* What a row has for a word of `length` characters, or NULL. `list` may be NULL. */
const char *others_find(const struct other_word *list, const char *where, const char *word,
                        size_t length);

/* May the word, or NULL, be the value of the option before it? */
bool others_is_value(const char *word);

/* A command line that is refused, as argv: NULL is at its end. */
struct others_line {
    const struct option_table *command;
    char *const *argv;
    bool operand; /* an operand is refused, not a value */
};

/* What a row has for the name of an option, or NULL. */
const char *others_option(const struct others_line *line, const char *name, size_t length);

/* Sets "SUBJECTfault: REASON: try COMMAND", by `ours` of a row. In the command that stands in place
 * of `value`, which is a word of argv or the end of one, and of its option; it may be NULL. Options
 * of other programs are replaced as well. Returns -1. */
int others_refuse(const struct others_line *line, const char *subject, const char *fault,
                  const char *ours, const char *value, struct error *error);

/* Refuses the first of the words that is a command of another program. Returns 0 if none is. */
int others_refuse_command(const struct others_line *line, struct error *error);

#endif
