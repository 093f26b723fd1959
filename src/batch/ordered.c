#include "batch/ordered.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
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

/* From this size on, the temporary file is truncated when all of its texts are written. */
static const uint64_t SPOOL_KEPT = UINT64_C(16) << 20;

/* The place of a waiting text in the temporary file. */
struct place {
    bool ready;
    uint64_t at;
    uint64_t size;
};

struct ordered {
    struct output *output;
    const char *between;
    pthread_mutex_t lock;

    /* All under `lock`. */
    uint64_t next;        /* the number that is due */
    struct place *places; /* a ring: number n waits in place n % room */
    uint64_t room;
    uint64_t waiting;
    int spool; /* -1: no text has had to wait yet */
    uint64_t spool_size;
    bool written; /* a text that was not empty has been written */
};

struct ordered *ordered_open(struct output *output, const char *between)
{
    struct ordered *ordered = calloc(1, sizeof *ordered);

    if (ordered == NULL)
        return NULL;
    *ordered = (struct ordered){.output = output, .between = between, .spool = -1};
    pthread_mutex_init(&ordered->lock, NULL);
    return ordered;
}

void ordered_close(struct ordered *ordered)
{
    if (ordered == NULL)
        return;
    if (ordered->spool >= 0)
        (void)close(ordered->spool);
    pthread_mutex_destroy(&ordered->lock);
    free(ordered->places);
    free(ordered);
}

/* Copies a text, block by block if it is in a file: to the output, or `aside`, to the end of the
 * temporary file. */
static int copy(struct ordered *ordered, const struct ordered_text *text, uint64_t from, bool aside,
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
            if (read_at(text->fd, block, size, from + done) < size)
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
static int write_text(struct ordered *ordered, const struct ordered_text *text, uint64_t from,
                      struct error *error)
{
    if (text->size > 0) {
        if (ordered->written &&
            output_write(ordered->output, ordered->between, strlen(ordered->between), error) != 0)
            return -1;
        ordered->written = true;
        if (copy(ordered, text, from, false, error) != 0)
            return -1;
    }
    ordered->next++;
    return 0;
}

/* Makes room for this number in the ring. */
static int make_room(struct ordered *ordered, uint64_t number)
{
    uint64_t room = ordered->room;
    struct place *places;

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
    uint64_t at;

    if (make_room(ordered, number) != 0)
        return error_system(error, ERROR_FILE, ordered->output->name, errno);
    if (ordered->spool < 0)
        ordered->spool = spool_open(ordered->output->name, "put in order", error);
    if (ordered->spool < 0)
        return -1;
    at = ordered->spool_size;
    if (copy(ordered, text, 0, true, error) != 0)
        return -1;
    ordered->places[number % ordered->room] =
        (struct place){.ready = true, .at = at, .size = text->size};
    ordered->waiting++;
    return 0;
}

/* Writes the texts that have become due. */
static int write_due(struct ordered *ordered, struct error *error)
{
    while (ordered->waiting > 0 && ordered->places[ordered->next % ordered->room].ready) {
        struct place *place = &ordered->places[ordered->next % ordered->room];
        const struct ordered_text text = {.fd = ordered->spool, .size = place->size};

        place->ready = false;
        ordered->waiting--;
        if (write_text(ordered, &text, place->at, error) != 0)
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
    if (number != ordered->next)
        result = put_aside(ordered, number, text, error);
    else if ((result = write_text(ordered, text, 0, error)) == 0)
        result = write_due(ordered, error);
    pthread_mutex_unlock(&ordered->lock);
    return result;
}

int ordered_rest(struct ordered *ordered, struct error *error)
{
    int result = 0;

    pthread_mutex_lock(&ordered->lock);
    while (result == 0 && ordered->waiting > 0) {
        while (!ordered->places[ordered->next % ordered->room].ready)
            ordered->next++;
        result = write_due(ordered, error);
    }
    pthread_mutex_unlock(&ordered->lock);
    return result;
}
