/* Reads the headers of files made of chunks, and of AU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/read_at.h"
#include "bytes/spool.h"
#include "format/format.h"
#include "format/framed.h"
#include "format/parsers.h"
#include "format/recognise.h"
#include "format/sndfile/sndfile.h"

enum {
    /* The most that is kept from a pipe in case libsndfile has to decode it. */
    KEPT_MOST = 16 * 1024 * 1024,
    SKIP_BYTES = 4096,
};

struct file_header {
    struct header_reader reader;
    struct chunked_header header;
    struct input *input;
    struct error *error;
    struct bytes_taken taken; /* all bytes so far; not for plain files, which are read again */
};

static bool cut_short(const struct file_header *file)
{
    error_set(file->error, ERROR_FILE, file->input->name, "ends inside its %s header",
              file->header.data.container);
    return false;
}

/* Until the samples turn out to be PCM or float. */
static bool keeps_bytes(const struct file_header *file)
{
    return !file->input->regular && !file->header.has_format;
}

static bool keep(struct file_header *file, const unsigned char *bytes, size_t size)
{
    struct bytes_taken *taken = &file->taken;

    if (size == 0 || !keeps_bytes(file))
        return true;
    if (size > KEPT_MOST - taken->size) {
        error_set(file->error, ERROR_FILE, file->input->name,
                  "more than %d bytes before its fmt chunk", KEPT_MOST);
        return false;
    }
    /* Pages that are not written to are not there. */
    if (taken->bytes == NULL)
        taken->bytes = malloc(KEPT_MOST);
    if (taken->bytes == NULL) {
        error_system(file->error, ERROR_FILE, file->input->name, errno);
        return false;
    }
    memcpy(taken->bytes + taken->size, bytes, size);
    taken->size += size;
    return true;
}

static bool read_bytes(struct header_reader *reader, unsigned char *bytes, size_t size)
{
    struct file_header *file = (struct file_header *)reader;
    size_t got;

    if (input_read_all(file->input, bytes, size, &got, file->error) != 0 || !keep(file, bytes, got))
        return false;
    return got == size || cut_short(file);
}

static bool skip_bytes(struct header_reader *reader, uint64_t size)
{
    struct file_header *file = (struct file_header *)reader;
    unsigned char bytes[SKIP_BYTES];
    uint64_t passed;

    for (; keeps_bytes(file) && size > SKIP_BYTES; size -= SKIP_BYTES) {
        if (!read_bytes(reader, bytes, SKIP_BYTES))
            return false;
    }
    if (keeps_bytes(file))
        return read_bytes(reader, bytes, (size_t)size);
    if (input_skip(file->input, size, &passed, file->error) != 0)
        return false;
    return passed == size || cut_short(file);
}

static bool peek_bytes(struct header_reader *reader, unsigned char *bytes, size_t size, size_t *got)
{
    const struct file_header *file = (const struct file_header *)reader;
    const unsigned char *there;

    if (input_peek(file->input, size, &there, got, file->error) != 0)
        return false;
    *got = *got < size ? *got : size;
    memcpy(bytes, there, *got);
    return true;
}

static int read_header(struct file_header *file, struct input *input, header_parser *parse,
                       struct error *error)
{
    *file = (struct file_header){
        .reader = {.read = read_bytes, .skip = skip_bytes, .peek = peek_bytes},
        .header.reader = &file->reader,
        .input = input,
        .error = error,
    };
    parse(&file->header);
    if (file->header.verdict == HEADER_BAD)
        return error_set(error, ERROR_FILE, input->name, "is not a readable %s file: %s",
                         file->header.data.container, file->header.why);
    return file->header.verdict == HEADER_UNREADABLE ? -1 : 0;
}

/* For formats with 64-bit sizes, libsndfile seeks back to the header even in a pipe, so the
 * updated header lands after what was written before. sox thus writes the header, the header
 * again, the frames, and the header with their number. True if a second header follows. */
static int is_repeated(const struct file_header *file, bool *repeated, struct error *error)
{
    const struct chunked_header *header = &file->header;
    struct recognised next = {.format = NULL};

    *repeated = false;
    if (header->data.bytes != FRAMED_UNTIL_END || header->data.chunks == NULL ||
        header->data.chunks->size < 8)
        return 0;
    if (recognise(file->input, &next, error) != 0)
        return -1;
    *repeated = next.format != NULL && next.format->names[0] != NULL &&
                strcmp(next.format->names[0], header->data.container) == 0;
    return 0;
}

/* The third header marks the end of the frames, and is found only at the end of the file. Without
 * frames there are two headers. */
static int bound_repeated(struct file_header *file, header_parser *parse, struct error *error)
{
    struct framed_data *data = &file->header.data;
    struct input *input = file->input;
    struct file_header last;
    uint64_t header = file->header.position;
    unsigned char starts[2][8];
    uint64_t begin;
    uint64_t size;
    uint64_t end; /* the offset of the last header */

    if (spool_input(input, "a file with its header written twice", NULL, error) != 0)
        return -1;
    begin = input_position(input);
    size = input_remaining(input);
    end = begin + size - header;
    if (size < header || (size > header && size < 2 * header) ||
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
    data->bytes = size == header ? 0 : end - begin - header;
    if (last.header.verdict == HEADER_READY && last.header.data.bytes < data->bytes)
        data->bytes = last.header.data.bytes;
    data->bounded = true;
    return input_rewind(input, begin + header, error);
}

int source_open_chunked(struct input *input, const struct source_request *request,
                        const struct recognised *found, struct source **source, struct error *error)
{
    header_parser *parse = found->format->parse;
    uint64_t start = input->regular ? input_position(input) : 0;
    struct file_header file;
    int result = read_header(&file, input, parse, error);
    bool repeated = false;

    if (result == 0 && file.header.verdict == HEADER_FOREIGN) {
        if (input->regular)
            result = input_rewind(input, start, error);
        if (result == 0)
            result = source_open_sndfile_after(input, request, file.header.words,
                                               input->regular ? NULL : &file.taken, source, error);
    } else if (result == 0) {
        file.header.data.sample.counts = request->sample.counts;
        result = is_repeated(&file, &repeated, error);
        if (result == 0 && repeated)
            result = bound_repeated(&file, parse, error);
        if (result == 0)
            result = source_open_framed(input, &file.header.data, source, error);
    }
    free(file.taken.bytes);
    return result;
}
