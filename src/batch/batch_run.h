/* What the threads of a batch share: those that work on inputs (worker.c), and the one that begins
 * and ends the whole (batch.c). Private to these two. */
#ifndef GPUENV_BATCH_BATCH_RUN_H
#define GPUENV_BATCH_BATCH_RUN_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/flag.h"
#include "base/seen.h"
#include "batch/batch.h"
#include "batch/known.h"
#include "batch/ledger.h"
#include "batch/names.h"
#include "batch/ordered.h"
#include "batch/targets.h"
#include "bytes/made.h"
#include "bytes/output.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "engine/machine.h"

enum { DEVICE_JOBS = 2 }; /* at a time: one is copied while the other is read */

/* What all inputs write to together. */
enum text { TEXT_STATS, TEXT_REPORT, TEXTS };

struct batch {
    const struct settings *settings;
    const struct task *task;
    const struct many *many;
    struct settings frameless; /* for inputs whose output is there, and records are wanted */
    struct machine machine;
    struct names names;
    struct targets targets;
    struct ledger ledger;
    struct output outputs[TEXTS]; /* open where they are wanted */
    struct ordered *texts[TEXTS]; /* NULL: not wanted */
    unsigned jobs;
    struct seen targets_seen; /* the paths of outputs that are known; the names' */
    struct known known;       /* used where names come through a pipe */
    struct made made;
    bool texts_harm; /* an input is where one of the texts is to go; the names' */
    struct progress progress;
    struct flag done;
    sem_t device;           /* a place for each job that may work on a device */
    atomic_bool rate_told;  /* a warning for all of them: job_among */
    _Atomic uint64_t ahead; /* bytes of inputs not begun with that a device may help with */

    pthread_mutex_t lock;

    /* All under `lock`. */
    bool fatal; /* `error` is what has ended the whole */
    struct error error;

    struct flag stop;
    atomic_bool stopping;
};

/* A thread's part of the work, as part `number` of a job of a crew: inputs, until there are none
 * left, or the batch is to stop. `context` is the batch. */
void batch_work(void *context, unsigned number);

#endif
