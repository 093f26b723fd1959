#include "batch/ordered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/least.h"
#include "bytes/read_at.h"
#include "bytes/spool.h"

enum {
    COPY_BYTES = 64 * 1024,
    PLACES_FIRST = 1024,
};

/* Where a text may wait. */
struct ordered_place {
    bool ready;
    struct ordered_text text; /* in the temporary file */
};

/* From this size on, the temporary file is truncated when all of its texts are written. */
static const uint64_t SPOOL_KEPT = UINT64_C(16) << 20;

void ordered_init(struct ordered *ordered, struct output *output, const char *between)
{
    *ordered = (struct ordered){.output = output, .between = between, .spool = -1};
    pthread_mutex_init(&ordered->lock, NULL);
}

void ordered_close(struct ordered *ordered)
{
    if (ordered->spool >= 0)
        (void)close(ordered->spool);
    pthread_mutex_destroy(&ordered->lock);
    free(ordered->places);
}

/* Copies a text, block by block if it is in a file: to the output, or `aside`, to the end of the
 * temporary file. */
static int copy(struct ordered *ordered, const struct ordered_text *text, bool aside,
                struct error *error)
{
    char block[COPY_BYTES];
    size_t size;

    for (uint64_t done = 0; done < text->size; done += size) {
        const char *bytes = text->bytes;

        size = (size_t)text->size;
        if (bytes == NULL) {
            bytes = block;
            size = (size_t)least(text->size - done, sizeof block);
            errno = EIO; /* for an early end */
            if (read_at(text->fd, block, size, text->from + done) < size)
                return error_system(error, ERROR_RESOURCE, "a temporary file", errno);
        }
        if (!aside && output_write(ordered->output, bytes, size, error) != 0)
            return -1;
        if (aside && spool_write(ordered->spool, ordered->output->name, bytes, size,
                                 ordered->spool_size, error) != 0)
            return -1;
        ordered->spool_size += aside ? size : 0;
    }
    return 0;
}

/* Writes a text that is due. */
static int write_text(struct ordered *ordered, const struct ordered_text *text, struct error *error)
{
    if (text->size > 0) {
        if (ordered->written &&
            output_write(ordered->output, ordered->between, strlen(ordered->between), error) != 0)
            return -1;
        ordered->written = true;
        if (copy(ordered, text, false, error) != 0)
            return -1;
    }
    ordered->next++;
    return 0;
}

/* Makes room for this number in the ring. */
static int make_room(struct ordered *ordered, uint64_t number)
{
    uint64_t room = ordered->room;
    struct ordered_place *places;

    if (number - ordered->next < room)
        return 0;
    room = room > 0 ? room : PLACES_FIRST;
    while (room <= number - ordered->next)
        room *= 2;
    places = calloc(room, sizeof *places);
    if (places == NULL)
        return -1;
    for (uint64_t i = ordered->next; i < ordered->next + ordered->room; i++)
        places[i % room] = ordered->places[i % ordered->room];
    free(ordered->places);
    ordered->places = places;
    ordered->room = room;
    return 0;
}

static int put_aside(struct ordered *ordered, uint64_t number, const struct ordered_text *text,
                     struct error *error)
{
    struct ordered_text waiting = {.size = text->size};

    if (make_room(ordered, number) != 0)
        return error_system(error, ERROR_FILE, ordered->output->name, errno);
    if (ordered->spool < 0)
        ordered->spool = spool_open(ordered->output->name, "put in order", error);
    if (ordered->spool < 0)
        return -1;
    waiting.fd = ordered->spool;
    waiting.from = ordered->spool_size;
    if (copy(ordered, text, true, error) != 0)
        return -1;
    ordered->places[number % ordered->room] =
        (struct ordered_place){.ready = true, .text = waiting};
    ordered->waiting++;
    return 0;
}

/* Writes the texts that have become due. */
static int write_due(struct ordered *ordered, struct error *error)
{
    while (ordered->waiting > 0 && ordered->places[ordered->next % ordered->room].ready) {
        struct ordered_place *place = &ordered->places[ordered->next % ordered->room];

        place->ready = false;
        ordered->waiting--;
        if (write_text(ordered, &place->text, error) != 0)
            return -1;
    }
    if (ordered->waiting == 0) {
        if (ordered->spool_size > SPOOL_KEPT &&
            TEMP_FAILURE_RETRY(ftruncate(ordered->spool, 0)) != 0)
            return error_system(error, ERROR_FILE, ordered->output->name, errno);
        ordered->spool_size = 0;
    }
    return 0;
}

int ordered_put(struct ordered *ordered, uint64_t number, const struct ordered_text *text,
                struct error *error)
{
    int result;

    pthread_mutex_lock(&ordered->lock);
    if (ordered->failed)
        result = 0;
    else if (number != ordered->next)
        result = put_aside(ordered, number, text, error);
    else if ((result = write_text(ordered, text, error)) == 0)
        result = write_due(ordered, error);
    ordered->failed = ordered->failed || result != 0;
    pthread_mutex_unlock(&ordered->lock);
    return result;
}

int ordered_rest(struct ordered *ordered, struct error *error)
{
    int result = 0;

    pthread_mutex_lock(&ordered->lock);
    while (result == 0 && ordered->waiting > 0 && !ordered->failed) {
        while (!ordered->places[ordered->next % ordered->room].ready)
            ordered->next++;
        result = write_due(ordered, error);
    }
    pthread_mutex_unlock(&ordered->lock);
    return result;
}
