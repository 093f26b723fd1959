/* Is an Ogg file all there? libsndfile does not say: it plays the first stream of a chain, and what
 * is left of one that was cut off. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_OGG_PAGES_H
#define GPUENV_FORMAT_SNDFILE_OGG_PAGES_H

#include <stdint.h>

enum ogg_pages {
    OGG_WHOLE,
    OGG_CUT,     /* its last page is missing, or there are gaps */
    OGG_CHAINED, /* another stream follows the first */
};

/* Goes from page to page in a plain file, from `base` to its end. */
enum ogg_pages ogg_pages_check(int fd, uint64_t base);

#endif
