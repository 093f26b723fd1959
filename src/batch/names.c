#include "batch/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/least.h"
#include "cli/messages.h"

enum {
    WINDOW = 10000,         /* inputs among which the largest goes first */
    READ_BYTES = 64 * 1024, /* more than a pipe keeps together */
};

/* ---- the list */

/* Reads more of the list behind what is left of it. */
static int reader_fill(struct name_reader *reader, struct error *error)
{
    size_t got;

    if (reader->used > 0) {
        reader->filled -= reader->used;
        reader->searched -= reader->used;
        memmove(reader->bytes, reader->bytes + reader->used, reader->filled);
        reader->used = 0;
    }
    if (reader->room - reader->filled < READ_BYTES) {
        size_t room = 2 * reader->filled + READ_BYTES;
        char *bytes = realloc(reader->bytes, room);

        if (bytes == NULL)
            return error_system(error, ERROR_FILE, reader->list->name, errno);
        reader->bytes = bytes;
        reader->room = room;
    }
    if (input_read(reader->list, reader->bytes + reader->filled, READ_BYTES, &got, error) != 0)
        return -1;
    reader->filled += got;
    reader->over = got == 0;
    return 0;
}

/* The end of the next name; NULL: it is not read yet. */
static const char *reader_find_end(struct name_reader *reader)
{
    const size_t left = reader->filled - reader->searched;
    const char *end = left > 0 ? memchr(reader->bytes + reader->searched, reader->end, left) : NULL;

    reader->searched = end != NULL ? (size_t)(end - reader->bytes) : reader->filled;
    return end;
}

/* Reads the next name that is not empty, to be freed. `*name` is NULL at the end of the list, which
 * also ends a name. "-" is a file in a list, not standard input. A null byte is an error: otherwise
 * the output of `find -print0` would look like one short name. */
static int reader_next(struct name_reader *reader, char **name, struct error *error)
{
    *name = NULL;
    while (*name == NULL && !reader->list->stopped) {
        const char *end = reader_find_end(reader);
        const char *from;
        size_t size;

        if (end == NULL && !reader->over) {
            if (reader_fill(reader, error) != 0)
                return -1;
            continue;
        }
        if (reader->used == reader->filled)
            return 0;
        from = reader->bytes + reader->used;
        size = end != NULL ? (size_t)(end - from) : reader->filled - reader->used;
        reader->used += size + (end != NULL);
        reader->searched = reader->used;
        if (size == 0)
            continue;
        if (memchr(from, '\0', size) != NULL)
            return error_set(error, ERROR_NAMES_NULL, reader->list->name,
                             "has a null byte in a name");
        *name = size == 1 && *from == '-' ? strdup("./-") : strndup(from, size);
        if (*name == NULL)
            return error_system(error, ERROR_FILE, reader->list->name, errno);
    }
    return 0;
}

/* Can the next name be read without waiting? */
static bool reader_ready(struct name_reader *reader)
{
    return reader->over || reader_find_end(reader) != NULL || input_ready(reader->list, 0);
}

/* ---- gathering */

/* Looks at the file. If that fails, opening it will report the reason. */
static void look(struct entry *entry)
{
    struct stat status;

    if (stat(entry->path, &status) != 0)
        return;
    entry->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    entry->device = status.st_dev;
    entry->inode = status.st_ino;
}

static int append_folder(struct names *names, const char *folder)
{
    struct folder_walk walk = {.inputs = &names->whole, .type = names->type};
    struct stat out;

    if (names->many->folder != NULL && stat(names->many->folder, &out) == 0) {
        walk.out_device = out.st_dev;
        walk.out_inode = out.st_ino;
    }
    if (folders_walk(&walk, folder) != 0)
        return -1;
    names->unusable += walk.unusable;
    if (walk.taken == 0 && walk.unusable == 0) {
        struct error error;

        error_set(&error, walk.is_out ? ERROR_OUT_FOLDER : ERROR_FILE, folder, "%s",
                  walk.is_out ? "is the folder of the outputs, where no inputs are looked for"
                              : "no file in it has the ending of a known format");
        messages_error(&error);
        names->unusable++;
    } else if (walk.passed_over > 0) {
        messages_warning("%s: %zu file%s passed over: their endings are of no known format", folder,
                         walk.passed_over, walk.passed_over == 1 ? "" : "s");
    }
    return 0;
}

