/* Devices as workers. Each has its own thread, which starts the device beside the cores and then
 * takes ranges of neighbouring pieces: only the first piece of a range needs its halo. Chunks of
 * neighbouring pieces are in flight at the same time.
 *
 * The stream's own data is touched only between device_enter() and device_leave() ("inside"), and
 * no engine call is made there. So an engine call that hangs blocks no other thread: after a while
 * the device counts as hung, other workers do its pieces, and it can no longer enter. Its buffers
 * stay allocated, because it may still write to them. */
#include "stream/pieces_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "lib/engines.h"
#include "stream/pieces.h"

static bool device_enter(struct device *device)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    device->inside = !run->over && device_is_at_work(device);
    device->last_alive = run_now(run);
    pthread_mutex_unlock(&run->lock);
    return device->inside;
}

static void device_leave(struct device *device)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    device->inside = false;
    device->last_alive = run_now(run);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* Does not touch the stream. */
static int open_engine(struct device *device, struct error *error)
{
    unsigned wanted;

    if (engines_open(device->class, &device->machine, &device->setup, 0, &device->engine, error) !=
        0)
        return -1;
    wanted = device->class->chunks_in_flight(device->engine);
    while (device->chunk_count < wanted && device->chunk_count < DEVICE_CHUNKS) {
        if (device->class->attach(device->engine, &device->chunks[device->chunk_count], error) != 0)
            return -1;
        device->chunk_count++;
    }
    return 0;
}

static void close_engine(struct device *device)
{
    if (device->engine == NULL)
        return;
    for (unsigned i = 0; i < device->chunk_count; i++)
        device->class->detach(device->engine, &device->chunks[i]);
    device->class->close(device->engine);
}

static void fail(struct device *device, enum device_state state, const struct error *error)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    if (!run->over && device->account.state != DEVICE_HUNG) {
        device->account.error = *error;
        device_end_work(device, state);
        if (run->request.alone && !run->failed) {
            run->failed = true;
            run->error = *error;
            run->limit = run->committed;
        }
    }
    pthread_mutex_unlock(&run->lock);
}

/* False if the stream has ended already. */
static bool join(struct device *device)
{
    struct run *run = device->run;
    struct source *source;
    struct error error;
    bool joined;

    pthread_mutex_lock(&run->lock);
    keep_note(run->keep, device->account.number, KEEP_WARM);
    joined = !run->over;
    device->inside = joined;
    pthread_mutex_unlock(&run->lock);
    if (!joined)
        return false;
    source = run->pipeline->source;
    joined = source->class->reader(source, &device->reader, &error) == 0;
    pthread_mutex_lock(&run->lock);
    if (joined) {
        device->account.state = DEVICE_AT_WORK;
        device->account.joined = run_now(run);
        device->account.joined_at = run->done;
        device->class->describe(device->engine, device->account.words,
                                sizeof device->account.words);
    }
    pthread_mutex_unlock(&run->lock);
    device_leave(device);
    if (!joined)
        fail(device, DEVICE_NEVER, &error);
    return joined;
}

/* The number of pieces that a device may take now: fewer towards the end, so that all workers
 * finish at about the same time. Call with the lock held. */
static uint64_t count_free(const struct run *run)
{
    uint64_t room = run->committed + run->plan.slots - run->next;

    return run->next < run->limit
               ? least(least(room, DEVICE_PIECES), (run->limit - run->next) / 4 + 1)
               : 0;
}

/* Takes a range of pieces. False if there is none. */
static bool take_pieces(struct device *device)
{
    struct run *run = device->run;
    uint64_t count = 0;

    pthread_mutex_lock(&run->lock);
    while (!run->over && device_is_at_work(device) && !device->retires && run->next < run->limit) {
        count = count_free(run);
        if (count > 0)
            break;
        pthread_cond_wait(&run->changed, &run->lock);
    }
    /* A hung device keeps its range: cores may still have to take over its pieces. */
    if (count > 0) {
        device->held = device->next = run->next;
        run->next += count;
        device->end = run->next;
    } else if (device->retires && !run->over && device_is_at_work(device)) {
        device_end_work(device, DEVICE_RETIRED);
    }
    pthread_mutex_unlock(&run->lock);
    return count > 0;
}

/* A chunk in flight. */
struct flight {
    struct chunk *chunk;
    uint64_t index; /* of its piece */
    bool is_halo;
    bool begins; /* the first of its piece */
    bool ends;   /* the last one */
};

/* The position of a device in its range of pieces. */
struct walk {
    struct flight flights[DEVICE_CHUNKS];
    unsigned room; /* flights used */
    unsigned first;
    unsigned flying;
    bool is_in; /* inside a piece: */
    uint64_t index;
    uint64_t begin; /* its first frame */
    uint64_t end;
    uint64_t at;   /* the next frame to submit */
    bool is_first; /* no piece has been started yet */
    double busy[RING_STAGES];
};

/* Extends the range if the pieces after it are still free: they need no halo, and the chunks in
 * flight need not return first. Call with the lock held. */
static void prolong(struct device *device)
{
    struct run *run = device->run;

    if (device->next == device->end && device->end == run->next && !device->retires) {
        run->next += count_free(run);
        device->end = run->next;
    }
}

