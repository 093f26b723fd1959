/* What the workers of a stream share while they do its pieces. Above it stand, each on those below:
 *
 *   pieces.c         the cores, and the run as a whole
 *   pieces_start.c   whether a device starts, and when
 *   pieces_device.c  what a device does
 *   pieces_queue.c   who takes which piece, and what is done with pieces in order
 *   pieces_watch.c   whose CPU a device has, and when it retires or is given up
 *
 * The run lies on the heap, because a thread that starts a device, or waits for one that hangs, may
 * outlive the stream. Such a thread touches only the run until it is let in (pieces_device.c); when
 * the stream goes on, no thread is let in any more. Private to these five. */
#ifndef GPUENV_STREAM_PIECES_RUN_H
#define GPUENV_STREAM_PIECES_RUN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
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
static inline double run_now(const struct run *run)
{
    return clock_seconds() - run->started;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* With the lock held. */
static inline bool device_is_at_work(const struct device *device)
{
    return device->account.state == DEVICE_AT_WORK;
}

/* A reader has done its work. With the lock held. */
static inline void run_count_read(const struct run *run, const struct frame_reader *reader)
{
    run->pipeline->source->input->bytes += reader->bytes;
}

#endif
