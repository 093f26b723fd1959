/* How large a file says that it is, as a whole. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_WHOLE_SIZE_H
#define GPUENV_FORMAT_SNDFILE_WHOLE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

struct whole_size {
    uint64_t bytes; /* 0: it does not say, or has a number that stands for an unknown size */
    bool loose;     /* tags may follow, and be counted or not */
    bool counted;   /* its header says how many frames there are, too, which libsndfile hands on */
    bool padded;    /* its last byte may be left out, for it is no sample */
    unsigned surplus; /* frames that libsndfile gives at the end, and that are none */
    bool passed_by;   /* libsndfile takes what follows for samples, too */
    /* libsndfile would give something else than its frames, without a word: there is sound behind
     * the first block of it, the channels lie one behind the other, or the header stands there
     * twice. */
    bool misread;
};

/* The size of the file that begins at `base` and has `there` bytes until the end: for RIFF, RF64,
 * FORM, 8SVX, W64, AU, CAF, NIST, VOC, SDS, MAT4, MPC 2000, and MP3 that say it. Goes from chunk to
 * chunk where it has to. */
struct whole_size whole_size(int fd, uint64_t base, uint64_t there);

#endif
