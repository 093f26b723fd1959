/* Writes texts that become ready in any order in the order of their numbers. Thread-safe.
 *
 * Texts that wait are kept in a temporary file. */
#ifndef GPUENV_BATCH_ORDERED_H
#define GPUENV_BATCH_ORDERED_H

#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"

struct ordered;

/* A text in memory or, if `bytes` is NULL, in a file from its beginning on. */
struct ordered_text {
    const char *bytes;
    int fd;
    uint64_t size;
};

/* `between` is written between two texts that are not empty: "" or a newline, for example. The
 * output must stay open as long. NULL, with errno set, if memory runs out. */
struct ordered *ordered_open(struct output *output, const char *between);
void ordered_close(struct ordered *ordered);

/* Each number comes once, from 0 on. All texts that are due are written before it returns. An
 * error concerns the output or the temporary file, and is final. */
int ordered_put(struct ordered *ordered, uint64_t number, const struct ordered_text *text,
                struct error *error);

/* At the end: writes texts that still wait for a missing number. */
int ordered_rest(struct ordered *ordered, struct error *error);

#endif
