/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "bench/account.h"
#include "cuda/engine_cuda.h"
#include "io/output.h"
#include "tool/messages.h"

struct session {
    const struct bench_options *options;
    struct account account;
    struct error no_device;
    size_t running; /* flavours that can run */
    size_t most;    /* samples */
    void *samples;
    void *windows; /* with the guard */
    struct reference reference;
    struct caches caches;
    bool table;                       /* standard output is free for the table */
    struct memory_text text;          /* on its way to a file */
    struct output files[BENCH_FILES]; /* fd is -1 unless it is open */
};

/* ---- memory ---- */

/* The bytes of so many samples. */
static size_t samples_bytes(const struct session *session, size_t count)
{
    return count * value_bytes(session->options->kind);
}

static size_t windows_bytes(const struct session *session)
{
    return samples_bytes(session, 2 * session->most + REFERENCE_GUARD);
}

static int take_memory(struct session *session, struct error *error)
{
    bool windows = session->options->problem == BENCH_WINDOW;
    uint64_t needed = (uint64_t)samples_bytes(session, session->most) * (windows ? 5 : 1);
    uint64_t limit = pages_limit();

    if (needed > limit)
        return error_set(error, ERROR_RESOURCE, NULL,
                         "-s %zu: needs %llu bytes, and there are %llu", session->most,
                         (unsigned long long)needed, (unsigned long long)limit);
    session->samples = pages_alloc(samples_bytes(session, session->most));
    if (session->samples == NULL || caches_open(&session->caches) != 0)
        return error_system(error, ERROR_RESOURCE, "samples", errno);
    if (!windows)
        return 0;
    session->windows = pages_alloc(windows_bytes(session));
    session->reference.low = pages_alloc(samples_bytes(session, 2 * session->most));
    if (session->windows == NULL || session->reference.low == NULL)
        return error_system(error, ERROR_RESOURCE, "windows", errno);
    session->reference.high =
        bench_place(session->options->kind, session->reference.low, session->most);
    return 0;
}

static void give_memory_back(struct session *session)
{
    pages_free(session->samples, samples_bytes(session, session->most));
    pages_free(session->windows, windows_bytes(session));
    pages_free(session->reference.low, samples_bytes(session, 2 * session->most));
    pages_free(session->caches.memory, session->caches.size);
    memory_text_free(&session->text);
    free(session->account.results);
}

/* ---- results ---- */

static struct result *new_result(struct session *session, struct error *error)
{
    struct account *account = &session->account;
    struct result *results = realloc(account->results, (account->count + 1) * sizeof *results);

    if (results == NULL) {
        error_system(error, ERROR_RESOURCE, "results", ENOMEM);
        return NULL;
    }
    account->results = results;
    return &results[account->count++];
}

/* Writes the text, or a part of the table if `output` is NULL, and empties it. */
static int write_text(struct session *session, struct output *output, struct error *error)
{
    struct memory_text *text = &session->text;
    const size_t used = text->used;

    text->used = 0;
    if (text->failed)
        return error_system(error, ERROR_RESOURCE, "results", ENOMEM);
    if (output != NULL)
        return output_write(output, text->bytes, used, error);
    return session->table && used > 0 ? messages_print(text->bytes, error) : 0;
}

static bool is_skipped(const struct session *session, const struct bench_flavour *flavour)
{
    return flavour->on_gpu && session->account.without != NULL;
}

/* Checks for the device. Prints "skipped: a, b, c: why" once, and adds a result for each flavour
 * that cannot run. */
