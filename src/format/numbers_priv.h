/* SPDX-License-Identifier: MIT */
/* Integers in file headers, of either byte order: reads them, and builds headers. Private to this
 * room. */
#ifndef GPUENV_FORMAT_NUMBERS_PRIV_H
#define GPUENV_FORMAT_NUMBERS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Up to 8 bytes, most significant first or last. */
static inline uint64_t number_of_bytes(const unsigned char *bytes, unsigned count, bool big)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < count; i++)
        number = number << 8 | bytes[big ? i : count - 1 - i];
    return number;
}

static inline uint32_t number_big16(const unsigned char *bytes)
{
    return (uint32_t)number_of_bytes(bytes, 2, true);
}

static inline uint32_t number_big32(const unsigned char *bytes)
{
    return (uint32_t)number_of_bytes(bytes, 4, true);
}

/* A header under construction. The caller provides room for the longest one. */
struct builder {
    unsigned char *bytes;
    size_t size; /* bytes so far */
};

static inline void builder_put(struct builder *builder, const void *bytes, size_t size)
{
    memcpy(builder->bytes + builder->size, bytes, size);
    builder->size += size;
}

static inline void put_little(struct builder *builder, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        builder->bytes[builder->size++] = (unsigned char)(number >> 8 * i);
}

static inline void put_big(struct builder *builder, uint64_t number, unsigned size)
{
    for (unsigned i = size; i-- > 0;)
        builder->bytes[builder->size++] = (unsigned char)(number >> 8 * i);
}

#endif
