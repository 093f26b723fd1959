/* SPDX-License-Identifier: MIT */
/* Errors, which are returned up to main().
 *
 * A function that can fail returns 0, or fills in a struct error and returns -1. The error has a
 * code, a subject (usually a file name), and a reason with advice. Callers decide by the code and
 * never parse the text. Add a code only where a caller decides by it, or where several places share
 * one advice, which tool/error_words.c then appends. A single place gives its advice in the reason.
 *
 * Only main() exits, only tool/messages prints. */
#ifndef GPUENV_BASE_ERROR_H
#define GPUENV_BASE_ERROR_H

#include <stdbool.h>

/* The exit statuses of the program. Scripts rely on these numbers. */
enum status {
    STATUS_DONE = 0,
    STATUS_USAGE = 1,
    STATUS_FAILED = 2,
    STATUS_NO_DEVICE = 3,
};

/* Each code implies a status, by its place in this list; the caller may set another. */
enum error_code {
    /* The subject is a file name. STATUS_FAILED: */
    ERROR_FILE,
    ERROR_DAMAGED, /* the file is cut off or has gaps; the bytes that it has were used */
    ERROR_TIME,    /* a time in a row that cannot be read, or is wrong otherwise */
    ERROR_ROWS,    /* rows that are not what an option needs, whichever line is read */
    ERROR_CONVERT, /* other programs can read it */

    /* STATUS_USAGE: */
    ERROR_FORMAT, /* this output format cannot hold the data */

    /* The subject is the resource: memory, threads, a device. STATUS_FAILED: */
    ERROR_RESOURCE,

    /* A run, or a batch, as a whole has failed; the reason is the complete message. */
    ERROR_RUN,

    /* A setting. The subject is its value; may be NULL. */
    ERROR_DEVICE, /* the device is not available: STATUS_NO_DEVICE */

    /* STATUS_USAGE: */
    ERROR_DEVICE_INTEGERS, /* the device does not work on integers of 64 bits */
    ERROR_OUTPUT_ENDING,

    /* The command line itself; the reason is the complete message. */
    ERROR_COMMAND,
    ERROR_TRY, /* the message ends with a command line that is right */
};

enum { ERROR_SUBJECT = 512, ERROR_REASON = 1024, ERROR_VALUE = 48 };

/* A whole message, with the option and a hint. */
enum { ERROR_WORDS = 2 * ERROR_SUBJECT + ERROR_REASON + 256 };

struct error {
    enum error_code code;
    enum status status;
    bool quiet; /* not to be printed: the reader of our output has closed it */
    int number; /* an errno value, or a number that the code defines; may be 0 */
    char subject[ERROR_SUBJECT];
    char reason[ERROR_REASON];
    const char *advice; /* a literal that follows the reason; may be NULL */

    /* An option with which the command line goes on, for the whole line to type instead; may be
     * NULL. The value is a word, not yet quoted for a shell. */
    const char *option;
    char value[ERROR_VALUE];
};

/* `subject` may be NULL. Returns -1, so that a failing function can `return error_set(...)`. */
int error_set(struct error *error, enum error_code code, const char *subject, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* Refuses a command line. Returns -1. */
#define USAGE(error, ...) error_set(error, ERROR_COMMAND, NULL, __VA_ARGS__)

/* Sets the option and its value, unless the value is too long. */
void error_try(struct error *error, const char *option, const char *value);

/* Writes a device name such as "cuda device 0", for use as a subject. Returns `name`. */
enum { ERROR_DEVICE_NAME = 32 };
const char *error_device(char name[ERROR_DEVICE_NAME], unsigned device);

/* Sets the reason to strerror(number), the system's text, which is safe with threads for errno
 * values. Returns -1. */
int error_system(struct error *error, enum error_code code, const char *subject, int number);

/* A file's name as a shell takes it, for advice. A name that needs quotes is written to `word`; a
 * name that is too long becomes "FILE". */
enum { ERROR_OPERAND = 512 };
const char *error_operand(char word[ERROR_OPERAND], const char *name);

/* Is the subject a file name? */
bool error_names_file(const struct error *error);

#endif
