/* A command line as a table: parsing (cli/walk) and --help (cli/help) read the rows. Tests compare
 * the completions and the manual with --help. */
#ifndef GPUENV_CLI_COMMAND_H
#define GPUENV_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct value;

struct option_row {
    const char *name;  /* without dashes: "window" */
    const char *value; /* the name of its value in --help and the manual; NULL: none */
    const char *help;  /* what it does, and the words its value may be; --help breaks the lines */

    /* Stores the value in the program's own struct; a wrong value is a usage error. */
    int (*set)(void *options, const struct value *value, struct error *error);

    /* Without a value: the function is called, or, if it is NULL, the bool at this offset of the
     * struct is set. */
    void (*turn)(void *options);
    size_t flag;

    char letter; /* 0: none */
    bool ends;   /* the arguments after it are not read: --help */
};

struct option_section {
    const char *title; /* without its colon */
    const struct option_row *rows;
    size_t count;
};

/* An option of other programs, and what to use instead. */
struct option_elsewhere {
    const char *name; /* without dashes */
    const char *here;
};

struct command {
    const char *program;
    const char *usage;                            /* --help, before the options */
    const struct option_section *const *sections; /* ends with NULL */
    const char *notes;                            /* --help, after the options */
    const struct option_elsewhere *elsewhere;     /* ends with a NULL name; or NULL */
};

/* For arrays indexed by option; a test compares it with the tables. */
enum { COMMAND_OPTIONS_MOST = 80 };

/* The options of all sections, counted from 0. NULL: past the last. */
const struct option_row *command_row(const struct command *command, size_t number);

#endif
