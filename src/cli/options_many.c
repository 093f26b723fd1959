/* Options: many inputs, and where their outputs go. */
#include <string.h>

#include "cli/options_rows.h"
#include "cli/values.h"

enum { JOBS_MOST = 1024 };

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

/* A template has words in braces; all other characters are copied. */
static int set_name(void *field, const struct value *value, struct error *error)
{
    static const char *const words[] = {"dir", "name", "file", "ext", NULL};
    const char *at = value->text;

    if (values_text(value, "a template", field, error) != 0)
        return -1;
    if (settings_leads_up(at))
        return values_refuse(error, value, "leads out of the folder of --out-dir");
    if (names_folder(at))
        return values_refuse(error, value, "ends like a folder: give a name, too");
    while ((at = strchr(at, '{')) != NULL) {
        size_t length = strcspn(++at, "}");

        if (at[length] == '\0' || values_find(words, at, length) < 0)
            return values_refuse(error, value, "after { comes dir}, name}, file} or ext}");
        at += length;
    }
    return 0;
}

static const struct option_row rows[] = {
    {"out-dir", "DIR", "write an output for each FILE into this folder", OPTION_TEXT,
     AT(many.folder), .what = "a folder"},
    {"recursive", NULL, "take the files in folders, and the folders in them", OPTION_ON,
     AT(many.recursive)},
    {"files-from", "FILE", "read the names of inputs, one a line; - for stdin", OPTION_TEXT,
     AT(many.list), .what = "a file name"},
    {"null", NULL, "a zero byte ends each name, not a newline", OPTION_ON, AT(many.null),
     .letter = '0'},
    {"name", "TEMPLATE", "of an output's name: {name}.{ext} (default), {file}, {dir}",
     .set = set_name, AT(many.name)},
    {"jobs", "N", "work on at most N files at a time", OPTION_NUMBER, AT(many.jobs), .least = 1,
     .most = JOBS_MOST},
    {"skip-existing", NULL, "pass over inputs whose output is there", OPTION_ON,
     AT(many.skip_existing)},
    {"fail-fast", NULL, "begin no other file after one has failed", OPTION_ON, AT(many.fail_fast)},
    {"overwrite", NULL, "names from a pipe: replace files among the inputs", OPTION_ON,
     AT(many.overwrite)},
};

const struct option_section options_many = OPTION_SECTION("Many files", rows);
