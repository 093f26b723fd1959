/* SPDX-License-Identifier: MIT */
/* A thread of a batch: takes inputs and runs a job for each. A failed input does not affect the
 * others. */
#include <errno.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/clock.h"
#include "io/spool.h"
#include "io/temporary.h"
#include "job/job.h"
#include "tool/batch_run_priv.h"
#include "tool/error_words.h"
#include "tool/host_priv.h"
#include "tool/messages.h"

static const uint64_t RECORDS_KEPT = UINT64_C(1) << 20; /* from this size on, the file is emptied */

/* A thread of the batch. */
struct batch_worker {
    struct batch *batch;
    struct under_way *under_way;
    struct output records; /* records of its inputs, in a temporary file */
    uint64_t from;         /* where the records of the current input begin */
    struct output spans;   /* spans of the current input, in a temporary file */
};

/* ---- ends */

/* Ends every wait: for names, and for files that take long. */
static void end_waits(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    flag_raise(&batch->stop);
    pthread_mutex_unlock(&batch->lock);
}

static void stop(struct batch *batch)
{
    atomic_store(&batch->stopping, true);
    end_waits(batch);
}

/* Ends the batch. The first fatal error is reported at the end: returns true if this error is the
 * first. */
static bool end_batch(struct batch *batch, const struct error *error)
{
    bool first;

    pthread_mutex_lock(&batch->lock);
    first = !batch->fatal;
    if (first)
        batch->error = *error;
    batch->fatal = true;
    pthread_mutex_unlock(&batch->lock);
    stop(batch);
    return first;
}

static bool is_of_input(const struct error *error, const struct entry *entry)
{
    return strncmp(error->subject, entry->path, sizeof error->subject - 1) == 0;
}

/* Would all other inputs meet this error, too? They would meet a closed pipe, a full disk, unless
 * the error carries the input's name, and records that could not be kept. */
static bool is_fatal(const struct batch_worker *worker, const struct error *error,
                     const struct entry *entry)
{
    bool is_full = error->number == ENOSPC || error->number == EDQUOT;

    return error->quiet || (is_full && !is_of_input(error, entry)) || worker->records.failed ||
           worker->spans.failed;
}

/* Names the input in errors about options, memory, threads or devices, which may concern this
 * input only. Errors about files already have a name. */
static void name_input(struct error *error, const struct entry *entry)
{
    char words[ERROR_WORDS];
    int number = error->number;

    if (error_names_file(error) && error->status != STATUS_USAGE)
        return;
    if (is_of_input(error, entry))
        error->subject[0] = '\0';
    error_words(error, words);
    error_set(error, ERROR_FILE, entry->path, "%s", words);
    error->number = number;
}

/* An input has failed. Returns true if the batch ends with it. */
static bool fail(const struct batch_worker *worker, const struct entry *entry, struct error *error)
{
    struct batch *batch = worker->batch;

    if (is_fatal(worker, error, entry)) {
        /* On a full disk, each output that fails is named. */
        if (!end_batch(batch, error) && !error->quiet && !worker->records.failed)
            messages_error(error);
        return true;
    }
    name_input(error, entry);
    if (error->number != EINTR || !temporary_all_go())
        messages_error(error);
    if (batch->many->fail_fast)
        stop(batch);
    return false;
}

/* ---- one input */

/* Hands over the input's texts, even if empty: later texts wait for its number. If the batch has
 * ended with this input, its records are not whole, and nothing may follow them. */
static void put_texts(struct batch_worker *worker, const struct entry *entry,
                      const struct job_texts *texts, bool fatal)
{
    struct batch *batch = worker->batch;
    const struct ordered_text ordered[TEXTS] = {
        [TEXT_STATS] = {.fd = worker->records.fd,
                        .from = worker->from,
                        .size = worker->records.bytes - worker->from},
        [TEXT_FRAMES] = {.fd = worker->spans.fd, .size = worker->spans.bytes},
        [TEXT_REPORT] = {.bytes = texts->report != NULL ? texts->report : "",
                         .size = texts->report != NULL ? texts->report_size : 0},
    };
    struct error error;

    for (int i = 0; i < TEXTS; i++) {
        if (batch->outputs[i].fd >= 0 && !(fatal && i == TEXT_STATS) &&
            ordered_put(&batch->texts[i], entry->number, &ordered[i], &error) != 0)
            (void)end_batch(batch, &error);
    }
}

/* `frames`: frames are written, not only records. */
static int do_job(struct batch_worker *worker, const struct entry *entry, bool frames,
                  struct job_call *call, struct error *error)
{
    struct batch *batch = worker->batch;
    const struct output *stats = &batch->outputs[TEXT_STATS];
    const struct job_files task = {
        .input = entry->path, .output = frames ? entry->output : NULL, .stats = batch->task->stats};

    if (stats->fd >= 0 && (worker->records.fd < 0 || worker->records.bytes > RECORDS_KEPT) &&
        spool_output(&worker->records, stats->name, SPOOL_ORDER, error) != 0)
        return -1;
    worker->from = worker->records.bytes;
    if (batch->many->together) {
        if (spool_output(&worker->spans, batch->outputs[TEXT_FRAMES].name, SPOOL_ORDER, error) != 0)
            return -1;
        call->texts->frames = &worker->spans;
    } else if (frames && targets_make_folders(&batch->targets, entry->output, error) != 0) {
        return -1;
    }
    call->settings = frames ? batch->settings : &batch->frameless;
    call->task = &task;
    return job_run_call(call, error);
}

