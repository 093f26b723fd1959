/* SPDX-License-Identifier: MIT */
/* base/seen: names that were added are found, others are not, through every growth. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "base/seen.h"

enum { NAMES = 200000 };

int main(void)
{
    struct seen seen = SEEN_NONE;
    char name[32];
    bool there;
    int wrong = 0;

    CHECK(!seen_has(&seen, "a", 1));
    for (int i = 0; i < NAMES; i++) {
        int size = snprintf(name, sizeof name, "folder/file-%d.f32", i);

        wrong += seen_add(&seen, name, (size_t)size, &there) != 0 || there;
    }
    CHECK_THAT(wrong == 0, "%d new names were there", wrong);
    CHECK(seen.count == NAMES);
    for (int i = 0; i < NAMES; i++) {
        int size = snprintf(name, sizeof name, "folder/file-%d.f32", i);

        wrong += !seen_has(&seen, name, (size_t)size);
        wrong += seen_has(&seen, name, (size_t)size - 1);
    }
    CHECK_THAT(wrong == 0, "%d wrong answers", wrong);
    CHECK(seen_add(&seen, "folder/file-7.f32", 17, &there) == 0 && there);
    CHECK(seen.count == NAMES);
    CHECK(seen_add(&seen, "", 0, &there) == 0 && !there);
    seen_free(&seen);
    CHECK(!seen_has(&seen, "", 0));
    return check_result();
}
