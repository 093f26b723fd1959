/* SPDX-License-Identifier: MIT */
/* tool/targets: the names of outputs. */
#include "table.h"
#include "words.h"

#include "tool/targets_priv.h"

static void test_outputs(void)
{
    TABLE (row, "outputs", 5) {
        const struct many many = {.folder = "out", .name = row.field[1]};
        char *path = strdup(row.field[2]);
        const size_t folder = row.field[3] == NULL ? 0 : row.size[3];
        const struct settings settings = {.type = "auto", .output_type = row.field[0]};
        struct entry entry = {.path = path};
        struct targets targets;
        struct error error;
        char *output;

        entry.folder = folder > 0 && row.field[3][folder - 1] != '/' ? folder + 1 : folder;
        targets_init(&targets, &many, &settings);
        output = targets_path(&targets, &entry, &error);
        if (row.field[4] == NULL)
            CHECK_THAT(output == NULL && strstr(words_of(&error), "outside of out") != NULL, "%s",
                       path);
        else
            CHECK_THAT(output != NULL && strcmp(output, row.field[4]) == 0, "%s: %s, not %s", path,
                       output != NULL ? output : words_of(&error), row.field[4]);
        free(output);
        free(path);
    }
}

CHECK_MAIN(test_outputs)
