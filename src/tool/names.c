/* SPDX-License-Identifier: MIT */
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

/* Adds a name that is not empty. "-" is a file in a list, not standard input. A null byte is an
 * error: otherwise the output of `find -print0` would look like one short name. */
static int add_name(struct names *names, const char *name, size_t size, struct error *error)
{
    struct entries *whole = &names->whole;

    if (size == 0)
        return 0;
    if (memchr(name, '\0', size) != NULL)
        return error_set(error, ERROR_FILE, names->list.name,
                         "has a null byte in a name: give -0 where names end with one");
    if (entries_append(whole, size == 1 && *name == '-' ? strdup("./-") : strndup(name, size), 0) !=
        0)
        return error_system(error, ERROR_FILE, names->list.name, errno);
    look_at(&whole->entry[whole->count - 1]);
    return 0;
}

/* Adds the names that have been read, and keeps the beginning of the next one. The end of the list
 * also ends a name. */
static int add_names(struct names *names, struct error *error)
{
    struct memory_text *text = &names->text;
    const char *name = text->bytes;
    const char *over = name + text->used;

    while (name < over) {
        const char *end = memchr(name, names->many->null ? '\0' : '\n', (size_t)(over - name));

        if (end == NULL && !names->list_over)
            break;
        end = end != NULL ? end : over;
        if (add_name(names, name, (size_t)(end - name), error) != 0)
            return -1;
        name = end < over ? end + 1 : over;
    }
    text->used = (size_t)(over - name);
    memmove(text->bytes, name, text->used);
    return 0;
}

/* Reads a whole list; from a pipe, waits for one name, and takes the others that are there. */
static int read_names(struct names *names, struct error *error)
{
    struct memory_text *text = &names->text;

    while (!names->list_over && (!names->piped || names->whole.count == 0)) {
        /* A name without an end is searched again, so the text has to grow by much. */
        const size_t most = (size_t)max_u64(READ_BYTES, text->used);
        size_t got;

        if (memory_text_reserve(text, most) != 0)
            return error_system(error, ERROR_FILE, names->list.name, errno);
        if (input_read(&names->list, text->bytes + text->used, most, &got, error) != 0)
            return -1;
        if (names->list.stopped)
            return 0;
        text->used += got;
        names->list_over = got == 0;
        if (add_names(names, error) != 0)
            return -1;
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
        error_set(&error, ERROR_FILE, folder, "%s",
                  is_out ? "is the folder of the outputs, where no inputs are looked for "
                           "(--out-dir)"
                  : walk.links > 0 && walk.passed_over == 0
                      ? "has links only, which are not followed: name the files themselves"
                      : "no file in it has the ending of a known format");
        messages_error(&error);
        names->unusable++;
    } else if (walk.passed_over > 0) {
        messages_warning("%s: %zu file%s passed over: their endings are not those of known formats",
                         folder, walk.passed_over, size_plural(walk.passed_over));
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

enum { ENTRIES_A_PART = 1024 };

static void look_at_part(void *context, unsigned index)
{
    struct entries *whole = context;
    const size_t from = (size_t)index * ENTRIES_A_PART;

    for (size_t i = from; i < whole->count && i < from + ENTRIES_A_PART; i++)
        look_at(&whole->entry[i]);
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
    memory_text_free(&names->text);
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
    return names->piped && !names->list_over;
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
