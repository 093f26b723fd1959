#include "stream/recall.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pages.h"

/* What is there already is not kept back: where fewer bytes come in so much time, readers give up.
 */
enum { PATIENCE_MICROSECONDS = 100000, PATIENCE_BYTES = 1 << 20 };

/* A frame lies at its number modulo `room`. */
struct store {
    unsigned char *frames;
    uint64_t room;
    size_t frame_bytes;
};

struct recall {
    struct source source;
    struct source *of;
    struct store store;
    uint64_t back;
    uint64_t next;        /* the frame that is read next in order */
    _Atomic uint64_t end; /* up to here frames have been read of the other source */
    pthread_mutex_t lock; /* of the reader that reads more of it, and of what follows */
    bool is_dry;          /* too little comes, or nothing more */
    double waited;        /* seconds, for these: */
    uint64_t brought;     /* frames */
    bool failed;          /* the other source, behind `end`: */
    struct error error;
};

struct recall_reader {
    struct frame_reader reader;
    struct recall *recall;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the store */

static int store_open(struct store *store, uint64_t room, size_t frame_bytes)
{
    *store = (struct store){.room = room, .frame_bytes = frame_bytes};
    store->frames = pages_alloc(room * frame_bytes);
    return store->frames == NULL ? -1 : 0;
}

static void store_close(struct store *store)
{
    pages_free(store->frames, store->room * store->frame_bytes);
}

static unsigned char *place_of(const struct store *store, uint64_t frame)
{
    return store->frames + frame % store->room * store->frame_bytes;
}

/* How many of the frames from this one on lie in one stretch. */
static uint64_t stretch_of(const struct store *store, uint64_t frame, uint64_t count)
{
    return least(count, store->room - frame % store->room);
}

static void copy_in(struct store *store, uint64_t frame, const unsigned char *bytes, uint64_t count)
{
    while (count > 0) {
        uint64_t stretch = stretch_of(store, frame, count);

        memcpy(place_of(store, frame), bytes, stretch * store->frame_bytes);
        bytes += stretch * store->frame_bytes;
        frame += stretch;
        count -= stretch;
    }
}

static void copy_out(const struct store *store, uint64_t frame, unsigned char *bytes,
                     uint64_t count)
{
    while (count > 0) {
        uint64_t stretch = stretch_of(store, frame, count);

        memcpy(bytes, place_of(store, frame), stretch * store->frame_bytes);
        bytes += stretch * store->frame_bytes;
        frame += stretch;
        count -= stretch;
    }
}

int recall_make_room(struct recall *recall, uint64_t ahead)
{
    struct store *old = &recall->store;
    struct store wider;
    uint64_t end = atomic_load(&recall->end);
    /* What has been read ahead is yet to be given. */
    uint64_t frame = least(recall->next, end - least(end, recall->back));

    if (old->room >= recall->back + ahead)
        return 0;
    if (store_open(&wider, recall->back + ahead, old->frame_bytes) != 0)
        return -1;
    while (frame < end) {
        uint64_t stretch = stretch_of(old, frame, end - frame);

        copy_in(&wider, frame, place_of(old, frame), stretch);
        frame += stretch;
    }
    store_close(old);
    *old = wider;
    return 0;
}

/* ---- in order */

static int read_in_order(struct source *source, void *frames, size_t room, size_t *got,
                         struct error *error)
{
    struct recall *recall = (struct recall *)source;
    uint64_t end = atomic_load(&recall->end);
    uint64_t kept;

