/* The time of the first row says how all times are written. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_FIRST_TIME_PRIV_H
#define GPUENV_FORMAT_TEXT_FIRST_TIME_PRIV_H

#include "format/text/columns.h"
#include "format/text/header_priv.h"

/* Sets the form of the columns' times to that of a row. TEXT_OPEN: the row's time is none; the
 * error says what it may be. TEXT_FAULT: it is a number that could mean several times. */
enum text_next text_first_time(struct text_columns *columns, const struct text_lines *lines,
                               const struct text_look *row, struct error *error);

#endif
