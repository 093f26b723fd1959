#include "batch/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/thread.h"
#include "batch/check.h"
#include "batch/ledger.h"
#include "batch/names.h"
#include "batch/ordered.h"
#include "batch/seen.h"
#include "batch/targets.h"
#include "bytes/spool.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "job/job.h"
#include "stats/writer.h"

enum {
    DEVICE_JOBS = 2,     /* at a time: one is copied while the other is read */
    JOB_DESCRIPTORS = 8, /* that a job has open at once */
    OWN_DESCRIPTORS = 24,
    WATCH_MILLISECONDS = 250,
};

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
    struct seen targets_seen; /* outputs of names that came through a pipe; the names' */
    bool texts_harm;          /* an input is where one of the texts is to go; the names' */
    struct progress progress;
    struct flag done;
    sem_t device; /* a place for each job that may work on a device */

    pthread_mutex_t lock;

    /* All under `lock`. */
    bool fatal; /* `error` is what has ended the whole */
    struct error error;

    struct flag stop;
    atomic_bool stopping;
};

/* One of the threads. */
struct worker {
    struct batch *batch;
    struct under_way *under_way;
    struct output records; /* of the input that is worked on; in a temporary file */
};

/* ---- ends */

static void stop(struct batch *batch)
{
    atomic_store(&batch->stopping, true);
    pthread_mutex_lock(&batch->lock);
    flag_raise(&batch->stop);
    pthread_mutex_unlock(&batch->lock);
}

/* Nothing can go on. The first such error is told. */
static void end(struct batch *batch, const struct error *error)
{
    pthread_mutex_lock(&batch->lock);
    if (!batch->fatal)
        batch->error = *error;
    batch->fatal = true;
    pthread_mutex_unlock(&batch->lock);
    stop(batch);
}

/* What no other input will find better. */
static bool is_fatal(const struct error *error)
{
    return error->quiet || error->number == ENOSPC || error->number == EDQUOT;
}

/* Does a message begin with this name? Long names are cut in messages. */
static bool tells_of(const char *text, const char *name)
{
    size_t length = name == NULL ? 0 : strnlen(name, 300);

    return length > 0 && strncmp(text, name, length) == 0 &&
           (length == 300 || name[length - 1] == '/' || text[length] == ':' || text[length] == '/');
}

/* An error that is told of an option, of memory, of threads or of a device may be that of this
 * input only: then it is named, too. Those of files name theirs. */
static void name_input(const struct batch *batch, struct error *error, const struct entry *entry)
{
    bool is_named =
        tells_of(error->text, entry->path) || tells_of(error->text, batch->many->folder);
    char text[sizeof error->text];
    int number = error->number;

    for (int i = 0; i < TEXTS; i++)
        is_named = is_named || tells_of(error->text, batch->outputs[i].name);
    if (error->status != STATUS_USAGE && (is_named || entry->path[0] == '\0'))
        return;
    memcpy(text, error->text, sizeof text);
    error_set(error, STATUS_FAILED, "%.300s: %.700s", entry->path, text);
    error->number = number;
}

/* An input has failed. */
static void fail(struct batch *batch, const struct entry *entry, struct error *error)
{
    if (is_fatal(error)) {
        end(batch, error);
        return;
    }
    name_input(batch, error, entry);
    /* A signal is ending the process, and no more files are made. */
    if (error->number != EINTR)
        messages_error(error);
    if (batch->many->fail_fast)
        stop(batch);
}

/* ---- one input */

/* A name from the pipe. Is it one that all inputs write to, or has an earlier one the same output?
 * Names that are known beforehand have been checked. */
static int look_at_name(void *context, struct entry *entry, struct error *error)
{
    struct batch *batch = context;
    struct error of_its_own;
    char *path;
    int result;

    if (check_texts(batch->task, entry, 1, error) != 0) {
        batch->texts_harm = true;
        return -1;
    }
    if (batch->settings->emits.count == 0)
        return 0;
    path = targets_path(&batch->targets, entry, &of_its_own);
    if (path == NULL)
        return 0; /* it will fail alone */
    result = seen_add(&batch->targets_seen, path, strlen(path), &entry->clashes);
    free(path);
    return result == 0 ? 0 : error_system(error, entry->path, errno);
}

