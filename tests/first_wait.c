/* SPDX-License-Identifier: MIT */
/* Programs with ThreadSanitizer wait once before main(): that of gcc 12 makes its notes of the
 * signals of a thread in the first call that may wait, and loses one that comes meanwhile. */
#include <poll.h>
#include <stddef.h>

__attribute__((constructor)) static void wait_first(void)
{
    (void)poll(NULL, 0, 0);
}
