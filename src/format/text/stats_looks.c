/* SPDX-License-Identifier: MIT */
/* Statistics and reports replace only files that look like them: otherwise an input that is named
 * as the output would be lost. */
#include <regex.h>
#include <string.h>

#include "format/text/stats.h"

/* A record or a report of JSON, on one line or several: other objects have other first names. A
 * header line. The line above tables, an empty line, and the names of the columns, indented by the
 * names of the rows. */
#define BEGINNINGS                                                                                 \
    "^\\{[ \n]*\"(frame|file|key|version)\":"                                                      \
    "|^(file,)?(key,)?frame,(time,)?frames,"                                                       \
    "|^(file\t)?(key\t)?frame\t(time\t)?frames\t"                                                  \
    "|^[^\n]*\n\n {12}"

/* The number of a frame, and at least as many columns as the shortest header line. */
#define RECORD "|^[0-9]([^,\t\n]*[,\t]){16}"

bool stats_text_looks_so(const char *bytes, size_t size, bool continues)
{
    char text[STATS_TEXT_LOOK + 1];
    regex_t pattern;
    bool found;

    if (size > STATS_TEXT_LOOK)
        size = STATS_TEXT_LOOK;
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (memchr(text, '\0', size) != NULL ||
        regcomp(&pattern, continues ? BEGINNINGS RECORD : BEGINNINGS, REG_EXTENDED | REG_NOSUB) !=
            0)
        return false;
    found = regexec(&pattern, text, 0, NULL, 0) == 0;
    regfree(&pattern);
    return found;
}