    if (recall->next < end) {
        *got = (size_t)least(room, end - recall->next);
        copy_out(&recall->store, recall->next, frames, *got);
        recall->next += *got;
        return 0;
    }
    if (recall->failed) {
        *error = recall->error;
        return -1;
    }
    if (recall->of->class->read(recall->of, frames, room, got, error) != 0)
        return -1;
    end += *got;
    kept = least(*got, recall->back);
    copy_in(&recall->store, end - kept,
            (unsigned char *)frames + (*got - kept) * recall->store.frame_bytes, kept);
    recall->next = end;
    atomic_store(&recall->end, end);
    return 0;
}

static bool is_ready(struct source *source, unsigned microseconds)
{
    struct recall *recall = (struct recall *)source;

    return recall->next < atomic_load(&recall->end) || recall->failed ||
           recall->of->class->ready(recall->of, microseconds);
}

static int go(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    struct recall *recall = (struct recall *)source;

    (void)doubt;
    (void)error;
    recall->next = frame;
    recall->is_dry = false;
    recall->waited = 0;
    recall->brought = 0;
    return 0;
}

/* ---- at any place */

/* With the lock held. */
static void look_at_pace(struct recall *recall, double seconds, uint64_t frames)
{
    recall->waited += seconds;
    recall->brought += frames;
    if (recall->waited < PATIENCE_MICROSECONDS * 1e-6)
        return;
    if (recall->brought * recall->store.frame_bytes < PATIENCE_BYTES)
        recall->is_dry = true;
    recall->waited = 0;
    recall->brought = 0;
}

/* Reads more, but not beyond a frame. With the lock held. */
static void read_more(struct recall *recall, uint64_t to)
{
    struct source *of = recall->of;
    uint64_t end = atomic_load(&recall->end);
    size_t room = (size_t)stretch_of(&recall->store, end, to - end);
    double from = clock_seconds();
    size_t got = 0;

    recall->is_dry = recall->failed || !of->class->ready(of, PATIENCE_MICROSECONDS);
    if (recall->is_dry)
        return;
    recall->failed =
        of->class->read(of, place_of(&recall->store, end), room, &got, &recall->error) != 0;
    recall->is_dry = recall->failed || got == 0;
    if (recall->is_dry)
        return;
    atomic_store(&recall->end, end + got);
    look_at_pace(recall, clock_seconds() - from, got);
}

static size_t read_anywhere(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct recall *recall = ((struct recall_reader *)reader)->recall;
    uint64_t to = frame + count;

    while (atomic_load(&recall->end) < to) {
        bool is_dry;

        pthread_mutex_lock(&recall->lock);
        if (!recall->is_dry && atomic_load(&recall->end) < to)
            read_more(recall, to);
        is_dry = recall->is_dry;
        pthread_mutex_unlock(&recall->lock);
        if (is_dry)
            break;
    }
    to = least(to, atomic_load(&recall->end));
    count = to > frame ? (size_t)(to - frame) : 0;
    copy_out(&recall->store, frame, frames, count);
    return count;
}

static bool is_well(const struct frame_reader *reader)
{
    (void)reader;
    return true;
}

static void close_reader(struct frame_reader *reader)
{
    free(reader);
}

static int open_reader(struct source *source, struct frame_reader **reader, struct error *error)
{
    static const struct frame_reader_class class = {
        .read = read_anywhere, .is_well = is_well, .close = close_reader};
    struct recall_reader *new = malloc(sizeof *new);

    if (new == NULL)
        return error_system(error, ERROR_FILE, source->input->name, errno);
    *new = (struct recall_reader){.reader.class = &class, .recall = (struct recall *)source};
    *reader = &new->reader;
    return 0;
}

/* ---- the whole */

struct recall *recall_open(struct source *of, uint64_t frame, size_t frame_bytes, uint64_t back)
{
    static const struct source_class class = {
        .read = read_in_order, .reader = open_reader, .go = go, .ready = is_ready};
    struct recall *recall = calloc(1, sizeof *recall);

    if (recall == NULL)
        return NULL;
    recall->source = *of;
    recall->source.class = &class;
    recall->of = of;
    recall->back = back;
    recall->next = frame;
    atomic_init(&recall->end, frame);
    pthread_mutex_init(&recall->lock, NULL);
    if (store_open(&recall->store, back > 0 ? back : 1, frame_bytes) == 0)
        return recall;
    recall_close(recall);
    return NULL;
}

void recall_close(struct recall *recall)
{
    if (recall == NULL)
        return;
    store_close(&recall->store);
    pthread_mutex_destroy(&recall->lock);
    free(recall);
}

struct source *recall_source(struct recall *recall)
{
    return &recall->source;
}
