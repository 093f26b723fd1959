/* SPDX-License-Identifier: MIT */
/* Lines of fields to frames, whole and cut at every place; and what is refused, and with which
 * message. */
#include "table.h"
#include "words.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/text/parser_priv.h"

enum { SAMPLES = 64 };

struct answer {
    unsigned channels;
    size_t frames;
    double samples[SAMPLES];
    bool failed;
    struct error error;
};

/* The rows of a text that has been looked at, in two pieces, with nothing readable after the first;
 * each call has room for `capacity` frames. */
static void parse_rows(struct text_parser *parser, const char *rows, size_t length, size_t cut,
                       size_t capacity, struct answer *answer)
{
    size_t start = 0;
    size_t end = cut < length ? cut : length;

    for (;;) {
        const bool last = end == length;
        const size_t size = end - start;
        char *exact = malloc(size + (size == 0));
        size_t got;
        size_t used;

        if (exact == NULL)
            abort();
        memcpy(exact, rows + start, size);
        answer->failed =
            text_parser_read(parser, exact, size, last,
                             answer->samples + answer->frames * parser->columns.channels, NULL,
                             NULL, capacity, &got, &used, &answer->error) != 0;
        free(exact);
        CHECK(used <= size);
        answer->frames += got;
        start += used;
        if (answer->failed || (got == 0 && last))
            break;
        if (got == 0)
            end = length;
    }
    CHECK(answer->failed || start == length);
}

/* The text is looked at, and its rows are parsed in two pieces. */
static void parse(char delimiter, const char *wanted, const char *text, size_t length, size_t cut,
                  size_t capacity, struct answer *answer)
{
    const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO, .columns = wanted};
    struct text_parser parser = {.columns = {.count = 0}};
    struct look look;
    char *whole = malloc(length + 2);

    if (whole == NULL)
        abort();
    *answer = (struct answer){0};
    memcpy(whole, text, length);
    if (length > 0 && text[length - 1] != '\n')
        whole[length++] = '\n';
    answer->failed = look_take(&look, "x", whole, length, true, delimiter, 1, &dialect,
                               &answer->error) != TEXT_RECORD ||
                     text_parser_init(&parser, "x", &look, &dialect, &answer->error) != 0;
    if (!answer->failed) {
        const size_t before = (size_t)(look.at - whole);

        parse_rows(&parser, look.at, length - before, cut < before ? 0 : cut - before, capacity,
                   answer);
    }
    answer->channels = parser.columns.channels;
    text_columns_free(&parser.columns);
    look_free(&look);
    free(whole);
}

static void check_good(const char *const *field, size_t cut, size_t capacity)
{
    const char *text = field[2];
    const char *due = field[5];
    struct answer answer;

    parse(field[0][0], field[1], text, strlen(text), cut, capacity, &answer);
    CHECK_THAT(!answer.failed, "%s: %s", text, words_of(&answer.error));
    CHECK_THAT(answer.channels == strtoul(field[3], NULL, 10), "%s: %u", text, answer.channels);
    CHECK_THAT(answer.frames == strtoul(field[4], NULL, 10), "%s: %zu", text, answer.frames);
    for (size_t i = 0; i < answer.frames * answer.channels; i++) {
        char *end;

        CHECK_THAT(check_same(answer.samples[i], strtod(due, &end)) && end != due, "%s: %zu: %g",
                   text, i, (double)answer.samples[i]);
        due = end;
    }
}

static void test_good(void)
{
    TABLE (row, "good", 6)
        for (size_t cut = 0; cut <= row.size[2]; cut++)
            for (size_t capacity = 1; capacity < 4; capacity++)
                check_good(row.field, cut, capacity);
}

static void test_bad(void)
{
    TABLE (row, "bad", 5) {
        for (size_t cut = 0; cut <= row.size[2]; cut++) {
            struct answer answer;

            parse(row.field[0][0], row.field[1], row.field[2], row.size[2], cut, 1 + cut % 3,
                  &answer);
            CHECK_THAT(answer.failed && answer.frames == strtoul(row.field[3], NULL, 10), "%s: %zu",
                       row.field[2], answer.frames);
            CHECK_WORDS(&answer.error, row.field[4]);
        }
    }
}

/* NUL bytes: in a number, in an unused field, in quotes, in a comment. */
static void test_nul(void)
{
    static const struct {
        const char *text;
        size_t length;
    } nuls[] = {{"1,2\n3,\0\n", 8}, {"1,2\n\0,3\n", 8}, {"1,2\n\"\0\",3\n", 10}, {"1,2\n#\0\n", 7}};

    for (size_t i = 0; i < sizeof nuls / sizeof *nuls; i++) {
        for (int wanted = 0; wanted < 3; wanted++) {
            static const char *const columns[] = {NULL, "1", "2"};
            struct answer answer;

            parse(',', columns[wanted], nuls[i].text, nuls[i].length, 3, 1, &answer);
            CHECK(answer.failed && answer.frames == 1);
            CHECK_THAT(strstr(words_of(&answer.error), "NUL byte") != NULL, "%s",
                       words_of(&answer.error));
        }
    }
}

static void test_columns(void)
{
    struct error error;

    TABLE (row, "columns", 2)
        CHECK_THAT((text_columns_check(row.field[1], 9, &error) == 0) ==
                       (strcmp(row.field[0], "good") == 0),
                   "'%s'", row.field[1]);
}

CHECK_MAIN(test_good, test_bad, test_nul, test_columns)
