/* SPDX-License-Identifier: MIT */
#include "tool/batch_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/min_max.h"
#include "base/size_words.h"
#include "base/thread.h"
#include "base/thread_program.h"
#include "format/format.h"
#include "format/spans/spans.h"
#include "tool/batch_run_priv.h"
#include "tool/check_priv.h"
#include "tool/messages.h"

enum {
    JOB_DESCRIPTORS = 8, /* open descriptors of a job */
    OWN_DESCRIPTORS = 24,
};

/* ---- the work */

static void work_main(void *context)
{
    struct batch *batch = context;

    threads_run(batch->shared.machine->threads, batch->shared.jobs, batch->shared.jobs, batch_work,
                batch);
}

static void tick(void *context)
{
    struct batch *batch = context;
    char line[PROGRESS_LINE];

    ledger_format(&batch->ledger, line, sizeof line);
    progress_tell(&batch->progress, line);
}

/* ---- beginning */

/* The number of jobs that the limit of open files allows. */
static unsigned descriptor_jobs(void)
{
    struct rlimit limit;
    struct rlimit raised;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1;
    raised = (struct rlimit){limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
        limit = raised;
    if (limit.rlim_cur <= OWN_DESCRIPTORS + JOB_DESCRIPTORS)
        return 1;
    limit.rlim_cur = (limit.rlim_cur - OWN_DESCRIPTORS) / JOB_DESCRIPTORS;
    return limit.rlim_cur < 1024 ? (unsigned)limit.rlim_cur : 1024;
}

/* Call it while there is one thread: Linux makes room for descriptors when one is as high, and if
 * there are several threads then, all that open a file wait for that, for 20 to 50 ms on a host
 * with many cores. */
static void make_room_for_descriptors(unsigned jobs)
{
    const int last = (int)(OWN_DESCRIPTORS + JOB_DESCRIPTORS * jobs) - 1;
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, last);

    if (fd >= 0)
        (void)close(fd);
}

/* Call it when the devices have been found: it reports no error. */
static unsigned count_device_jobs(const struct settings *settings)
{
    unsigned devices = settings->device_count > 0 ? settings->device_count : 1;
    struct error error;

    if (settings->device == DEVICE_CUDA && settings->all_devices)
        (void)engines_devices.count(&devices, &error);
    return DEVICE_JOBS * devices;
}

/* One header line stands above the spans of all inputs; labels have none. */
static int begin_spans(struct batch *batch, struct error *error)
{
    char header[SPANS_HEADER];
    const bool keyed = batch->settings->dialect.by != NULL;
    const size_t size = spans_put_header(header, &batch->settings->rule, keyed, true, true);

    return strcmp(batch->settings->output_type, "spans") != 0
               ? 0
               : output_write(&batch->outputs[TEXT_FRAMES], header, size, error);
}

/* Opens the outputs that all inputs share. */
static int open_texts(struct batch *batch, struct error *error)
{
    const struct job_files *task = batch->task;
    const char *const paths[TEXTS] = {[TEXT_STATS] = task->stats,
                                      [TEXT_REPORT] = task->report,
                                      [TEXT_FRAMES] = batch->many->together ? "-" : NULL};

    for (int i = 0; i < TEXTS; i++) {
        struct output *output = &batch->outputs[i];

        if (paths[i] != NULL &&
            (output_open(output, paths[i], true, NULL, error) != 0 ||
             (i != TEXT_FRAMES &&
              job_spare_older(batch->settings, output, i == TEXT_STATS, error) != 0)))
            return -1;
    }
    if (batch->many->together && begin_spans(batch, error) != 0)
        return -1;
    if (task->stats != NULL && task->report != NULL &&
        output_same_place(&batch->outputs[TEXT_STATS], &batch->outputs[TEXT_REPORT]))
        return error_set(error, ERROR_RUN, NULL, "--stats %s: is the report too", task->stats);
    return task->stats == NULL || batch->settings->stats_format == STATS_TABLE
               ? 0
               : job_name_columns(batch->settings, batch->tables, &batch->outputs[TEXT_STATS],
                                  error);
}

