/* The only printer. Everything but frames, --help and --version goes to standard error, a line
 * at a time, as "PROGRAM: WHAT: WHY". Any thread may call. */
#ifndef GPUENV_CLI_MESSAGES_H
#define GPUENV_CLI_MESSAGES_H

#include <stdbool.h>

#include "base/error.h"

enum messages_level {
    MESSAGES_QUIET,   /* errors */
    MESSAGES_NORMAL,  /* and warnings */
    MESSAGES_VERBOSE, /* and notes */
};

void messages_init(enum messages_level level);

/* Keeps what libraries print out of standard error: their reasons are in our messages. Those do not
 * use the C library's stderr, and neither do sanitizers. Before there are other threads. */
void messages_silence_libraries(void);

/* The name in front of each line, "gpuenv" unless given. Before there are other threads. */
void messages_program(const char *name);

/* Prints the error, unless it is a quiet one; a usage error also points to --help. */
void messages_error(const struct error *error);
void messages_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void messages_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Somebody has asked for this line, by a signal: printed at every level, and always as a line. */
void messages_answer(const char *text);

/* Writes or renews the progress line: in place on a terminal, else a line each time. An empty
 * text takes the line away. Any other message takes it away first. Errors only: nothing. */
void messages_status(const char *text);

/* --help and --version: to standard output. Returns 0, or -1 when that cannot be written. */
int messages_print(const char *text, struct error *error);

#endif
