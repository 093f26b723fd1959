/* SPDX-License-Identifier: MIT */
/* base/size_words: sizes in messages. */
#include "base/size_words.h"

#include <string.h>

#include "check.h"

static void check(uint64_t bytes, const char *due)
{
    char words[SIZE_WORDS];

    CHECK_THAT(strcmp(size_words(words, bytes), due) == 0, "'%s', not '%s'", words, due);
}

int main(void)
{
    check(0, "0 bytes");
    check(1023, "1023 bytes");
    check(1024, "1.0 KiB");
    check(1024 * 1024 - 1, "1.0 MiB");
    check(25276510208, "23.5 GiB");
    check(UINT64_MAX, "16777216.0 TiB");
    return check_result();
}
