/* What the workers of a stream share: their data and their functions. Each file uses only those
 * listed below it:
 *
 *   pieces.c         the workers, and the run as a whole
 *   pieces_work.c    the work on pieces, of cores and of devices
 *   pieces_queue.c   who takes which piece, and results in order
 *
 * Private to these three. */
#ifndef GPUENV_JOB_PIECES_POOL_PRIV_H
#define GPUENV_JOB_PIECES_POOL_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "engine/engine.h"
#include "format/text/stats.h"
#include "job/pieces_priv.h"
#include "job/stream.h"

enum { WORKER_CHUNKS = 5 }; /* the most in flight */

/* A piece, from when a worker takes it until it is committed. */
struct piece_slot {
    struct piece piece;
    bool done;
    void *out; /* its output frames, if they are written in order */
    size_t out_frames;
    struct sample_losses losses;
    struct share_result share;
};

struct pool;

/* A core or a device that works on pieces. */
struct piece_worker {
    struct pool *pool;
    struct device_result *device; /* NULL: a core */
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

struct pool {
    const struct pipeline *pipeline;
    struct pieces_plan plan;
    uint64_t first_output; /* the first output frame of the first piece */
    struct piece_slot *slots;
    struct memory_text text; /* only for the worker that commits */

    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* All under `lock`. */
    uint64_t next;      /* the next piece to take */
    uint64_t limit;     /* no piece from this one on is taken */
    uint64_t committed; /* pieces */
    bool committing;    /* a worker is committing */
    bool failed;        /* an output has failed */
    struct error error;
    double busy[STAGES];
};

/* ---- pieces_work.c */

/* Opens the engine with its chunks and the reader, and closes them. */
int worker_open(struct piece_worker *worker, struct error *error);
void worker_close(struct piece_worker *worker);

/* Does the piece that has been taken, and takes others until there are none left. Returns -1 if the
 * engine fails. A piece that fails for another reason is given up. */
int worker_do(struct piece_worker *worker, uint64_t index, struct error *error);

/* ---- pieces_queue.c */

/* The slot of a piece, without results. */
struct piece_slot *pool_begin(const struct pool *pool, uint64_t index);

/* Takes the next piece. Waits for its slot. False if there are none left. */
bool pool_take(struct pool *pool, uint64_t *index);

/* The worker has done the piece. Commits the pieces that are due. */
void pool_hand_over(struct piece_worker *worker, uint64_t index);

/* Gives the piece up: neither it nor a later one will be done. */
void pool_give_up(struct pool *pool, uint64_t index);

#endif
