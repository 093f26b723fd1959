/* What the workers of a stream share: their data and their functions. Each file uses only those
 * listed below it:
 *
 *   pieces.c         the cores, and the run as a whole
 *   devices.c        whether and when a device starts, and its thread
 *   pieces_work.c    the work on pieces, of cores and of devices
 *   pieces_queue.c   who takes which piece, and results in order; lends CPUs to devices, retires
 *                    slow ones, gives up those that hang
 *
 * The run is on the heap, because a thread that starts a device, or waits for one that hangs, may
 * outlive the stream. Such a thread touches only the run until it enters the stream
 * (worker_enter()), which it cannot once the stream has gone on. Private to these four. */
#ifndef GPUENV_STREAM_PIECES_RUN_H
#define GPUENV_STREAM_PIECES_RUN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/least.h"
#include "engine/engine.h"
#include "stats/stats.h"
#include "stream/devices.h"
#include "stream/pieces.h"
#include "stream/pipeline.h"

enum { WORKER_CHUNKS = 5 }; /* the most in flight */

/* A piece, from when a worker takes it until it is committed. */
struct slot {
    struct piece piece;
    bool done;
    void *out; /* its output frames, if they are written in order */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct run;

struct device;

/* A core or a device that works on pieces. */
struct worker {
    struct run *run;
    struct device *device; /* NULL: a core */
    const struct engine_class *class;
    struct machine machine;
    struct engine_setup setup;
    struct engine *engine;
    struct chunk chunks[WORKER_CHUNKS];
    unsigned chunk_count;
    struct frame_reader *reader;
    struct stats *share; /* of a core; NULL: no statistics are wanted */
    double busy[STAGES]; /* for the pieces that are not handed over yet */
};

/* A device, and the thread that runs it. */
struct device {
    struct worker
        worker; /* only for its thread; the reader while it is inside, then the stream's */
    enum keep_state found; /* its state when its start was considered */

    /* All under the run's lock. */
    struct device_account account;
    bool inside;       /* it may touch the stream's data */
    bool retires;      /* it stops after its current pieces */
    bool checked;      /* whether it has raised the rate */
    double lent_until; /* while it starts, it has a worker's CPU until then; seconds */
    uint64_t held;     /* the first piece that it has not handed over */
    uint64_t next;     /* the first that it has not started */
    uint64_t end;      /* the end of its range of pieces */
    double last_alive; /* in seconds of the run */
};

struct run {
    const struct pipeline *pipeline;
    struct pieces_plan plan;
    uint64_t first_output; /* the first output frame of the first piece */
    uint64_t count;        /* pieces */
    struct slot *slots;
    struct stats_text text; /* only for the worker that commits */
    double started;         /* when the stream started, by the clock */
    struct device_request request;
    struct device devices[DEVICES_MOST];
    struct keep *keep; /* the engines are returned to it */
    bool lends;        /* no CPU is idle: devices borrow those of cores */

    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* All under `lock`. */
    uint64_t next;      /* the next piece to take */
    uint64_t limit;     /* no piece from this one on is taken */
    uint64_t committed; /* pieces */
    bool committing;    /* a worker is committing */
    bool failed;        /* an output, or a device requested by name, has failed */
    struct error error;
    double busy[STAGES];
    uint64_t done;     /* frames, in any order */
    unsigned cores;    /* cores that have started to work */
    bool decided;      /* whether a device pays */
    bool has_place;    /* it counts among the streams that use devices */
    double rate_alone; /* frames per second, before a device joined; 0: it need not raise it */
    bool is_lent;      /* a core sleeps so that a device has its CPU */
    bool over;         /* the stream has gone on without the run */
    unsigned holders;  /* references to this struct */
};

/* Seconds since the work began. */
static inline double run_now(const struct run *run)
{
    return clock_seconds() - run->started;
}

/* Call these with the lock held. */

static inline struct run_mark run_mark(const struct run *run)
{
    return (struct run_mark){run_now(run), run->done};
}

static inline bool device_is_at_work(const struct device *device)
{
    return device->account.state == DEVICE_AT_WORK;
}

/* ---- devices.c */

/* Starts the devices that work from the beginning: those requested by name. */
void devices_start_first(struct run *run);

/* Called by cores after each piece: decides once whether a device pays, and starts it. */
void devices_consider(struct run *run);

/* ---- pieces_work.c */

/* Opens the engine with its chunks, and closes them. Do not touch the stream. */
int worker_open(struct worker *worker, struct error *error);
void worker_close(struct worker *worker);

/* Does the piece with this index, or the pieces in the range of a device. Returns -1 if the engine
 * fails. A piece that fails for another reason is given up. */
int worker_do(struct worker *worker, uint64_t index, struct error *error);

/* ---- pieces_queue.c */

/* The first frame of a piece. */
uint64_t run_first_of(const struct run *run, uint64_t index);

/* The slot of a piece, without results. */
struct slot *run_begin(const struct run *run, uint64_t index);

/* A core starts to work. False if there is no piece to take, and there will be none. */
bool run_come(struct run *run);

/* A core takes the next piece for which there is a slot. Before that, one core sleeps while a
 * device uses its CPU. False if there is none left. */
bool run_take(struct run *run, uint64_t *index);

/* Takes a range of pieces for a device. False if there is none. */
bool run_take_range(struct device *device);

/* The next piece of the range, which is extended if the pieces after it are still free. False if
 * there is none. */
bool run_next_of_range(struct device *device, uint64_t *index);

/* The worker has done the piece. Commits the pieces that are due. */
void run_hand_over(struct worker *worker, uint64_t index);

/* Gives the piece up: neither it nor a later one will be done. */
void run_give_up(struct run *run, uint64_t index);

/* Drops a reference; the last one frees the run. */
void run_drop(struct run *run);

/* Between these the worker may touch the stream. False if it may not: a device that has been given
 * up. A core always may. */
bool worker_enter(struct worker *worker);
void worker_leave(struct worker *worker);

/* Call with the lock held. */
void device_end_work(struct device *device, enum device_state state);

/* From here on no device touches the stream; devices that work alone do all pieces first. Copies
 * their accounts. */
void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST]);

#endif
