/* SPDX-License-Identifier: MIT */
/* A command line as a table: parsing, --help and the completions of shells read the rows. A test
 * compares the manual with --help. */
#ifndef GPUENV_TOOL_COMMAND_H
#define GPUENV_TOOL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct other_word;
struct option_value;

/* What an option sets. */
enum option_kind {
    OPTION_OWN, /* its setter decides */

    /* With a value: */
    OPTION_TEXT,   /* const char *; not empty, unless `what` is NULL */
    OPTION_NUMBER, /* unsigned */
    OPTION_WHOLE,  /* uint64_t */
    OPTION_LENGTH, /* struct span; longer than 0 frames, unless `what` is NULL */
    OPTION_WORD,   /* an enumeration: the place of the word */
    OPTION_SECOND, /* bool: of two words, it is the second */

    /* Without a value: */
    OPTION_ON,     /* bool: true */
    OPTION_OFF,    /* bool: false */
    OPTION_CHOICE, /* an enumeration: `choice` */
};

/* Stores the value of an option in the field or, if the row names none, in the program's own
 * struct; a wrong one is a usage error. */
typedef int option_setter(void *field, const struct option_value *value, struct error *error);

/* Writes words, each after a blank. */
typedef void option_lister(char *list, size_t size);

struct option_row {
    const char *name;  /* without dashes: "window"; NULL for a heading of --help: `help` */
    const char *value; /* the name of its value in --help and the manual; may be NULL */
    /* What the option does, and the words that its value may be. The short --help ends before the
     * first semicolon; each semicolon breaks the line. */
    const char *help;

    enum option_kind kind;
    size_t field; /* offset of the field in the program's own struct */
    /* Offset of a bool that is set as well; each option below a heading sets that of the heading.
     * It is 0 if there is none. */
    size_t given;
    size_t named; /* offset of a const char * that is set to `name`; 0 if there is none */

    option_setter *set; /* OPTION_OWN */

    /* The values, ending with NULL; may be NULL for a text. If the row has a setter, they are for
     * completions only; the values of a file are endings of its name. If the option has no value,
     * they are words that may follow it. */
    const char *const *words;
    option_lister *list; /* more words for completions; may be NULL */

    const char *what; /* "a file name", "a window": see the kind */
    uint64_t least;   /* the range of a number */
    uint64_t most;
    unsigned choice;

    char letter; /* 0 if there is none */
    bool common; /* the short --help has it */
    bool ends;   /* the arguments after it are not read: --help */
};

struct option_table {
    const char *program;
    bool files;        /* operands are files; otherwise there are none */
    const char *usage; /* --help, before the options */
    const struct option_row *rows;
    size_t count;
    const char *notes;               /* --help, after the options */
    const struct other_word *others; /* words of other programs; may be NULL */
};

/* The most rows; each table asserts that it has no more. */
enum { COMMAND_ROWS_MOST = 128 };

/* Walks through the command line with getopt_long(), with our own error messages. Stores each
 * option in `options`, up to one that ends the walk. The operands are left at the end of argv, from
 * `*operands` on. */
int command_parse(const struct option_table *command, int argc, char **argv, void *options,
                  int *operands, struct error *error);

/* Does `typed` begin with an option that the short --help does not have? */
bool command_is_rare(const struct option_table *command, const char *typed);

/* The text of --help, to be freed, with all options or with the common ones. Returns NULL, with
 * errno set, if memory runs out. */
char *help_text(const struct option_table *command, bool all);

/* help_print() and help_print_version() print to standard output. */
int help_print(const struct option_table *command, bool all, struct error *error);

/* " (3f0d6041ab)": the commit of a clone between releases, for --version; otherwise "". */
extern const char tool_commit[];

int help_print_version(const struct option_table *command, struct error *error);

#endif
