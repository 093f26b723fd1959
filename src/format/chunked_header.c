#include "format/chunked_header.h"

#include <stdarg.h>
#include <stdio.h>

#include "format/numbers.h"

void chunked_begin(struct chunked_header *header, const struct chunked_class *class)
{
    *header = (struct chunked_header){
        .class = class,
        .container = class->container,
        .want = CHUNKED_WANTS_BYTES,
        .state = CHUNKED_START,
        .size = class->first,
        .shape = class->shape,
    };
}

void chunked_take(struct chunked_header *header, const unsigned char *bytes)
{
    header->position += header->size;
    header->class->take(header, bytes);
}

void chunked_skipped(struct chunked_header *header)
{
    header->position += header->size;
    if (header->state == CHUNKED_CHUNK)
        chunked_next(header, 0);
    else
        header->class->take(header, NULL);
}

void chunked_skip_to(struct chunked_header *header, int state, uint64_t size)
{
    header->want = CHUNKED_WANTS_SKIP;
    header->state = state;
    header->size = size;
}

void chunked_bad(struct chunked_header *header, const char *why)
{
    header->want = CHUNKED_IS_BAD;
    header->why = why;
}

void chunked_foreign(struct chunked_header *header, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(header->codec, sizeof header->codec, format, arguments);
    va_end(arguments);
    header->want = CHUNKED_IS_FOREIGN;
}

void chunked_ready(struct chunked_header *header, uint64_t bytes)
{
    header->want = CHUNKED_IS_READY;
    header->bytes = bytes;
}

void chunked_next(struct chunked_header *header, uint64_t skip)
{
    header->want = skip > 0 ? CHUNKED_WANTS_SKIP : CHUNKED_WANTS_BYTES;
    header->state = CHUNKED_CHUNK;
    header->size = skip > 0 ? skip : chunk_start(header->shape);
}

void chunked_want(struct chunked_header *header, const struct chunked_part *part, uint64_t size,
                  uint64_t whole)
{
    if (size < part->least) {
        chunked_bad(header, part->why);
        return;
    }
    header->want = CHUNKED_WANTS_BYTES;
    header->state = part->state;
    header->size = size < part->most ? size : part->most;
    header->rest = whole - header->size;
}

void chunked_empty(struct chunked_header *header)
{
    if (header->file_end == 0) {
        chunked_ready(header, CHUNKED_UNTIL_END);
        return;
    }
    chunked_next(header, 0);
    header->want = CHUNKED_WANTS_LOOK;
}

/* Could a chunk with this size end before the file does? */
static bool fits(const struct chunked_header *header, const unsigned char *bytes)
{
    const struct chunk_shape *shape = header->shape;
    uint64_t size = number_of(bytes + shape->name, shape->size, shape->big);

    if (!shape->whole)
        size += chunk_start(shape);
    return size < CHUNK_HUGE && header->position + size <= header->file_end;
}

/* No data, and a header that knows where the file ends: what follows are chunks, or the end. If
 * they are neither, the header is one that was never filled in, and they are samples. */
void chunked_look(struct chunked_header *header, const unsigned char *bytes, size_t size)
{
    bool is_chunk = size == header->size && chunk_has_name(bytes) && fits(header, bytes);

    chunked_ready(header, size == 0 || is_chunk ? 0 : CHUNKED_UNTIL_END);
}
