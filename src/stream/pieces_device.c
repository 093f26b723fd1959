/* Devices as workers. Each has a thread of its own, which starts the device beside the cores, and
 * takes runs of neighbouring pieces when it is ready: only the first of a run brings its halo.
 * Chunks of neighbouring pieces are in flight at the same time.
 *
 * What belongs to the stream is touched inside only, between device_enter() and device_leave(), and
 * no call of the engine is made there. So a call that hangs holds up nobody: after a while the
 * device counts as hung, its pieces are done by others, and it is not let in again. Its buffers
 * stay where they are, for it may still write to them. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "stream/pieces_run.h"

enum { LOOKS_IN_VAIN = 2 };

/* Rates are worth looking at after so many seconds. */
static const double FIRST_LOOK = 0.02;
static const double LOOK = 0.25;

/* ---- under the lock */

static bool is_at_work(const struct device *device)
{
    return device->account.state == DEVICE_AT_WORK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static double now(const struct run *run)
{
    return clock_seconds() - run->started;
}

bool devices_hold(const struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        if (is_at_work(device) && device->held < least(device->end, run->limit))
            return true;
    }
    return false;
}

bool devices_give_back(struct run *run, uint64_t *index)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        if (!is_at_work(device) && device->held < least(device->end, run->limit)) {
            *index = device->held++;
            return true;
        }
    }
    return false;
}

/* From the end of its run, so that it goes on without a gap. */
bool devices_share(struct run *run, uint64_t *index)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        while (is_at_work(device) && device->next < device->end) {
            *index = --device->end;
            if (*index < run->limit)
                return true;
        }
    }
    return false;
}

/* It is waited for only while it holds pieces and is not inside. */
static bool is_waited_for(const struct device *device)
{
    return is_at_work(device) && !device->inside && device->held < device->next;
}

double devices_deadline(const struct run *run)
{
    double first = 0;

    for (unsigned i = 0; i < run->request.count && !run->request.alone; i++) {
        const struct device *device = &run->devices[i];
        double deadline = run->started + device->last_alive + run->request.estimate.patience;

        if (is_at_work(device) && (first <= 0 || deadline < first))
            first = deadline;
    }
    return first;
}

static void end_work(struct device *device, enum device_state state)
{
    struct run *run = device->run;

    device->account.state = state;
    device->account.left = now(run);
    device->account.left_at = run->done;
    pthread_cond_broadcast(&run->changed);
}

void devices_find_hung(struct run *run)
{
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        double silent = now(run) - device->last_alive;

        if (!is_waited_for(device)) {
            device->last_alive = now(run);
        } else if (silent >= run->request.estimate.patience) {
            end_work(device, DEVICE_HUNG);
            error_set(&device->account.error, STATUS_FAILED,
                      "cuda device %u: no sign of life for %.1f seconds", device->account.number,
                      silent);
        }
    }
}

static void *device_main(void *context);

void devices_begin(struct run *run)
{
    run->begun = true;
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];
        int number;

        device->account.began = now(run);
        device->account.began_at = run->done;
        device->account.state = DEVICE_STARTING;
        run->holders++;
        number = thread_start_alone(device_main, device);
        if (number != 0) {
            run->holders--;
            device->account.state = DEVICE_NEVER;
            error_system(&device->account.error, "threads", number);
        }
    }
}

static void look_whether_to_begin(struct run *run)
{
    const struct machine *machine = run->pipeline->machine;
    const struct engine_setup *setup = &run->pipeline->setup;
    double frames = (double)run->done;
    double in = (double)engine_in_bytes(setup);
    const struct device_outlook outlook = {
        .left = (double)(run->plan->end - run->begin) - frames,
        .cost = (run->busy[RING_READER] + run->busy[RING_ENGINE] + run->busy[RING_WRITER]) / frames,
        .reading = run->busy[RING_READER] / frames,
        .writing = run->busy[RING_WRITER] / frames,
        .in_bytes = in,
        .out_bytes = (double)engine_out_bytes(setup) / (double)setup->window.hop,
        .workers = run->plan->workers,
        /* Where the user bounds the threads, idle cores are not ours. */
        .cpus = machine->threads_given ? run->plan->workers : machine->cpus,
    };

    if (now(run) < FIRST_LOOK || !devices_pay(&run->request.estimate, &outlook))
        return;
    run->rate_alone = devices_rate(&outlook);
    devices_begin(run);
}

