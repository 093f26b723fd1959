#include "tool/names_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/min_max.h"
#include "base/size_words.h"
#include "tool/check_priv.h"
#include "tool/messages.h"

enum {
    WINDOW = 10000,         /* inputs among which the largest goes first */
    READ_BYTES = 64 * 1024, /* more than a pipe keeps together */
};

/* ---- the list */

/* Reads more of the list behind what is left of it. */
static int read_more(struct names *names, struct error *error)
{
    struct name_buffer *buffer = &names->buffer;
    struct memory_text *text = &buffer->text;
    size_t got;

    if (buffer->used > 0) {
        text->used -= buffer->used;
        buffer->searched -= buffer->used;
        memmove(text->bytes, text->bytes + buffer->used, text->used);
        buffer->used = 0;
    }
    if (memory_text_reserve(text, READ_BYTES) != 0)
        return error_system(error, ERROR_FILE, names->list.name, errno);
    if (input_read(&names->list, text->bytes + text->used, READ_BYTES, &got, error) != 0)
        return -1;
    text->used += got;
    buffer->over = got == 0;
    return 0;
}

/* The end of the next name; NULL: it is not read yet. */
static const char *find_end(struct names *names)
{
    struct name_buffer *buffer = &names->buffer;
    const size_t left = buffer->text.used - buffer->searched;
    const char *end = left == 0 ? NULL
                                : memchr(buffer->text.bytes + buffer->searched,
                                         names->many->null ? '\0' : '\n', left);

    buffer->searched = end != NULL ? (size_t)(end - buffer->text.bytes) : buffer->text.used;
    return end;
}

/* Reads the next name that is not empty, to be freed. `*name` is NULL at the end of the list, which
 * also ends a name. "-" is a file in a list, not standard input. A null byte is an error: otherwise
 * the output of `find -print0` would look like one short name. */
static int next_name(struct names *names, char **name, struct error *error)
{
    struct name_buffer *buffer = &names->buffer;

    *name = NULL;
    while (*name == NULL && !names->list.stopped) {
        const char *end = find_end(names);
        const char *from;
        size_t size;

        if (end == NULL && !buffer->over) {
            if (read_more(names, error) != 0)
                return -1;
            continue;
        }
        if (buffer->used == buffer->text.used)
            return 0;
        from = buffer->text.bytes + buffer->used;
        size = end != NULL ? (size_t)(end - from) : buffer->text.used - buffer->used;
        buffer->used += size + (end != NULL);
        buffer->searched = buffer->used;
        if (size == 0)
            continue;
        if (memchr(from, '\0', size) != NULL)
            return error_set(error, ERROR_NAMES_NULL, names->list.name,
                             "has a null byte in a name");
        *name = size == 1 && *from == '-' ? strdup("./-") : strndup(from, size);
        if (*name == NULL)
            return error_system(error, ERROR_FILE, names->list.name, errno);
    }
    return 0;
}

/* Can the next name be read without waiting? */
static bool is_ready(struct names *names)
{
    return names->buffer.over || find_end(names) != NULL || input_ready(&names->list, 0);
}

/* Looks at the file. If that fails, opening it will report the reason. */
static void look_at(struct entry *entry)
{
    struct stat status;

    if (stat(entry->path, &status) != 0)
        return;
    entry->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    entry->device = status.st_dev;
    entry->inode = status.st_ino;
}

enum { ENTRIES_A_PART = 1024 };

static void look_at_part(void *context, unsigned index)
{
    struct entries *whole = context;
    const size_t from = (size_t)index * ENTRIES_A_PART;

    for (size_t i = from; i < whole->count && i < from + ENTRIES_A_PART; i++)
        look_at(&whole->entry[i]);
}

/* Reads a whole list; from a pipe, waits for one name, and takes the others that are there. */
static int read_names(struct names *names, struct error *error)
{
    struct entries *whole = &names->whole;

    while (!names->piped || (whole->count < WINDOW && (whole->count == 0 || is_ready(names)))) {
        char *name;

        if (next_name(names, &name, error) != 0)
            return -1;
        if (name == NULL)
            return 0;
        if (entries_append(whole, name, 0) != 0)
            return error_system(error, ERROR_FILE, names->list.name, errno);
        look_at(&whole->entry[whole->count - 1]);
    }
    return 0;
}

/* ---- gathering */

static int append_folder(struct names *names, const char *folder, const struct stat *status)
{
    struct folder_walk walk = {.inputs = &names->whole, .type = names->type};
    const size_t before = names->whole.count;
    struct error error;
    struct stat out;
    bool is_out;

    if (names->many->folder != NULL && stat(names->many->folder, &out) == 0) {
        walk.out_device = out.st_dev;
        walk.out_inode = out.st_ino;
    }
    is_out = status->st_ino == walk.out_inode && status->st_dev == walk.out_device;
    if (!is_out && folders_walk(&walk, folder) != 0)
        return -1;
    names->unusable += walk.unusable;
    if (names->whole.count == before && walk.unusable == 0) {
        error_set(&error, is_out ? ERROR_OUT_FOLDER : ERROR_FILE, folder, "%s",
                  is_out ? "is the folder of the outputs, where no inputs are looked for"
                         : "no file in it has the ending of a known format");
        messages_error(&error);
        names->unusable++;
    } else if (walk.passed_over > 0) {
        messages_warning("%s: %zu file%s passed over: their endings are of no known format", folder,
                         walk.passed_over, size_plural(walk.passed_over));
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

        if ((is_folder ? append_folder(names, operand, &status)
                       : entries_append(&names->whole, strdup(operand), 0)) != 0)
            return -1;
    }
    return 0;
}

int names_open(struct names *names, const struct many *many, const char *type,
               struct threads *threads, struct error *error)
{
    *names = (struct names){.many = many, .type = type, .list.fd = -1};
    pthread_mutex_init(&names->lock, NULL);
    if (gather_operands(names) != 0)
        return error_system(error, ERROR_RESOURCE, "the names of the inputs", errno);
    threads_run(threads, (unsigned)(names->whole.count / ENTRIES_A_PART + 1), threads_size(threads),
                look_at_part, &names->whole);
    if (many->list == NULL)
        return 0;
    if (input_open(&names->list, many->list, true, error) != 0)
        return -1;
    names->piped = !names->list.regular;
    return names->piped ? 0 : read_names(names, error);
}

void names_close(struct names *names)
{
    memory_text_free(&names->buffer.text);
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
    return names->piped && (!names->buffer.over || names->list.stopped);
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

static int fill(struct names *names, struct error *error)
{
    struct entries *entries = &names->whole;

    if (names->end == entries->count && names->piped) {
        entries->count = names->from = names->to = names->end = 0;
        if (read_names(names, error) != 0 || known_check(names->known, entries, false, error) != 0)
            return -1;
    }
    names->from = names->end;
    names->end += (size_t)min_u64(entries->count - names->end, WINDOW);
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
        *next = (struct entry){.path = NULL}; /* it is the caller's now */
    }
    pthread_mutex_unlock(&names->lock);
    return result;
}
