/* SPDX-License-Identifier: MIT */
/* The look at a table, from any bytes: what it finds lies in the text, and more text that changes
 * nothing before it is looked at as well. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "format/look/look_priv.h"

static void check_field(const struct text_field *field, const char *text, size_t size)
{
    FUZZ_CHECK(field->start <= field->end);
    FUZZ_CHECK(field->start == NULL || (field->start >= text && field->end <= text + size));
}

static void check_look(const struct look *look, const char *text, size_t size)
{
    struct memory_text words = {.bytes = NULL};

    FUZZ_CHECK(look->rows <= look_rows(&look->dialect) && look->time_count <= LOOK_TIMES);
    FUZZ_CHECK((look->first_line > 0) == (look->rows > 0));
    FUZZ_CHECK(look->names_line == 0 || look->names_line > look->passed || look->commented);
    for (unsigned i = 0; i < look->count; i++) {
        check_field(&look->columns[i].name, text, size);
        check_field(&look->columns[i].unit, text, size);
        for (unsigned j = 0; j < LOOK_WORDS && j < look->columns[i].different; j++)
            check_field(&look->columns[i].word[j], text, size);
    }
    for (unsigned i = 0; i < look->time_count; i++)
        FUZZ_CHECK(look->times[i].column[look->times[i].count - 1] < look->count);
    look_show(look, &words);
    FUZZ_CHECK(!words.failed && words.used > 0);
    memory_text_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct text_dialect dialects[] = {
        {.header = TEXT_HEADER_AUTO},
        {.header = TEXT_HEADER_AUTO, .decimal = ',', .time = "t", .columns = "a,2"},
        {.header = 1, .delimiter = ';', .skip_lines = 1},
        {.header = 0, .thousands = ',', .missing = "x"},
        {.header = TEXT_HEADER_AUTO, .times = TEXT_TIMES_FORWARD, .look = 1000},
        {.header = TEXT_HEADER_AUTO, .times = TEXT_TIMES_FOUND, .time_format = "%Y %j"},
        {.header = TEXT_HEADER_AUTO, .time = "1", .time_unit = TIME_YEAR, .look = 3},
    };
    char *text = fuzz_lines(bytes, &size);

    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        for (unsigned whole = 0; whole < 2; whole++) {
            struct look look;
            struct error error;

            if (look_take(&look, "fuzz", text, size, whole > 0, '\0', 2, &dialects[i], &error) ==
                TEXT_RECORD)
                check_look(&look, text, size);
            look_free(&look);
        }
    }
    free(text);
    return 0;
}
