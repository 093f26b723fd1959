/* SPDX-License-Identifier: MIT */
/* The look at the first rows of real tables: each FILE has its answer beside it, in FILE.look.
 * heads.c --print FILE prints it. */
#include "../unit/check.h"
#include "../unit/scratch.h"
#include "../unit/words.h"

#include <stdlib.h>
#include <string.h>

#include "format/look/look_priv.h"

/* The file with a newline at its end. */
static char *read_file(const char *path, size_t *size)
{
    char *text = scratch_contents(path, size);

    if (*size > 0 && text[*size - 1] != '\n')
        text[(*size)++] = '\n';
    return text;
}

/* What was found, and which times are those of rows where a picture is drawn; to be freed. */
static char *look_of(const char *path, const char *text, size_t size)
{
    const char *ending = strrchr(path, '.');
    const char usual = (char)(ending == NULL ? '\0' : strcmp(ending, ".csv") == 0 ? ',' : '\0');
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO,
                                                .times = TEXT_TIMES_FORWARD};
    struct memory_text words = {.bytes = NULL};
    struct look look;
    struct error error;

    if (look_take(&look, "FILE", text, size, true, usual, 2, &dialect, &error) != TEXT_RECORD) {
        (void)memory_text_print(&words, "%s\n", words_of(&error));
    } else {
        look_show(&look, &words);
        if (look.takes_time)
            (void)memory_text_print(&words, "times of rows: %u%s\n", look.times[0].column[0] + 1,
                                    look.times[0].count > 1 ? " and the next" : "");
    }
    look_free(&look);
    return memory_text_take(&words, NULL);
}

static void check_head(const char *path)
{
    char answer_path[4096];
    size_t size;
    size_t due_size;
    char *text = read_file(path, &size);
    char *look = look_of(path, text, size);
    char *due;

    (void)snprintf(answer_path, sizeof answer_path, "%s.look", path);
    due = read_file(answer_path, &due_size);
    CHECK_THAT(strcmp(look, due) == 0, "%s: is\n%s\nnot\n%s", path, look, due);
    free(look);
    free(text);
    free(due);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--print") == 0) {
        size_t size;
        char *text = read_file(words[2], &size);
        char *look = look_of(words[2], text, size);

        fputs(look, stdout);
        free(look);
        free(text);
        return 0;
    }
    for (int i = 1; i < count; i++)
        check_head(words[i]);
    return check_result();
}
