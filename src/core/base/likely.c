/* SPDX-License-Identifier: MIT */
#include "base/likely.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/min_max.h"

enum { LONGEST = 31 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Three rows of the table: rows[i % 3][j] is the distance between the first i letters of a and the
 * first j of b. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST + 1];

    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = min_u64(row[j], 1 + min_u64(above[j], row[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = min_u64(row[j], rows[(i - 2) % 3][j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

/* One mistake in three letters counts as near. */
void likely_begin(struct likely *likely, const char *typed, size_t length)
{
    *likely = (struct likely){
        .typed = typed,
        .typed_length = length,
        .distance = min_u64(length / 3, 2) + 1,
    };
}

void likely_of(struct likely *likely, const char *word, size_t length)
{
    size_t found;

    if (length > LONGEST || likely->typed_length > LONGEST)
        return;
    found = distance(likely->typed, likely->typed_length, word, length);
    if (found >= likely->distance)
        return;
    likely->word = word;
    likely->length = length;
    likely->distance = found;
}

void likely_of_list(struct likely *likely, const char *words)
{
    for (const char *at = words; *at == ' '; at += strcspn(at, " ")) {
        at++;
        likely_of(likely, at, strcspn(at, " "));
    }
}
