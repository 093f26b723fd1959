/* SPDX-License-Identifier: MIT */
#include "tool/check_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/format.h"
#include "job/job.h"

int check_settings(const struct settings *settings, const struct job_files *task,
                   const struct targets *targets, struct error *error)
{
    /* A placeholder for any input. */
    char name[] = "input";
    const struct entry entry = {.path = name};
    struct job_files one = {.input = name, .stats = task->stats};
    char *path = targets == NULL ? NULL : targets_path(targets, &entry, error);
    int result;

    if (targets != NULL && path == NULL)
        return -1;
    one.output = path;
    result = job_check(settings, &one, error);
    if (result != 0 && error->code == ERROR_OUTPUT_ENDING && targets != NULL &&
        targets->name != NULL) {
        /* There is no such file, so the error must not name one. */
        error->code = ERROR_COMMAND;
        snprintf(error->subject, sizeof error->subject, "--name %s", targets->name);
    }
    free(path);
    return result;
}

/* ---- files that all inputs share */

static bool is_file(const struct entry *entry, const struct stat *status)
{
    return entry->inode == status->st_ino && entry->device == status->st_dev;
}

/* Finds the input that is this file. Returns NULL if none is. */
static const struct entry *find_file(const struct entries *inputs, const struct stat *status)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (is_file(&inputs->entry[i], status))
            return &inputs->entry[i];
    }
    return NULL;
}

/* The shared statistics and report may not replace an input or the list of names, under any name.
 */