/* Starts the next piece. Called inside. False if there is none. */
static bool begin_piece(struct device *device, struct walk *walk)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    prolong(device);
    walk->is_in = device->next < device->end && device->next < run->limit;
    if (walk->is_in)
        walk->index = device->next++;
    pthread_mutex_unlock(&run->lock);
    if (!walk->is_in)
        return false;
    walk->begin = run_first_of(run, walk->index);
    walk->end = run_first_of(run, walk->index + 1);
    if (walk->is_first) {
        walk->at = walk->begin - piece_make(&device->setup.window, walk->begin, 0).halo;
        device->class->restart(device->engine, walk->at);
    }
    walk->is_first = false;
    return true;
}

/* Fills the next chunk. Called inside. False if there is nothing more to submit. */
static bool fill(struct device *device, struct walk *walk, struct flight *flight)
{
    const struct run *run = device->run;
    const struct pipeline *pipeline = run->pipeline;
    struct chunk *chunk = flight->chunk;
    double from = clock_seconds();
    struct error error; /* met again in order */
    uint64_t left;
    size_t count;

    if (!walk->is_in && !begin_piece(device, walk))
        return false;
    left = (walk->at < walk->begin ? walk->begin : walk->end) - walk->at;
    count = (size_t)least(left, device->setup.chunk_frames);
    chunk->in_frames =
        device->reader->class->read(device->reader, pipeline->skipped + walk->at, chunk->in, count);
    if (chunk->in_frames < count ||
        pipeline_before_nan(pipeline, chunk->in, count, walk->at, &error) < count ||
        device->reader->failed) {
        run_give_up(device->run, walk->index);
        walk->is_in = false;
        return false;
    }
    chunk_place(chunk, &device->setup, walk->at);
    flight->is_halo = walk->at < walk->begin;
    flight->begins = walk->at == walk->begin;
    if (flight->is_halo)
        chunk_mute(chunk);
    flight->index = walk->index;
    walk->at += count;
    flight->ends = walk->at == walk->end;
    walk->is_in = !flight->ends;
    walk->busy[RING_READER] += clock_seconds() - from;
    return true;
}

/* Delivers the output of a returned chunk. Called inside. */
static void put(struct device *device, struct walk *walk, const struct flight *flight)
{
    struct run *run = device->run;
    struct slot *slot =
        flight->begins ? run_begin(run, flight->index) : run_slot(run, flight->index);
    double from = clock_seconds();
    struct error error;

    if (slot->out != NULL)
        memcpy(slot_frame(run, slot), flight->chunk->out,
               flight->chunk->out_frames * engine_out_bytes(&device->setup));
    if (run_put(run, slot, flight->chunk, &error) != 0) {
        run_give_up(run, flight->index);
        return;
    }
    walk->busy[RING_WRITER] += clock_seconds() - from;
    if (!flight->ends)
        return;
    pthread_mutex_lock(&run->lock);
    device->held = flight->index + 1;
    device->account.frames += slot->piece.count;
    pthread_mutex_unlock(&run->lock);
    run_hand_over(run, slot, walk->busy);
    run_commit_due(run, &walk->busy[RING_WRITER]);
}

/* Submits one more chunk, if there is one. Returns -1 if the device fails; `*more` is false if
 * there is nothing more to submit. */
static int send_next(struct device *device, struct walk *walk, bool *more, struct error *error)
{
    unsigned place = (walk->first + walk->flying) % walk->room;
    struct flight *flight = &walk->flights[place];

    flight->chunk = &device->chunks[place];
    *more = device_enter(device);
    if (!*more)
        return 0;
    *more = fill(device, walk, flight);
    device_leave(device);
    if (!*more)
        return 0;
    if (device->class->submit(device->engine, flight->chunk, error) != 0)
        return -1;
    walk->flying++;
    return 0;
}

static int fetch_oldest(struct device *device, struct walk *walk, struct error *error)
{
    const struct flight *flight = &walk->flights[walk->first];

    if (device->class->collect(device->engine, flight->chunk, error) != 0)
        return -1;
    walk->first = (walk->first + 1) % walk->room;
    walk->flying--;
    if (!device_enter(device))
        return 0;
    if (!flight->is_halo)
        put(device, walk, flight);
    device_leave(device);
    return 0;
}

static int do_pieces(struct device *device, struct error *error)
{
    struct walk walk = {
        .room = device->chunk_count > 0 ? device->chunk_count : 1,
        .is_first = true,
    };
    bool more = true;

    while (more || walk.flying > 0) {
        int result = more && walk.flying < walk.room ? send_next(device, &walk, &more, error)
                                                     : fetch_oldest(device, &walk, error);

        if (result != 0)
            return -1;
    }
    return 0;
}

/* `context` is the device. The thread holds a reference to the run. */
static void *device_main(void *context)
{
    struct device *device = context;
    struct run *run = device->run;
    struct error error = {.status = STATUS_FAILED};

    if (open_engine(device, &error) != 0) {
        keep_note(run->keep, device->account.number,
                  error.status == STATUS_NO_DEVICE ? KEEP_DEAD : device->found);
        fail(device, DEVICE_NEVER, &error);
    } else if (join(device)) {
        while (take_pieces(device)) {
            if (do_pieces(device, &error) != 0) {
                keep_note(run->keep, device->account.number, KEEP_DEAD);
                fail(device, DEVICE_FAILED, &error);
                break;
            }
        }
    }
    close_engine(device);
    run_drop(run);
    return NULL;
}

void devices_start(struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        int number;

        device->account.began = run_now(run);
        device->account.began_at = run->done;
        device->account.state = DEVICE_STARTING;
        run->holders++;
        number = thread_start_alone(device_main, device);
        if (number != 0) {
            run->holders--;
            device->account.state = DEVICE_NEVER;
            keep_note(run->keep, device->account.number, device->found);
            thread_error(&device->account.error, number);
        }
    }
}
