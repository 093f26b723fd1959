/* SPDX-License-Identifier: MIT */
/* Large blocks of zeroed memory, straight from the system. A page uses memory only once it is
 * touched. */
#ifndef GPUENV_BASE_PAGES_H
#define GPUENV_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size and alignment of a huge page; blocks of at least this size are aligned to it. */
enum { PAGES_HUGE = 2 * 1024 * 1024 };

/* Returns NULL, with errno set, when out of memory. A size of 0 gives one page. */
void *pages_alloc(size_t size);

/* `size` is the size passed to pages_alloc(). NULL is ignored. */
void pages_free(void *pages, size_t size);

/* Alignments: a line of the cache, which is also the widest vector; and a page. */
enum { PAGES_LINE = 64, PAGES_SMALL = 4096 };

/* Memory that is not zeroed, from malloc(), with this alignment; blocks of at least a huge page are
 * aligned to one. Free it by free(), which keeps it: for a short stream, pages already in memory
 * are cheaper than new ones. */
void *pages_malloc(size_t size, size_t alignment);

/* Has memory been touched before? Looks at a few pages of it. A first write to a page clears it,
 * and leaves it in the caches. */
bool pages_are_touched(const void *memory, size_t size);

/* How many bytes this process may use: the machine's memory, or a lower resource limit. A limit on
 * address space counts with what is left of it now. */
uint64_t pages_limit(void);

/* How many bytes its control groups allow. Reads a file for each group. */
uint64_t pages_group_limit(void);

#endif
