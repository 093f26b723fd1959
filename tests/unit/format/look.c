/* SPDX-License-Identifier: MIT */
/* What the look finds in short texts, and what it asks; tests/look/ has real tables. */
#include "table.h"
#include "words.h"

#include "format/look/look_priv.h"

/* Looks at a text of its own size. The answer, without its first line, is to be freed. */
static char *look_of(const char *text, const struct text_dialect *dialect)
{
    const size_t size = strlen(text);
    struct memory_text words = {.bytes = NULL};
    char *exact = malloc(size);
    struct look look;
    struct error error;

    if (exact == NULL)
        abort();
    memcpy(exact, text, size); /* NOLINT(bugprone-not-null-terminated-result): it has a size */
    if (look_take(&look, "x", exact, size, true, ',', 2, dialect, &error) == TEXT_RECORD)
        look_show(&look, &words);
    else
        (void)memory_text_print(&words, "%s\n", words_of(&error));
    look_free(&look);
    free(exact);
    return memory_text_take(&words, NULL);
}

static void check_looks(const char *table, const struct text_dialect *dialect)
{
    TABLE (row, table, 2) {
        char *answer = look_of(row.field[0], dialect);

        CHECK_THAT(strcmp(answer, row.field[1]) == 0, "%s: is\n%s", row.field[0], answer);
        free(answer);
    }
}

static void test_looks(void)
{
    static const struct text_dialect found = {.header = TEXT_HEADER_AUTO};
    static const struct text_dialect one = {.header = 1, .decimal = ','};
    static const struct text_dialect none = {.header = 0, .skip_lines = 1, .delimiter = ' '};
    static const struct text_dialect named = {
        .header = TEXT_HEADER_AUTO, .time = "3", .by = "\"7\""};

    check_looks("auto", &found);
    check_looks("of one line", &one);
    check_looks("of no names", &none);
    check_looks("of named columns", &named);
}

/* A stream is looked at as soon as its header and two rows are there, or one. Blanks between words
 * wait for a third. */
static void test_open(void)
{
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};

    TABLE (row, "open", 4) {
        struct look look;
        struct error error;
        const enum text_next next =
            look_take(&look, "x", row.field[3], strtoul(row.field[1], NULL, 10), false, '\0',
                      (unsigned)strtoul(row.field[0], NULL, 10), &dialect, &error);

        CHECK_THAT(next == (strcmp(row.field[2], "open") == 0 ? TEXT_OPEN : TEXT_RECORD),
                   "%s of %s: %d", row.field[1], row.field[3], (int)next);
        look_free(&look);
    }
}

CHECK_MAIN(test_looks, test_open)
