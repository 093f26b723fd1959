/* Large blocks of zeroed memory, straight from the system. A page takes memory only once it is
 * used. */
#ifndef GPUENV_BASE_PAGES_H
#define GPUENV_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* The size and alignment of a huge page; blocks of at least this size are aligned to it. */
enum { PAGES_HUGE = 2 * 1024 * 1024 };

/* Returns NULL, with errno set, when there is no memory. A size of 0 gives one page. */
void *pages_alloc(size_t size);

/* `size` is what was asked for. NULL is ignored. */
void pages_free(void *pages, size_t size);

/* The same for memory that need not be zeroed: a thread that gives a block back gets it again, with
 * its pages, which costs a short stream less than new ones. The thread that frees it may be another
 * one. */
void *pages_borrow(size_t size);
void pages_return(void *pages, size_t size);

/* How many bytes this process may use: the machine's memory, or where that is lower, its limit as a
 * resource or in its control group; of a limit of addresses, what is left now. */
uint64_t pages_limit(void);

#endif
