#include "format/chunked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/read_at.h"
#include "bytes/spool.h"
#include "format/framed.h"
#include "format/recognise.h"
#include "format/sndfile/sndfile.h"

enum {
    /* How much of a pipe may have to be kept, in case that its codec is one for libsndfile. */
    KEPT_MOST = 16 * 1024 * 1024,
    SKIP_BYTES = 4096,
};

struct reader_state {
    struct input *input;
    struct chunked_header header;
    struct bytes_taken taken; /* all bytes so far; not of plain files, which can be read again */
    size_t room;
};

static int keep(struct reader_state *state, const unsigned char *bytes, size_t size,
                struct error *error)
{
    struct bytes_taken *taken = &state->taken;

    if (size == 0 || state->input->regular || state->header.has_format)
        return 0;
    if (size > KEPT_MOST - taken->size)
        return error_set(error, ERROR_FILE, state->input->name,
                         "more than %d bytes before its fmt chunk", KEPT_MOST);
    if (size > state->room - taken->size) {
        size_t room = 2 * (taken->size + size) + SKIP_BYTES;
        unsigned char *more = realloc(taken->bytes, room);

        if (more == NULL)
            return error_system(error, ERROR_FILE, state->input->name, errno);
        taken->bytes = more;
        state->room = room;
    }
    memcpy(taken->bytes + taken->size, bytes, size);
    taken->size += size;
    return 0;
}

static int cut_short(const struct reader_state *state, struct error *error)
{
    return error_set(error, ERROR_FILE, state->input->name, "ends inside its %s header",
                     state->header.container);
}

static int read_header_bytes(struct reader_state *state, struct error *error)
{
    unsigned char bytes[CHUNKED_MOST];
    size_t got;

    if (input_read_all(state->input, bytes, (size_t)state->header.size, &got, error) != 0 ||
        keep(state, bytes, got, error) != 0)
        return -1;
    if (got < state->header.size)
        return cut_short(state, error);
    chunked_take(&state->header, bytes);
    return 0;
}

static int skip_header_bytes(struct reader_state *state, struct error *error)
{
    uint64_t left = state->header.size;
    bool seek = state->input->regular || state->header.has_format;

    while (left > 0) {
        unsigned char bytes[SKIP_BYTES];
        uint64_t got;

        if (seek) {
            if (input_skip(state->input, left, &got, error) != 0)
                return -1;
        } else {
            size_t some;

            if (input_read(state->input, bytes, left < SKIP_BYTES ? (size_t)left : SKIP_BYTES,
                           &some, error) != 0 ||
                keep(state, bytes, some, error) != 0)
                return -1;
            got = some;
        }
        if (got == 0)
            return cut_short(state, error);
        left -= got;
    }
    chunked_skipped(&state->header);
    return 0;
}

static int look_ahead(struct reader_state *state, struct error *error)
{
    const unsigned char *bytes;
    size_t got;

    if (input_peek(state->input, (size_t)state->header.size, &bytes, &got, error) != 0)
        return -1;
    if (got > state->header.size)
        got = (size_t)state->header.size;
    chunked_look(&state->header, bytes, got);
    return 0;
}

static int read_header(struct reader_state *state, const struct chunked_class *class,
                       struct error *error)
{
    chunked_begin(&state->header, class);
    for (;;) {
        int result = 0;

        switch (state->header.want) {
        case CHUNKED_WANTS_BYTES:
            result = read_header_bytes(state, error);
            break;
        case CHUNKED_WANTS_SKIP:
            result = skip_header_bytes(state, error);
            break;
        case CHUNKED_WANTS_LOOK:
            result = look_ahead(state, error);
            break;
        case CHUNKED_IS_READY:
        case CHUNKED_IS_FOREIGN:
            return 0;
        case CHUNKED_IS_BAD:
            return error_set(error, ERROR_FILE, state->input->name,
                             "is no %s file that can be read: it %s", state->header.container,
                             state->header.why);
        }
        if (result != 0)
            return -1;
    }
}