static int check_texts(const struct known *known, const struct entries *inputs, struct error *error)
{
    const char *const paths[] = {known->task->stats, known->task->report};
    struct stat status;

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *what = NULL;

        if (paths[i] == NULL || stat(paths[i], &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (known->list != NULL && status.st_ino == known->list->st_ino &&
            status.st_dev == known->list->st_dev)
            what = "the list of names";
        else if (find_file(inputs, &status) != NULL)
            what = "the input file";
        if (what != NULL)
            return error_set(error, ERROR_FILE, paths[i], "is %s too: write to another name", what);
    }
    return 0;
}

/* A list that is a pipe cannot be an input, too: each would get a part of the bytes. */
static int check_list(const struct known *known, const struct entries *inputs, struct error *error)
{
    const struct entry *entry = known->piped ? find_file(inputs, known->list) : NULL;

    return entry == NULL ? 0
                         : error_set(error, ERROR_FILE, entry->path,
                                     "holds the names of the inputs, not samples (--files-from)");
}

/* ---- names known in advance */

/* Would a template give two inputs two outputs? */
static bool parts(const struct targets *targets, const char *template, const struct entry *one,
                  const struct entry *other)
{
    struct targets wanted = *targets;
    struct error ignored;
    char *paths[2];
    bool two;

    wanted.name = template;
    paths[0] = targets_path(&wanted, one, &ignored);
    paths[1] = targets_path(&wanted, other, &ignored);
    two = paths[0] != NULL && paths[1] != NULL && strcmp(paths[0], paths[1]) != 0;
    free(paths[0]);
    free(paths[1]);
    return two;
}

/* Finds the input before `last` that has its output. Returns NULL if only the hashes are equal. */
static const struct entry *find_output(const struct entry *inputs, const struct entry *last)
{
    for (; inputs < last; inputs++) {
        if (inputs->output != NULL && strcmp(inputs->output, last->output) == 0)
            return inputs;
    }
    return NULL;
}

static int complain_of_two(const struct targets *targets, const struct entry *one,
                           const struct entry *other, struct error *error)
{
    static const char *const templates[] = {"{file}.{ext}", "{dir}/{name}.{ext}"};
    char advice[64] = "";

    for (size_t i = 0; advice[0] == '\0' && i < sizeof templates / sizeof *templates; i++) {
        if (parts(targets, templates[i], one, other))
            snprintf(advice, sizeof advice, ": --name '%s' keeps them apart", templates[i]);
    }
    return error_set(error, ERROR_FILE, one->output, "would be the output of %.300s and %.300s%s",
                     one->path, other->path, advice);
}

/* ---- every name */

static int add_folder(struct known *known, const char *path)
{
    struct stat status;

    if (output_folder(path, &status) != 0)
        return errno == ENOMEM ? -1 : 0;
    return seen_add_file(&known->folders, status.st_dev, status.st_ino, NULL);
}

/* Adds the folder of a link's target. */
static int add_linked_folder(struct known *known, const char *path)
{
    struct stat status;
    char *real;
    int result;

    if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
        return 0;
    real = realpath(path, NULL);
    if (real == NULL)
        return errno == ENOMEM ? -1 : 0;
    result = add_folder(known, real);
    free(real);
    return result;
}

static int add_input(struct known *known, const struct entry *entry)
{
    if (entry->inode != 0 && seen_add_file(&known->files, entry->device, entry->inode, NULL) != 0)
        return -1;
    if (!known->piped)
        return 0;
    return add_folder(known, entry->path) != 0 ? -1 : add_linked_folder(known, entry->path);
}

/* Is the path in a folder of inputs, with an ending that can be read? Yes if memory runs out: then
 * nothing is replaced. */
static bool may_be_input(struct known *known, const char *path)
{
    char *place = realpath(path, NULL);
    bool is_input = place == NULL || format_is_input(place, known->settings->type);
    struct stat folder;

    if (is_input && place != NULL && output_folder(place, &folder) == 0)
        is_input = seen_has_file(&known->folders, folder.st_dev, folder.st_ino);
    free(place);
    return is_input;
}

/* What the output would replace. An existing file may be an input whose name still comes through
 * the pipe, unless the user keeps or overwrites such files. If an input from the pipe is its own
 * output, its job reports that. */
static enum clash clash_of(struct known *known, const struct entry *entry, bool in_advance)
{
    const struct many *many = known->many;
    const bool spares =
        known->piped && !many->overwrite && !many->skip_existing && !known->settings->no_clobber;
    struct stat status;

    if ((!in_advance && !spares) || stat(entry->output, &status) != 0)
        return CLASH_NONE;
    if (is_file(entry, &status))
        return in_advance ? CLASH_INPUT : CLASH_NONE;
    if (seen_has_file(&known->files, status.st_dev, status.st_ino))
        return CLASH_INPUT;
    return spares && S_ISREG(status.st_mode) && may_be_input(known, entry->output)
               ? CLASH_MAYBE_INPUT
               : CLASH_NONE;
}

/* Adds the output of an input to the outputs of the earlier inputs. */
static int add_output(struct known *known, struct entry *entry, bool in_advance)
{
    struct error of_its_own; /* ignored: known_check_turn() finds it again */
    bool there;

    entry->output = targets_path(known->targets, entry, &of_its_own);
    if (entry->output == NULL)
        return 0;
    if (seen_add(&known->outputs, entry->output, strlen(entry->output), &there) != 0)
        return -1;
    entry->clash = there ? CLASH_OUTPUT : clash_of(known, entry, in_advance);
    return 0;
}

/* A clash of names known in advance is the error of the batch, unless only the hashes are equal. */
static int complain(struct known *known, const struct entries *inputs, struct entry *entry,
                    struct error *error)
{
    const struct entry *other = NULL;
    struct stat status;

    if (entry->clash == CLASH_OUTPUT) {
        other = find_output(inputs->entry, entry);
        if (other != NULL)
            return complain_of_two(known->targets, other, entry, error);
        entry->clash = clash_of(known, entry, true);
    }
    if (entry->clash != CLASH_INPUT)
        return 0;
    if (stat(entry->output, &status) == 0)
        other = find_file(inputs, &status);
    if (other != NULL)
        return error_set(error, ERROR_FILE, entry->output,
                         "would be the output of %.300s, and is the input %.300s: "
                         "--name '{name}-envelope.{ext}' gives it another name",
                         entry->path, other->path);
    entry->clash = CLASH_NONE;
    return 0;
}

int known_check(struct known *known, const struct entries *inputs, bool in_advance,
                struct error *error)
{
    if ((in_advance && check_list(known, inputs, error) != 0) ||
        check_texts(known, inputs, error) != 0) {
        known->texts_harm = true;
        return -1;
    }
    for (size_t i = 0; known->targets != NULL && i < inputs->count; i++) {
        if (add_input(known, &inputs->entry[i]) != 0)
            return error_system(error, ERROR_FILE, inputs->entry[i].path, errno);
    }
    for (size_t i = 0; known->targets != NULL && i < inputs->count; i++) {
        struct entry *entry = &inputs->entry[i];

        if (add_output(known, entry, in_advance) != 0)
            return error_system(error, ERROR_FILE, entry->path, errno);
        if (in_advance && complain(known, inputs, entry, error) != 0)
            return -1;
    }
    return 0;
}

int known_check_turn(struct known *known, struct entry *entry, bool *passed_over,
                     struct error *error)
{
    const struct many *many = known->many;
    struct stat status;

    if (entry->output == NULL)
        entry->output = targets_path(known->targets, entry, error);
    if (entry->output == NULL)
        return -1;
    if (entry->clash == CLASH_OUTPUT)
        return error_set(error, ERROR_FILE, entry->path, "an earlier input has the same output %s",
                         entry->output);
    *passed_over =
        many->skip_existing && stat(entry->output, &status) == 0 && !S_ISDIR(status.st_mode);
    if (*passed_over && made_has(&known->made, &status))
        return error_set(error, ERROR_FILE, entry->output,
                         "is the output of another input, too (see --name)");
    if (*passed_over)
        return 0;
    if (known->piped && !many->overwrite && stat(entry->path, &status) == 0 &&
        made_has(&known->made, &status))
        return error_set(error, ERROR_FILE, entry->path,
                         "is an output of this run: give another --out-dir");
    if (entry->clash == CLASH_NONE)
        return 0;
    return error_set(error, ERROR_FILE, entry->path,
                     "its output %.300s %s: give another --out-dir, or --overwrite", entry->output,
                     entry->clash == CLASH_INPUT ? "is an input, too"
                                                 : "exists, in a folder of inputs");
}
