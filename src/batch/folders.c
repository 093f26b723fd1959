/* Not by fts(3), which takes a folder whose reading fails half-way for one that has ended. */
#include "batch/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/messages.h"
#include "format/format.h"

enum { NAMES_FIRST = 64 };

/* The names in a folder. */
struct listing {
    char **names;
    size_t count;
    size_t room;
};

static void complain(struct folder_walk *walk, const char *path, int number)
{
    struct error error;

    error_system(&error, ERROR_FILE, path, number);
    messages_error(&error);
    walk->unusable++;
}

static void listing_free(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->names[i]);
    free(listing->names);
}

static int listing_append(struct listing *listing, const char *name)
{
    if (listing->count == listing->room) {
        size_t room = listing->room > 0 ? 2 * listing->room : NAMES_FIRST;
        char **grown = realloc(listing->names, room * sizeof *grown);

        if (grown == NULL)
            return -1;
        listing->names = grown;
        listing->room = room;
    }
    listing->names[listing->count] = strdup(name);
    if (listing->names[listing->count] == NULL)
        return -1;
    listing->count++;
    return 0;
}

/* By their bytes, whatever the locale. */
static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads the folder's names as far as that is possible. */
static int list(struct folder_walk *walk, const char *path, struct listing *listing)
{
    DIR *folder = opendir(path);
    struct dirent *found;
    int result = 0;

    if (folder == NULL) {
        complain(walk, path, errno);
        return 0;
    }
    do {
        errno = 0; /* readdir() returns NULL for the end, too */
        found = readdir(folder);
        if (found == NULL && errno != 0)
            complain(walk, path, errno);
        if (found != NULL && strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0)
            result = listing_append(listing, found->d_name);
    } while (result == 0 && found != NULL);
    (void)closedir(folder);
    if (result == 0 && listing->count > 0)
        qsort(listing->names, listing->count, sizeof *listing->names, compare);
    return result;
}

static int take_file(struct folder_walk *walk, const char *path, size_t root)
{
    char *copy;

    if (!format_is_input(path, walk->type)) {
        if (!format_describes(path))
            walk->passed_over++;
        return 0;
    }
    copy = strdup(path);
    if (copy == NULL || entries_append(walk->inputs, copy, root, true) != 0) {
        free(copy);
        return -1;
    }
    walk->taken++;
    return 0;
}

/* A path has no more folders than PATH_MAX leaves room for. */
// NOLINTBEGIN(misc-no-recursion)
static int walk_folder(struct folder_walk *walk, const char *path, size_t root);

/* Links, FIFOs and devices are passed over in silence. */
static int visit(struct folder_walk *walk, const char *path, size_t root)
{
    struct stat status;

    if (lstat(path, &status) != 0) {
        complain(walk, path, errno);
        return 0;
    }
    if (S_ISREG(status.st_mode))
        return take_file(walk, path, root);
    if (!S_ISDIR(status.st_mode) ||
        (status.st_ino == walk->out_inode && status.st_dev == walk->out_device))
        return 0;
    return walk_folder(walk, path, root);
}

/* `root` is the length of what stands before the paths in the folder that was to be walked. */
static int walk_folder(struct folder_walk *walk, const char *path, size_t root)
{
    struct listing listing = {.names = NULL};
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    int result = list(walk, path, &listing);

    for (size_t i = 0; result == 0 && i < listing.count; i++) {
        char *inner;

        if (asprintf(&inner, "%s%s%s", path, slash, listing.names[i]) < 0) {
            result = -1;
        } else {
            result = visit(walk, inner, root);
            free(inner);
        }
    }
    listing_free(&listing);
    return result;
}
// NOLINTEND(misc-no-recursion)

int folders_walk(struct folder_walk *walk, const char *folder)
{
    size_t length = strlen(folder);
    struct stat status;

    if (stat(folder, &status) == 0 && status.st_ino == walk->out_inode &&
        status.st_dev == walk->out_device) {
        walk->is_out = true;
        return 0;
    }
    return walk_folder(walk, folder, length + (folder[length - 1] != '/'));
}
