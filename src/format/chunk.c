#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "format/numbers.h"
#include "format/parsers.h"

const struct chunk_shape chunk_riff = {.name = 4, .size = 4, .align = 2};
const struct chunk_shape chunk_iff = {.name = 4, .size = 4, .big = true, .align = 2};
const struct chunk_shape chunk_caf = {.name = 4, .size = 8, .big = true, .align = 1};
const struct chunk_shape chunk_w64 = {.name = 16, .size = 8, .whole = true, .align = 8};

unsigned chunk_start(const struct chunk_shape *shape)
{
    return shape->name + shape->size;
}

bool chunk_parse(const struct chunk_shape *shape, const unsigned char *bytes, struct chunk *chunk)
{
    uint64_t size = number_of(bytes + shape->name, shape->size, shape->big);

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

/* ---- headers */

bool chunked_read(struct chunked_header *header, unsigned char *bytes, size_t size)
{
    header->position += size;
    return header->reader->read(header->reader, bytes, size);
}

bool chunked_skip(struct chunked_header *header, uint64_t size)
{
    header->position += size;
    return size == 0 || header->reader->skip(header->reader, size);
}

bool chunked_next(struct chunked_header *header)
{
    if (!chunked_skip(header, header->rest) ||
        !chunked_read(header, header->start, chunk_start(header->data.chunks)))
        return false;
    header->chunk = (struct chunk){.size = 0};
    header->sane = chunk_parse(header->data.chunks, header->start, &header->chunk);
    header->rest = header->chunk.padded;
    return true;
}

bool chunked_contents(struct chunked_header *header, unsigned char *bytes, size_t most)
{
    size_t size = header->chunk.size < most ? (size_t)header->chunk.size : most;

    header->rest = header->chunk.padded - size;
    return chunked_read(header, bytes, size);
}

bool chunked_bad(struct chunked_header *header, const char *why)
{
    header->verdict = HEADER_BAD;
    header->why = why;
    return false;
}

bool chunked_foreign(struct chunked_header *header, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(header->words, sizeof header->words, format, arguments);
    va_end(arguments);
    header->verdict = HEADER_FOREIGN;
    return false;
}

bool chunked_ready(struct chunked_header *header, uint64_t bytes)
{
    header->verdict = HEADER_READY;
    header->data.bytes = bytes;
    return false;
}

/* If chunks follow, or the end of a file that states its size, there are no samples. Otherwise the
 * header was never filled in, and the bytes are samples. */
bool chunked_empty(struct chunked_header *header)
{
    const struct chunk_shape *shape = header->data.chunks;
    unsigned char bytes[CHUNK_START_MOST] = {0};
    size_t size = chunk_start(shape);
    size_t got = 0;
    uint64_t next;
    bool is_empty;

    if (header->file_end == 0)
        return chunked_ready(header, FRAMED_UNTIL_END);
    if (!header->reader->peek(header->reader, bytes, size, &got))
        return false;
    next = number_of(bytes + shape->name, shape->size, shape->big) + (shape->whole ? 0 : size);
    is_empty = got == 0 || (got == size && chunk_has_name(bytes) && next < CHUNK_HUGE &&
                            header->position + next <= header->file_end);
    return chunked_ready(header, is_empty ? 0 : FRAMED_UNTIL_END);
}
