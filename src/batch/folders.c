#include "batch/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/messages.h"
#include "format/format.h"

/* Deeper than any tree of files is meant to be; a walk needs a descriptor for none of them. */
enum { DEPTH_MOST = 256 };

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t size = length + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

static int complain(struct folder_walk *walk, const char *path, int number)
{
    struct error error;

    error_system(&error, path, number);
    messages_error(&error);
    walk->names->unusable++;
    return 0;
}

/* By their bytes, whatever the locale. */
static int compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int walk_folder(struct folder_walk *walk, const char *path, size_t root, unsigned depth);

/* Takes the path over. */
static int visit(struct folder_walk *walk, char *path, size_t root, unsigned depth)
{
    struct stat status;
    int result = 0;

    if (lstat(path, &status) != 0) {
        result = complain(walk, path, errno);
    } else if (S_ISDIR(status.st_mode)) {
        if (status.st_ino != walk->out_inode || status.st_dev != walk->out_device)
            result = walk_folder(walk, path, root, depth + 1);
    } else if (S_ISREG(status.st_mode) && format_is_input(path, walk->names->type)) {
        if (names_append(&walk->names->whole, path, root, true) == 0) {
            walk->taken++;
            return 0;
        }
        result = -1;
    } else if (S_ISREG(status.st_mode)) {
        walk->passed_over++;
    }
    free(path);
    return result;
}

static int walk_folder(struct folder_walk *walk, const char *path, size_t root, unsigned depth)
{
    struct dirent **found = NULL;
    int count;
    int result = 0;

    if (depth > DEPTH_MOST)
        return complain(walk, path, ELOOP);
    count = scandir(path, &found, NULL, compare);
    if (count < 0)
        return errno == ENOMEM ? -1 : complain(walk, path, errno);
    for (int i = 0; i < count; i++) {
        const char *name = found[i]->d_name;

        if (result == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            char *inside = join(path, name);

            result = inside == NULL ? -1 : visit(walk, inside, root, depth);
        }
        free(found[i]);
    }
    free(found);
    return result;
}

int folders_walk(struct folder_walk *walk, const char *folder)
{
    size_t length = strlen(folder);

    return walk_folder(walk, folder, length + (folder[length - 1] != '/'), 0);
}
