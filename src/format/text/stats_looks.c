/* SPDX-License-Identifier: MIT */
/* Statistics and reports replace only files that look like them: otherwise an input that is named
 * as the output would be lost. */
#include <ctype.h>
#include <string.h>

#include "format/text/stats_text.h"

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* True for a record or a report, on one line or several: other objects have other first names. */
static bool is_json(const char *text)
{
    const char *name = text + 1 + strspn(text + 1, " \n");

    return *text == '{' && (begins(name, "\"frame\":") || begins(name, "\"file\":") ||
                            begins(name, "\"key\":") || begins(name, "\"version\":"));
}

/* Passes a column of this name, if it is the next column. */
static bool pass(const char **text, const char *name, char delimiter)
{
    const size_t size = strlen(name);

    if (strncmp(*text, name, size) != 0 || (*text)[size] != delimiter)
        return false;
    *text += size + 1;
    return true;
}

static bool is_header_line(const char *text, char delimiter)
{
    (void)pass(&text, "file", delimiter);
    (void)pass(&text, "key", delimiter);
    if (!pass(&text, "frame", delimiter))
        return false;
    (void)pass(&text, "time", delimiter);
    return pass(&text, "frames", delimiter);
}

/* True for a record: the number of a frame, and at least as many columns as the shortest header
 * line. */
static bool is_record(const char *text)
{
    enum { COLUMNS = 17 };
    unsigned columns = 1;

    if (!isdigit((unsigned char)*text))
        return false;
    for (; *text != '\0' && *text != '\n'; text++)
        columns += *text == ',' || *text == '\t';
    return columns >= COLUMNS;
}

/* True for the line above tables, an empty line, and the names of the columns, indented by the
 * names of the rows. */
static bool is_table(const char *text)
{
    const char *end = strchr(text, '\n');

    return end != NULL && begins(end, "\n\n            ");
}

bool stats_text_looks_so(const char *bytes, size_t size, bool continues)
{
    char text[STATS_TEXT_LOOK + 1];

    if (size > STATS_TEXT_LOOK)
        size = STATS_TEXT_LOOK;
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (memchr(text, '\0', size) != NULL)
        return false;
    return is_json(text) || is_header_line(text, ',') || is_header_line(text, '\t') ||
           is_table(text) || (continues && is_record(text));
}
