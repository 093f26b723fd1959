/* Is an Ogg file all there? libsndfile does not say: it plays the first stream of a chain, what is
 * left of one that was cut off, and what is left around a page that is damaged. Private to this
 * folder. */
#ifndef GPUENV_FORMAT_SNDFILE_OGG_PAGES_H
#define GPUENV_FORMAT_SNDFILE_OGG_PAGES_H

#include <stdint.h>

enum ogg_pages {
    OGG_WHOLE,
    OGG_CUT,     /* its last page is missing, or something else stands where a page has to */
    OGG_DAMAGED, /* the checksum of a page is wrong */
    OGG_GAP,     /* pages are missing */
    OGG_CHAINED, /* another stream follows the first */
};

/* Goes from page to page in a plain file, from `base` to its end, and reads them all. `*at` is the
 * byte, from base, of the page that shows it. */
enum ogg_pages ogg_pages_check(int fd, uint64_t base, uint64_t *at);

#endif