static int gather_operands(struct names *names)
{
    for (size_t i = 0; i < names->many->count; i++) {
        const char *operand = names->many->operands[i];
        struct stat status;
        bool is_folder = names->many->recursive && operand[0] != '\0' &&
                         stat(operand, &status) == 0 && S_ISDIR(status.st_mode);

        if ((is_folder ? append_folder(names, operand)
                       : entries_append(&names->whole, strdup(operand), 0)) != 0)
            return -1;
    }
    return 0;
}

static int gather_list(struct names *names, struct error *error)
{
    char *name;

    for (;;) {
        if (reader_next(&names->reader, &name, error) != 0)
            return -1;
        if (name == NULL)
            return 0;
        if (entries_append(&names->whole, name, 0) != 0)
            return error_system(error, ERROR_FILE, names->list.name, errno);
    }
}

static int open_list(struct names *names, struct error *error)
{
    if (names->many->list == NULL)
        return 0;
    if (input_open(&names->list, names->many->list, true, error) != 0)
        return -1;
    names->reader.list = &names->list;
    names->reader.end = names->many->null ? '\0' : '\n';
    names->piped = !names->list.regular;
    return names->piped ? 0 : gather_list(names, error);
}

int names_open(struct names *names, const struct many *many, const char *type, struct error *error)
{
    *names = (struct names){.many = many, .type = type, .list.fd = -1};
    pthread_mutex_init(&names->lock, NULL);
    if (gather_operands(names) != 0)
        return error_system(error, ERROR_RESOURCE, "the names of the inputs", errno);
    if (open_list(names, error) != 0)
        return -1;
    for (size_t i = 0; i < names->whole.count; i++)
        look(&names->whole.entry[i]);
    return 0;
}

void names_close(struct names *names)
{
    free(names->reader.bytes);
    input_close(&names->list);
    entries_free(&names->whole);
    pthread_mutex_destroy(&names->lock);
}

uint64_t names_count(const struct names *names)
{
    return names->piped ? UINT64_MAX : names->whole.count;
}

uint64_t names_left(const struct names *names)
{
    return names->whole.count - names->end + names->to - names->from;
}

bool names_unread(const struct names *names)
{
    return names->piped && (!names->reader.over || names->list.stopped);
}

/* ---- handing out */

static int compare(const void *a, const void *b)
{
    const struct entry *one = a;
    const struct entry *other = b;

    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

/* Waits for one name, and takes the others that are there. */
static int fill_from_pipe(struct names *names, struct error *error)
{
    struct entries *entries = &names->whole;

    while (entries->count < WINDOW && (entries->count == 0 || reader_ready(&names->reader))) {
        char *name;

        if (reader_next(&names->reader, &name, error) != 0)
            return -1;
        if (name == NULL)
            return 0;
        if (entries_append(entries, name, 0) != 0)
            return error_system(error, ERROR_FILE, names->list.name, errno);
        look(&entries->entry[entries->count - 1]);
        if (names->look(names->context, &entries->entry[entries->count - 1], error) != 0)
            return -1;
    }
    return 0;
}

static int fill(struct names *names, struct error *error)
{
    struct entries *entries = &names->whole;

    if (names->end == entries->count && names->piped) {
        entries->count = names->from = names->to = names->end = 0;
        if (fill_from_pipe(names, error) != 0)
            return -1;
    }
    names->from = names->end;
    names->end += (size_t)least(entries->count - names->end, WINDOW);
    names->to = names->end;
    for (size_t i = names->from; i < names->to; i++)
        entries->entry[i].number = names->next_number++;
    if (names->from < names->to)
        qsort(&entries->entry[names->from], names->to - names->from, sizeof(struct entry), compare);
    return 0;
}

int names_next(struct names *names, bool small, struct entry *entry, bool *taken,
               struct error *error)
{
    int result = 0;

    pthread_mutex_lock(&names->lock);
    if (!names->over && names->from == names->to) {
        result = fill(names, error);
        names->over = result != 0 || names->from == names->to;
    }
    /* If reading the list has failed, the names before the fault are not used. */
    *taken = !names->over;
    if (*taken) {
        struct entry *next = &names->whole.entry[small ? --names->to : names->from++];

        *entry = *next;
        next->path = NULL; /* the caller's */
    }
    pthread_mutex_unlock(&names->lock);
    return result;
}
