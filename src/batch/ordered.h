/* Texts that are ready in any order, written in the order of their numbers. Any thread may call.
 *
 * What waits for its turn is kept in a temporary file. */
#ifndef GPUENV_BATCH_ORDERED_H
#define GPUENV_BATCH_ORDERED_H

#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"

struct ordered;

/* A text, in memory or, where `bytes` is NULL, from the beginning of a file on. */
struct ordered_text {
    const char *bytes;
    int fd;
    uint64_t size;
};

/* `between` stands between two texts that are not empty: "" or a newline, for instance. The output
 * has to be there for as long. NULL, with errno set, when there is no memory. */
struct ordered *ordered_open(struct output *output, const char *between);
void ordered_close(struct ordered *ordered);

/* Each number comes once, from 0 on. What is due is written before this returns. An error is one of
 * the output or of the temporary file; there is no going on then. */
int ordered_put(struct ordered *ordered, uint64_t number, const struct ordered_text *text,
                struct error *error);

/* No more will come: writes those that wait for one that did not. */
int ordered_rest(struct ordered *ordered, struct error *error);

#endif
