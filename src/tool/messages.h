/* SPDX-License-Identifier: MIT */
/* The only printer. Everything except frames, --help and --version goes to standard error, line by
 * line, as "PROGRAM: WHAT: WHY". Thread-safe. */
#ifndef GPUENV_TOOL_MESSAGES_H
#define GPUENV_TOOL_MESSAGES_H

#include "base/error.h"

enum messages_level {
    MESSAGES_QUIET,   /* errors */
    MESSAGES_NORMAL,  /* errors and warnings */
    MESSAGES_VERBOSE, /* errors, warnings and notes */
};

/* Call this first. `program` begins each line. A program may be started with standard input, output
 * or error closed. A file opened later would then take its descriptor, and messages would go into
 * it. Missing ones are opened in the wrong direction (input for writing, the others for reading),
 * so that using them fails. */
void messages_init(const char *program);

/* MESSAGES_NORMAL unless set. Call before other threads exist. */
void messages_level(enum messages_level level);

/* Discards what libraries print to stderr: our own messages carry their reasons. Our messages, and
 * those of sanitizers, do not use the C library's stderr. Call before other threads exist. */
void messages_silence_libraries(void);

/* The option of the program that usage errors point to: --help unless set. */
void messages_help(const char *option);

/* Prints the error, unless it is quiet; for a usage error, also points to the help. */
void messages_error(const struct error *error);
void messages_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void messages_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line requested by a signal: at every level, and always as a line of its own. */
void messages_answer(const char *text);

/* Writes or updates the progress line: in place on a terminal, otherwise a line each time. An
 * empty text erases it, and so does any other message. Does nothing if only errors are printed. */
void messages_status(const char *text);

/* Prints --help and --version to standard output. Returns -1 if that fails. */
int messages_print(const char *text, struct error *error);

#endif