static void say(const struct entry *entry, const struct run_result *result)
{
    char engines[64];

    report_name_engines(result, engines, sizeof engines);
    if (entry->output != NULL)
        messages_note("%s: %" PRIu64 " frames to %s: %" PRIu64 " frames, %.3f s, %s engine",
                      entry->path, result->in_frames, entry->output, result->out_frames,
                      result->seconds, engines);
    else
        messages_note("%s: %" PRIu64 " frames, %.3f s, %s engine", entry->path, result->in_frames,
                      result->seconds, engines);
}

/* `*passed_over`: the output existed already. */
static int do_input(struct batch_worker *worker, struct entry *entry, struct job_call *call,
                    bool *passed_over, struct error *error)
{
    struct batch *batch = worker->batch;
    const bool frames = batch->settings->emits.count > 0;

    if (batch->known.targets != NULL &&
        known_check_turn(&batch->known, entry, passed_over, error) != 0)
        return -1;
    if (*passed_over)
        return batch->outputs[TEXT_STATS].fd < 0 ? 0 : do_job(worker, entry, false, call, error);
    if (do_job(worker, entry, frames, call, error) != 0)
        return -1;
    say(entry, &call->result);
    return 0;
}

static void take_input(struct batch_worker *worker, struct entry *entry)
{
    struct batch *batch = worker->batch;
    struct job_texts texts = {
        .stats = &worker->records,
        .tables = batch->tables,
        .reports = batch->outputs[TEXT_REPORT].fd >= 0,
    };
    struct job_call call = {
        .host = &tool_host_of_many,
        .shared = &batch->shared,
        .texts = &texts,
        .is_small = !job_is_large(entry->size),
        .progress = &worker->under_way->progress,
        .turn = entry->number,
    };
    bool passed_over = false;
    bool fatal = false;
    struct error error;
    int result;

    ledger_begin(&batch->ledger, worker->under_way, entry->size);
    worker->from = worker->records.bytes;
    worker->records.failed = false;
    result = do_input(worker, entry, &call, &passed_over, &error);
    if (result != 0)
        fatal = fail(worker, entry, &error);
    put_texts(worker, entry, &texts, fatal);
    ledger_end(&batch->ledger, worker->under_way,
               result != 0   ? OUTCOME_FAILED
               : passed_over ? OUTCOME_PASSED_OVER
                             : OUTCOME_DONE,
               &call.result);
    free(texts.report);
}

/* ---- the thread */

enum { LOOK_MILLISECONDS = 10 };

/* How many threads begin, and how long a file holds locks, about. */
struct pace {
    unsigned first;
    double locked; /* seconds */
};

/* Waits until files take long enough for this thread, too. Small files are bound by locks: of the
 * folders that get new files, and of the process's open files. Threads that wait for locks keep
 * their CPUs busy, and all together are slower than a few. Files that each take n times as long as
 * they hold locks keep n threads busy before these wait for one another. Returns false if no input
 * is left. */
static bool is_wanted(struct batch *batch, unsigned number)
{
    struct pollfd stopped = {.fd = batch->stop.wait, .events = POLLIN};
    struct statfs on;
    /* File systems of disks have locks of their own for files that are made. */
    const bool disk = batch->many->folder != NULL && statfs(batch->many->folder, &on) == 0 &&
                      on.f_type != TMPFS_MAGIC;
    const struct pace pace = disk ? (struct pace){8, 150e-6} : (struct pace){16, 20e-6};
    bool waits = number >= pace.first && batch->many->jobs == 0;

    while (waits) {
        const unsigned working = atomic_load(&batch->working);
        const uint64_t before = ledger_ended(&batch->ledger);
        double seconds = clock_seconds();
        uint64_t files;

        if (poll(&stopped, 1, LOOK_MILLISECONDS) > 0)
            return false;
        seconds = clock_seconds() - seconds;
        files = ledger_ended(&batch->ledger) - before;
        waits = (double)files * pace.locked * number >= seconds * working;
    }
    atomic_fetch_add(&batch->working, 1);
    return true;
}

void batch_work(void *context, unsigned number)
{
    struct batch *batch = context;
    struct batch_worker worker = {
        .batch = batch,
        .under_way = &batch->ledger.under_way[number],
        .records.fd = -1,
        .spans.fd = -1,
    };
    struct entry entry;
    struct error error;
    bool small;

    /* With devices requested by name, the first threads use them; the others start with small
     * inputs, which the cores do. */
    small = batch->settings->device == DEVICE_CUDA && number >= batch->device_jobs;
    if (!is_wanted(batch, number))
        return;
    while (!atomic_load(&batch->stopping)) {
        bool taken;

        if (names_next(&batch->names, small, &entry, &taken, &error) != 0)
            (void)end_batch(batch, &error);
        if (!taken)
            break;
        take_input(&worker, &entry);
        entry_free(&entry);
    }
    end_waits(batch);
    output_close(&worker.records);
    output_close(&worker.spans);
}
