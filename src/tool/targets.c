/* SPDX-License-Identifier: MIT */
#include "tool/targets_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_text.h"
#include "format/format.h"

void targets_init(struct targets *targets, const struct many *many, const struct settings *settings)
{
    const char *ending = settings->output_type == NULL ? "" : settings->output_type;
    size_t length;

    /* A list of spans is csv; Audacity gives labels this ending. */
    if (strcmp(ending, "spans") == 0)
        ending = "csv";
    else if (strcmp(ending, "labels") == 0)
        ending = "txt";
    length = strcspn(ending, ":");
    *targets = (struct targets){.folder = many->folder, .name = many->name, .settings = settings};
    if (length < sizeof targets->ending)
        memcpy(targets->ending, ending, length);
}

/* Tables stay tables; all others become raw frames. */
static const char *ending_for(const struct targets *targets, const char *input)
{
    const struct settings *settings = targets->settings;
    const char *table = format_of_table(input, settings->type, settings->table);

    if (targets->ending[0] != '\0')
        return targets->ending;
    return table != NULL ? table : "f32";
}

/* Expands one word in braces of the template. The name of an input in a walked folder is its path
 * inside that folder. */
static void put_word(struct memory_text *path, const struct targets *targets, const char *word,
                     const char *input)
{
    const char *slash = strrchr(input, '/');
    const char *name = slash == NULL ? input : slash + 1;

    if (strncmp(word, "ext}", 4) == 0) {
        memory_text_put(path, ending_for(targets, input));
    } else if (strncmp(word, "file}", 5) == 0) {
        memory_text_put(path, name);
    } else if (strncmp(word, "name}", 5) == 0) {
        /* A name that is only an ending, ".wav", counts as a stem. */
        size_t stem = format_stem(name);

        memory_text_add(path, name, stem > 0 ? stem : strlen(name));
    } else if (slash == NULL || slash == input) {
        memory_text_put(path, ".");
    } else {
        memory_text_add(path, input, (size_t)(slash - input));
    }
}

/* Removes redundant parts: "a//b", "./a". */
static void tidy(char *path)
{
    char *to = path;
    char *rest;

    for (char *part = strtok_r(path, "/", &rest); part != NULL; part = strtok_r(NULL, "/", &rest)) {
        const size_t length = strlen(part);

        if (strcmp(part, ".") == 0)
            continue;
        if (to > path)
            *to++ = '/';
        memmove(to, part, length);
        to += length;
    }
    *to = '\0';
}

char *targets_path(const struct targets *targets, const struct entry *entry, struct error *error)
{
    const char *template = targets->name != NULL ? targets->name
                           : entry->folder > 0   ? "{dir}/{name}.{ext}"
                                                 : "{name}.{ext}";
    size_t root = strlen(targets->folder);
    struct memory_text text = {.bytes = NULL};
    char *path;

    memory_text_put(&text, targets->folder);
    if (root > 0 && targets->folder[root - 1] != '/') {
        memory_text_put(&text, "/");
        root++;
    }
    for (const char *at = template; *at != '\0'; at++) {
        if (*at == '{') {
            put_word(&text, targets, at + 1, entry->path + entry->folder);
            at = strchr(at, '}');
        } else {
            memory_text_add(&text, at, 1);
        }
    }
    path = memory_text_take(&text, NULL);
    if (path == NULL) {
        error_system(error, ERROR_FILE, entry->path, errno);
        return NULL;
    }
    tidy(path + root);
    if (!settings_leads_up(path + root))
        return path;
    error_set(error, ERROR_FILE, entry->path, "its output %s would lie outside of %s", path,
              targets->folder);
    free(path);
    return NULL;
}

/* Makes one folder; another thread or process may make it first. */
static int make(const char *path, struct error *error)
{
    struct stat status;

    if (TEMP_FAILURE_RETRY(mkdir(path, 0777)) == 0)
        return 0;
    if (errno == EEXIST && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_system(error, ERROR_FILE, path, ENOTDIR);
    return errno == EEXIST ? 0 : error_system(error, ERROR_FILE, path, errno);
}

/* Makes the folders that the path names after byte `from`; each ends in a slash. */
static int make_inner(const char *path, size_t from, struct error *error)
{
    char *copy = strdup(path);
    int result = 0;

    if (copy == NULL)
        return error_system(error, ERROR_FILE, path, errno);
    for (char *slash = copy + from; result == 0 && (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (slash > copy)
            result = make(copy, error);
        *slash = '/';
    }
    free(copy);
    return result;
}

int targets_make_folders(const struct targets *targets, const char *path, struct error *error)
{
    return make_inner(path, strlen(targets->folder) + 1, error);
}

int targets_make_root(const struct targets *targets, struct error *error)
{
    return make_inner(targets->folder, 0, error) != 0 ? -1 : make(targets->folder, error);
}
