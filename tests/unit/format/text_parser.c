/* Lines of fields to frames, whole and cut at every place; and what is refused, and with which
 * message. */
#include "check.h"
#include "words.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

struct good {
    char delimiter;
    const char *wanted;
    const char *text;
    size_t channels;
    size_t frames;
    double samples[12];
};

static void check_good(const struct good *good)
{
    size_t length = strlen(good->text);

    for (size_t cut = 0; cut <= length; cut++) {
        for (size_t capacity = 1; capacity < 4; capacity++) {
            struct answer answer;

            parse(good->delimiter, good->wanted, good->text, length, cut, capacity, &answer);
            CHECK_THAT(!answer.failed, "%s: %s", good->text, words_of(&answer.error));
            CHECK_THAT(answer.channels == good->channels, "%s: %u", good->text, answer.channels);
            CHECK_THAT(answer.frames == good->frames, "%s: %zu", good->text, answer.frames);
            for (size_t i = 0; i < good->frames * good->channels; i++)
                CHECK_THAT(same(answer.samples[i], good->samples[i]), "%s: %zu: %g", good->text, i,
                           (double)answer.samples[i]);
        }
    }
}

static void test_good(void)
{
    static const struct good goods[] = {
        {',', NULL, "1,2\n3,4\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "1,2\n3,4", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "1,2\r\n3,4\r\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "1,2\r\n3,4\r", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "\357\273\2771,2\n", 2, 1, {1, 2}},
        {',', NULL, "\357\273\277a,b\n1,2\n", 2, 1, {1, 2}},
        {',', NULL, "", 0, 0, {0}},
        {',', NULL, "\n\n \r\n# nothing\n", 0, 0, {0}},
        {',', NULL, "a,b\n", 2, 0, {0}},
        {',', NULL, "7", 1, 1, {7}},
        {',', NULL, "a\n1\n\n2\n", 1, 2, {1, 2}},
        {',', NULL, "# one\n\na,b\n# two\n1,2\n  # three\n\n3,4\n#", 2, 2, {1, 2, 3, 4}},
        {',', NULL, " 1 ,\t2\t\n 3,4 \n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "\"1\",\"2\"\n\" 3 \" , \"\"\n", 2, 2, {1, 2, 3, NAN}},
        {',', NULL, "1,,3\nnan,NaN,-nan\n", 3, 2, {1, NAN, 3, NAN, NAN, NAN}},
        {',', NULL, "1,,3\n\"\",,\n", 3, 2, {1, NAN, 3, NAN, NAN, NAN}},

        /* lines of delimiters alone, at any place */
        {',', NULL, ",\n1,2\n", 2, 1, {1, 2}},
        {',', NULL, "1,2\n,\n3,\n , \t\n,\r\n", 2, 2, {1, 2, 3, NAN}},

        /* missing words that begin like comments */
        {',', NULL, "#N/A,1\n#na is no value\n#NA ,2\n#DIV/0!,3\n", 2, 3, {NAN, 1, NAN, 2, NAN, 3}},
        {',', NULL, "#VALUE!\r\n<NA>\n#NULL!\n1.#QNAN\n-1.#IND\n", 1, 5, {NAN, NAN, NAN, NAN, NAN}},
        {',', NULL, "1\n#N/A is what is missing\n2\n", 1, 2, {1, 2}},

        /* ends of lines */
        {',', NULL, "a,b\r\r\n1,2\r\r\n3,\r\r\n", 2, 2, {1, 2, 3, NAN}},
        {' ', NULL, "1 2\r\r\n\r\r\n3 4 \r\r\n", 2, 2, {1, 2, 3, 4}},

        /* headers with numbers */
        {',', NULL, "Month,0\n1959-01,5\n1959-02,6\n", 1, 2, {5, 6}},
        {',', NULL, "t,1990,1991\n7,5,6\n", 3, 1, {7, 5, 6}},
        {',', NULL, ",0,1\n0,5,6\n1,7,8\n", 3, 2, {0, 5, 6, 1, 7, 8}},
        {',', NULL, ",0\n2026-01-01,5\n", 1, 1, {5}},
        {',', NULL, "0,1,2\n5,6,7\n", 3, 2, {0, 1, 2, 5, 6, 7}},
        {',', "\"1990\"", "1990,1991\n5,6\n", 1, 1, {5}},
        {',', "no2", "no2,1\n5,6\n", 1, 1, {5}},
        {',', NULL, "Na,Mg\n1,2\n", 2, 1, {1, 2}},
        /* and rows that only look like them */
        {',', NULL, "a,1\nb,2\n", 1, 2, {1, 2}},
        {',', NULL, "1,<0.006\n2,<0.006\n3,0.5\n", 1, 3, {1, 2, 3}},
        {',', NULL, "1.5,12:30\n2.5,12:31\n", 1, 2, {1.5, 2.5}},

        /* dates above, and lines of units */
        {',', NULL, ",2026-01-01,2026-01-02\na,1,2\n", 2, 1, {1, 2}},
        {',', NULL, "2026-01-01,\n2026-01-02,5\n", 1, 2, {NAN, 5}},
        {',', NULL, "t,v\n01.02.2026 10:00,\n01.02.2026 10:01,5\n", 1, 2, {NAN, 5}},
        {',', NULL, "t,v\n10:00,\n10:01,5\n", 1, 2, {NAN, 5}},
        {',', NULL, "t,v\nMar 12,\n", 1, 1, {NAN}},
        {',', NULL, "n,v\nx,\ny,5\n", 1, 2, {NAN, 5}},
        {',', NULL, "n,v\n,hPa\n1,5\n", 2, 1, {1, 5}},
        {',', NULL, "n,v\n1/s,m-2\n1,5\n", 2, 1, {1, 5}},

        /* more fields than names */
        {',', NULL, "a,b\n1,2,\n3,4,\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "a,b,\n1,2,\n3,4,\n", 2, 2, {1, 2, 3, 4}},
        {',', "b", "a,b\n\"x\",1,2\n\"y\",3,4\n", 1, 2, {2, 4}},
        {' ', "a", "a b\nx 1 2\ny 3 4\n", 1, 2, {1, 3}},

        /* names in the last comment */
        {',', "v", "# log\n# t,v\n1,2\n3,4\n", 1, 2, {2, 4}},
        {',', "v", "#t, v\n\n1,2\n", 1, 1, {2}},
        {' ', "v", "# t v\n1 2\n", 1, 1, {2}},

        /* the header again */
        {',', NULL, "a,b\n1,2\na,b\n3,4\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "a,b\nm,s\n1,2\na,b\nm,s\n3,4\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "Month,0\n1959-01,5\nMonth,0\n1959-02,6\n", 1, 2, {5, 6}},
        {',', NULL, "a,,b\n1,2,3\n", 3, 1, {1, 2, 3}},
        {',', NULL, "nan\ninf\n-Infinity\n", 1, 3, {NAN, INFINITY, -INFINITY}},
        {',', NULL, "-1e3,+.5,5.\n1e-3,-0,123456789\n", 3, 2, {-1000, .5, 5, 1e-3, 0, 123456789}},
        {',', "2", "a,b\n1,2\n3,4\n", 1, 2, {2, 4}},
        {',', "b", "a,b\n1,2\n3,4\n", 1, 2, {2, 4}},
        {',', "3,a", "a,b,c\n1,x,3\n4,,6\n", 2, 2, {3, 1, 6, 4}},
        {',', "2", "2024-01-01 10:00,5\n2024-01-01 10:01,6\n", 1, 2, {5, 6}},
        {',', "say \"hi\"", "a,\"say \"\"hi\"\"\"\n1,2\n", 1, 1, {2}},
        {',', "x\ny", "\"x\ny\",b\n1,2\n", 1, 1, {1}},
        {',', "2", "n,v\n\"a,\nb\"\"\n\",1\nc\"d,2\n", 1, 2, {1, 2}},
        {'\t', NULL, "1\t2\n3\t\n", 2, 2, {1, 2, 3, NAN}},
        {'\t', NULL, "a b\tc\n 1 \t2\n\t\n", 2, 1, {1, 2}},
        {'\t', "a b", "a b\tc\n1\t2\n", 1, 1, {1}},
        {' ', NULL, "1 2\n3\t4\n", 2, 2, {1, 2, 3, 4}},
        {' ', NULL, "  1  \t 2  \n\t3 4\r\n5 6 \r\n", 2, 3, {1, 2, 3, 4, 5, 6}},
        {' ', "v", "\"t t\" v\n\"x y\" 1\n\"\" 2\n", 1, 2, {1, 2}},

        /* delimiters and decimal commas that are found */
        {',', NULL, "1\t2\n3\t4\n", 2, 2, {1, 2, 3, 4}},
        {',', NULL, "a\tb\n1,5\t2,5\n", 2, 1, {1.5, 2.5}},
        {',', "b", "a\tb\n1\t2\n", 1, 1, {2}},
        {',', NULL, "a;b\n1;2\n", 2, 1, {1, 2}},
        {',', NULL, "a;b\n1,5;2,5\n", 2, 1, {1.5, 2.5}},
        {',', NULL, "1,5;2,5\n", 2, 1, {1.5, 2.5}},
        {',', "b", "a;b\n1;2\n", 1, 1, {2}},
        {' ', NULL, "1013,2 5\n", 2, 1, {1013.2, 5}},
    };

    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++)
        check_good(&goods[i]);
}