static int tell_skipped(struct session *session, struct error *error)
{
    const struct bench_options *options = session->options;
    const struct bench_flavour *flavour;
    struct memory_text *text = &session->text;
    const char *without = NULL;

    if (engine_cuda_find(options->device, &session->no_device) != 0)
        without = session->account.without = session->no_device.reason;
    if (without != NULL && bench_cuda_families[0] == NULL && options->only == NULL)
        memory_text_put(text, "skipped: all CUDA flavours");
    for (size_t i = 0; (flavour = selection_flavour(i)) != NULL; i++) {
        struct result *result;

        if (!selection_takes(options, flavour))
            continue;
        if (!is_skipped(session, flavour)) {
            session->running++;
            continue;
        }
        result = new_result(session, error);
        if (result == NULL)
            return -1;
        *result = (struct result){.flavour = flavour, .outcome = OUTCOME_SKIPPED};
        snprintf(result->why, sizeof result->why, "%.*s", (int)sizeof result->why - 1, without);
        memory_text_print(text, "%s%s", text->used > 0 ? ", " : "skipped: ", flavour->name);
    }
    if (text->used > 0)
        memory_text_print(text, ": %.255s\n", without);
    return write_text(session, NULL, error);
}

/* ---- one number of samples and one window ---- */

static int run_one(struct session *session, const struct bench_flavour *flavour,
                   const struct bench_task *task, struct error *error)
{
    const struct bench_flavour *ceiling = ceiling_of(session->options->problem);
    const struct trial trial = {
        .flavour = flavour,
        .task = task,
        .reference = flavour == ceiling ? NULL : &session->reference,
        .ceiling = flavour == ceiling ? NULL : ceiling,
        .caches = &session->caches,
        .iterations = session->options->iterations,
    };
    struct result *result = new_result(session, error);

    if (result == NULL)
        return -1;
    messages_note("%s: %zu samples, window %llu, %u threads, %u blocks", flavour->name, task->count,
                  (unsigned long long)task->width, task->threads, task->blocks);
    runner_run(&trial, result);
    table_row(session->options, result, &session->text);
    return write_text(session, NULL, error);
}

/* Finds the reference result. For a sweep it is repeated as often as the flavours run, so that its
 * time can be compared with theirs. */
static int find_reference(struct session *session, const struct bench_task *task,
                          struct error *error)
{
    unsigned times = session->options->sweep ? session->options->iterations : 1;
    static double seconds[RUNNER_ITERATIONS_MOST];

    for (unsigned i = 0; i < times; i++) {
        if (session->options->sweep)
            caches_empty(&session->caches);
        if (reference_find(&session->reference, session->options->problem, task, error) != 0)
            return -1;
        seconds[i] = session->reference.seconds;
    }
    session->reference.seconds = spread_of(seconds, times).median;
    return 0;
}

static int run_case(struct session *session, size_t count, uint64_t width, struct error *error)
{
    const struct bench_options *options = session->options;
    struct bench_task task = {
        .kind = options->kind,
        .samples = session->samples,
        .count = count,
        .width = width,
        .windows = session->windows,
        .device = options->device,
    };
    const struct bench_flavour *flavour;

    if (options->problem == BENCH_WINDOW && width > count) {
        memory_text_print(&session->text, "\n%zu samples, window %llu: there is no whole window\n",
                          count, (unsigned long long)width);
        return write_text(session, NULL, error);
    }
    table_case(options, &task, &session->text);
    if (write_text(session, NULL, error) != 0 || find_reference(session, &task, error) != 0)
        return -1;
    if (!options->sweep && run_one(session, ceiling_of(options->problem), &task, error) != 0)
        return -1;
    for (size_t i = 0; (flavour = selection_flavour(i)) != NULL; i++) {
        if (!selection_takes(options, flavour) || is_skipped(session, flavour))
            continue;
        for (size_t pair = 0; pair < options->threads.count * options->blocks.count; pair++) {
            task.threads = (unsigned)options->threads.number[pair / options->blocks.count];
            task.blocks = (unsigned)options->blocks.number[pair % options->blocks.count];
            if (run_one(session, flavour, &task, error) != 0)
                return -1;
        }
    }
    return 0;
}

static int run_cases(struct session *session, struct error *error)
{
    const struct bench_options *options = session->options;

    for (size_t s = 0; s < options->samples.count; s++) {
        for (size_t w = 0; w < options->windows.count; w++) {
            if (run_case(session, (size_t)options->samples.number[s], options->windows.number[w],
                         error) != 0)
                return -1;
        }
    }
    return 0;
}

