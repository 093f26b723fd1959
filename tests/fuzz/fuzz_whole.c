/* What sndfile's files are said to be by their headers and their pages, from any bytes: in a file
 * of that size, from its beginning and from further on. */
#include "fuzz.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/sndfile/whole_priv.h"

static void check_pages(const struct slice *file, const uint8_t *bytes)
{
    struct ending ending;
    struct error error;
    struct patch *patch = ogg_patch(file);
    int result = ogg_check("x.ogg", file, patch != NULL, 0, &ending, &error);

    FUZZ_CHECK(patch == NULL || patch->at + patch->size <= file->size);
    free(patch);
    /* Nothing is no file, and what does not begin with a page is none that is whole. */
    if (file->size < 27 || bytes[0] != 'O')
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
        (void)size_htk(bytes + base, size - base);
        (void)size_mpc2k(bytes + base, size - base);
        check_pages(&file, bytes + base);
    }
    return 0;
}
