#include "batch/known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/format.h"

/* Looks at the folder that contains the path. `*found` is false if there is none. */
static int look_at_folder(const char *path, struct stat *status, bool *found)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash + 1 - path));

    *found = folder != NULL && stat(folder, status) == 0;
    free(folder);
    return folder != NULL ? 0 : -1;
}

static int add_folder(struct known *known, const char *path)
{
    struct stat status;
    bool found;

    if (look_at_folder(path, &status, &found) != 0)
        return -1;
    return found ? seen_add_file(&known->folders, status.st_dev, status.st_ino, NULL) : 0;
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

int known_add(struct known *known, const struct entry *entry)
{
    if (entry->inode != 0 && seen_add_file(&known->files, entry->device, entry->inode, NULL) != 0)
        return -1;
    return add_folder(known, entry->path) != 0 ? -1 : add_linked_folder(known, entry->path);
}

/* `place` is the resolved path of the output, where a file exists. */
static int check_place(struct known *known, const struct entry *entry, const char *path,
                       const char *place, const char *type, struct error *error)
{
    struct stat status;
    struct stat folder;
    bool found;

    /* An output that is its own input is the job's to report. */
    if (stat(place, &status) != 0 || !S_ISREG(status.st_mode) ||
        (status.st_ino == entry->inode && status.st_dev == entry->device))
        return 0;
    if (seen_has_file(&known->files, status.st_dev, status.st_ino))
        return error_set(error, ERROR_MAY_BE_INPUT, entry->path,
                         "its output %.300s is an input, too", path);
    if (!format_is_input(place, type))
        return 0;
    if (look_at_folder(place, &folder, &found) != 0)
        return error_system(error, ERROR_FILE, entry->path, errno);
    if (!found || !seen_has_file(&known->folders, folder.st_dev, folder.st_ino))
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
