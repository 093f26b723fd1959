/* What libsndfile does not say at the end of a file: whether that was all of it, and all that there
 * is. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_SNDFILE_END_H
#define GPUENV_FORMAT_SNDFILE_SNDFILE_END_H

#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "format/sndfile/whole_size.h"

struct sndfile_end {
    const struct input *input;
    const char *container;
    uint64_t base;           /* of the container in the file */
    uint64_t there;          /* bytes from there on */
    struct whole_size whole; /* as it promises */
    const char *next; /* what begins behind that: "a CAF file"; NULL: nothing that is known */

    /* for the check: */
    uint64_t read_to;    /* where the decoder has read last, from base */
    uint64_t frames;     /* that came */
    uint64_t frames_due; /* that there are, for all that libsndfile knows; 0: it knows nothing */
    unsigned rate;
};

/* Sets all that is known before frames are read. */
void sndfile_end_look(struct sndfile_end *end, const struct input *input, uint64_t base,
                      uint64_t there);

/* Are bytes missing that the header promises? Then it is an error. */
int sndfile_end_missing(const struct sndfile_end *end, struct error *error);

/* Fails where frames are missing, or another file follows that nobody has read. */
int sndfile_end_check(const struct sndfile_end *end, struct error *error);

#endif
