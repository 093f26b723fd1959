/* What the look finds in short texts, and what it asks; tests/look/ has real tables. */
#include "check.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

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

struct looked {
    const char *text;
    const char *due;
};

static void check_looks(const struct looked *looks, const struct text_dialect *dialect)
{
    for (; looks->text != NULL; looks++) {
        char *answer = look_of(looks->text, dialect);

        CHECK_THAT(strcmp(answer, looks->due) == 0, "%s: is\n%s", looks->text, answer);
        free(answer);
    }
}

static void test_loggers(void)
{
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};
    static const struct looked looks[] = {
        {"\"TOA5\",\"Site\",\"CR1000\",\"1234\"\n\"TIMESTAMP\",\"RECORD\",\"T\"\n"
         "\"TS\",\"RN\",\"Deg C\"\n\"\",\"\",\"Avg\"\n"
         "\"2026-01-01 00:00:00\",1,\"NAN\"\n\"2026-01-01 00:10:00\",2,5.5\n",
         "written by: a Campbell logger (TOA5)\ncolumns: 3, between commas\nlines before it: 1\n"
         "names: line 2\nunits: line 3\nfirst row: line 5\n"
         "numbers: 2 'RECORD' in 'RN', 3 'T' in 'Deg C'\ndates: 1 'TIMESTAMP' in 'TS'\n"
         "times: 1, ISO 8601, every 600 s\n"},
        {"\"Plot Title: Creek\"\n\"#\",\"Date Time, GMT-05:00\",\"Temp, °F\",\"Stopped\"\n"
         "1,07/24/20 10:00:00 AM,70.1,\n2,07/24/20 10:30:00 AM,70.2,\n",
         "written by: a HOBO logger\ncolumns: 4, between commas\nlines before it: 1\nnames: line "
         "2\n"
         "first row: line 3\nnumbers: 1 '#', 3 'Temp, °F', 4 'Stopped'\n"
         "dates: 2 'Date Time, GMT-05:00'\ntimes: 2, %m/%d/%y %I:%M:%S %p, every 1800 s\n"},
        {"* Sea-Bird SBE 9 Data File:\n* FileName = x.hex\n# name 0 = prDM: Pressure [db]\n"
         "# name 1 = t090C: Temperature [ITS-90, deg C]\n# span 0 = 1, 2\n*END*\n"
         "      1.000     20.5\n      2.000     20.4\n      3.000     20.3\n",
         "written by: a Sea-Bird instrument\ncolumns: 2, between blanks\nlines before it: 6\n"
         "first row: line 7\n"
         "numbers: 1 'prDM' in '[db]', 2 't090C' in '[ITS-90, deg C]'\n"},
        {NULL, NULL},
    };

    check_looks(looks, &dialect);
}

static void test_signs(void)
{
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};
    static const struct looked looks[] = {
        {"t;a\n01.02.2026 00:00;0,352\n01.02.2026 00:10;12,5\n",
         "columns: 2, between semicolons, decimal commas\nnames: line 1\nfirst row: line 2\n"
         "numbers: 2 'a'\ndates: 1 't'\ntimes: 1, %d.%m.%Y %H:%M, every 600 s\n"},
        {"a;b\n1.352,5;2\n1.353,0;3\n",
         "columns: 2, between semicolons, decimal commas, points between thousands\n"
         "names: line 1\nfirst row: line 2\nnumbers: 1 'a', 2 'b'\n"},
        {"1\u00a0352,5;2\n1 353,5;3\n",
         "columns: 2, between semicolons, decimal commas, blanks between thousands\n"
         "first row: line 1\nnumbers: 1, 2\n"},
        {"n,x\nA,\"1,352\"\nB,\"2,353\"\nC,\"1,352,000\"\n",
         "columns: 2, between commas, commas between thousands\nnames: line 1\nfirst row: line 2\n"
         "numbers: 2 'x'\ntext: 1 'n'\n"},
        {"a;b\n1,352;2\n1,353;3\n",
         "x: line 2, column 1: '1,352' may be two numbers: give --decimal , if the comma is its "
         "decimal sign, --thousands , if it is between thousands\n"},
        {"sep=;\na;b\n1;2\n2;3\n",
         "columns: 2, between semicolons\nnames: line 2\nfirst row: line 3\n"
         "numbers: 1 'a', 2 'b'\n"},
        {"a; b; c\n# a comment\n1; 2; 3\n4; 5; 6\n",
         "columns: 3, between semicolons\nnames: line 1\nfirst row: line 3\n"
         "numbers: 1 'a', 2 'b', 3 'c'\n"},
        {"t;x\n1;1,352\n2;1.5\n", "columns: 2, between semicolons, commas between thousands\n"
                                  "names: line 1\nfirst row: line 2\nnumbers: 1 't', 2 'x'\n"},
        {NULL, NULL},
    };

    check_looks(looks, &dialect);
}

