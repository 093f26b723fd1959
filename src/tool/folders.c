/* SPDX-License-Identifier: MIT */
/* fts(3) is not used: if reading a folder fails half-way, it does not report that. */
#include "tool/folders_priv.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "format/format.h"
#include "tool/messages.h"

void entry_free(struct entry *entry)
{
    free(entry->path);
    free(entry->output);
}

void entries_free(struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        entry_free(&entries->entry[i]);
    free(entries->entry);
    *entries = (struct entries){.entry = NULL};
}

int entries_append(struct entries *entries, char *path, size_t folder)
{
    struct entry *grown;

    if (path == NULL)
        return -1;
    grown = array_grow(entries->entry, &entries->capacity, entries->count + 1, sizeof *grown);
    if (grown == NULL) {
        free(path);
        errno = ENOMEM;
        return -1;
    }
    entries->entry = grown;
    entries->entry[entries->count++] = (struct entry){.path = path, .folder = folder};
    return 0;
}

/* ---- the walk */

static void complain(struct folder_walk *walk, const char *path, int number)
{
    struct error error;

    error_system(&error, ERROR_FILE, path, number);
    messages_error(&error);
    walk->unusable++;
}

/* Compares paths by their bytes, whatever the locale. */
static int compare(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

/* Reads the folder's names as far as that is possible. */
static int list_folder(struct folder_walk *walk, const char *path, struct entries *names)
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
        if (found != NULL && strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0) {
            result = entries_append(names, strdup(found->d_name), 0);
            if (result == 0)
                names->entry[names->count - 1].kind = found->d_type;
        }
    } while (result == 0 && found != NULL);
    (void)closedir(folder);
    if (result == 0 && names->count > 0)
        qsort(names->entry, names->count, sizeof *names->entry, compare);
    return result;
}

static int take_file(struct folder_walk *walk, const char *path, size_t root)
{
    if (!format_is_input(path, walk->type)) {
        if (!format_describes(path))
            walk->passed_over++;
        return 0;
    }
    return entries_append(walk->inputs, strdup(path), root);
}

/* A path has no more folders than PATH_MAX leaves room for. */
// NOLINTBEGIN(misc-no-recursion)
static int walk_folder(struct folder_walk *walk, const char *path, size_t root);

/* Visits one name in a folder. Links, FIFOs and devices are passed over in silence. `kind` saves a
 * stat() of each file, which takes most of the time in a large folder. */
static int visit(struct folder_walk *walk, const char *path, unsigned char kind, size_t root)
{
    struct stat status;

    if (kind == DT_REG)
        return take_file(walk, path, root);
    if (kind == DT_LNK)
        walk->links++;
    if (kind != DT_DIR && kind != DT_UNKNOWN)
        return 0;
    if (lstat(path, &status) != 0) {
        complain(walk, path, errno);
        return 0;
    }
    if (S_ISREG(status.st_mode))
        return take_file(walk, path, root);
    walk->links += S_ISLNK(status.st_mode);
    if (!S_ISDIR(status.st_mode) ||
        (status.st_ino == walk->out_inode && status.st_dev == walk->out_device))
        return 0;
    return walk_folder(walk, path, root);
}

/* `root`: the length of the part of the paths that names the folder of the walk. */
static int walk_folder(struct folder_walk *walk, const char *path, size_t root)
{
    struct entries names = {.entry = NULL};
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    int result = list_folder(walk, path, &names);

    for (size_t i = 0; result == 0 && i < names.count; i++) {
        char *inner;

        if (asprintf(&inner, "%s%s%s", path, slash, names.entry[i].path) < 0) {
            result = -1;
        } else {
            result = visit(walk, inner, names.entry[i].kind, root);
            free(inner);
        }
    }
    entries_free(&names);
    return result;
}
// NOLINTEND(misc-no-recursion)

int folders_walk(struct folder_walk *walk, const char *folder)
{
    size_t length = strlen(folder);

    return walk_folder(walk, folder, length + (folder[length - 1] != '/'));
}
