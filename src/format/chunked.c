/* SPDX-License-Identifier: MIT */
/* Reads the headers of files made of chunks, and of AU. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/recognise_priv.h"
#include "format/sndfile/sndfile_priv.h"
#include "io/read_at.h"

enum {
    /* Bytes of a pipe that are kept, at most, in case libsndfile has to decode it. */
    KEPT_MOST = 16 * 1024 * 1024,
    SKIP_BYTES = 4096,
};

/* ---- reading headers */

static bool cut_short(const struct chunked_header *header)
{
    error_set(header->error, ERROR_FILE, header->input->name, "ends inside its %s header",
              header->data.container);
    return false;
}

/* Bytes of a pipe are kept until the samples turn out to be PCM or float. */
static bool keeps_bytes(const struct chunked_header *header)
{
    return !header->input->regular && !header->has_format;
}

static bool keep(struct chunked_header *header, const unsigned char *bytes, size_t size)
{
    struct bytes_taken *taken = &header->taken;

    if (size > KEPT_MOST - taken->size) {
        error_set(header->error, ERROR_FILE, header->input->name,
                  "more than %d bytes before its fmt chunk", KEPT_MOST);
        return false;
    }
    /* Pages of it that are never written to take no memory. */
    if (taken->bytes == NULL)
        taken->bytes = malloc(KEPT_MOST);
    if (taken->bytes == NULL) {
        error_system(header->error, ERROR_FILE, header->input->name, errno);
        return false;
    }
    memcpy(taken->bytes + taken->size, bytes, size);
    taken->size += size;
    return true;
}

bool chunked_read(struct chunked_header *header, unsigned char *bytes, size_t size)
{
    size_t got;

    header->position += size;
    if (input_read_all(header->input, bytes, size, &got, header->error) != 0 ||
        (keeps_bytes(header) && !keep(header, bytes, got)))
        return false;
    return got == size || cut_short(header);
}

bool chunked_skip(struct chunked_header *header, uint64_t size)
{
    unsigned char bytes[SKIP_BYTES];
    uint64_t passed;

    while (keeps_bytes(header) && size > 0) {
        size_t now = (size_t)min_u64(size, SKIP_BYTES);

        if (!chunked_read(header, bytes, now))
            return false;
        size -= now;
    }
    header->position += size;
    if (input_skip(header->input, size, &passed, header->error) != 0)
        return false;
    return passed == size || cut_short(header);
}

bool chunked_next(struct chunked_header *header)
{
    if (!chunked_skip(header, header->rest) ||
        !chunked_read(header, header->start, chunk_start(header->data.chunks)))
        return false;
    header->chunk = (struct file_chunk){.size = 0};
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
    error_set(header->error, ERROR_FILE, header->input->name, "is not a readable %s file: %s",
              header->data.container, why);
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
    size_t size = chunk_start(shape);
    const unsigned char *bytes;
    size_t got;
    bool is_empty;

    if (header->file_end == 0)
        return chunked_ready(header, RAW_UNTIL_END);
    if (input_peek(header->input, size, &bytes, &got, header->error) != 0)
        return false;
    is_empty = got == 0;
    if (got >= size && chunk_has_name(bytes)) {
        struct file_chunk next;

        is_empty = chunk_parse(shape, bytes, &next) && next.size < CHUNK_HUGE &&
                   header->position + size + next.size <= header->file_end;
    }
    return chunked_ready(header, is_empty ? 0 : RAW_UNTIL_END);
}

bool chunked_kind(enum sample_kind *kind, bool is_float, uint32_t bytes, enum sample_kind byte)
{
    const enum sample_kind integers[] = {byte, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32};

    if (is_float)
        *kind = bytes == 4 ? SAMPLE_F32 : SAMPLE_F64;
    else if (bytes >= 1 && bytes <= 4)
        *kind = integers[bytes - 1];
    return is_float ? bytes == 4 || bytes == 8 : bytes >= 1 && bytes <= 4;
}

/* ---- the source */

static int read_header(struct chunked_header *header, struct input *input, header_parser *parse,
                       struct error *error)
{
    *header = (struct chunked_header){.input = input, .error = error};
    parse(header);
    return header->verdict == HEADER_BAD ? -1 : 0;
}

/* For formats with 64-bit sizes, libsndfile seeks back to the header even in a pipe, so the updated
 * header lands after what was written before. sox thus writes the header, the header again, the
 * frames, and the header with their number. The last header marks the end of the frames, and is
 * found only at the end of the file. Without frames there are two headers. */
static int bound_repeated(struct chunked_header *header, header_parser *parse)
{
    struct raw_reader_data *data = &header->data;
    struct input *input = header->input;
    struct error *error = header->error;
    struct recognised next;
    struct chunked_header last;
    unsigned char starts[2][8];
    uint64_t begin;
    uint64_t size;
    uint64_t end; /* the offset of the last header */

    if (data->bytes != RAW_UNTIL_END || data->chunks == NULL || data->chunks->size < 8)
        return 0;
    if (recognise(input, &next, error) != 0)
        return -1;
    if (next.format == NULL || next.format->names[0] == NULL ||
        strcmp(next.format->names[0], data->container) != 0)
        return 0;
    if (spool_input(input, "a file with its header written twice", NULL, error) != 0)
        return -1;
    begin = input_position(input);
    size = input_remaining(input);
    end = begin + size - header->position;
    if (size < header->position || (size > header->position && size < 2 * header->position) ||
        read_at(input->fd, starts[0], sizeof starts[0], begin) < sizeof starts[0] ||
        read_at(input->fd, starts[1], sizeof starts[1], end) < sizeof starts[1] ||
        memcmp(starts[0], starts[1], sizeof starts[0]) != 0)
        return error_set(
            error, ERROR_FILE, input->name,
            "its %s header is repeated, as sox writes it to a pipe, but not at the end: "
            "the file is truncated, or another follows: write to a file, or in "
            "another format",
            data->container);
    if (input_rewind(input, end, error) != 0 || read_header(&last, input, parse, error) != 0)
        return -1;
    /* One byte of padding may precede it. */
    data->bytes = size == header->position ? 0 : end - begin - header->position;
    if (last.verdict == HEADER_READY && last.data.bytes < data->bytes)
        data->bytes = last.data.bytes;
    data->bounded = true;
    return input_rewind(input, begin + header->position, error);
}

int source_open_chunked(struct input *input, const struct source_request *request,
                        const struct recognised *found, struct source **source, struct error *error)
{
    header_parser *parse = found->format->parse;
    uint64_t start = input->regular ? input_position(input) : 0;
    struct chunked_header header;
    int result = read_header(&header, input, parse, error);

    if (result == 0 && header.verdict == HEADER_FOREIGN) {
        if (input->regular)
            result = input_rewind(input, start, error);
        if (result == 0)
            result = source_open_sndfile_after(input, request, header.words, &header.taken, source,
                                               error);
    } else if (result == 0) {
        header.data.format.sample.counts = request->sample.counts;
        result = bound_repeated(&header, parse);
        if (result == 0)
            result = source_open_raw_frames(input, &header.data, source, error);
    }
    free(header.taken.bytes);
    return result;
}
