/* The sizes that headers promise, from any bytes: in a file of that size, from its beginning and
 * from further on. */
#include "fuzz.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/sndfile/whole_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("sizes", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
    FUZZ_CHECK(pwrite(fd, bytes, size, 0) == (ssize_t)size);
    for (uint64_t base = 0; base <= size && base < 2; base++) {
        struct slice file = {.fd = fd, .base = base, .size = size - base};
        struct promise promise = promise_of(&file);

        FUZZ_CHECK(promise.bytes < UINT64_MAX / 2);
        free(promise.patch);
        (void)size_htk(bytes + base, size - base);
        (void)size_mpc2k(bytes + base, size - base);
    }
    return 0;
}
