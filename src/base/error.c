#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    error->quiet = false;
    error->number = 0;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return -1;
}

int error_system(struct error *error, const char *what, int number)
{
    char words[128];

    /* strerror() is not safe in threads; the GNU strerror_r() may return words of its own. The name
     * is cut where there is no room for both. */
    error_set(error, STATUS_FAILED, "%.800s: %s", what, strerror_r(number, words, sizeof words));
    error->number = number;
    return -1;
}
