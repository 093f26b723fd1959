/* Pieces are read and computed in chunks. A device, which does all pieces, has chunks of several in
 * flight at the same time. A core does one piece, chunk by chunk, and computes its output in place.
 */
#include "job/pieces_pool_priv.h"

#include <string.h>

#include "job/steps_priv.h"

int worker_open(struct piece_worker *worker, struct error *error)
{
    const struct engine_class *class = worker->class;
    struct source *source = worker->pool->pipeline->source;

    if (class->open(&worker->machine, &worker->setup, 0, &worker->engine, error) != 0)
        return -1;
    while (worker->chunk_count < class->in_flight && worker->chunk_count < WORKER_CHUNKS) {
        if (class->attach(worker->engine, &worker->chunks[worker->chunk_count], error) != 0)
            return -1;
        worker->chunk_count++;
    }
    if (source->class->reader(source, &worker->reader, error) != 0)
        return -1;
    worker->reader->shares = worker->device != NULL;
    return 0;
}

void worker_close(struct piece_worker *worker)
{
    struct pool *pool = worker->pool;

    if (worker->reader != NULL) {
        pthread_mutex_lock(&pool->lock);
        pool->pipeline->source->input->bytes += worker->reader->bytes;
        for (int i = 0; i < STAGES; i++)
            pool->busy[i] += worker->busy[i];
        pthread_mutex_unlock(&pool->lock);
        worker->reader->class->close(worker->reader);
    }
    if (worker->engine == NULL)
        return;
    for (unsigned i = 0; i < worker->chunk_count; i++)
        worker->class->detach(worker->engine, &worker->chunks[i]);
    worker->class->close(worker->engine);
}

/* A chunk in flight. */
struct flight {
    struct chunk *chunk;
    struct piece_slot *slot; /* of its piece */
    uint64_t index;
    bool is_halo;
    bool ends; /* the last of its piece */
};

/* The position of a worker in its pieces. */
struct walk {
    struct flight flights[WORKER_CHUNKS];
    unsigned first;
    unsigned flying;
    bool more;               /* chunks may still be submitted */
    uint64_t index;          /* of the piece */
    struct piece_slot *slot; /* its own; NULL: between pieces */
    uint64_t at;             /* the next frame to submit */
};

/* The next output frame of a piece that waits for its turn. */
static void *slot_frame(const struct piece_worker *worker, const struct piece_slot *slot)
{
    return (unsigned char *)slot->out + slot->out_frames * engine_out_bytes(&worker->setup);
}

/* Errors of the stream are met again in order. */
static bool give_up(const struct piece_worker *worker, const struct walk *walk)
{
    pool_give_up(worker->pool, walk->index);
    return false;
}

/* Starts a piece. The pieces of a device are neighbours: only the first one needs its halo. */
static bool begin_piece(struct piece_worker *worker, struct walk *walk, uint64_t index)
{
    struct pool *pool = worker->pool;
    const struct piece *piece;

    walk->index = index;
    walk->slot = pool_begin(pool, index);
    piece = &walk->slot->piece;
    if (worker->device == NULL || index == 0) {
        walk->at = piece->first - (pool->pipeline->sink == NULL ? 0 : piece->halo);
        worker->class->restart(worker->engine, walk->at);
    }
    if (worker->share != NULL &&
        share_begin(worker->share, pool->pipeline->skipped + piece->first, piece->count,
                    pool->plan.piece, &walk->slot->share) != 0)
        return give_up(worker, walk);
    return true;
}

