/* What the workers of a stream share while they do its pieces: the queue (pieces_queue.c), the
 * cores (pieces.c), the devices (pieces_device.c) and the watch over these (pieces_watch.c).
 * Private to these four.
 *
 * It lies on the heap, because a thread that starts a device, or waits for one that hangs, may
 * outlive the stream. Such a thread looks at nothing but this until it has been let in
 * (device_enter()); when the stream goes on, nobody is let in any more. */
#ifndef GPUENV_STREAM_PIECES_RUN_H
#define GPUENV_STREAM_PIECES_RUN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "stats/share.h"
#include "stream/devices.h"
#include "stream/pieces.h"
#include "stream/pipeline.h"
#include "stream/ring.h"

enum {
    DEVICE_CHUNKS = 5, /* in flight, at most */
};

/* A piece, from the worker that takes it to the moment when its turn has come. */
struct slot {
    struct piece piece;
    bool done;
    float *out; /* its frames, where they are written in order */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct run;

/* A device, and the thread that works with it. */
struct device {
    struct run *run;

    /* The thread's. */
    struct machine machine;
    struct engine_setup setup;
    const struct engine_class *class;
    struct engine *engine;
    struct chunk chunks[DEVICE_CHUNKS];
    unsigned chunk_count;
    enum keep_state found;       /* when its start was considered */
    struct frame_reader *reader; /* as long as it is inside; then the stream's */

    /* All under the run's lock. */
    struct device_account account;
    bool inside;       /* it is at work on what belongs to the stream */
    bool retires;      /* when it has done what it has in hand */
    bool checked;      /* whether it raises the rate */
    double lent_until; /* it has the CPU of a worker while it starts, but no longer; seconds */
    uint64_t held;     /* the first piece that it has not handed over, */
    uint64_t next;     /* the first that it has not begun, */
    uint64_t end;      /* and the first that is not its own any more */
    double last_alive; /* seconds */
};

struct run {
    const struct pipeline *pipeline;
    const struct pieces_plan *plan;
    uint64_t begin;        /* the frame that the first piece begins with */
    uint64_t first_output; /* the output frame that it begins with */
    uint64_t count;        /* pieces */
    size_t out_bytes;      /* of a slot's frames */
    unsigned slot_count;
    struct slot *slots;
    struct stats_text text; /* the committer's */
    double started;         /* by the clock: the stream */
    struct device_request request;
    struct device devices[DEVICES_MOST];
    struct keep *keep; /* what their engines are given back to */
    bool lends;        /* no CPU is idle: devices have those of cores */

    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* All under `lock`. */
    uint64_t next;       /* the piece that nobody has taken */
    uint64_t limit;      /* no piece from this one on is to be taken */
    uint64_t committed;  /* pieces */
    uint64_t written;    /* output frames of the next one that are written already, */
    uint64_t written_to; /* and up to which frame of the input */
    bool committing;     /* somebody is at it */
    bool failed;         /* an output has, or a device that was asked for by name */
    struct error error;
    double busy[RING_STAGES];
    uint64_t done;     /* frames, in any order */
    unsigned cores;    /* that have come to work */
    bool decided;      /* whether a device pays */
    bool has_place;    /* among the streams that have devices */
    double rate_alone; /* frames a second, before a device joined */
    bool is_lent;      /* the CPU of a core that sleeps is a device's */
    bool over;         /* the stream goes on without this */
    unsigned holders;  /* of this memory */
};

/* An output frame of a piece that waits. */
static inline float *slot_frame(const struct run *run, const struct slot *slot, uint64_t frame)
{
    return slot->out + frame * engine_out_bytes(&run->pipeline->setup) / sizeof(float);
}

/* Seconds since the beginning of the work. */
double run_now(const struct run *run);

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the queue */

/* The frame that a piece begins with. */
uint64_t run_first_of(const struct run *run, uint64_t index);

/* Is there a piece to take, or may one come back from a device? With the lock held. */
bool run_has_more(const struct run *run);

/* A core comes to work. False when there is no piece to take, and there will not be one again. */
bool run_come(struct run *run);

/* The next piece, when there is a slot for it: one that nobody has taken, one that a device has
 * given up, or one that it has not begun. One core sleeps first while a device has its CPU. False
 * when there is none left. */
bool run_take(struct run *run, uint64_t *index);

/* The piece is done, after so many seconds of work. */
void run_hand_over(struct run *run, struct slot *slot, const double busy[RING_STAGES]);

/* The piece is given up: neither it nor a later one will be done. */
void run_give_up(struct run *run, uint64_t index);

/* Where the chunk comes next in order, of the piece that is due, it may be written from where it
 * lies. `slot` has what was done of the piece before. False: it was not. */
bool run_write_through(struct run *run, uint64_t index, const struct slot *slot,
                       const struct chunk *chunk);

/* Commits what is due. Adds the seconds to `*busy`. */
void run_commit_due(struct run *run, double *busy);

/* ---- devices */

/* With the lock held. */
void devices_look(struct run *run);            /* is it time to start one, or for one to retire? */
void devices_begin(struct run *run);           /* now */
void devices_lend(struct run *run);            /* the CPU of the calling core, while one needs it */
void devices_wait_for_change(struct run *run); /* or until one is found to hang */
bool devices_hold(const struct run *run);      /* pieces that are wanted */
bool devices_give_back(struct run *run, uint64_t *index); /* one that is left of a device */
bool devices_share(struct run *run, uint64_t *index);     /* one that it has not begun */

/* Waits until all have left. Without the lock. */
void devices_wait(struct run *run);

/* From here on none of them touches the stream. Without the lock. */
void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST]);

/* One holder less; the last one frees it. */
void run_drop(struct run *run);

/* The thread of one: the context is the device, and the thread holds the run. */
void *device_main(void *context);

/* With the lock held. */
bool device_is_at_work(const struct device *device);
void device_end_work(struct device *device, enum device_state state);

/* ---- shared by workers of both kinds */

/* A reader has done its work. With the lock held. */
void run_count_read(struct run *run, const struct frame_reader *reader);

bool run_has_forbidden_nan(const struct engine_setup *setup, const struct chunk *chunk);

/* The chunk's output frames to where they belong. */
int run_put(struct run *run, struct slot *slot, const struct chunk *chunk, struct error *error);

#endif