static unsigned count_at_work(const struct run *run)
{
    unsigned count = 0;

    for (unsigned i = 0; i < run->request.count; i++)
        count += is_at_work(&run->devices[i]);
    return count;
}

/* Twice in a row, for one look may be at an unlucky moment. */
static void look_whether_to_end(struct run *run)
{
    double seconds = now(run) - run->marked;

    if (seconds < LOOK || count_at_work(run) == 0)
        return;
    if ((double)(run->done - run->marked_at) / seconds < run->rate_alone)
        run->weak++;
    else
        run->weak = 0;
    run->marked += seconds;
    run->marked_at = run->done;
    for (unsigned i = 0; i < run->request.count && run->weak >= LOOKS_IN_VAIN; i++)
        run->devices[i].go_home = true;
}

void devices_look(struct run *run)
{
    if (run->request.count == 0 || run->request.alone || run->over)
        return;
    if (!run->begun)
        look_whether_to_begin(run);
    else
        look_whether_to_end(run);
}

/* ---- from outside */

void devices_wait(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        const struct device *device = &run->devices[i];

        while (device->account.state == DEVICE_STARTING ||
               (is_at_work(device) && devices_hold(run)) ||
               (is_at_work(device) && run->next < run->limit))
            pthread_cond_wait(&run->changed, &run->lock);
    }
    pthread_mutex_unlock(&run->lock);
}

void devices_leave(struct run *run)
{
    pthread_mutex_lock(&run->lock);
    run->over = true;
    pthread_cond_broadcast(&run->changed);
    /* What comes behind the pieces needs the memory of a device that works alone. */
    while (run->request.alone && run->holders > 1)
        pthread_cond_wait(&run->changed, &run->lock);
    for (unsigned i = 0; i < run->request.count; i++) {
        struct device *device = &run->devices[i];

        while (device->inside)
            pthread_cond_wait(&run->changed, &run->lock);
        if (device->reader != NULL) {
            run->pipeline->source->input->bytes += device->reader->bytes;
            device->reader->class->close(device->reader);
        }
        if (device->account.state == DEVICE_STARTING) {
            device->account.left = now(run);
            device->account.left_at = run->done;
        }
        run->pipeline->device_accounts[i] = device->account;
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- the thread */

static bool device_enter(struct device *device)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    device->inside = !run->over && is_at_work(device);
    device->last_alive = now(run);
    pthread_mutex_unlock(&run->lock);
    return device->inside;
}

static void device_leave(struct device *device)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
    device->inside = false;
    device->last_alive = now(run);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* Without the stream: nothing of it is needed for that. */
static int open_engine(struct device *device, struct error *error)
{
    unsigned wanted;

    if (device->class->open(&device->machine, &device->setup, 0, &device->engine, error) != 0)
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
        end_work(device, state);
        if (run->request.alone && !run->failed) {
            run->failed = true;
            run->error = *error;
            run->limit = run->committed;
        }
    }
    pthread_mutex_unlock(&run->lock);
}

/* False when the stream has come to its end without it. */
static bool join(struct device *device)
{
    struct run *run = device->run;
    struct source *source;
    struct error error;
    bool joined;

    pthread_mutex_lock(&run->lock);
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
        device->account.joined = run->marked = now(run);
        device->account.joined_at = run->marked_at = run->done;
        device->class->describe(device->engine, device->account.words,
                                sizeof device->account.words);
    }
    pthread_mutex_unlock(&run->lock);
    device_leave(device);
    if (!joined)
        fail(device, DEVICE_NEVER, &error);
    return joined;
}

/* Takes a run of pieces. False when there is none for it. */
static bool take_pieces(struct device *device)
{
    struct run *run = device->run;
    uint64_t count = 0;

    pthread_mutex_lock(&run->lock);
    while (!run->over && is_at_work(device) && !device->go_home && run->next < run->limit) {
        uint64_t room = run->committed + run->slot_count - run->next;

        if (room > 0) {
            /* Towards the end less, so that all end at about the same time. */
            count = least(least(room, DEVICE_PIECES), (run->limit - run->next) / 4 + 1);
            break;
        }
        pthread_cond_wait(&run->changed, &run->lock);
    }
    device->held = device->next = run->next;
    run->next += count;
    device->end = run->next;
    if (count == 0 && device->go_home && !run->over && is_at_work(device))
        end_work(device, DEVICE_SENT_HOME);
    pthread_mutex_unlock(&run->lock);
    return count > 0;
}

