#include "batch/folders.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "format/format.h"

/* By their bytes, whatever the locale. */
static int compare(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void complain(struct folder_walk *walk, const char *path, int number)
{
    struct error error;

    error_system(&error, ERROR_FILE, path, number);
    messages_error(&error);
    walk->names->unusable++;
}

static bool is_output_folder(const struct folder_walk *walk, const FTSENT *found)
{
    return found->fts_ino == walk->out_inode && found->fts_dev == walk->out_device;
}

static int take_file(struct folder_walk *walk, const char *path, size_t root)
{
    char *copy;

    if (!format_is_input(path, walk->names->type)) {
        walk->passed_over++;
        return 0;
    }
    copy = strdup(path);
    if (copy == NULL || entries_append(&walk->names->whole, copy, root, true) != 0) {
        free(copy);
        return -1;
    }
    walk->taken++;
    return 0;
}

/* Links, FIFOs and devices are passed over in silence. */
static int visit(struct folder_walk *walk, FTS *tree, FTSENT *found, size_t root)
{
    switch (found->fts_info) {
    case FTS_F:
        return take_file(walk, found->fts_path, root);
    case FTS_D:
        if (!is_output_folder(walk, found))
            return 0;
        walk->is_out = found->fts_level == FTS_ROOTLEVEL;
        return fts_set(tree, found, FTS_SKIP);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        complain(walk, found->fts_path, found->fts_errno);
        return 0;
    default:
        return 0;
    }
}

int folders_walk(struct folder_walk *walk, const char *folder)
{
    size_t length = strlen(folder);
    size_t root = length + (folder[length - 1] != '/');
    char *path = strdup(folder);
    char *const paths[] = {path, NULL};
    FTS *tree =
        path == NULL ? NULL : fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare);
    FTSENT *found;
    int result = tree == NULL ? -1 : 0;

    while (result == 0 && (found = fts_read(tree)) != NULL)
        result = visit(walk, tree, found, root);
    /* fts_read() ends with errno 0 when all has been visited. */
    if (result == 0 && errno != 0)
        result = -1;
    if (tree != NULL)
        (void)fts_close(tree);
    free(path);
    return result;
}
