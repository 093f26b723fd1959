/* A command line as a table: parsing (cli/walk) and --help (cli/help) read the rows. Tests hold the
 * completions and the manual against --help. */
#ifndef GPUENV_CLI_COMMAND_H
#define GPUENV_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct value;

struct option_row {
    const char *name;  /* without dashes: "window" */
    const char *value; /* what --help and the manual call its value; NULL: it takes none */
    const char *help;  /* what it does, with the words that its value may be; --help breaks lines */

    /* Stores the value in the program's own struct; a wrong one is a usage error. */
    int (*set)(void *options, const struct value *value, struct error *error);
    void (*turn)(void *options); /* instead, where it takes no value */
    char letter;                 /* 0: none */
    bool ends;                   /* what stands behind it is not read: --help */
};

struct option_section {
    const char *title; /* without its colon */
    const struct option_row *rows;
    size_t count;
};

/* An option that other programs have, and what to use here. */
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

/* For arrays with a place for each option; a test holds the tables against it. */
enum { COMMAND_OPTIONS_MOST = 64 };

/* The options of all sections, counted from 0. NULL: there are not so many. */
const struct option_row *command_row(const struct command *command, size_t number);

#endif