/* Is the input certainly no table? The options, or its name, say so before it is open. */
static bool is_no_table(const char *type, const char *path)
{
    const struct format *format = format_named(type, strlen(type));

    if (format == NULL && strcmp(type, "auto") != 0)
        format = &format_raw;
    if (format == NULL && path != NULL && !format_ending_says_nothing(path))
        format = format_of_input(path, NULL);
    return format != NULL && format->delimiter == '\0';
}

/* One header line names the fields of all records: those of tables too, if any input may be one. */
static bool may_have_tables(const struct batch *batch)
{
    const char *type = batch->settings->type;
    bool may = batch->settings->table != NULL || (batch->names.piped && !is_no_table(type, NULL));

    for (size_t i = 0; !may && i < batch->names.whole.count; i++)
        may = !is_no_table(type, batch->names.whole.entry[i].path);
    return may;
}

static int open_batch(struct batch *batch, struct error *error)
{
    const struct settings *settings = batch->settings;
    const bool frames = batch->known.targets != NULL;
    uint64_t bytes = 0;
    unsigned most;

    if (frames)
        targets_init(&batch->targets, batch->many, settings);
    if (check_settings(settings, batch->task, frames ? &batch->targets : NULL, error) != 0)
        return -1;
    batch->context = context_make(settings->threads, settings->isa, settings->devices[0], true);
    thread_keep_memory();
    if (batch->context == NULL)
        return thread_error(error, errno);
    batch->shared.machine = context_machine(batch->context);
    /* The most jobs at a time, however many inputs there are. */
    most = (unsigned)min_u64(min_u64(batch->shared.machine->threads_most, descriptor_jobs()),
                             batch->many->jobs > 0 ? batch->many->jobs : UINT64_MAX);
    make_room_for_descriptors(most);
    if (names_open(&batch->names, batch->many, settings->type, batch->shared.machine->threads,
                   error) != 0)
        return -1;
    batch->known.piped = batch->names.piped;
    if (known_check(&batch->known, &batch->names.whole, true, error) != 0 ||
        (frames && targets_make_root(&batch->targets, error) != 0))
        return -1;
    batch->tables = may_have_tables(batch);
    if (open_texts(batch, error) != 0)
        return -1;
    batch->device_jobs = count_device_jobs(settings);
    for (unsigned i = 0; i < batch->device_jobs; i++)
        sem_post(&batch->shared.device);
    batch->shared.jobs = (unsigned)max_u64(min_u64(most, names_count(&batch->names)), 1);
    for (size_t i = 0; i < batch->names.whole.count; i++) {
        uint64_t size = batch->names.whole.entry[i].size;

        bytes += size;
        if (job_is_large(size))
            batch->shared.large_bytes += size;
    }
    if (flag_open(&batch->stop) != 0 ||
        ledger_open(&batch->ledger, batch->shared.jobs, names_count(&batch->names), bytes) != 0)
        return error_system(error, ERROR_RESOURCE, "the queue of files", errno);
    batch->names.list.stop_fd = batch->stop.wait;
    batch->names.known = &batch->known;
    return 0;
}

/* ---- the end */

static void commit(struct batch *batch, enum batch_text text, bool wanted)
{
    if (wanted && output_commit(&batch->outputs[text], &batch->error) != 0)
        batch->fatal = true;
}

/* The report is written even if inputs have failed. */
static int commit_report(struct batch *batch, int status, struct error *error)
{
    struct output *report = &batch->outputs[TEXT_REPORT];
    size_t size;
    char *line;
    int result = -1;

    if (batch->known.texts_harm || batch->task->report == NULL || batch->texts[TEXT_REPORT].failed)
        return 0;
    line = ledger_line(&batch->ledger, status, names_left(&batch->names), &size);
    if (line == NULL)
        return error_system(error, ERROR_FILE, batch->task->report, errno);
    if (ordered_rest(&batch->texts[TEXT_REPORT], error) == 0 &&
        output_write(report, line, size, error) == 0)
        result = output_commit(report, error);
    free(line);
    return result;
}

/* "1 of 5 files failed, 3 not begun" */
static int count_failures(struct batch *batch, uint64_t failed, uint64_t all, struct error *error)
{
    uint64_t left = names_left(&batch->names);
    char not_begun[48] = "";

    if (left > 0)
        (void)snprintf(not_begun, sizeof not_begun, ", %" PRIu64 " not begun", left);
    return error_set(error, ERROR_RUN, NULL, "%" PRIu64 " of %" PRIu64 " file%s failed%s%s", failed,
                     all, size_plural(all), not_begun,
                     atomic_load(&batch->stopping) && names_unread(&batch->names)
                         ? ", and the list was not read to its end"
                         : "");
}

