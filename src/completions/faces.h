/* What is made from a table of options besides parsing and --help. Each function prints one face of
 * the table. */
#ifndef GPUENV_COMPLETIONS_FACES_H
#define GPUENV_COMPLETIONS_FACES_H

#include <stddef.h>
#include <stdio.h>

#include "cli/command.h"

void faces_bash(const struct command *command, FILE *file);
void faces_zsh(const struct command *command, FILE *file);
void faces_fish(const struct command *command, FILE *file);

/* The headings and the first lines of the manual's list of options, in mdoc. */
void faces_manual(const struct command *command, FILE *file);

/* What the files of completions begin with, from the second line on. */
void faces_print_origin(const struct command *command, const char *shell, FILE *file);

/* A name for a function of a shell: "gpuenv_bench" for the program, "gpuenv_bench_only" for its
 * option `name`. */
void faces_function(const struct command *command, const char *name, char *text, size_t size);

/* The words of a list that ends with NULL, with blanks between them. */
void faces_print_words(const char *const *words, FILE *file);

#endif
