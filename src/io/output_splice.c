/* SPDX-License-Identifier: MIT */
/* Output without a copy: the pages themselves go into the pipe.
 *
 * vmsplice() puts references to our pages into the pipe. A page must not be written again while
 * the pipe, or a reader that has spliced it on, still holds it, and we cannot know when that ends.
 * So we release every page that we have given: MADV_DONTNEED takes it out of our address space,
 * the next write to the same address gets a fresh page, and the kernel keeps the old one until its
 * last reference is dropped. A large ring of pages would not be enough: a reader that holds pages
 * for long would see them change.
 *
 * A fresh page costs a page fault and its clearing. With huge pages that is cheaper than a copy,
 * so only large blocks are given this way, and only they ask for huge pages. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "base/pages.h"
#include "io/output.h"

/* Gives away pages from `from` on. Returns the number of bytes, or -1 with errno set. */
static ssize_t give_some(const struct output *output, void *from, size_t size)
{
    const struct iovec pages = {.iov_base = from, .iov_len = size};
    struct pollfd writable = {.fd = output->fd, .events = POLLOUT};

    for (;;) {
        ssize_t given = vmsplice(output->fd, &pages, 1, 0);

        if (given >= 0 || (errno != EINTR && errno != EAGAIN))
            return given;
        if (errno == EAGAIN)
            (void)poll(&writable, 1, -1); /* the loop tries again in any case */
    }
}

/* MADV_DONTNEED fails for locked pages; then fresh pages are mapped over them. */
static int let_go(void *pages, size_t size)
{
    if (madvise(pages, size, MADV_DONTNEED) == 0)
        return 0;
    return mmap(pages, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) == MAP_FAILED
               ? -1
               : 0;
}

int output_give(struct output *output, void *bytes, size_t size, struct error *error)
{
    size_t whole = size / PAGES_HUGE * PAGES_HUGE;
    unsigned char *from = bytes;
    unsigned char *end = from + size;
    int result;

    if (!output->pipe || (uintptr_t)bytes % PAGES_HUGE != 0 || whole == 0)
        return output_write(output, bytes, size, error);
    while (!output->copies && from < (unsigned char *)bytes + whole) {
        ssize_t given = give_some(output, from, (size_t)((unsigned char *)bytes + whole - from));

        if (given > 0) {
            from += given;
            output->bytes += (uint64_t)given;
        } else {
            output->copies = true; /* not possible here; write() reports a real error */
        }
    }
    result = output_write(output, from, (size_t)(end - from), error);
    if (let_go(bytes, whole) != 0 && result == 0)
        result = error_system(error, ERROR_FILE, output->name, errno);
    /* Only for speed. Not before the first large block: short streams never need it. */
    (void)madvise(bytes, whole, MADV_HUGEPAGE);
    return result;
}
