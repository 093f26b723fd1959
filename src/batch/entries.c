#include "batch/entries.h"

#include <errno.h>
#include <stdlib.h>

enum { ENTRIES_FIRST = 256 };

void entries_free(struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        free(entries->entry[i].path);
    free(entries->entry);
    *entries = (struct entries){.entry = NULL};
}

int entries_append(struct entries *entries, char *path, size_t folder, bool walked)
{
    if (path == NULL)
        return -1;
    if (entries->count == entries->room) {
        size_t room = entries->room > 0 ? 2 * entries->room : ENTRIES_FIRST;
        struct entry *grown = realloc(entries->entry, room * sizeof *grown);

        if (grown == NULL) {
            free(path);
            errno = ENOMEM;
            return -1;
        }
        entries->entry = grown;
        entries->room = room;
    }
    entries->entry[entries->count++] = (struct entry){
        .path = path,
        .folder = folder,
        .walked = walked,
    };
    return 0;
}