/* A folder of that name is no output. */
static bool is_there(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

/* Room for the records of the next input. */
static int empty_records(struct worker *worker, struct error *error)
{
    struct output *records = &worker->records;

    if (worker->batch->texts[TEXT_STATS] == NULL)
        return 0;
    if (records->fd < 0) {
        int fd = spool_open(worker->batch->outputs[TEXT_STATS].name, "put in order", error);

        if (fd < 0)
            return -1;
        *records = (struct output){
            .name = worker->batch->outputs[TEXT_STATS].name,
            .fd = fd,
            .owned = true,
        };
    }
    records->bytes = 0;
    if (ftruncate(records->fd, 0) != 0 || lseek(records->fd, 0, SEEK_SET) != 0)
        return error_system(error, records->name, errno);
    return 0;
}

/* Hands over what the input has to say, be it nothing: its turn has to come. */
static void put_texts(struct worker *worker, const struct entry *entry,
                      const struct job_among *among)
{
    struct batch *batch = worker->batch;
    const struct ordered_text texts[TEXTS] = {
        [TEXT_STATS] = {.fd = worker->records.fd, .size = worker->records.bytes},
        [TEXT_REPORT] = {.bytes = among->report != NULL ? among->report : "",
                         .size = among->report != NULL ? among->report_size : 0},
    };
    struct error error;

    for (int i = 0; i < TEXTS; i++) {
        if (batch->texts[i] != NULL &&
            ordered_put(batch->texts[i], entry->number, &texts[i], &error) != 0)
            end(batch, &error);
    }
}

static int do_job(struct worker *worker, const struct entry *entry, const char *path, bool frames,
                  struct job_among *among, struct error *error)
{
    struct batch *batch = worker->batch;
    const struct task task = {.input = entry->path, .output = path, .stats = batch->task->stats};

    if (empty_records(worker, error) != 0 ||
        (frames && targets_make_folders(&batch->targets, path, error) != 0))
        return -1;
    worker->under_way->size = entry->size;
    return job_run_among(frames ? batch->settings : &batch->frameless, &task, among, error);
}

static void say(const struct entry *entry, const char *path, const struct job_among *among)
{
    if (path != NULL)
        messages_note("%s: %" PRIu64 " frames to %s: %" PRIu64 " frames, %.3f s, %s engine",
                      entry->path, among->in_frames, path, among->out_frames, among->seconds,
                      among->engines);
    else
        messages_note("%s: %" PRIu64 " frames, %.3f s, %s engine", entry->path, among->in_frames,
                      among->seconds, among->engines);
}

/* Sets whether its output was there before. */
static int do_input(struct worker *worker, const struct entry *entry, struct job_among *among,
                    bool *passed_over, struct error *error)
{
    struct batch *batch = worker->batch;
    bool frames = batch->settings->emits.count > 0;
    char *path = frames ? targets_path(&batch->targets, entry, error) : NULL;
    int result = -1;

    *passed_over = frames && path != NULL && batch->many->skip_existing && is_there(path);
    if (frames && path == NULL)
        return -1;
    if (entry->clashes)
        error_set(error, STATUS_FAILED, "%s: another input before it has the output %s",
                  entry->path, path);
    else if (!*passed_over)
        result = do_job(worker, entry, path, frames, among, error);
    else if (batch->texts[TEXT_STATS] == NULL)
        result = 0;
    else
        result = do_job(worker, entry, NULL, false, among, error);
    if (result == 0 && !*passed_over)
        say(entry, path, among);
    free(path);
    return result;
}

static void take_input(struct worker *worker, const struct entry *entry)
{
    struct batch *batch = worker->batch;
    struct job_among among = {
        .machine = &batch->machine,
        .beside = batch->jobs - 1,
        .stats = &worker->records,
        .reports = batch->texts[TEXT_REPORT] != NULL,
        .taken = batch->outputs,
        .taken_count = TEXTS,
        .device = &batch->device,
        .begins = ledger_begins,
        .ends = ledger_ends,
        .context = worker->under_way,
    };
    bool passed_over;
    struct error error;
    int result;

    worker->records.bytes = 0;
    result = do_input(worker, entry, &among, &passed_over, &error);
    if (result != 0)
        fail(batch, entry, &error);
    put_texts(worker, entry, &among);
    ledger_end(&batch->ledger,
               result != 0   ? OUTCOME_FAILED
               : passed_over ? OUTCOME_PASSED_OVER
                             : OUTCOME_DONE,
               entry->size, &among);
    free(among.report);
}

/* ---- all inputs */

static void work(void *context, unsigned number)
{
    struct batch *batch = context;
    struct worker worker = {
        .batch = batch,
        .under_way = &batch->ledger.under_way[number],
        .records.fd = -1,
    };
    struct entry entry;
    struct error error;
    bool small;

    /* Beside those who work with a device by name, the others begin with what is for the cores. */
    small = batch->settings->device == DEVICE_CUDA && number >= DEVICE_JOBS;
    while (!atomic_load(&batch->stopping)) {
        bool taken;

        if (names_next(&batch->names, small, &entry, &taken, &error) != 0)
            end(batch, &error);
        if (!taken)
            break;
        take_input(&worker, &entry);
        free(entry.path);
    }
    output_close(&worker.records);
}

static void *work_main(void *context)
{
    struct batch *batch = context;

    crew_run(batch->machine.crew, batch->jobs, work, batch);
    flag_raise(&batch->done);
    return NULL;
}

static void format_progress(void *context, double seconds, char *text, size_t size)
{
    ledger_format(context, seconds, text, size);
}

/* The work on other threads: signals come to this one. */
static int work_watched(struct batch *batch, struct error *error)
{
    struct pollfd done = {.fd = batch->done.wait, .events = POLLIN};
    pthread_t worker;
    int number = thread_start(&worker, work_main, batch);

    if (number != 0)
        return thread_error(error, number);
    for (;;) {
        int ready = poll(&done, 1, WATCH_MILLISECONDS);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        progress_tell(&batch->progress, format_progress, &batch->ledger);
    }
    pthread_join(worker, NULL);
    progress_end(&batch->progress);
    return 0;
}

/* ---- beginning */

/* Files that may be open at once. */
static unsigned descriptor_jobs(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
            return 1;
    }
    if (limit.rlim_cur <= OWN_DESCRIPTORS + JOB_DESCRIPTORS)
        return 1;
    limit.rlim_cur = (limit.rlim_cur - OWN_DESCRIPTORS) / JOB_DESCRIPTORS;
    return limit.rlim_cur < 1024 ? (unsigned)limit.rlim_cur : 1024;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned count_jobs(const struct batch *batch)
{
    unsigned jobs = batch->many->jobs > 0 ? least(batch->many->jobs, batch->machine.threads)
                                          : batch->machine.threads;
    uint64_t files = names_count(&batch->names);

    jobs = least(jobs, descriptor_jobs());
    return files < jobs ? (files > 0 ? (unsigned)files : 1) : jobs;
}

/* The outputs that all inputs share. */
static int open_texts(struct batch *batch, struct error *error)
{
    const char *const paths[TEXTS] = {batch->task->stats, batch->task->report};
    const struct stats_label label = {.named = true};
    struct stats_text head = {.bytes = NULL};
    enum stats_format format = batch->settings->stats_format;
    int result = 0;

    for (int i = 0; i < TEXTS; i++) {
        bool table = i == TEXT_STATS && format == STATS_TABLE;

        if (paths[i] == NULL)
            continue;
        if (output_open(&batch->outputs[i], paths[i], true, NULL, error) != 0)
            return -1;
        batch->texts[i] = ordered_open(&batch->outputs[i], table ? "\n" : "");
        if (batch->texts[i] == NULL)
            return error_system(error, paths[i], errno);
    }
    if (paths[TEXT_STATS] == NULL || format == STATS_TABLE)
        return 0;
    if (stats_text_begin(&head, format, &label) != 0)
        result = error_system(error, paths[TEXT_STATS], errno);
    else if (head.used > 0)
        result = output_write(&batch->outputs[TEXT_STATS], head.bytes, head.used, error);
    stats_text_free(&head);
    return result;
}

static int open_batch(struct batch *batch, struct error *error)
{
    const struct settings *settings = batch->settings;
    bool frames = settings->emits.count > 0;
    uint64_t bytes = 0;

    if (frames)
        targets_init(&batch->targets, batch->many, settings->output_type);
    if (check_settings(settings, batch->task, frames ? &batch->targets : NULL, error) != 0 ||
        names_open(&batch->names, batch->many, settings->type, error) != 0 ||
        check_texts(batch->task, batch->names.whole.entry, batch->names.whole.count, error) != 0 ||
        (frames && check_targets(&batch->names, &batch->targets, error) != 0) ||
        (frames && targets_make_root(&batch->targets, error) != 0) || open_texts(batch, error) != 0)
        return -1;
    if (machine_open(&batch->machine, settings->threads, settings->isa, settings->device_index) !=
        0)
        return thread_error(error, errno);
    batch->machine.keep = keep_open();
    if (batch->machine.keep == NULL)
        return error_system(error, "the queue of files", errno);
    batch->jobs = count_jobs(batch);
    if (flag_open(&batch->stop) != 0 || flag_open(&batch->done) != 0)
        return error_system(error, "the queue of files", errno);
    batch->names.list.stop_fd = batch->stop.wait;
    batch->names.look = look_at_name;
    batch->names.context = batch;
    if (ledger_open(&batch->ledger, batch->jobs) != 0)
        return error_system(error, "the queue of files", errno);
    for (size_t i = 0; i < batch->names.whole.count; i++)
        bytes += batch->names.whole.entry[i].size;
    ledger_expect(&batch->ledger, names_count(&batch->names), bytes);
    return 0;
}

/* ---- the end */

/* Inputs that nobody has begun with. */
static uint64_t not_begun(struct batch *batch)
{
    const struct ledger *ledger = &batch->ledger;
    uint64_t files = names_count(&batch->names);

    if (files == UINT64_MAX)
        return 0;
    for (int i = 0; i < OUTCOMES; i++)
        files -= ledger->ended[i];
    return files;
}

/* The statistics are those of all inputs, or there are none; the report tells how it was. */
static int commit_texts(struct batch *batch, int status, struct error *error)
{
    size_t size;
    char *line;
    int result = 0;

    if (batch->texts_harm)
        return 0;
    if (batch->task->stats != NULL && !atomic_load(&batch->stopping))
        result = output_commit(&batch->outputs[TEXT_STATS], error);
    if (batch->task->report == NULL)
        return result;
    line = ledger_line(&batch->ledger, status, not_begun(batch), &size);
    if (line == NULL)
        return error_system(error, batch->task->report, errno);
    if (output_write(&batch->outputs[TEXT_REPORT], line, size, error) != 0 ||
        output_commit(&batch->outputs[TEXT_REPORT], error) != 0)
        result = -1;
    free(line);
    return result;
}

static const char *ending(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* What is told at the end. */
static int sum_up(struct batch *batch, struct error *error)
{
    const uint64_t *ended = batch->ledger.ended;
    uint64_t failed = ended[OUTCOME_FAILED] + batch->names.unusable;
    uint64_t left = not_begun(batch);
    uint64_t all = ended[OUTCOME_DONE] + ended[OUTCOME_PASSED_OVER] + failed + left;

    if (commit_texts(batch, failed > 0 || batch->fatal ? STATUS_FAILED : STATUS_DONE, error) != 0)
        return -1;
    if (ended[OUTCOME_PASSED_OVER] > 0)
        messages_warning("%" PRIu64 " of %" PRIu64 " file%s %s there already",
                         ended[OUTCOME_PASSED_OVER], all, ending(all),
                         ended[OUTCOME_PASSED_OVER] == 1 ? "was" : "were");
    if (all == 0 && !batch->fatal)
        messages_warning("%s: no names", batch->many->list);
    /* Where no single file is the worse for it, there is nothing to sum up. */
    if (batch->fatal && (batch->error.quiet || failed + left == 0)) {
        *error = batch->error;
        return -1;
    }
    if (batch->fatal)
        messages_error(&batch->error);
    if (failed == 0 && !batch->fatal)
        return 0;
    if (left > 0)
        return error_set(error, STATUS_FAILED,
                         "%" PRIu64 " of %" PRIu64 " file%s failed, %" PRIu64 " not begun", failed,
                         all, ending(all), left);
    return error_set(error, STATUS_FAILED, "%" PRIu64 " of %" PRIu64 " file%s failed", failed, all,
                     ending(all));
}

static void close_batch(struct batch *batch)
{
    for (int i = 0; i < TEXTS; i++) {
        ordered_close(batch->texts[i]);
        output_close(&batch->outputs[i]);
    }
    ledger_close(&batch->ledger);
    names_close(&batch->names);
    seen_free(&batch->targets_seen);
    flag_close(&batch->stop);
    flag_close(&batch->done);
    keep_end(batch->machine.keep);
    machine_close(&batch->machine);
    sem_destroy(&batch->device);
    pthread_mutex_destroy(&batch->lock);
}

/* A line that is renewed in place would stand between the records on a terminal. */
static enum settings_progress progress_wanted(const struct batch *batch)
{
    enum settings_progress wanted = batch->settings->progress;

    for (int i = 0; i < TEXTS; i++) {
        if (wanted == PROGRESS_AUTO && isatty(batch->outputs[i].fd) == 1)
            return PROGRESS_OFF;
    }
    return wanted;
}

int batch_run(const struct settings *settings, const struct task *task, const struct many *many,
              struct error *error)
{
    struct batch batch = {
        .settings = settings,
        .task = task,
        .many = many,
        .frameless = *settings,
        .outputs = {{.fd = -1}, {.fd = -1}},
        .stop = {-1, -1},
        .done = {-1, -1},
    };
    int result = -1;

    batch.frameless.emits.count = 0;
    pthread_mutex_init(&batch.lock, NULL);
    sem_init(&batch.device, 0, DEVICE_JOBS);
    if (open_batch(&batch, error) == 0) {
        progress_init(&batch.progress, progress_wanted(&batch), settings->quiet, 0, 0, "");
        result = work_watched(&batch, error);
        if (result == 0)
            result = sum_up(&batch, error);
    }
    close_batch(&batch);
    return result;
}
