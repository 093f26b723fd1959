#include "batch/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/output.h"
#include "format/format.h"
#include "job/job.h"

int check_settings(const struct settings *settings, const struct task *task,
                   const struct targets *targets, struct error *error)
{
    /* A placeholder for any input. */
    char name[] = "input";
    const struct entry entry = {.path = name};
    struct task one = {.input = name, .stats = task->stats};
    char *path = targets == NULL ? NULL : targets_path(targets, &entry, error);
    int result;

    if (targets != NULL && path == NULL)
        return -1;
    one.output = path;
    result = job_check(settings, &one, error);
    if (result != 0 && error->code == ERROR_OUTPUT_ENDING && targets != NULL &&
        targets->name != NULL) {
        /* There is no such file, so the error must not name one. */
        error->code = ERROR_NAME_ENDING;
        snprintf(error->subject, sizeof error->subject, "%s", targets->name);
    }
    free(path);
    return result;
}

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

/* Reports the first input with the same output as `last`. */
static int complain_of_two(const struct names *names, const struct targets *targets, size_t last,
                           const char *path, struct error *error)
{
    const struct entry *entries = names->whole.entry;

    for (size_t i = 0; i < last; i++) {
        char *other = targets_path(targets, &entries[i], error);
        bool same = other != NULL && strcmp(other, path) == 0;

        free(other);
        if (same)
            return error_set(error,
                             parts(targets, "{file}.{ext}", &entries[i], &entries[last])
                                 ? ERROR_SAME_STEM
                             : parts(targets, "{dir}/{name}.{ext}", &entries[i], &entries[last])
                                 ? ERROR_SAME_NAME
                                 : ERROR_FILE,
                             path, "would be the output of %.300s and %.300s", entries[i].path,
                             entries[last].path);
    }
    return 0; /* only the hashes are equal */
}

static int complain_of_input(const struct names *names, const struct entry *made_of,
                             const char *path, const struct stat *status, struct error *error)
{
    for (size_t i = 0; i < names->whole.count; i++) {
        const struct entry *entry = &names->whole.entry[i];

        if (entry->inode == status->st_ino && entry->device == status->st_dev)
            return error_set(error, ERROR_FILE, path,
                             "would be the output of %.300s, and is the input %.300s",
                             made_of->path, entry->path);
    }
    return 0;
}

/* Adds the output of an input to those of the earlier ones. */
static int check_one(const struct names *names, const struct targets *targets, struct known *known,
                     size_t index, struct error *error)
{
    const struct entry *entry = &names->whole.entry[index];
    struct error of_its_own;
    char *path = targets_path(targets, entry, &of_its_own);
    struct stat status;
    bool there = false;
    int result = 0;

    if (path == NULL)
        return 0; /* only this input fails */
    if (seen_add(&known->outputs, path, strlen(path), &there) != 0)
        result = error_system(error, ERROR_FILE, path, errno);
    else if (there)
        result = complain_of_two(names, targets, index, path, error);
    if (result == 0 && stat(path, &status) == 0 &&
        seen_has_file(&known->files, status.st_dev, status.st_ino))
        result = complain_of_input(names, entry, path, &status, error);
    free(path);
    return result;
}

int check_targets(const struct names *names, const struct targets *targets, struct known *known,
                  struct error *error)
{
    int result = 0;

    for (size_t i = 0; i < names->whole.count; i++) {
        const struct entry *entry = &names->whole.entry[i];

        if (known_add(known, entry, names->piped) != 0)
            return error_system(error, ERROR_FILE, entry->path, errno);
    }
    for (size_t i = 0; result == 0 && i < names->whole.count; i++)
        result = check_one(names, targets, known, i, error);
    return result;
}

int check_shared_outputs(const struct task *task, const struct entry *entries, size_t count,
                         const char *what, struct error *error)
{
    const char *const paths[] = {task->stats, task->report};
    struct stat status;

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] == NULL || stat(paths[i], &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        for (size_t k = 0; k < count; k++) {
            if (entries[k].inode == status.st_ino && entries[k].device == status.st_dev)
                return error_set(error, ERROR_FILE, paths[i], "is %s too: write to another name",
                                 what);
        }
    }
    return 0;
}

int check_list(const struct task *task, const struct names *names, struct error *error)
{
    const struct stat *status = &names->list.status;
    const struct entry list = {.device = status->st_dev, .inode = status->st_ino};

    if (names->many->list == NULL)
        return 0;
    for (size_t i = 0; names->piped && i < names->whole.count; i++) {
        const struct entry *entry = &names->whole.entry[i];

        if (entry->inode == list.inode && entry->device == list.device)
            return error_set(error, ERROR_NAMES, entry->path,
                             "has the names of the inputs, not samples");
    }
    return check_shared_outputs(task, &list, 1, "the list of names", error);
}

/* ---- names that come through a pipe */

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

int known_add(struct known *known, const struct entry *entry, bool folders)
{
    if (entry->inode != 0 && seen_add_file(&known->files, entry->device, entry->inode, NULL) != 0)
        return -1;
    if (!folders)
        return 0;
    return add_folder(known, entry->path) != 0 ? -1 : add_linked_folder(known, entry->path);
}

/* `place` is the resolved path of the output, where a file exists. */
static int check_place(struct known *known, const struct entry *entry, const char *path,
                       const char *place, const char *type, struct error *error)
{
    struct stat status;
    struct stat folder;

    /* An output that is its own input is the job's to report. */
    if (stat(place, &status) != 0 || !S_ISREG(status.st_mode) ||
        (status.st_ino == entry->inode && status.st_dev == entry->device))
        return 0;
    if (seen_has_file(&known->files, status.st_dev, status.st_ino))
        return error_set(error, ERROR_MAY_BE_INPUT, entry->path,
                         "its output %.300s is an input, too", path);
    if (!format_is_input(place, type))
        return 0;
    if (output_folder(place, &folder) != 0)
        return errno == ENOMEM ? error_system(error, ERROR_FILE, entry->path, errno) : 0;
    if (!seen_has_file(&known->folders, folder.st_dev, folder.st_ino))
        return 0;
    return error_set(error, ERROR_MAY_BE_INPUT, entry->path,
                     "its output %.300s exists, in a folder of inputs", path);
}

int known_check(struct known *known, const struct entry *entry, const char *path, const char *type,
                struct error *error)
{
    char *place = realpath(path, NULL);
    int result;

    if (place == NULL)
        return errno == ENOMEM ? error_system(error, ERROR_FILE, entry->path, errno) : 0;
    result = check_place(known, entry, path, place, type, error);
    free(place);
    return result;
}