static void test_headers(void)
{
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};
    static const struct looked looks[] = {
        {"state,2021\nOhio,5\nTexas,7\n",
         "columns: 2, between commas\nnames: line 1\n"
         "first row: line 2\nnumbers: 2 '2021'\ntext: 1 'state'\n"},
        {",0.2,0.5,0.8\n0.1,1,2,3\n0.2,2,1,3\n",
         "columns: 4, between commas\nnames: line 1\nfirst row: line 2\n"
         "numbers: 1, 2 '0.2', 3 '0.5', 4 '0.8'\n"},
        {"2021,2022,2023\n1,2,3\n4,5,6\n",
         "columns: 3, between commas\nnames: line 1\nfirst row: line 2\n"
         "numbers: 1 '2021', 2 '2022', 3 '2023'\n"},
        {"0,1,2\n5,6,8\n7,8,9\n", "columns: 3, between commas\nfirst row: line 1\n"
                                  "numbers: 1, 2, 3\n"},
        {"t,a,b\ns,<0.5,<0.1\n1,2,3\n2,3,4\n",
         "columns: 3, between commas\nnames: line 1\nfirst row: line 2\n"
         "numbers: 1 't', 2 'a', 3 'b'\nmay be no table\n"},
        {"t,a\n2026-01-01,ERR\n2026-01-02,5\n2026-01-03,6\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 2 'a'\n"
         "dates: 1 't'\ntimes: 1, ISO 8601, every 86400 s\nmay be no table\n"},
        {"t,a\n,m/s\n2026-01-01,5\n2026-01-02,5\n",
         "columns: 2, between commas\nnames: line 1\nunits: line 2\nfirst row: line 3\n"
         "numbers: 2 'a' in 'm/s'\ndates: 1 't'\ntimes: 1, ISO 8601, every 86400 s\n"},
        {"a,b\nx,y\n1,2\n3,4\n",
         "x: 2 lines of words stand above its numbers, from line 1 on: --header 2 takes names from "
         "the first of them, --header 1 --skip-lines 1 from the last\n"},
        {"Title\n\nStation: x\nDate,Time,T\n20.01.2026,10:00,5\n20.01.2026,10:10,6\n",
         "columns: 3, between commas\nlines before it: 3\nnames: line 4\nfirst row: line 5\n"
         "numbers: 3 'T'\ndates: 1 'Date', 2 'Time'\ntimes: 1 and 2, %d.%m.%Y %H:%M, every 600 "
         "s\n"},
        {"\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n\"3\" 7 8\n",
         "columns: 3, between blanks\nnames: line 1\nfirst row: line 2\n"
         "numbers: 1, 2 'x', 3 'y'\n"},
        {"date;a;b;\n2020-01-01;1;2\n2020-01-02;1;2\n",
         "columns: 3, between semicolons\nnames: line 1\nfirst row: line 2\n"
         "numbers: 2 'a', 3 'b'\ndates: 1 'date'\ntimes: 1, ISO 8601, every 86400 s\n"},
        {"words alone\nand no number\n", "no rows\n"},
        {"", "no rows\n"},
        /* Words for missing values alone do not make a column of numbers. */
        {"a,b\n1,None\n2,Some\n3,None\n4,Much\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 1 'a'\ntext: 2 "
         "'b'\n"},
        {NULL, NULL},
    };

    check_looks(looks, &dialect);
}

