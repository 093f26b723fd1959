/* The pages of an Ogg file, from any bytes: in a file of that size, from its beginning and from
 * further on. */
#include "fuzz.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/sndfile/whole_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("ogg", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
    FUZZ_CHECK(pwrite(fd, bytes, size, 0) == (ssize_t)size);
    for (uint64_t base = 0; base <= size && base < 4; base++) {
        struct slice file = {.fd = fd, .base = base, .size = size - base};
        struct ending ending;
        struct error error;
        struct patch *patch = ogg_patch(&file);
        int result = ogg_check("x.ogg", &file, patch != NULL, 0, &ending, &error);

        FUZZ_CHECK(patch == NULL || patch->at + patch->size <= file.size);
        free(patch);

        /* Nothing is no file, and what does not begin with a page is none that is whole. */
        if (size - base < 27 || bytes[base] != 'O')
            FUZZ_CHECK(result != 0);
    }
    return 0;
}
