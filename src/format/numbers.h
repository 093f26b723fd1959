/* Whole numbers in the headers of files. Private to this room. */
#ifndef GPUENV_FORMAT_NUMBERS_H
#define GPUENV_FORMAT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Of up to 8 bytes, the highest one first or last. */
static inline uint64_t number_of(const unsigned char *bytes, unsigned count, bool big)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < count; i++)
        number = number << 8 | bytes[big ? i : count - 1 - i];
    return number;
}

static inline uint32_t number_big16(const unsigned char *bytes)
{
    return (uint32_t)number_of(bytes, 2, true);
}

static inline uint32_t number_big32(const unsigned char *bytes)
{
    return (uint32_t)number_of(bytes, 4, true);
}

static inline uint64_t number_big64(const unsigned char *bytes)
{
    return number_of(bytes, 8, true);
}

#endif
