/* Times that people write beside those of a column: where a table is cut. */
#ifndef GPUENV_FORMAT_TEXT_TIME_BOUND_H
#define GPUENV_FORMAT_TEXT_TIME_BOUND_H

#include <stdbool.h>

#include "format/text/time_form.h"

struct time_bound {
    struct moment moment;
    bool date; /* a date alone, which is its midnight */
};

/* Reads a time in the form of a column, or in another that has one reading; a number in the unit of
 * a column of numbers. Without a zone it is what the form's clock shows. False: it is none. */
bool time_bound_read(const struct time_form *form, const char *text, struct time_bound *bound);

#endif
