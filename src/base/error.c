#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum status status_of(enum error_code code)
{
    switch (code) {
    case ERROR_FILE:
    case ERROR_TERMINAL_INPUT:
    case ERROR_TERMINAL_OUTPUT:
    case ERROR_FOLDER:
    case ERROR_TEXT:
    case ERROR_WRONG_TYPE:
    case ERROR_MORE_FRAMES:
    case ERROR_NAN:
    case ERROR_SHARD:
    case ERROR_OUT_FOLDER:
    case ERROR_MAY_BE_INPUT:
    case ERROR_OWN_OUTPUT:
    case ERROR_NAMES:
    case ERROR_NAMES_NULL:
    case ERROR_TABS:
    case ERROR_SEMICOLONS:
    case ERROR_CONVERT:
    case ERROR_RESOURCE:
    case ERROR_BATCH:

    case ERROR_STATS:
    case ERROR_REPORT:
    case ERROR_OUTPUT:
        return STATUS_FAILED;
    case ERROR_DEVICE:
        return STATUS_NO_DEVICE;
    case ERROR_FORMAT:
    case ERROR_RATE_UNKNOWN:
    case ERROR_OVERVIEW_VALUES:
    case ERROR_OVERVIEW_ZOOM:
    case ERROR_PICTURE_VALUES:
    case ERROR_OUTPUT_FORMAT:
    case ERROR_OUTPUT_ENDING:
    case ERROR_NAME_ENDING:
    case ERROR_OUTPUT_TYPE:
    case ERROR_INPUT_TYPE:
    case ERROR_COLUMNS:
    case ERROR_COLUMNS_OF_NONE:
    case ERROR_CHANNELS:
    case ERROR_CHANNELS_OF_COLUMNS:
    case ERROR_RATE:
    case ERROR_ISA:
    case ERROR_COMMAND:
        break;
    }
    return STATUS_USAGE;
}

int error_set(struct error *error, enum error_code code, const char *subject, const char *format,
              ...)
{
    va_list arguments;

    error->code = code;
    error->status = status_of(code);
    error->quiet = false;
    error->number = 0;
    snprintf(error->subject, sizeof error->subject, "%s", subject != NULL ? subject : "");
    va_start(arguments, format);
    vsnprintf(error->reason, sizeof error->reason, format, arguments);
    va_end(arguments);
    return -1;
}

const char *error_device(char name[ERROR_DEVICE_NAME], unsigned device)
{
    snprintf(name, ERROR_DEVICE_NAME, "cuda device %u", device);
    return name;
}

int error_system(struct error *error, enum error_code code, const char *subject, int number)
{
    char words[128];

    /* strerror() is not thread-safe. The GNU strerror_r() may return a string other than
     * `words`. */
    error_set(error, code, subject, "%s", strerror_r(number, words, sizeof words));
    error->number = number;
    return -1;
}

bool error_names_file(const struct error *error)
{
    return error->code < ERROR_RESOURCE;
}