/* ---- files ---- */

/* Opens the files before the runs, so that a bad name does not waste a long run. Each file has to
 * be different from the previous ones, even under another name: it would hold only the last
 * results. */
static int open_files(struct session *session, struct error *error)
{
    const char *const *paths = session->options->files;

    session->table = true;
    for (int i = 0; i < BENCH_FILES; i++) {
        if (paths[i] == NULL)
            continue;
        if (strcmp(paths[i], "-") == 0)
            session->table = false;
        /* Text may go to a terminal. */
        if (output_open(&session->files[i], paths[i], true, NULL, error) != 0)
            return -1;
        for (int j = 0; j < i; j++) {
            if (session->files[j].fd >= 0 &&
                output_same_place(&session->files[i], &session->files[j]))
                return USAGE(error, "%s %.*s: %s writes %s already", bench_file_options[i],
                             VALUES_SHOWN, paths[i], bench_file_options[j],
                             strcmp(paths[i], "-") == 0 ? "to standard output" : "this file");
        }
    }
    return paths[BENCH_PLOT] != NULL ? plot_can(paths[BENCH_PLOT], error) : 0;
}

static int write_files(struct session *session, struct error *error)
{
    const struct account *account = &session->account;
    struct error other;
    int result = 0;

    /* If one file cannot be written, the others are still written: the run may have been long. */
    for (int i = 0; i < BENCH_FILES; i++) {
        struct output *file = &session->files[i];
        struct error *why = result == 0 ? error : &other;

        if (file->fd < 0)
            continue;
        if (i == BENCH_CSV)
            csv_write(account, &session->text);
        else if (i == BENCH_JSON)
            json_write(account, &session->text);
        if ((i == BENCH_PLOT ? plot_draw(account, session->options->files[i], file->fd, why)
                             : write_text(session, file, why)) != 0 ||
            output_commit(file, why) != 0)
            result = -1;
    }
    return result;
}

/* ---- all of it ---- */

/* Reports the first failure, and the number of others. */
static int verdict(const struct session *session, struct error *error)
{
    const struct result *first = NULL;
    size_t bad = 0;

    for (size_t i = 0; i < session->account.count; i++) {
        const struct result *result = &session->account.results[i];

        if (result->outcome == OUTCOME_WRONG || result->outcome == OUTCOME_FAILED)
            first = bad++ == 0 ? result : first;
    }
    if (first != NULL)
        return error_set(error, ERROR_FILE, first->flavour->name, "%s: %s%s",
                         outcome_words[first->outcome], first->why,
                         bad > 1 ? "; it is not the only one" : "");
    if (session->running == 0)
        return error_set(error, ERROR_RESOURCE, "nothing to compare", "%s",
                         session->account.without);
    return 0;
}

int session_run(const struct bench_options *options, struct error *error)
{
    struct session session = {.options = options,
                              .account = {.options = options},
                              .files = {{.fd = -1}, {.fd = -1}, {.fd = -1}},
                              .most = (size_t)series_largest(&options->samples)};
    int status = -1;

    if (selection_check(options, error) != 0 || open_files(&session, error) != 0 ||
        take_memory(&session, error) != 0)
        goto done;
    messages_note("between runs %zu bytes are read, so that the caches are empty of the samples",
                  session.caches.size);
    data_fill(options->data, options->kind, session.samples, session.most);
    table_head(options, &session.text);
    if (write_text(&session, NULL, error) != 0 || tell_skipped(&session, error) != 0 ||
        (session.running > 0 && run_cases(&session, error) != 0) ||
        write_files(&session, error) != 0)
        goto done;
    status = verdict(&session, error);
done:
    for (int i = 0; i < BENCH_FILES; i++)
        output_close(&session.files[i]);
    give_memory_back(&session);
    return status;
}
