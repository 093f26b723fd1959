/* Times in the form that a format of strptime() describes: %Y %y %m %d %e %j %b %B %a %A %H %I %M
 * %S %f %p %z %Z %s %F %T %R %D %n %t %%, with English names. %f is a fraction of digits; what a
 * format does not say is that of the beginning of 1970. */
#ifndef GPUENV_SAMPLE_TIME_FORMAT_H
#define GPUENV_SAMPLE_TIME_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/moment.h"

enum {
    TIME_MOST = 512,       /* characters of a time that is read or written */
    TIME_FORMAT_MOST = 48, /* and of a format: no conversion writes more than ten times its size */
};

/* The conversion that is not known, or the format itself if it has none; NULL: it is sound. */
const char *time_format_fault(const char *format);

/* Reads a time, whose fraction has so many digits; the whole text has to be one. */
bool time_format_read(const char *format, const char *text, const char *end, struct moment *moment,
                      unsigned *digits);

/* Writes a time, a fraction with at least so many digits, and returns the length. */
size_t time_format_write(const char *format, struct moment moment, unsigned digits,
                         char text[TIME_MOST]);

/* The unit of the last digit that it writes, in nanoseconds. */
int64_t time_format_unit(const char *format);

#endif