struct bad {
    char delimiter;
    const char *wanted;
    const char *text;
    size_t frames; /* before it */
    const char *words;
};

#define NO_NUMBER                                                                                  \
    ": --missing WORD takes it as missing, --columns leaves its column out, --bad-lines skip its " \
    "line"

static void test_bad(void)
{
    static const struct bad bads[] = {
        {',', NULL, "1,2\n3,abc\n", 1, "x: line 2, column 2: 'abc' is not a number" NO_NUMBER},
        {',', NULL, "a,b\n# c\n1,2\n3,4.5.6\n", 1,
         "x: line 4, column 2: '4.5.6' is not a number: --time COLUMN reads times"},
        {',', NULL, "a,1\nb,2\n3,c\n", 2, "x: line 3, column 2: 'c' is not a number" NO_NUMBER},
        {',', NULL, "a,b\nc,d\ne,f\n", 0,
         "x: line 1, column 1: 'a' is not a number, and no other column has one" NO_NUMBER},
        {',', NULL, "1,2\n3,4 5\n", 1, "x: line 2, column 2: '4 5' is not a number" NO_NUMBER},
        {',', NULL, "1\n0x10\n", 1, "x: line 2, column 1: '0x10' is not a number" NO_NUMBER},
        {',', NULL, "1\n\"a\nb\"\n", 1, "x: line 2, column 1: 'a\nb' is not a number" NO_NUMBER},
        {',', NULL, "1,2\n3\n", 1,
         "x: line 2, column 2: is missing: its rows have 2 columns (see --bad-lines)"},
        {',', NULL, "1,2\n3,4\n3,4,5\n", 2,
         "x: line 3, column 3: is one too many: its rows have 2 columns (see --bad-lines)"},
        {',', NULL, "1\n2\n1,\n", 2,
         "x: line 3, column 2: is one too many: its rows have 1 column (see --bad-lines)"},
        {' ', NULL, "1 2\n3\n", 1,
         "x: line 2, column 2: is missing: its rows have 2 columns (see --bad-lines)"},
        {',', "1", "1,2\n3\n", 1,
         "x: line 2, column 2: is missing: its rows have 2 columns (see --bad-lines)"},
        {',', NULL, "1,2\n\"3\"x,4\n", 1,
         "x: line 2, column 1: something follows the quote at its end"},
        {',', NULL, "1,2\n\n\"3,4\n5,6\n", 1, "x: line 3: ends inside quotes"},
        {',', "a", "1,2\n", 0, "x: its first line, 1, names no columns: choose 'a' by its number"},
        {',', "c", "a,b\n1,2\n", 0, "x: has no column 'c': it has 'a', 'b'"},
        {',', "c", "# c\n1,2\n", 0,
         "x: its first line, 2, names no columns: choose 'c' by its number"},
        {',', "c", "a\n1\n", 0, "x: has no column 'c': it has 'a'"},
        {',', "p", "\"a\nb\",\"c,d\",,a column with a name that is longer than forty bytes\n", 0,
         "x: has no column 'p': it has 'a\nb', 'c,d', '', 'a column with a name that is longer "
         "tha...'"},
        {',', "p",
         "column a of eighteen,column b of eighteen,column c of eighteen,column d of eighteen,"
         "column e of eighteen,column f of eighteen,column g of eighteen,column h of eighteen,"
         "column i of eighteen,column j of eighteen\n",
         0,
         "x: has no column 'p': it has 'column a of eighteen', 'column b of eighteen', 'column c "
         "of eighteen', 'column d of eighteen', 'column e of eighteen', 'column f of eighteen', "
         "'column g of eighteen' and 3 more"},
        {',', "3", "a,b\n1,2\n", 0, "x: has only 2 columns: there is no column 3"},
        {',', "99999999999999999999", "a\n1\n", 0,
         "x: has only 1 column: there is no column 99999999999999999999"},
        {',', "2,b", "a,b\n1,2\n", 0, "x: column 2 is chosen twice"},
        {',', "a", "a,a\n1,2\n", 0,
         "x: columns 1 and 2 both have the name 'a': choose one by its number"},
        {',', NULL, "\377\3761", 0,
         "x: is text in UTF-16: convert it first: iconv -f UTF-16 -t UTF-8"},
        {',', NULL, "1\n0123456789012345678901234567890123456789x\n", 1,
         "x: line 2, column 1: '012345678901234567890123456789012345678...' is not a "
         "number" NO_NUMBER},

        /* other separators */
        {'\t', NULL, "1\n\"2\t\"3\n", 1,
         "x: line 2, column 1: something follows the quote at its end"},
        {'\t', NULL, "a;b\nx;y\nz;u\n", 0,
         "x: line 1: has one column: are -t and --delimiter right? Without them, csv looks for it"},
        {',', NULL, "a,b\n1,2\n1,no;data\n", 1,
         "x: line 3, column 2: 'no;data' is not a number" NO_NUMBER},
    };

    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const struct bad *bad = &bads[i];
        size_t length = strlen(bad->text);

        for (size_t cut = 0; cut <= length; cut++) {
            struct answer answer;

            parse(bad->delimiter, bad->wanted, bad->text, length, cut, 1 + cut % 3, &answer);
            CHECK_THAT(answer.failed && answer.frames == bad->frames, "%s: %zu", bad->text,
                       answer.frames);
            CHECK_WORDS(&answer.error, bad->words);
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

    CHECK(text_columns_check("1", 9, &error) == 0);
    CHECK(text_columns_check("2,name,10", 9, &error) == 0);
    CHECK(text_columns_check("", 9, &error) != 0);
    CHECK(text_columns_check("1,", 9, &error) != 0);
    CHECK(text_columns_check(",1", 9, &error) != 0);
    CHECK(text_columns_check("0", 9, &error) != 0);
    CHECK(text_columns_check("1,00", 9, &error) != 0);
}

CHECK_MAIN(test_good, test_bad, test_nul, test_columns)
