/* Lists of numbers on the command line: 1000,1e6,10M and ranges, 1000..1000000*10 (times 10 from
 * number to number), 100..500+100 (100 more), 1..64 (times 2). */
#ifndef GPUENV_BENCH_SERIES_H
#define GPUENV_BENCH_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/values.h"

enum { SERIES_MOST = 64 };

struct series {
    size_t count;
    uint64_t number[SERIES_MOST];
};

/* Appends the number or the range of `length` characters, each number from `least` to `most`.
 * `value` is the option, for messages. */
int series_add(struct series *series, const struct value *value, const char *item, size_t length,
               uint64_t least, uint64_t most, struct error *error);

/* Parses the whole value, a comma-separated list. Earlier contents of the series are dropped. */
int series_parse(struct series *series, const struct value *value, uint64_t least, uint64_t most,
                 struct error *error);

/* The length of the first item of a comma-separated list. *list becomes the rest of the list, NULL
 * after its last item. */
size_t list_item(const char **list);

/* The largest; 0 for none. */
uint64_t series_largest(const struct series *series);

#endif
