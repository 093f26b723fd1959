/* SPDX-License-Identifier: MIT */
/* tool/names: in order of size, largest or smallest first; each one once. */
#include "check.h"
#include "scratch.h"

#include "tool/names_priv.h"

enum { FILES = 5 };

static void make_file(const char *path, long size)
{
    FILE *file = fopen(path, "w");

    scratch_need(file != NULL && ftruncate(fileno(file), size) == 0, path);
    fclose(file);
}

int main(void)
{
    static const long sizes[FILES] = {30, 10, 50, 20, 40};
    static char *paths[FILES] = {"a", "b", "c", "d", "e"};
    static const struct {
        bool small;
        uint64_t number;
    } due[FILES] = {{false, 2}, {true, 1}, {true, 3}, {false, 4}, {true, 0}};
    const struct many many = {.operands = paths, .count = FILES};
    struct threads *threads = threads_open(2);
    struct names names;
    struct entry entry;
    struct error error;
    bool taken;

    scratch_enter();
    scratch_need(threads != NULL, "threads");
    for (int i = 0; i < FILES; i++)
        make_file(paths[i], sizes[i]);
    CHECK(names_open(&names, &many, NULL, threads, &error) == 0);
    for (int i = 0; i < FILES; i++) {
        CHECK(names_next(&names, due[i].small, &entry, &taken, &error) == 0 && taken);
        CHECK(entry.number == due[i].number && strcmp(entry.path, paths[due[i].number]) == 0);
        free(entry.path);
    }
    for (int i = 0; i < 2; i++)
        CHECK(names_next(&names, i == 0, &entry, &taken, &error) == 0 && !taken);
    names_close(&names);

    /* Names that were not taken are freed, too. */
    CHECK(names_open(&names, &many, NULL, threads, &error) == 0);
    CHECK(names_next(&names, true, &entry, &taken, &error) == 0 && taken);
    free(entry.path);
    names_close(&names);
    threads_close(threads);
    return check_result();
}
