#include "batch/targets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupted.h"
#include "format/format.h"

/* A path under construction. */
struct path {
    char *bytes;
    size_t size;
};

void targets_init(struct targets *targets, const struct many *many, const char *type)
{
    const char *ending = type == NULL ? "f32" : type;
    size_t length;

    /* A list of spans is csv. */
    if (strcmp(ending, "spans") == 0)
        ending = "csv";
    length = strcspn(ending, ":");
    *targets = (struct targets){.folder = many->folder, .name = many->name};
    if (length < sizeof targets->ending)
        memcpy(targets->ending, ending, length);
}

/* The name of an input in a walked folder is its path inside that folder. */
static const char *inner_path(const struct entry *entry)
{
    return entry->path + entry->folder;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? 0 : (size_t)(slash - path);
}

static void add(struct path *path, const char *bytes, size_t size)
{
    memcpy(path->bytes + path->size, bytes, size);
    path->size += size;
}

/* Expands one word in braces of the template. */
static void put_word(struct path *path, const struct targets *targets, const char *word,
                     const char *input)
{
    size_t folder = folder_length(input);
    const char *name = input[folder] == '/' ? input + folder + 1 : input;

    if (strncmp(word, "ext}", 4) == 0) {
        add(path, targets->ending, strlen(targets->ending));
    } else if (strncmp(word, "file}", 5) == 0) {
        add(path, name, strlen(name));
    } else if (strncmp(word, "name}", 5) == 0) {
        /* A name that is only an ending, ".wav", counts as a stem. */
        size_t stem = format_stem(name);

        add(path, name, stem > 0 ? stem : strlen(name));
    } else if (folder == 0) {
        add(path, ".", 1);
    } else {
        add(path, input, folder);
    }
}

/* Removes redundant parts: "a//b", "./a". */
static void tidy(struct path *path, size_t from)
{
    char *bytes = path->bytes;
    size_t size = from;

    for (size_t at = from; at < path->size;) {
        size_t length = 0;

        while (at + length < path->size && bytes[at + length] != '/')
            length++;
        if (length > 0 && !(length == 1 && bytes[at] == '.')) {
            memmove(bytes + size, bytes + at, length);
            size += length;
            if (at + length < path->size)
                bytes[size++] = '/';
        }
        at += length + 1;
    }
    path->size = size;
}

static const char *template_of(const struct targets *targets, const struct entry *entry)
{
    if (targets->name != NULL)
        return targets->name;
    return entry->walked ? "{dir}/{name}.{ext}" : "{name}.{ext}";
}

/* An upper limit for the expanded template: each of its words can be the whole path of the
 * input. */
static size_t room_for(const struct targets *targets, const char *template, const char *input)
{
    size_t words = 0;

    for (const char *at = template; (at = strchr(at, '{')) != NULL; at++)
        words++;
    return strlen(targets->folder) + strlen(template) +
           words * (strlen(input) + sizeof targets->ending) + 3;
}

char *targets_path(const struct targets *targets, const struct entry *entry, struct error *error)
{
    const char *template = template_of(targets, entry);
    const char *input = inner_path(entry);
    struct path path = {.bytes = malloc(room_for(targets, template, input))};
    size_t root;

    if (path.bytes == NULL) {
        error_system(error, ERROR_FILE, entry->path, errno);
        return NULL;
    }
    add(&path, targets->folder, strlen(targets->folder));
    if (path.size > 0 && path.bytes[path.size - 1] != '/')
        add(&path, "/", 1);
    root = path.size;
    for (const char *at = template; *at != '\0'; at++) {
        if (*at == '{') {
            put_word(&path, targets, at + 1, input);
            at = strchr(at, '}');
        } else {
            add(&path, at, 1);
        }
    }
    tidy(&path, root);
    path.bytes[path.size] = '\0';
    if (!settings_leads_up(path.bytes + root))
        return path.bytes;
    error_set(error, ERROR_FILE, entry->path, "its output %s would lie outside of %s", path.bytes,
              targets->folder);
    free(path.bytes);
    return NULL;
}

/* Makes one folder; another thread or process may make it first. */
static int make(const char *path, struct error *error)
{
    struct stat status;
    int result;

    do
        result = mkdir(path, 0777);
    while (interrupted(result));
    if (result == 0)
        return 0;
    if (errno == EEXIST && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_system(error, ERROR_FILE, path, ENOTDIR);
    return errno == EEXIST ? 0 : error_system(error, ERROR_FILE, path, errno);
}

/* Makes the folders that the path names after byte `from`; each ends in a slash. */
static int make_inner(char *path, size_t from, struct error *error)
{
    for (char *slash = path + from; (slash = strchr(slash, '/')) != NULL; slash++) {
        int result = 0;

        *slash = '\0';
        if (slash > path)
            result = make(path, error);
        *slash = '/';
        if (result != 0)
            return -1;
    }
    return 0;
}

int targets_make_folders(const struct targets *targets, const char *path, struct error *error)
{
    size_t root = strlen(targets->folder) + 1;
    char *copy;
    int result;

    if (strchr(path + root, '/') == NULL)
        return 0;
    copy = strdup(path);
    if (copy == NULL)
        return error_system(error, ERROR_FILE, path, errno);
    result = make_inner(copy, root, error);
    free(copy);
    return result;
}

int targets_make_root(const struct targets *targets, struct error *error)
{
    char *copy;
    int result;

    if (asprintf(&copy, "%s/", targets->folder) < 0)
        return error_system(error, ERROR_FILE, targets->folder, errno);
    result = make_inner(copy, 0, error);
    free(copy);
    return result;
}
