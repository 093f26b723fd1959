/* Statistics and reports replace only files of their like, because a name that was meant as an
 * input would lose its recording. */
#include <ctype.h>
#include <string.h>

#include "format/text/stats_text.h"

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* An object, on one line or several. */
static bool is_json(const char *text)
{
    return *text == '{' && text[1 + strspn(text + 1, " \n")] == '"';
}

static bool is_header_line(const char *text)
{
    return begins(text, "frame,frames,channel,") || begins(text, "frame,time,frames,channel,") ||
           begins(text, "frame\tframes\tchannel\t") ||
           begins(text, "frame\ttime\tframes\tchannel\t");
}

/* A record: a number of a frame, and as many columns as a header line has at least. */
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

/* The line above tables, an empty line, and the names of the columns, which stand behind those of
 * the rows. */
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
    return is_json(text) || is_header_line(text) || is_table(text) ||
           (continues && is_record(text));
}
