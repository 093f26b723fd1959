/* SPDX-License-Identifier: MIT */
#include "tool/ordered_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/read_at.h"
#include "io/spool.h"

enum {
    PLACES_FIRST = 1024,
    SMALL_BYTES =
        16 * 1024, /* a text of a file is read before the lock is taken, up to this size */
};

/* Where a text may wait. */
struct ordered_place {
    bool ready;
    struct ordered_text text; /* in the temporary file or in `held` */
    char *held;               /* to be freed; NULL if the text is in the file */
};

/* Texts that wait in memory have at most so many bytes together; the others wait in the temporary
 * file. */
static const uint64_t HELD_MOST = UINT64_C(16) << 20;

/* From this size on, the temporary file is truncated when all of its texts are written. */
static const uint64_t SPOOL_KEPT = UINT64_C(16) << 20;

void ordered_init(struct ordered *ordered, struct output *output, const char *between)
{
    *ordered = (struct ordered){.output = output, .between = between, .spool.fd = -1};
    pthread_mutex_init(&ordered->lock, NULL);
}

void ordered_close(struct ordered *ordered)
{
    for (uint64_t i = 0; i < ordered->capacity; i++) {
        if (ordered->places[i].ready)
            free(ordered->places[i].held);
    }
    output_close(&ordered->spool);
    pthread_mutex_destroy(&ordered->lock);
    free(ordered->places);
}

static int copy(const struct ordered_text *text, struct output *output, struct error *error)
{
    return text->bytes != NULL ? output_write(output, text->bytes, (size_t)text->size, error)
                               : spool_copy_out(text->fd, text->from, text->size, output, error);
}

/* Writes a text that is due. */
static int write_text(struct ordered *ordered, const struct ordered_text *text, struct error *error)
{
    if (text->size > 0) {
        if (ordered->written &&
            output_write(ordered->output, ordered->between, strlen(ordered->between), error) != 0)
            return -1;
        ordered->written = true;
        if (copy(text, ordered->output, error) != 0)
            return -1;
    }
    ordered->next++;
    return 0;
}

/* Makes room for this number in the ring. */
static int make_room(struct ordered *ordered, uint64_t number)
{
    uint64_t capacity = ordered->capacity;
    struct ordered_place *places;

    if (number - ordered->next < capacity)
        return 0;
    capacity = capacity > 0 ? capacity : PLACES_FIRST;
    while (capacity <= number - ordered->next)
        capacity *= 2;
    places = calloc(capacity, sizeof *places);
    if (places == NULL)
        return -1;
    for (uint64_t i = ordered->next; i < ordered->next + ordered->capacity; i++)
        places[i % capacity] = ordered->places[i % ordered->capacity];
    free(ordered->places);
    ordered->places = places;
    ordered->capacity = capacity;
    return 0;
}

static int empty_spool(struct ordered *ordered, struct error *error)
{
    return spool_output(&ordered->spool, ordered->output->name, SPOOL_ORDER, error);
}

/* Keeps a copy of the text in memory, if it may. */
static bool hold(struct ordered *ordered, struct ordered_place *place,
                 const struct ordered_text *text)
{
    if (text->bytes == NULL || ordered->held + text->size > HELD_MOST)
        return false;
    place->held = malloc(text->size + 1);
    if (place->held == NULL)
        return false;
    memcpy(place->held, text->bytes, text->size);
    place->text.bytes = place->held;
    ordered->held += text->size;
    return true;
}

static int put_in_file(struct ordered *ordered, struct ordered_place *place,
                       const struct ordered_text *text, struct error *error)
{
    if (ordered->spool.fd < 0 && empty_spool(ordered, error) != 0)
        return -1;
    place->text.fd = ordered->spool.fd;
    place->text.from = ordered->spool.bytes;
    if (copy(text, &ordered->spool, error) != 0)
        return spool_error(ordered->output->name, SPOOL_ORDER, error->number, error);
    return 0;
}

static int put_aside(struct ordered *ordered, uint64_t number, const struct ordered_text *text,
                     struct error *error)
{
    struct ordered_place place = {.ready = true, .text.size = text->size};

    if (make_room(ordered, number) != 0)
        return error_system(error, ERROR_FILE, ordered->output->name, errno);
    if (!hold(ordered, &place, text) && put_in_file(ordered, &place, text, error) != 0)
        return -1;
    ordered->places[number % ordered->capacity] = place;
    ordered->waiting++;
    return 0;
}

/* Writes the texts that have become due. */
static int write_due(struct ordered *ordered, struct error *error)
{
    while (ordered->waiting > 0 && ordered->places[ordered->next % ordered->capacity].ready) {
        struct ordered_place *place = &ordered->places[ordered->next % ordered->capacity];
        int result = write_text(ordered, &place->text, error);

        if (place->held != NULL)
            ordered->held -= place->text.size;
        free(place->held);
        place->ready = false;
        ordered->waiting--;
        if (result != 0)
            return -1;
    }
    return ordered->waiting == 0 && ordered->spool.bytes > SPOOL_KEPT ? empty_spool(ordered, error)
                                                                      : 0;
}

int ordered_put(struct ordered *ordered, uint64_t number, const struct ordered_text *given,
                struct error *error)
{
    char bytes[SMALL_BYTES];
    struct ordered_text small = {.bytes = bytes, .size = given->size};
    const struct ordered_text *text = given;
    int result;

    if (given->bytes == NULL && given->size <= sizeof bytes &&
        read_at(given->fd, bytes, given->size, given->from) == given->size)
        text = &small;
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
        while (!ordered->places[ordered->next % ordered->capacity].ready)
            ordered->next++;
        result = write_due(ordered, error);
    }
    pthread_mutex_unlock(&ordered->lock);
    return result;
}
