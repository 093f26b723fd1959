#include "job/files.h"

#include <unistd.h>

static const struct {
    enum error_code code;
    const char *words;
} names[FILES_KINDS] = {
    [FILES_FRAMES] = {ERROR_OUTPUT, "output"},
    [FILES_REPORT] = {ERROR_REPORT, "report"},
    [FILES_STATS] = {ERROR_STATS, "statistics"},
};

void files_init(struct files *files)
{
    for (int kind = 0; kind < FILES_KINDS; kind++)
        files->of[kind] = (struct output){.fd = -1};
}

static bool is_open(const struct files *files, int kind)
{
    return files->of[kind].fd >= 0;
}

int files_open(struct files *files, enum files_kind kind, const char *path, bool force,
               const struct input *input, struct error *error)
{
    if (output_open(&files->of[kind], path, force, input, error) != 0)
        return -1;
    for (int other = 0; other < FILES_KINDS; other++) {
        if (other != (int)kind && is_open(files, other) &&
            output_same_place(&files->of[kind], &files->of[other]))
            return error_set(error, names[kind].code, path, "is the %s too", names[other].words);
    }
    return 0;
}

bool files_use_terminal(const struct files *files)
{
    for (int kind = 0; kind < FILES_KINDS; kind++) {
        if (is_open(files, kind) && isatty(files->of[kind].fd) == 1)
            return true;
    }
    return false;
}

int files_step_aside(struct files *files, bool *aside, struct error *error)
{
    bool stats;

    *aside = false;
    if (is_open(files, FILES_STATS) &&
        output_step_aside(&files->of[FILES_STATS], &stats, error) != 0)
        return -1;
    return is_open(files, FILES_FRAMES) ? output_step_aside(&files->of[FILES_FRAMES], aside, error)
                                        : 0;
}

int files_commit(struct files *files, struct error *error)
{
    static const enum files_kind order[] = {FILES_FRAMES, FILES_STATS};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (is_open(files, (int)order[i]) && output_commit(&files->of[order[i]], error) != 0)
            return -1;
    }
    return 0;
}

void files_close(struct files *files)
{
    for (int kind = 0; kind < FILES_KINDS; kind++)
        output_close(&files->of[kind]);
}