/* Fills the next chunk. False if there is nothing more to submit. */
static bool fill(struct piece_worker *worker, struct walk *walk, struct flight *flight)
{
    const struct pipeline *pipeline = worker->pool->pipeline;
    struct frame_reader *reader = worker->reader;
    struct chunk *chunk = flight->chunk;
    struct error error;
    uint64_t begin;
    uint64_t end;
    size_t count;
    uint64_t index;
    double from;

    if (walk->slot == NULL &&
        !(pool_take(worker->pool, &index) && begin_piece(worker, walk, index)))
        return false;
    from = clock_seconds();
    begin = walk->slot->piece.first;
    end = begin + walk->slot->piece.count;
    count =
        (size_t)min_u64((walk->at < begin ? begin : end) - walk->at, worker->setup.chunk_frames);
    chunk->in_frames = reader->class->read(reader, pipeline->skipped + walk->at, chunk->in, count);
    worker->busy[STAGE_READER] += clock_seconds() - from;
    if (chunk->in_frames < count ||
        pipeline_look(pipeline, chunk->in, count, walk->at, &error) < count || reader->failed)
        return give_up(worker, walk);
    *flight = (struct flight){
        .chunk = chunk,
        .slot = walk->slot,
        .index = walk->index,
        .is_halo = walk->at < begin,
        .ends = walk->at + count == end,
    };
    chunk_place(chunk, &worker->setup, walk->at);
    if (flight->is_halo)
        chunk_mute(chunk);
    if (worker->device == NULL && walk->slot->out != NULL)
        chunk->out = slot_frame(worker, walk->slot);
    walk->at += count;
    if (flight->ends)
        walk->slot = NULL;
    return true;
}

/* Delivers the results of a chunk. */
static int put(struct piece_worker *worker, const struct flight *flight)
{
    struct pool *pool = worker->pool;
    struct sink *sink = pool->pipeline->sink;
    struct piece_slot *slot = flight->slot;
    const struct chunk *chunk = flight->chunk;
    double from = clock_seconds();
    struct error error;

    if (worker->share != NULL) {
        if (share_add(worker->share, chunk->in, chunk->in_frames) != 0)
            return -1;
        worker->busy[STAGE_ENGINE] += clock_lap(&from);
    }
    if (worker->device != NULL && slot->out != NULL)
        memcpy(slot_frame(worker, slot), chunk->out,
               chunk->out_frames * engine_out_bytes(&worker->setup));
    if (pool->plan.placed && sink != NULL && chunk->out_frames > 0 &&
        sink->class->place(sink, slot->piece.output - pool->first_output + slot->out_frames,
                           chunk->out, chunk->out_frames, &slot->losses, &error) != 0)
        return -1;
    slot->out_frames += chunk->out_frames;
    worker->busy[STAGE_WRITER] += clock_seconds() - from;
    if (!flight->ends)
        return 0;
    pool_hand_over(worker, flight->index);
    return 0;
}

/* The time that a device takes is not that of a CPU. */
static void count_engine(struct piece_worker *worker, double from)
{
    if (worker->device == NULL)
        worker->busy[STAGE_ENGINE] += clock_seconds() - from;
}

/* The flights, each with its chunk, are a ring. */
static unsigned wrap(const struct piece_worker *worker, unsigned place)
{
    return place < worker->chunk_count ? place : place - worker->chunk_count;
}

/* Submits one more chunk, if there is one. */
static int send_next(struct piece_worker *worker, struct walk *walk, struct error *error)
{
    unsigned place = wrap(worker, walk->first + walk->flying);
    struct flight *flight = &walk->flights[place];
    double from;

    flight->chunk = &worker->chunks[place];
    walk->more = fill(worker, walk, flight);
    if (!walk->more)
        return 0;
    from = clock_seconds();
    if (worker->class->submit(worker->engine, flight->chunk, error) != 0)
        return -1;
    count_engine(worker, from);
    walk->flying++;
    return 0;
}

static int fetch_oldest(struct piece_worker *worker, struct walk *walk, struct error *error)
{
    const struct flight *flight = &walk->flights[walk->first];
    double from = clock_seconds();

    if (worker->class->collect(worker->engine, flight->chunk, error) != 0)
        return -1;
    count_engine(worker, from);
    walk->first = wrap(worker, walk->first + 1);
    walk->flying--;
    if (!flight->is_halo && put(worker, flight) != 0) {
        pool_give_up(worker->pool, flight->index);
        walk->more = false;
    }
    return 0;
}

int worker_do(struct piece_worker *worker, uint64_t index, struct error *error)
{
    struct walk walk = {.first = 0};
    void *const out = worker->chunks[0].out; /* slots stand in for that of a core */
    int result = 0;

    walk.more = begin_piece(worker, &walk, index);
    while (result == 0 && (walk.more || walk.flying > 0))
        result = walk.flying == 0 || (walk.more && walk.flying < worker->chunk_count)
                     ? send_next(worker, &walk, error)
                     : fetch_oldest(worker, &walk, error);
    if (result != 0)
        pool_give_up(worker->pool, walk.index);
    worker->chunks[0].out = out;
    return result;
}
