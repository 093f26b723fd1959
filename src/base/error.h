/* What went wrong, on its way up to main().
 *
 * A function that can fail returns 0, or -1 after it has filled in a struct error.
 * Nobody but main() exits, nobody but cli/messages prints. */
#ifndef GPUENV_BASE_ERROR_H
#define GPUENV_BASE_ERROR_H

#include <stdbool.h>

/* The exit statuses of the program; the numbers are a promise to scripts. */
enum status {
    STATUS_DONE = 0,
    STATUS_USAGE = 1,
    STATUS_FAILED = 2,
    STATUS_NO_DEVICE = 3,
};

struct error {
    enum status status;
    bool quiet; /* nobody wants to read about it: the reader of our output has left */
    int number; /* the errno value behind it; 0: none */
    char text[1024];
};

/* Sets "WHAT: WHY" (the caller writes both, and what to do where that is known).
 * Returns -1, so that a failing function can `return error_set(...)`. */
int error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "WHAT: " and the system's words for errno value `number`. Returns -1. */
int error_system(struct error *error, const char *what, int number);

#endif
