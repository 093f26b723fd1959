/* The key of a row of a table (--by): which series it belongs to. */
#ifndef GPUENV_FORMAT_ROW_KEY_H
#define GPUENV_FORMAT_ROW_KEY_H

#include <stdint.h>

struct row_key {
    uint32_t number; /* in the order in which keys appear, from 0 */
    const char *name;
};

#endif
