/* SPDX-License-Identifier: MIT */
#include "format/file_chunk_priv.h"

#include <ctype.h>

#include "format/numbers_priv.h"

const struct chunk_shape chunk_riff = {.name = 4, .size = 4, .align = 2};
const struct chunk_shape chunk_iff = {.name = 4, .size = 4, .big = true, .align = 2};
const struct chunk_shape chunk_caf = {.name = 4, .size = 8, .big = true, .align = 1};
const struct chunk_shape chunk_w64 = {.name = 16, .size = 8, .whole = true, .align = 8};

unsigned chunk_start(const struct chunk_shape *shape)
{
    return shape->name + shape->size;
}

bool chunk_parse(const struct chunk_shape *shape, const unsigned char *bytes,
                 struct file_chunk *chunk)
{
    uint64_t size = number_of_bytes(bytes + shape->name, shape->size, shape->big);

    if (shape->whole && size < chunk_start(shape))
        return false;
    if (shape->whole)
        size -= chunk_start(shape);
    chunk->size = size;
    chunk->padded = size;
    if (size < CHUNK_HUGE)
        chunk->padded = (size + shape->align - 1) / shape->align * shape->align;
    return true;
}

bool chunk_has_name(const unsigned char *bytes)
{
    for (unsigned i = 0; i < 4; i++) {
        if (!isprint(bytes[i]))
            return false;
    }
    return true;
}

bool chunk_size_is_placeholder(uint64_t size)
{
    return size >= 0xffff0000 || (size >= 0x7fff0000 && size <= 0x80000100);
}
