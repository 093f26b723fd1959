/* SPDX-License-Identifier: MIT */
/* What sndfile's files are said to be by their headers and their pages, from any bytes: in a file
 * of that size, from its beginning and from further on. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/codecs/ogg_priv.h"
#include "format/format.h"
#include "format/sndfile/whole_priv.h"

/* Walks through the pages, which come in pieces of this size. Returns how many there are. */
static unsigned walk_pages(struct ogg_walk *walk, const uint8_t *bytes, size_t size, size_t piece)
{
    unsigned pages = 0;

    memset(walk, 0, sizeof *walk);
    for (size_t from = 0; from < size; from += piece) {
        const size_t count = size - from < piece ? size - from : piece;
        enum ogg_event event = OGG_PAGE;
        size_t used = 0;

        while (event != OGG_MORE) {
            event = ogg_walk(walk, bytes + from, count, &used);
            pages += event == OGG_PAGE;
            if (event == OGG_LINK)
                ogg_next_link(walk);
        }
        FUZZ_CHECK(used == count);
    }
    return pages;
}

static void check_pages(const struct slice *file, const uint8_t *bytes)
{
    static struct ogg_walk walk;
    static struct ogg_walk again;
    struct error error;
    struct error other;
    struct patch *patch = ogg_patch(file);
    const unsigned pages = walk_pages(&walk, bytes, file->size, 5000);
    const int result = ogg_check(&walk, "x.ogg", 0, &error);
    size_t wanted;

    FUZZ_CHECK(patch == NULL || patch->at + patch->size <= file->size);
    free(patch);
    FUZZ_CHECK(walk_pages(&again, bytes, file->size, 1) == pages);
    FUZZ_CHECK(ogg_check(&again, "x.ogg", 0, &other) == result);
    FUZZ_CHECK(result == 0 ? strcmp(walk.remark, again.remark) == 0
                           : strcmp(error.reason, other.reason) == 0);
    FUZZ_CHECK(!ogg_is_opus(bytes, file->size, &wanted) || wanted == 0);
    /* Nothing is no file, and what does not begin with a page is none that is whole. */
    if (file->size < OGG_START || bytes[0] != 'O')
        FUZZ_CHECK(result != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("whole", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
    FUZZ_CHECK(pwrite(fd, bytes, size, 0) == (ssize_t)size);
    for (uint64_t base = 0; base <= size && base < 4; base++) {
        struct slice file = {.fd = fd, .base = base, .size = size - base};
        struct promise promise = promise_of(&file);

        FUZZ_CHECK(promise.bytes < UINT64_MAX / 2);
        free(promise.patch);
        (void)format_named("sndfile", 7)->fits(bytes + base, size - base, size - base);
        check_pages(&file, bytes + base);
    }
    return 0;
}
