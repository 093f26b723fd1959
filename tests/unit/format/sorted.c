/* SPDX-License-Identifier: MIT */
/* format/rows/sorted: rows in any order, with more of them than the memory has room for. */
#include "files.h"
#include "random.h"

#include <stdlib.h>

#include "format/rows/sorted.h"
#include "format/text/dialect.h"

enum { ROWS = 20000, TIMES = 3000 };

struct row {
    int64_t time;
    double value; /* its number, so that rows at one time are in order */
};

static int compare(const void *one, const void *other)
{
    const struct row *a = one;
    const struct row *b = other;

    return a->time != b->time ? (a->time > b->time) - (a->time < b->time)
                              : (a->value > b->value) - (a->value < b->value);
}

/* Writes a table of random rows, and sorts them. */
static void make_rows(struct row *rows)
{
    char *text = malloc((size_t)ROWS * 32 + 8);
    size_t used = 0;

    scratch_need(text != NULL, "text");
    used += (size_t)sprintf(text, "t,v\n");
    for (int i = 0; i < ROWS; i++) {
        rows[i] = (struct row){(int64_t)(random_number() % TIMES), i};
        used += (size_t)sprintf(text + used, "%d,%d\n", (int)rows[i].time, i);
    }
    scratch_write("in.csv", text, used);
    free(text);
    qsort(rows, ROWS, sizeof *rows, compare);
}

/* Reads all rows, in pieces, through so many bytes of memory. */
static void check_sorted(const struct row *rows, uint64_t memory)
{
    const struct text_dialect dialect = {
        .header = TEXT_HEADER_AUTO, .time = "t", .time_unit_given = true, .late = INT64_MAX};
    const struct source_request request = {.channels = 1, .dialect = &dialect, .table = "--time"};
    double values[777];
    int at = 0;
    int wrong = 0;

    source_open_file("in.csv", &request);
    CHECK(sorted_open(&in.source, memory, 0, false, &in.error) == 0);
    do {
        const size_t most = 1 + random_number() % 777;

        CHECK(in.source->class->read(in.source, values, most, &in.got, &in.error) == 0);
        for (size_t i = 0; i < in.got; i++, at++)
            wrong += at >= ROWS || in.source->table->moments[i].seconds != rows[at].time ||
                     values[i] < rows[at].value || values[i] > rows[at].value;
    } while (in.got > 0);
    CHECK_THAT(at == ROWS && wrong == 0, "%d of %d rows", wrong, at);
    source_end();
}

/* A folder for temporary files that is not there is an error only if one is needed. */
static void check_spool(const struct row *rows)
{
    const struct text_dialect dialect = {
        .header = TEXT_HEADER_AUTO, .time = "t", .time_unit_given = true, .late = INT64_MAX};
    const struct source_request request = {.channels = 1, .dialect = &dialect, .table = "--time"};
    double value;

    (void)setenv("TMPDIR", "/nonexistent", 1);
    check_sorted(rows, UINT64_C(1) << 30);
    source_open_file("in.csv", &request);
    CHECK(sorted_open(&in.source, 4096, 0, false, &in.error) == 0);
    CHECK(in.source->class->read(in.source, &value, 1, &in.got, &in.error) != 0);
    source_end();
}

int main(void)
{
    static struct row rows[ROWS];

    scratch_enter();
    make_rows(rows);
    check_sorted(rows, UINT64_C(1) << 30);
    check_sorted(rows, 400000);
    check_sorted(rows, 100000);
    check_sorted(rows, 1);
    check_spool(rows);
    return check_result();
}
