/* SPDX-License-Identifier: MIT */
/* The tables of a test, which are data and no code: NAME.txt beside NAME.c, its first argument.
 *
 * "==== NAME" begins a table. A line is a row, whose fields stand between " | "; in them are \n,
 * \t, \r, \\, and \xHH for any byte. Lines that begin with "# ", and those without a letter, are
 * none.
 *
 *     TABLE(row, "goods", 2)
 *         CHECK_THAT(number_of(row.field[0]) == strtod(row.field[1], NULL), "%s", row.field[0]);
 */
#ifndef GPUENV_TESTS_TABLE_H
#define GPUENV_TESTS_TABLE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { TABLE_FIELDS = 8 };

struct table {
    FILE *file;
    char *line;
    size_t room;
    unsigned rows;
    const char *field[TABLE_FIELDS]; /* until the next row */
    size_t size[TABLE_FIELDS];
};

/* One pass for each row of a table, whose rows have so many fields. */
#define TABLE(ROW, NAME, FIELDS)                                                                   \
    for (struct table ROW = table_open(NAME); table_next(&(ROW), NAME, FIELDS);)

static bool table_line(struct table *table)
{
    const ssize_t length = getline(&table->line, &table->room, table->file);

    if (length > 0 && table->line[length - 1] == '\n')
        table->line[length - 1] = '\0';
    return length >= 0;
}

static struct table table_open(const char *name)
{
    struct table table = {.file = fopen(*check_tables() == NULL ? "" : *check_tables(), "r")};

    if (table.file == NULL)
        abort(); /* ctest names the file */
    while (table_line(&table))
        if (strncmp(table.line, "==== ", 5) == 0 && strcmp(table.line + 5, name) == 0)
            break;
    return table;
}

/* Replaces what is escaped; returns the size. */
static size_t table_bytes(char *text)
{
    static const char escapes[] = "n\nt\tr\r\\\\";
    char *to = text;

    for (const char *at = text; *at != '\0'; to++) {
        const bool escaped = *at == '\\';

        if (escaped && at[1] == 'x') {
            const char digits[] = {at[2], at[3], '\0'};

            *to = (char)strtoul(digits, NULL, 16);
            at += 4;
        } else {
            *to = escaped ? strchr(escapes, at[1])[1] : *at;
            at += 1 + escaped;
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}

static bool table_next(struct table *table, const char *name, unsigned fields)
{
    unsigned count = 0;
    char *next = NULL;

    do {
        if (!table_line(table) || strncmp(table->line, "==== ", 5) == 0) {
            CHECK_THAT(table->rows > 0, "no rows of %s", name);
            fclose(table->file);
            free(table->line);
            return false;
        }
    } while (table->line[0] == '\0' || strncmp(table->line, "# ", 2) == 0);
    for (char *at = table->line; at != NULL && count < fields; at = next, count++) {
        next = strstr(at, " | ");
        if (next != NULL) {
            *next = '\0';
            next += 3;
        }
        table->size[count] = table_bytes(at);
        table->field[count] = strcmp(at, "NULL") == 0 ? NULL : at;
    }
    CHECK_THAT(count == fields && next == NULL, "%s: row %u", name, table->rows);
    table->rows++;
    return true;
}

#endif
