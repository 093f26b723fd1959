/* SPDX-License-Identifier: MIT */
/* --help: it fits a terminal, and breaks lines at the right places. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "tool/options_priv.h"

/* 79 columns, so many lines, plain ASCII. */
static void check_page(bool all, size_t most)
{
    char *page = help_text(&options_command, all);
    const char *text = page;
    char printable['~' - ' ' + 2] = "";
    size_t lines = 0;

    for (int c = ' '; c <= '~'; c++)
        printable[c - ' '] = (char)c;
    CHECK(strncmp(text, "Usage: gpuenv FILE...\n", 22) == 0);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        CHECK_THAT(length <= 79, "%.*s", (int)length, text);
        CHECK(text[length] == '\n');
        CHECK(length == 0 || text[length - 1] != ' ');
        CHECK(strspn(text, printable) == length);
        text += length + (text[length] == '\n' ? 1 : 0);
        lines++;
    }
    CHECK_THAT(lines <= most, "%zu", lines);
    free(page);
}

/* A screen, and all options. */
static void test_page(void)
{
    check_page(false, 50);
    check_page(true, 160);
}

/* A small table with every feature of rows. */
static void test_rows(void)
{
    static const struct option_row rows[] = {
        {.help = "One"},
        {.name = "alpha", .letter = 'a', .value = "N", .help = "one", .common = true},
        {.name = "a-name-that-is-long", .value = "FILE", .help = "two"},
        {.name = "gamma", .help = "three; and more", .common = true},
        {.help = "Two"},
        {.name = "help",
         .letter = 'h',
         .help = "four words of a text that is too long for one line of it"},
        {.name = "word",
         .help = "a-word-without-a-blank-that-is-longer-than-a-line-of-the-text-is it"},
    };
    static const struct option_table command = {
        .program = "x",
        .usage = "Usage: x\n",
        .rows = rows,
        .count = sizeof rows / sizeof *rows,
        .notes = "End.\n",
    };
    static const char page[] =
        "Usage: x\n"
        "\n"
        "One:\n"
        "  -a, --alpha N          one\n"
        "      --a-name-that-is-long FILE\n"
        "                         two\n"
        "      --gamma            three; and more\n"
        "\n"
        "Two:\n"
        "  -h, --help             four words of a text that is too long for one line of\n"
        "                         it\n"
        "      --word             "
        "a-word-without-a-blank-that-is-longer-than-a-line-of-the-text-is\n"
        "                         it\n"
        "\n"
        "End.\n";
    static const char common[] = "Usage: x\n"
                                 "\n"
                                 "One:\n"
                                 "  -a, --alpha N          one\n"
                                 "      --gamma            three\n"
                                 "\n"
                                 "End.\n";
    char *text = help_text(&command, true);

    CHECK_THAT(strcmp(text, page) == 0, "%s", text);
    free(text);
    text = help_text(&command, false);
    CHECK_THAT(strcmp(text, common) == 0, "%s", text);
    free(text);
}

CHECK_MAIN(test_page, test_rows)
