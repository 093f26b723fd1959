/* SPDX-License-Identifier: MIT */
/* tool/ordered: texts are added in any order, from memory and from files, and written in
 * theirs. */
#include "check.h"
#include "scratch.h"

#include "tool/ordered_priv.h"

enum { TEXTS = 3000, TEXT_MOST = 400 };

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Some are empty, some longer than others. */
static size_t make_text(unsigned number, char text[TEXT_MOST])
{
    size_t size = number % 7 == 3 ? 0 : 1 + number * 31 % (TEXT_MOST - 1);

    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + (number + i) % 26);
    return size;
}

static void shuffle(unsigned order[TEXTS], unsigned seed, unsigned reach)
{
    for (unsigned i = 0; i < TEXTS; i++)
        order[i] = i;
    for (unsigned i = 0; i < TEXTS; i++) {
        unsigned other = i + next_random(&seed) % reach;
        unsigned taken = order[i];

        if (other >= TEXTS)
            continue;
        order[i] = order[other];
        order[other] = taken;
    }
}

static void check_file(const char *path, const char *between)
{
    static char due[TEXTS * (TEXT_MOST + 8)];
    char *end = due;

    for (unsigned i = 0; i < TEXTS; i++) {
        char text[TEXT_MOST + 1] = "";

        if (make_text(i, text) > 0)
            end = stpcpy(stpcpy(end, end > due ? between : ""), text);
    }
    CHECK(scratch_holds(path, due));
}

static void check_order(const char *path, unsigned seed, unsigned reach, const char *between)
{
    static unsigned order[TEXTS];
    struct output output;
    struct error error;
    struct ordered ordered;
    FILE *aside = tmpfile();

    scratch_need(aside != NULL, "a temporary file");
    CHECK(output_open(&output, path, true, NULL, &error) == 0);
    ordered_init(&ordered, &output, between);
    shuffle(order, seed, reach);
    for (unsigned i = 0; i < TEXTS; i++) {
        char bytes[TEXT_MOST];
        struct ordered_text text = {.bytes = bytes, .size = make_text(order[i], bytes)};

        if (i % 2 == 1) {
            scratch_need(pwrite(fileno(aside), bytes, text.size, 0) == (ssize_t)text.size, "write");
            text.bytes = NULL;
            text.fd = fileno(aside);
        }
        CHECK(ordered_put(&ordered, order[i], &text, &error) == 0);
    }
    ordered_close(&ordered);
    CHECK(output_commit(&output, &error) == 0);
    output_close(&output);
    check_file(path, between);
    fclose(aside);
}

int main(void)
{
    scratch_enter();
    check_order("out", 1, 1, "");
    check_order("out", 2, 10, "\n");
    check_order("out", 3, TEXTS, "--");
    return check_result();
}