/* Writes the shared outputs and the final messages. */
static int sum_up(struct batch *batch, struct error *error)
{
    const uint64_t *ended = batch->ledger.ended;
    uint64_t failed = ended[OUTCOME_FAILED] + batch->names.unusable;
    uint64_t left = names_left(&batch->names);
    uint64_t all = ended[OUTCOME_DONE] + ended[OUTCOME_PASSED_OVER] + failed + left;

    commit(batch, TEXT_FRAMES, batch->many->together && !batch->fatal);
    /* Statistics are written for all inputs or not at all. */
    commit(batch, TEXT_STATS,
           batch->task->stats != NULL && !batch->known.texts_harm &&
               !atomic_load(&batch->stopping));
    if (commit_report(batch, failed > 0 || batch->fatal ? STATUS_FAILED : STATUS_DONE, error) != 0)
        return -1;
    if (ended[OUTCOME_PASSED_OVER] > 0)
        messages_warning("%" PRIu64 " of %" PRIu64 " file%s %s there already",
                         ended[OUTCOME_PASSED_OVER], all, size_plural(all),
                         ended[OUTCOME_PASSED_OVER] == 1 ? "was" : "were");
    if (all == 0 && !batch->fatal)
        messages_warning("%s: contains no names", batch->many->list);
    /* If all files are done, or none was begun, a count would say nothing. */
    if (batch->fatal && (batch->error.quiet || failed + left == 0 || left == all)) {
        *error = batch->error;
        return -1;
    }
    if (batch->fatal)
        messages_error(&batch->error);
    if (failed == 0 && !batch->fatal)
        return 0;
    return count_failures(batch, failed, all, error);
}

static void close_batch(struct batch *batch)
{
    for (int i = 0; i < TEXTS; i++) {
        ordered_close(&batch->texts[i]);
        output_close(&batch->outputs[i]);
    }
    ledger_close(&batch->ledger);
    names_close(&batch->names);
    seen_free(&batch->known.files);
    seen_free(&batch->known.folders);
    seen_free(&batch->known.outputs);
    seen_free(&batch->known.made.files);
    flag_close(&batch->stop);
    gpuenv_close(batch->context);
    sem_destroy(&batch->shared.device);
    pthread_mutex_destroy(&batch->lock);
}

int batch_run(const struct settings *settings, const struct job_files *task,
              const struct many *many, struct error *error)
{
    struct batch batch = {
        .settings = settings,
        .task = task,
        .many = many,
        .frameless = *settings,
        .outputs = {{.fd = -1}, {.fd = -1}, {.fd = -1}},
        .known = {.settings = settings,
                  .task = task,
                  .targets = settings->emits.count > 0 && !many->together ? &batch.targets : NULL,
                  .many = many,
                  .list = many->list != NULL ? &batch.names.list.status : NULL,
                  .files = SEEN_NONE,
                  .folders = SEEN_NONE,
                  .outputs = SEEN_NONE,
                  .made = MADE_OF(batch.outputs, TEXTS)},
        .shared.made = &batch.known.made,
        .stop = {-1, -1},
    };
    int result = -1;

    batch.frameless.emits.count = 0;
    pthread_mutex_init(&batch.lock, NULL);
    for (int i = 0; i < TEXTS; i++)
        ordered_init(&batch.texts[i], &batch.outputs[i],
                     i == TEXT_STATS && settings->stats_format == STATS_TABLE ? "\n" : "");
    sem_init(&batch.shared.device, 0, 0);
    if (open_batch(&batch, error) == 0) {
        bool mixes = false;

        for (int i = 0; i < TEXTS; i++)
            mixes = mixes || isatty(batch.outputs[i].fd) == 1;
        progress_init(&batch.progress, settings->progress, mixes, 0, 0, "");
        result = thread_watch(work_main, tick, &batch, error);
        progress_end(&batch.progress);
        if (result == 0)
            result = sum_up(&batch, error);
    }
    close_batch(&batch);
    return result;
}
