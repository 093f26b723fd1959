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
    static const char text[] = "t,a\n2026-01-01,1\n2026-01-02,2\n";
    static const char words[] = "# a,\n7 of 9,\"t\tu\",size,when\ndeg C,deg C,m/s,m/s\n4,5,6,7\n";
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};
    static const struct {
        const char *text;
        size_t size;
        unsigned least;
        enum text_next due;
    } cases[] = {{text, 0, 1, TEXT_OPEN},   {text, 4, 1, TEXT_OPEN},    {text, 17, 1, TEXT_RECORD},
                 {text, 17, 2, TEXT_OPEN},  {text, 30, 2, TEXT_RECORD}, {text, 30, 3, TEXT_OPEN},
                 {words, 48, 1, TEXT_OPEN}, {words, 56, 1, TEXT_RECORD}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct look look;
        struct error error;
        const enum text_next next = look_take(&look, "x", cases[i].text, cases[i].size, false, '\0',
                                              cases[i].least, &dialect, &error);

        CHECK_THAT(next == cases[i].due, "%zu: %d", i, (int)next);
        look_free(&look);
    }
}

CHECK_MAIN(test_looks, test_open)
