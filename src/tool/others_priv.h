/* SPDX-License-Identifier: MIT */
/* Words of other programs: sox, ffmpeg, audiowaveform, rtl_sdr, pandas, mlr, csvkit, cut. */
#ifndef GPUENV_TOOL_OTHERS_PRIV_H
#define GPUENV_TOOL_OTHERS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tool/command.h"

struct other_word {
    /* What `theirs` are. An option's name: values of that option; "option": options; "sound":
     * options, unless the line has a type; "alone": options, unless the line has a window or an
     * output; "sums": options beside a mean and a time; "many": options beside several files;
     * "spans": options beside -T spans or labels; "mono": options of sound, beside -ac 1;
     * "operand": words in the place of an input; "command": commands, which other words follow;
     * "unit": units behind a number; "length": unknown units of a length. */
    const char *where;

    /* Words with blanks between them, and with - for _. Case counts in options; elsewhere only in a
     * word that begins with a capital. "http*" stands for all words that begin so, "*.csv" for all
     * that end so, "#" for a number, "*" for any refused value. */
    const char *theirs;

    /* "=mean": our value, taken without a message. "REASON@--skip {s}": the reason, and the value
     * or options to type instead; & moves these to the end of the line. Without an @ there is only
     * a reason. In both, {} is their value, {s} their value in seconds, {n} a number, {d} their
     * level, in dB if it is one of sound below 0, {o} the ending of -o, {-} a value that is
     * dropped. @! drops their words, and -w. In a row of commands, {} is the file, and the program
     * that has them follows the @. */
    const char *ours;
};

/* The table of gpuenv; it ends with NULL. */
extern const struct other_word others_table[];

/* Returns `ours` of the row that has a word of `length` characters; NULL if no row has it. `list`
 * may be NULL. */
const char *others_find(const struct other_word *list, const char *where, const char *word,
                        size_t length);

/* May the word, if it is not NULL, be the value of the option before it? */
bool others_is_value(const char *word);

/* A command line that is refused. `argv` ends with NULL. */
struct others_line {
    const struct option_table *command;
    char *const *argv;
    bool operand; /* an operand is refused, not a value */
};

/* Returns `ours` of the row that has the name of an option; NULL if no row has it. */
const char *others_option(const struct others_line *line, const char *name, size_t length);

/* Adds ": try COMMAND" to an error that has an option with which the command goes on, about a file
 * that has a name. */
void others_try(const char *program, char *const *argv, struct error *error);

/* Sets "SUBJECTfault: REASON: try COMMAND", by `ours` of a row. In the command, `ours` replaces
 * `value`, a word of argv or the end of one, and its option. `value` may be NULL. Options of other
 * programs are replaced as well. Returns -1. */
int others_refuse(const struct others_line *line, const char *subject, const char *fault,
                  const char *ours, const char *value, struct error *error);

/* Refuses the first of the words that is a command of another program. Returns 0 if none is. */
int others_refuse_command(const struct others_line *line, struct error *error);

#endif
