/* The times of rows: the first says how all are written; the next ones come in the order, and at
 * the distance, that they must have. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H
#define GPUENV_FORMAT_TEXT_ROW_TIMES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "format/text/header_priv.h"
#include "format/text/parser_priv.h"

/* Sets the form of the columns' times to that of a row. TEXT_OPEN: the row's time is none; the
 * error says what it may be. TEXT_FAULT: it is a number that could mean several times. `said` is
 * the unit that the header says, or TIME_S. */
enum text_next text_first_time(struct text_columns *columns, const struct text_lines *lines,
                               const struct text_look *row, enum time_unit said,
                               struct error *error);

/* The time of a record of a series, whose fields have been taken. */
enum text_next text_take_time(struct text_parser *parser, const struct text_series *series,
                              uint64_t line, const struct text_field *fields, struct moment *moment,
                              struct error *error);

/* A row of the series lies here. */
void text_series_go_on(struct text_series *series, struct moment moment);

/* Are there too many intervals without rows between two rows? */
bool text_gap_is_long(const struct text_dialect *dialect, struct moment before,
                      struct moment after);

#endif
