/* A command line as a table. All there is to know of an option stands in its row; parsing
 * (cli/walk), --help (cli/help), the completions and the list in the manual (src/completions) are
 * made from the rows. */
#ifndef GPUENV_CLI_COMMAND_H
#define GPUENV_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct value;

/* What a shell offers where the value of an option is due. */
enum option_offer {
    OFFER_NOTHING, /* a number, for instance */
    OFFER_WORDS,   /* one of the words */
    OFFER_LIST,    /* words with commas between them */
    OFFER_PRINTED, /* the same with words that the program prints */
    OFFER_FILES,   /* the names of files */
    OFFER_DIRECTORIES,
};

/* Where --help shows an option. */
enum option_place {
    PLACE_LINE,   /* on a line of its own */
    PLACE_AFTER,  /* behind the option before it, with a comma between them */
    PLACE_BESIDE, /* on the line of the option before it, in the column of the texts */
    PLACE_WITHIN, /* in the text of the option before it */
};

struct option_row {
    const char *name;  /* without dashes: "window" */
    const char *value; /* what --help and the manual call its value; NULL: it takes none */
    const char *help;  /* its text in --help; lines break at 54 columns; NULL: only the names */

    /* For shells. */
    const char *brief;   /* what the option does, in a few words */
    const char *hint;    /* what the value is; needed where there is one */
    const char *example; /* of the value; NULL: none */
    /* OFFER_WORDS, OFFER_LIST: the words. OFFER_FILES: the endings of their names, or NULL.
     * OFFER_PRINTED: arguments for which the program prints lines that begin with the words.
     * Ends with NULL. */
    const char *const *words;
    const char *alone;   /* OFFER_LIST: the word that goes with no other; NULL: none */
    const char *against; /* the name of the option that takes this one back */

    /* Stores the value in the program's own struct; a wrong one is a usage error. */
    int (*set)(void *options, const struct value *value, struct error *error);
    void (*turn)(void *options); /* instead, where it takes no value */

    enum option_place place;
    enum option_offer offer;
    char letter; /* 0: none */
    bool ends;   /* what stands behind it is not read: --help */
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
    const char *operand;                          /* what an operand is; NULL: it takes none */
    const struct option_elsewhere *elsewhere;     /* ends with a NULL name; or NULL */
};

/* For arrays with a place for each option; a test holds the tables against it. */
enum { COMMAND_OPTIONS_MOST = 64 };

/* The options of all sections, counted from 0. NULL: there are not so many. */
const struct option_row *command_row(const struct command *command, size_t number);

/* By its name, without dashes. NULL: there is none. */
const struct option_row *command_find(const struct command *command, const char *name);

#endif
