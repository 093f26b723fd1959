/* SPDX-License-Identifier: MIT */
/* base/size_words: sizes in messages. */
#include "base/size_words.h"

#include "table.h"

static void test_words(void)
{
    TABLE (row, "words", 2) {
        char words[SIZE_WORDS];

        size_words(words, strtoull(row.field[0], NULL, 10));
        CHECK_THAT(strcmp(words, row.field[1]) == 0, "'%s', not '%s'", words, row.field[1]);
    }
}

CHECK_MAIN(test_words)
