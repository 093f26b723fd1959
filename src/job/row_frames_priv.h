/* Output frames of rows that count by their times, on their way to the sink.
 */
#ifndef GPUENV_STREAM_ROW_FRAMES_H
#define GPUENV_STREAM_ROW_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "job/stream.h"

enum { ROW_FRAMES = 256 }; /* that are written at a time, at most */

struct row_frames {
    const struct pipeline *pipeline;
    uint64_t bytes;            /* of the rows that are kept for more frames */
    uint64_t lost;             /* values that are NaN in spite of numbers */
    const struct row_key *key; /* of the rows of the next frames; or NULL */
    size_t count;
    unsigned char *out;
    struct sink_rows rows[ROW_FRAMES];
};

/* Returns -1, with errno set, if memory runs out. */
int row_frames_open(struct row_frames *frames, const struct pipeline *pipeline);
void row_frames_close(struct row_frames *frames);

/* Sets the values of a channel in the next frame, which is made of `rows` rows: emit_stats(). */
void row_frames_set(struct row_frames *frames, unsigned channel, const struct stats_values *values,
                    uint64_t rows);

/* The next frame, whose channels have been set, is made of these rows. */
int row_frames_add(struct row_frames *frames, const struct sink_rows *rows, struct error *error);

int row_frames_write(struct row_frames *frames, struct error *error);

#endif
