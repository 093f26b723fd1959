/* SPDX-License-Identifier: MIT */
/* base/utf8: what of a name reaches a terminal. */
#include "base/utf8.h"

#include <string.h>

#include "check.h"

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

int main(void)
{
    check("a.wav", "a.wav");
    check("\u00e4\u20ac\U0001f600.wav", "\u00e4\u20ac\U0001f600.wav");
    check("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"); /* a joiner is no control */
    check("a\tb\nc\033[1m\177", "a?b?c?[1m?");
    check("\xc2\x9b", "?");
    check("\x9b\xff", "?\xff");
    /* NOLINTBEGIN(misc-misleading-bidirectional) */
    check("a\u202evaw.exe", "a?vaw.exe");
    check("\u061c\u200e\u200f\u202a\u202d\u2066\u2069", "???????");
    /* NOLINTEND(misc-misleading-bidirectional) */
    check("\u2028\u2029", "??");
    check("\u2027\u202f\u2065\u206a", "\u2027\u202f\u2065\u206a");
    return check_result();
}