static int open_foreign(struct reader_state *state, uint64_t start,
                        const struct source_request *request, struct source **source,
                        struct error *error)
{
    struct input *input = state->input;
    char words[96];

    (void)snprintf(words, sizeof words, "a file of type %s with %s", state->header.container,
                   state->header.codec);
    if (input->regular && input_rewind(input, start, error) != 0)
        return -1;
    return source_open_sndfile_after(input, request, words, input->regular ? NULL : &state->taken,
                                     source, error);
}

/* Of the formats with 64-bit sizes libsndfile, in a pipe, goes back to its header all the same, and
 * what it fills in lands behind what was there: sox writes the header, the header once more, the
 * frames, and the header with their number. Does a second one follow? */
static int is_repeated(const struct reader_state *state, bool *repeated, struct error *error)
{
    const struct chunked_header *header = &state->header;
    struct recognised next = {.format = NULL};

    *repeated = false;
    if (header->bytes != CHUNKED_UNTIL_END || header->shape->size < 8)
        return 0;
    if (recognise(state->input, &next, error) != 0)
        return -1;
    *repeated = next.format != NULL && next.format->names[0] != NULL &&
                strcmp(next.format->names[0], header->container) == 0;
    return 0;
}

/* Where the frames end, only the end of the file tells, which is the third header. Without frames
 * there are two. */
static int bound_repeated(const struct reader_state *state, struct framed_data *data,
                          struct error *error)
{
    struct input *input = state->input;
    struct reader_state last = {.input = input};
    uint64_t header = state->header.position;
    unsigned char starts[2][8];
    uint64_t begin;
    uint64_t size;
    uint64_t end; /* where the last header begins */

    if (spool_input(input, "a file with its header written twice", NULL, error) != 0)
        return -1;
    begin = input_position(input);
    size = input_remaining(input);
    end = begin + size - header;
    if (size < header || (size > header && size < 2 * header) ||
        read_at(input->fd, starts[0], sizeof starts[0], begin) < sizeof starts[0] ||
        read_at(input->fd, starts[1], sizeof starts[1], end) < sizeof starts[1] ||
        memcmp(starts[0], starts[1], sizeof starts[0]) != 0)
        return error_set(error, ERROR_FILE, input->name,
                         "its %s header stands there twice, as sox leaves it in a pipe, but not "
                         "at the end: it is cut off, or another follows: write to a file, or "
                         "another format",
                         state->header.container);
    if (input_rewind(input, end, error) != 0 || read_header(&last, state->header.class, error) != 0)
        return -1;
    /* A byte that makes an odd number even may stand in between. */
    data->bytes = size == header ? 0 : end - begin - header;
    if (last.header.want == CHUNKED_IS_READY && last.header.bytes < data->bytes)
        data->bytes = last.header.bytes;
    data->bounded = true;
    return input_rewind(input, begin + header, error);
}

static int open_framed(struct reader_state *state, const struct source_request *request,
                       struct source **source, struct error *error)
{
    const struct chunked_header *header = &state->header;
    bool repeated;
    struct framed_data data = {
        .container = header->container,
        .sample = header->sample,
        .channels = header->channels,
        .rate = header->rate,
        .bytes = header->bytes == CHUNKED_UNTIL_END ? FRAMED_UNTIL_END : header->bytes,
        .padding = header->padding,
        .chunks = header->shape,
    };

    data.sample.counts = request->sample.counts;
    if (is_repeated(state, &repeated, error) != 0 ||
        (repeated && bound_repeated(state, &data, error) != 0))
        return -1;
    return source_open_framed(state->input, &data, source, error);
}

int source_open_chunked(struct input *input, const struct chunked_class *class,
                        const struct source_request *request, struct source **source,
                        struct error *error)
{
    struct reader_state state = {.input = input};
    uint64_t start = input->regular ? input_position(input) : 0;
    int result = read_header(&state, class, error);

    if (result == 0 && state.header.want == CHUNKED_IS_FOREIGN)
        result = open_foreign(&state, start, request, source, error);
    else if (result == 0)
        result = open_framed(&state, request, source, error);
    free(state.taken.bytes);
    return result;
}
