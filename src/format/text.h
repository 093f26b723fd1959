/* Numbers in columns, as text: csv, tsv and txt, in and out. text_parser.h says what is understood.
 */
#ifndef GPUENV_FORMAT_TEXT_H
#define GPUENV_FORMAT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "bytes/output.h"
#include "format/sink.h"
#include "format/source.h"
#include "format/text_parser.h"

/* Opens the text as a source of float32, with a channel for each column of `columns` (NULL: all);
 * the string has to last. Reads to the end of the first record. `rate` as the user says, 0:
 * unknown. Text without a record is a source without a frame. */
int source_open_text(struct input *input, enum text_kind kind, const char *columns, double rate,
                     struct source **source, struct error *error);

/* Opens a writer of a header line, and a line a frame: the frame of the input, its time in seconds
 * where the rate is known, and the samples in the fewest digits that read back as the same float32.
 * There is a whole line for each frame of a write when that returns. The header is written first,
 * or at the end of a stream without frames. */
int sink_open_text(struct output *output, enum text_kind kind, const struct sink_format *format,
                   struct sink **sink, struct error *error);

#endif
