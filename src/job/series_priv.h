/* A series: rows that count by their times, not by their numbers, and the frames that they give. */
#ifndef GPUENV_STREAM_SERIES_H
#define GPUENV_STREAM_SERIES_H

#include "job/row_frames_priv.h"

struct series {
    const struct series_class *class;
    struct row_frames *frames;
};

struct series_class {
    /* Returns NULL, with errno set, if memory runs out. */
    struct series *(*open)(struct row_frames *frames);

    /* Adds `count` rows, the first of which is number `first` of the stream, and the frames that
     * are complete. `is_cut`: there is one more moment, of a row that is an error: the frames
     * before it are complete, too. */
    int (*add)(struct series *series, const double *rows, const struct moment *moments,
               uint64_t first, size_t count, bool is_cut, struct error *error);

    /* Adds the last frames. */
    int (*end)(struct series *series, struct error *error);

    void (*close)(struct series *series);
};

/* A frame for each interval of the clock, from the one with the first row to the one with the last.
 */
extern const struct series_class series_by_clock;

/* A frame for each row, of the window of time around it. */
extern const struct series_class series_by_window;

#endif
