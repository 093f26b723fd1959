/* What went wrong, on its way up to main().
 *
 * A function that can fail returns 0, or -1 after it has filled in a struct error: a code, the
 * subject (a file, or what else is concerned), and the reason. The code carries what callers and
 * the command line act on; no code looks into the words. cli/error_words.h makes a line of them:
 * there alone stand the names of options, and the hints that name one.
 *
 * Only main() exits, only cli/messages prints. */
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

/* Each code has its status, unless the caller sets another. */
enum error_code {
    /* The subject is the name of a file. */
    ERROR_FILE,
    ERROR_TERMINAL_INPUT,
    ERROR_TERMINAL_OUTPUT,
    ERROR_FOLDER,
    ERROR_TEXT,         /* it is text, and was to be samples */
    ERROR_WRONG_TYPE,   /* it is not of the type that was given */
    ERROR_MORE_FRAMES,  /* what follows its last frame may be frames, too */
    ERROR_NAN,          /* which the policy does not allow */
    ERROR_SHARD,        /* it cannot be cut into shards */
    ERROR_OUT_FOLDER,   /* it is the folder of the outputs */
    ERROR_MAY_BE_INPUT, /* its output would replace what may be an input */
    ERROR_OWN_OUTPUT,   /* it is an output of this run */
    ERROR_NAMES,        /* it is a list of names, not an input */
    ERROR_NAMES_NULL,   /* its names seem to end with zero bytes */
    ERROR_TABS,         /* its columns seem to be separated by tabs, */
    ERROR_SEMICOLONS,   /* by semicolons */
    ERROR_CONVERT,      /* other programs read it */
    ERROR_FORMAT,       /* from here on usage: the format of this output cannot hold it */
    ERROR_RATE_UNKNOWN,
    ERROR_OVERVIEW_VALUES,
    ERROR_OVERVIEW_ZOOM,
    ERROR_PICTURE_VALUES,

    /* Memory, threads, a device: the subject says which. */
    ERROR_RESOURCE,

    /* Some of many inputs have failed. */
    ERROR_BATCH,

    /* A setting; the subject is its value, or NULL. */

    ERROR_STATS,
    ERROR_REPORT,
    ERROR_OUTPUT,
    ERROR_DEVICE,        /* it is not available */
    ERROR_OUTPUT_FORMAT, /* from here on: usage */
    ERROR_OUTPUT_ENDING,
    ERROR_NAME_ENDING, /* the same of the template for the names of outputs */
    ERROR_OUTPUT_TYPE,
    ERROR_INPUT_TYPE,
    ERROR_COLUMNS,
    ERROR_COLUMNS_OF_NONE, /* the input has no columns */
    ERROR_CHANNELS,        /* the input says another number */
    ERROR_CHANNELS_OF_COLUMNS,
    ERROR_RATE, /* the input says another one */
    ERROR_ISA,

    /* The command line itself: the reason has all words. */
    ERROR_COMMAND,
};

enum { ERROR_SUBJECT = 512, ERROR_REASON = 1024 };

struct error {
    enum error_code code;
    enum status status;
    bool quiet; /* not to be printed: the reader of our output has left */
    int number; /* the errno value behind it; 0: none */
    char subject[ERROR_SUBJECT];
    char reason[ERROR_REASON];
};

/* `subject` may be NULL. Returns -1, so that a failing function can `return error_set(...)`. */
int error_set(struct error *error, enum error_code code, const char *subject, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* A device as a subject: "cuda device 0". Returns `name`. */
enum { ERROR_DEVICE_NAME = 32 };
const char *error_device(char name[ERROR_DEVICE_NAME], unsigned device);

/* The reason is what the system says of errno value `number`. Returns -1. */
int error_system(struct error *error, enum error_code code, const char *subject, int number);

/* Is the subject a file? */
bool error_names_file(const struct error *error);

#endif