static void test_times(void)
{
    static const struct text_dialect dialect = {.header = TEXT_HEADER_AUTO};
    static const struct looked looks[] = {
        {"d,x\n01/02/2026,1\n02/02/2026,2\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 2 'x'\n"
         "dates: 1 'd'\ntimes: 1, %d/%m/%Y or %m/%d/%Y, every 86400 s\n"},
        {"d,x\n01/02/2026,1\n01/13/2026,2\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 2 'x'\n"
         "dates: 1 'd'\ntimes: 1, %m/%d/%Y, every 950400 s\n"},
        /* Nine of ten rows have both forms, and one says which it is. */
        {"d,x\n01/02/2026,1\n02/02/2026,2\n03/02/2026,2\n04/02/2026,2\n05/02/2026,2\n06/02/2026,2\n"
         "07/02/2026,2\n08/02/2026,2\n09/02/2026,2\n10/02/2026,2\n11/02/2026,2\n13/02/2026,2\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 2 'x'\n"
         "dates: 1 'd'\ntimes: 1, %d/%m/%Y, every 86400 s\n"},
        {"1700000000,5\n1700000010,6\n", "columns: 2, between commas\nfirst row: line 1\n"
                                         "numbers: 1, 2\ntimes: 1, epoch in s, every 10 s\n"},
        {"t,x\n1700000000000,5\n1700000000500,6\n",
         "columns: 2, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 1 't', 2 'x'\n"
         "times: 1, epoch in ms, every 0.5 s\n"},
        {"t,s,v\n2026-01-01T00:00,a,1\n2026-01-01T00:00,b,2\n2026-01-01T00:10,a,1\n"
         "2026-01-01T00:10,b,2\n",
         "columns: 3, between commas\nnames: line 1\nfirst row: line 2\nnumbers: 3 'v'\n"
         "dates: 1 't'\ntext: 2 's' (words take turns)\ntimes: 1, ISO 8601\n"},
        {NULL, NULL},
    };

    check_looks(looks, &dialect);
}

static void test_options(void)
{
    static const struct text_dialect one = {.header = 1, .decimal = ','};
    static const struct looked of_one[] = {
        {"a;b\nx;y\n1,352;2\n1,353;3\n",
         "columns: 2, between semicolons, decimal commas\nnames: line 1\nfirst row: line 2\n"
         "numbers: 1 'a', 2 'b'\nmay be no table\n"},
        {NULL, NULL},
    };
    static const struct text_dialect none = {.header = 0, .skip_lines = 1, .delimiter = ' '};
    static const struct looked of_none[] = {
        {"a,b\n1,2 3\n4 5\n6 7\n8 9\n",
         "columns: 2, between blanks, decimal commas\nfirst row: line 2\n"
         "numbers: 1, 2\n"},
        {NULL, NULL},
    };
    static const struct text_dialect named = {
        .header = TEXT_HEADER_AUTO, .time = "3", .by = "\"7\""};
    static const struct looked of_named[] = {
        {"7,8,9\n1,2,3\n4,5,6\n", "columns: 3, between commas\nnames: line 1\nfirst row: line 2\n"
                                  "numbers: 1 '7', 2 '8', 3 '9'\n"},
        {NULL, NULL},
    };

    check_looks(of_one, &one);
    check_looks(of_none, &none);
    check_looks(of_named, &named);
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

CHECK_MAIN(test_loggers, test_signs, test_headers, test_times, test_options, test_open)
