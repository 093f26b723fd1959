/* Options: many inputs, and where their outputs go. */
#include <string.h>

#include "cli/options.h"
#include "cli/options_rows.h"
#include "cli/values.h"

enum { JOBS_MOST = 1024 };

static int set_folder(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a folder", &options->many.folder, error);
}

static void turn_recursive(void *into)
{
    struct options *options = into;

    options->many.recursive = true;
}

static int set_list(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a file name", &options->many.list, error);
}

static void turn_null(void *into)
{
    struct options *options = into;

    options->many.null = true;
}

/* Does the last part of the template name nothing in a folder: "", "." or ".."? Where the input has
 * no folder, {dir} is ".". */
static bool names_folder(const char *template)
{
    static const char word[] = "{dir}";
    const char *slash = strrchr(template, '/');
    const char *at = slash == NULL ? template : slash + 1;
    size_t dots = 0;

    while (*at != '\0') {
        size_t size = strncmp(at, word, sizeof word - 1) == 0 ? sizeof word - 1 : 1;

        if (size == 1 && *at != '.')
            return false;
        dots++;
        at += size;
    }
    return dots <= 2;
}

/* Words in braces are of a few kinds; everything else stands for itself. */
static int set_name(void *into, const struct value *value, struct error *error)
{
    static const char *const words[] = {"dir", "name", "ext", NULL};
    struct options *options = into;
    const char *at = value->text;

    if (values_text(value, "a template", &options->many.name, error) != 0)
        return -1;
    if (settings_leads_up(at))
        return values_refuse(error, value, "leads out of the folder of --out-dir");
    if (names_folder(at))
        return values_refuse(error, value, "ends like a folder: give a name, too");
    while ((at = strchr(at, '{')) != NULL) {
        size_t length = strcspn(++at, "}");

        if (at[length] == '\0' || values_find(words, at, length) < 0)
            return values_refuse(error, value, "after { comes dir}, name} or ext}");
        at += length;
    }
    return 0;
}

static int set_jobs(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;
    uint64_t number;

    if (values_whole(value, 1, JOBS_MOST, &number, error) != 0)
        return -1;
    options->many.jobs = (unsigned)number;
    return 0;
}

static void turn_skip_existing(void *into)
{
    struct options *options = into;

    options->many.skip_existing = true;
}

static void turn_overwrite(void *into)
{
    struct options *options = into;

    options->many.overwrite = true;
}

static void turn_fail_fast(void *into)
{
    struct options *options = into;

    options->many.fail_fast = true;
}

static const struct option_row rows[] = {
    {
        .name = "out-dir",
        .value = "DIR",
        .help = "write an output for each FILE into this folder",
        .brief = "the folder for the outputs of many files",
        .hint = "folder",
        .offer = OFFER_DIRECTORIES,
        .set = set_folder,
    },
    {
        .name = "recursive",
        .help = "take the files in folders, and the folders in them",
        .brief = "take the files in folders",
        .turn = turn_recursive,
    },
    {
        .name = "files-from",
        .value = "FILE",
        .help = "read the names of inputs, one a line; - for stdin",
        .brief = "read the names of inputs from a file",
        .hint = "file of names",
        .offer = OFFER_FILES,
        .set = set_list,
    },
    {
        .name = "null",
        .letter = '0',
        .help = "a zero byte ends each name, not a newline",
        .brief = "a zero byte ends each name",
        .turn = turn_null,
    },
    {
        .name = "name",
        .value = "TEMPLATE",
        .help = "of an output's name: {name}.{ext} (default), {dir}",
        .brief = "how outputs are named",
        .hint = "template",
        .example = "{dir}/{name}.{ext}",
        .set = set_name,
    },
    {
        .name = "jobs",
        .value = "N",
        .help = "work on at most N files at a time",
        .brief = "how many files are open at once",
        .hint = "files",
        .set = set_jobs,
    },
    {
        .name = "skip-existing",
        .brief = "pass over inputs whose output is there",
        .turn = turn_skip_existing,
    },
    {
        .name = "fail-fast",
        .place = PLACE_AFTER,
        .brief = "begin no other file after one has failed",
        .turn = turn_fail_fast,
    },
    {
        .name = "overwrite",
        .help = "names from a pipe: replace files among the inputs",
        .brief = "replace files among inputs whose names come from a pipe",
        .turn = turn_overwrite,
    },
};

const struct option_section options_many = {
    .title = "Many files",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
