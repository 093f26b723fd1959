/* The data that the workers of a stream share. Each file uses only those listed below it:
 *
 *   pieces.c         the cores, and the run as a whole
 *   pieces_start.c   whether and when a device starts
 *   pieces_device.c  the work of a device
 *   pieces_queue.c   who takes which piece, and results in order
 *   pieces_watch.c   lends CPUs to devices, retires slow ones, gives up those that hang
 *
 * The run is on the heap, because a thread that starts a device, or waits for one that hangs, may
 * outlive the stream. Such a thread touches only the run until it enters the stream
 * (pieces_device.c), which it cannot once the stream has gone on. Private to these five. */
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
    DEVICE_CHUNKS = 5, /* the most in flight */
};

/* A piece, from when a worker takes it until it is committed. */
struct slot {
    struct piece piece;
    bool done;
    float *out; /* its output frames, if they are written in order */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct run;

/* A device, and the thread that runs it. */
struct device {
    struct run *run;

    /* Only for its thread. */
    struct machine machine;
    struct engine_setup setup;
    const struct engine_class *class;
    struct engine *engine;
    struct chunk chunks[DEVICE_CHUNKS];
    unsigned chunk_count;
    enum keep_state found;       /* its state when its start was considered */
    struct frame_reader *reader; /* for its thread while it is inside; then the stream's */

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
    const struct pieces_plan *plan;
    uint64_t begin;        /* the first frame of the first piece */
    uint64_t first_output; /* the first output frame of the first piece */
    uint64_t count;        /* pieces */
    size_t out_bytes;      /* of output in a slot */
    unsigned slot_count;
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
    uint64_t next;       /* the next piece to take */
    uint64_t limit;      /* no piece from this one on is taken */
    uint64_t committed;  /* pieces */
    uint64_t written;    /* output frames already written of the next piece */
    uint64_t written_to; /* and the input frame up to which they were written */
    bool committing;     /* a worker is committing */
    bool failed;         /* an output, or a device requested by name, has failed */
    struct error error;
    double busy[RING_STAGES];
    uint64_t done;     /* frames, in any order */
    unsigned cores;    /* cores that have started to work */
    bool decided;      /* whether a device pays */
    bool has_place;    /* it counts among the streams that use devices */
    double rate_alone; /* frames per second, before a device joined */
    bool is_lent;      /* a core sleeps so that a device has its CPU */
    bool over;         /* the stream has gone on without the run */
    unsigned holders;  /* references to this struct */
};

/* An output frame of a piece that waits for its turn. */
static inline float *slot_frame(const struct run *run, const struct slot *slot, uint64_t frame)
{
    return slot->out + frame * engine_out_bytes(&run->pipeline->setup) / sizeof(float);
}

/* Seconds since the work began. */
static inline double run_now(const struct run *run)
{
    return clock_seconds() - run->started;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Call with the lock held. */
static inline bool device_is_at_work(const struct device *device)
{
    return device->account.state == DEVICE_AT_WORK;
}

/* Adds up what a reader has read. Call with the lock held. */
static inline void run_count_read(const struct run *run, const struct frame_reader *reader)
{
    run->pipeline->source->input->bytes += reader->bytes;
}

#endif
