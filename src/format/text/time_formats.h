/* Times in a format of strptime(), with English names. */
#ifndef GPUENV_FORMAT_TEXT_TIME_FORMATS_H
#define GPUENV_FORMAT_TEXT_TIME_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

struct moment;
struct time_form;
struct writing;

/* No format is longer: then no conversion writes more than ten times its size. */
enum { TIME_FORMAT_MOST = 48 };

/* All conversions, with blanks between. */
extern const char time_conversions[];

/* The conversion that is not known, or the format itself if it has none; NULL: it is sound. */
const char *time_format_fault(const char *format);

/* The unit of the last digit that a format writes, in nanoseconds. */
int64_t time_format_unit(const char *format);

/* Reads a time in the format of the form; the whole text has to be one. */
bool read_format(struct time_form *form, const char *text, const char *end, struct moment *moment);

/* Returns the end of the text. */
char *write_format(struct writing *writing, char *text);

#endif