/* A chunk in flight. */
struct flight {
    struct chunk *chunk;
    uint64_t index; /* its piece, */
    bool ends;      /* which ends with it */
    bool is_halo;
};

/* Where a device is in its run of pieces. */
struct walk {
    struct flight flights[DEVICE_CHUNKS];
    unsigned room; /* for so many */
    unsigned first;
    unsigned flying;
    bool is_in; /* a piece: */
    uint64_t index;
    uint64_t begin; /* its frames */
    uint64_t end;
    uint64_t at;      /* the next frame to submit */
    bool is_first;    /* no piece has been begun yet */
    struct slot slot; /* of the piece that comes back */
    uint64_t slot_index;
    double busy[RING_STAGES];
};

/* Begins the next piece. Inside. False when there is none. */
static bool begin_piece(struct device *device, struct walk *walk)
{
    struct run *run = device->run;

    pthread_mutex_lock(&run->lock);
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

/* Fills the next chunk. Inside. False when there is nothing more to submit. */
static bool fill(struct device *device, struct walk *walk, struct flight *flight)
{
    const struct run *run = device->run;
    const struct pipeline *pipeline = run->pipeline;
    struct chunk *chunk = flight->chunk;
    double from = clock_seconds();
    uint64_t left;
    size_t count;

    if (!walk->is_in && !begin_piece(device, walk))
        return false;
    left = (walk->at < walk->begin ? walk->begin : walk->end) - walk->at;
    count = (size_t)least(left, device->setup.chunk_frames);
    chunk->in_frames =
        device->reader->class->read(device->reader, pipeline->skipped + walk->at, chunk->in, count);
    if (chunk->in_frames < count || run_has_forbidden_nan(&device->setup, chunk) ||
        !device->reader->class->is_well(device->reader)) {
        run_give_up(device->run, walk->index);
        walk->is_in = false;
        return false;
    }
    chunk_place(chunk, &device->setup, walk->at);
    flight->is_halo = walk->at < walk->begin;
    if (flight->is_halo)
        chunk_mute(chunk);
    flight->index = walk->index;
    walk->at += count;
    flight->ends = walk->at == walk->end;
    walk->is_in = !flight->ends;
    walk->busy[RING_READER] += clock_seconds() - from;
    return true;
}

/* What has come back to where it belongs. Inside. */
static void put(struct device *device, struct walk *walk, const struct flight *flight)
{
    struct run *run = device->run;
    struct slot *slot = &run->slots[flight->index % run->slot_count];
    size_t frame = (size_t)device->setup.emits.count * device->setup.channels;
    double from = clock_seconds();
    struct error error;

    if (walk->slot_index != flight->index) {
        uint64_t begin = run_first_of(run, flight->index);
        uint64_t end = run_first_of(run, flight->index + 1);

        walk->slot_index = flight->index;
        walk->slot = (struct slot){.piece = piece_make(&device->setup.window, begin, end - begin)};
    }
    if (slot->out != NULL)
        memcpy(slot->out + walk->slot.out_frames * frame, flight->chunk->out,
               flight->chunk->out_frames * frame * sizeof(float));
    if (run_put(run, &walk->slot, flight->chunk, &error) != 0) {
        run_give_up(run, flight->index);
        return;
    }
    walk->busy[RING_WRITER] += clock_seconds() - from;
    if (!flight->ends)
        return;
    slot->piece = walk->slot.piece;
    slot->out_frames = walk->slot.out_frames;
    slot->losses = walk->slot.losses;
    pthread_mutex_lock(&run->lock);
    device->held = flight->index + 1;
    device->account.frames += slot->piece.count;
    pthread_mutex_unlock(&run->lock);
    run_hand_over(run, slot, walk->busy);
    memset(walk->busy, 0, sizeof walk->busy);
    run_commit_due(run, &walk->busy[RING_WRITER]);
}

/* Puts one more chunk on its way, if there is one. -1 when the device fails; `*more` is false when
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
        .slot_index = UINT64_MAX,
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

static void *device_main(void *context)
{
    struct device *device = context;
    struct run *run = device->run;
    struct error error = {.status = STATUS_FAILED};

    if (open_engine(device, &error) != 0) {
        fail(device, DEVICE_NEVER, &error);
    } else if (join(device)) {
        while (take_pieces(device)) {
            if (do_pieces(device, &error) != 0) {
                fail(device, DEVICE_FAILED, &error);
                break;
            }
        }
    }
    close_engine(device);
    run_drop(run);
    return NULL;
}
