/* SPDX-License-Identifier: MIT */
/* base/utf8: what of a name reaches a terminal. */
#include "base/utf8.h"

#include <string.h>

#include "table.h"

static void check(const char *name, const char *due)
{
    char shown[64] = "";

    while (*name != '\0') {
        struct utf8_shown next;

        name += utf8_show(name, &next);
        strncat(shown, next.bytes, next.size);
    }
    CHECK_THAT(strcmp(shown, due) == 0, "'%s', not '%s'", shown, due);
}

static void test_shown(void)
{
    TABLE (row, "shown", 2)
        check(row.field[0], row.field[1]);
}

CHECK_MAIN(test_shown)
