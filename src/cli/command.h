/* A command line as a table. A row describes an option completely; parsing (cli/walk), --help
 * (cli/help), the completions and the list in the manual (src/completions) are derived from the
 * rows. */
#ifndef GPUENV_CLI_COMMAND_H
#define GPUENV_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct value;

/* What a shell offers for the value of an option. */
enum option_offer {
    OFFER_NOTHING, /* for example, a number */
    OFFER_WORDS,   /* one of the words */
    OFFER_LIST,    /* words separated by commas */
    OFFER_PRINTED, /* the same, for words that the program prints */
    OFFER_FILES,   /* file names */
    OFFER_DIRECTORIES,
};

/* Where --help shows an option. */
enum option_place {
    PLACE_LINE,   /* on its own line */
    PLACE_AFTER,  /* after the option before it, separated by a comma */
    PLACE_BESIDE, /* on the line of the option before it, in the column of texts */
    PLACE_WITHIN, /* in the text of the option before it */
};

struct option_row {
    const char *name;  /* without dashes: "window" */
    const char *value; /* the name of its value in --help and the manual; NULL: none */
    const char *help;  /* its text in --help; lines break at 54 columns; NULL: only the names */

    /* For shells. */
    const char *brief;   /* what the option does, in a few words */
    const char *hint;    /* what the value is; required if there is one */
    const char *example; /* of the value; NULL: none */
    /* OFFER_WORDS, OFFER_LIST: the words. OFFER_FILES: file name endings, or NULL. OFFER_PRINTED:
     * arguments for which the program prints lines that begin with the words. Ends with NULL. */
    const char *const *words;
    const char *alone;   /* OFFER_LIST: the word that cannot be combined; NULL: none */
    const char *against; /* the name of the option that reverts this one */

    /* Stores the value in the program's own struct; a wrong value is a usage error. */
    int (*set)(void *options, const struct value *value, struct error *error);
    void (*turn)(void *options); /* the same for an option without a value */

    enum option_place place;
    enum option_offer offer;
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
    const char *operand;                          /* what an operand is; NULL: none are taken */
    const struct option_elsewhere *elsewhere;     /* ends with a NULL name; or NULL */
};

/* For arrays indexed by option; a test compares it with the tables. */
enum { COMMAND_OPTIONS_MOST = 64 };

/* The options of all sections, counted from 0. NULL: past the last. */
const struct option_row *command_row(const struct command *command, size_t number);

/* Finds an option by name, without dashes. NULL: there is none. */
const struct option_row *command_find(const struct command *command, const char *name);

#endif
