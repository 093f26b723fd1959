/* Recognises text. Samples rarely look like text, but there are many streams: so all bytes must be
 * text, with an end of line among them, and they must not look like samples in any of these ways.
 *
 * - Every fourth byte, where a float32 has its exponent, is that of a common number or hardly
 *   changes: a constant sensor can repeat four printable bytes. In text, line ends and blanks
 *   appear there sooner or later.
 * - Every second byte is the same, or most bytes equal the one two before, as with 16-bit samples
 *   that change little.
 * - There are only a few different values, as with a square wave.
 * - There are few bytes, with characters that are rare in text.
 *
 * A table of numbers may match all of these, because it may contain little but zeros. Its lines
 * identify it as text. */
#include <ctype.h>
#include <string.h>

#include "format/recognise.h"

enum {
    SURE = 18,  /* bytes of one-character lines */
    SHORT = 64, /* so few bytes may be printable by chance */
};

static bool is_one_of(unsigned char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

/* The length of the UTF-8 character at these bytes; 0: not one. A character truncated by the end
 * of the bytes counts. */
static size_t character(const unsigned char *bytes, size_t left)
{
    size_t size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;

    if (bytes[0] < 0x80)
        return bytes[0] >= ' ' && bytes[0] != 0x7f ? 1 : 0;
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < size && i < left; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    }
    return size;
}

/* JSON may lack a line end. */
static bool is_object(const unsigned char *bytes, size_t size)
{
    return size > 2 && bytes[0] == '{' && bytes[1] == '"' &&
           memmem(bytes + 2, size - 2, "\":", 2) != NULL;
}

/* The end of a number, null or NaN at these bytes; NULL: none is there. */
static const unsigned char *pass_value(const unsigned char *at, const unsigned char *end)
{
    enum { MOST = 32 };
    const unsigned char *from = at;

    if (!is_one_of(*at, "-0123456789nN"))
        return NULL;
    while (at < end && is_one_of(*at, "0123456789+-.eEnulNa"))
        at++;
    return at - from <= MOST ? at : NULL;
}

/* A list as JSON has it, in one line or more: of numbers, of lists, or of objects. */
static bool is_list(const unsigned char *bytes, size_t size, bool ended)
{
    enum { DEPTH_MOST = 4, VALUES_LEAST = 2 };
    const unsigned char *end = bytes + size;
    unsigned depth = 0;
    unsigned values = 0;
    bool wanted = true;

    if (size < PLAIN_TEXT_LEAST && !ended)
        return false;
    for (const unsigned char *at = bytes; at < end; at++) {
        if (is_one_of(*at, " \n\r\t"))
            continue;
        if (*at == '[' && wanted && depth < DEPTH_MOST) {
            depth++;
        } else if (*at == ',' && !wanted) {
            wanted = true;
        } else if (*at == ']' && !wanted && depth > 0) {
            depth--;
        } else if (*at == '{' && depth == 1 && values == 0) {
            return is_object(at, (size_t)(end - at));
        } else if (wanted && depth > 0 && pass_value(at, end) != NULL) {
            at = pass_value(at, end) - 1;
            wanted = false;
            values++;
        } else {
            return false;
        }
    }
    return values >= VALUES_LEAST;
}

/* Only characters, blanks and line ends, with at least one line end. */
static bool is_printable(const unsigned char *bytes, size_t size)
{
    bool lines = false;

    for (size_t at = 0; at < size;) {
        size_t step = character(bytes + at, size - at);

        if (bytes[at] == '\n')
            lines = true;
        if (step == 0 && !is_one_of(bytes[at], "\n\t\f") &&
            (bytes[at] != '\r' || (at + 1 < size && bytes[at + 1] != '\n')))
            return false;
        at += step == 0 ? 1 : step;
    }
    return lines || is_object(bytes, size);
}

/* The range of the bytes `first`, `first` + `step` and so on. */
struct column {
    unsigned char least;
    unsigned char largest;
};

static struct column column_of(const unsigned char *bytes, size_t size, size_t first, size_t step)
{
    struct column column = {.least = 0xff};

    for (size_t i = first; i < size; i += step) {
        if (bytes[i] < column.least)
            column.least = bytes[i];
        if (bytes[i] > column.largest)
            column.largest = bytes[i];
    }
    return column;
}

/* Only a few different values. */
static bool has_few_values(const unsigned char *bytes, size_t size)
{
    bool seen[256] = {false};
    unsigned values = 0;

    for (size_t i = 0; i < size; i++) {
        values += seen[bytes[i]] ? 0 : 1;
        seen[bytes[i]] = true;
    }
    return values <= 4;
}

/* One float32, repeated. */
static bool repeats(const unsigned char *bytes, size_t size)
{
    return memcmp(bytes, bytes + 4, size - 4) == 0;
}

static bool looks_like_floats(const unsigned char *bytes, size_t size)
{
    struct column top = column_of(bytes, size, 3, 4);

    return (top.least >= 0x30 && top.largest <= 0x4f) ||
           (top.least > ' ' && top.largest - top.least <= 2);
}

static bool are_separators(struct column column)
{
    return column.least != column.largest && column.largest <= ',' &&
           (column.least == '\n' || column.least == '\t');
}

static bool looks_like_halves(const unsigned char *bytes, size_t size)
{
    struct column even = column_of(bytes, size, 0, 2);
    struct column odd = column_of(bytes, size, 1, 2);
    size_t same = 0;

    if (even.least == even.largest || odd.least == odd.largest)
        return true;
    for (size_t i = 2; i < size; i++)
        same += bytes[i] == bytes[i - 2];
    return same * 10 > size * 6 && !are_separators(even) && !are_separators(odd);
}

/* Two 16-bit samples, repeated. */
static bool is_square_wave(const unsigned char *bytes, size_t size)
{
    size_t other = 2;

    while (other + 1 < size && memcmp(bytes + other, bytes, 2) == 0)
        other += 2;
    for (size_t i = other; i + 1 < size; i += 2) {
        if (memcmp(bytes + i, bytes, 2) != 0 && memcmp(bytes + i, bytes + other, 2) != 0)
            return false;
    }
    return true;
}

/* Lines with the same number of numeric fields; the first line may be a header in any encoding. It
 * is certainly text if a line end is where a float32 has its exponent: the number would be about
 * 1e-32, too small for a measured value. Lines of one digit are text only if successive lines
 * differ; otherwise they could be a square wave. */
static bool is_table(const unsigned char *bytes, size_t size)
{
    const unsigned char *begin = memchr(bytes, '\n', size);
    size_t header = begin == NULL ? size : (size_t)(begin - bytes) + 1;
    size_t body = header < 2 * sizeof(float) ? 0 : header; /* may be one repeated float32 */
    size_t at = header;
    size_t lines = 0;
    size_t fields = 0;   /* in this line */
    size_t expected = 0; /* in each line; 0: no line is complete yet */
    bool exponent = false;
    bool wide = false;
    bool still = at != 2 || isdigit(bytes[0]) == 0; /* two one-character lines are equal */

    for (size_t i = 0; i < at; i++) {
        if (bytes[i] < ' ' && !is_one_of(bytes[i], "\n\r\t"))
            return false;
    }
    for (size_t start = at; at < size; at++) {
        bool begins = at == start || is_one_of(bytes[at - 1], ",;\t ");

        if (bytes[at] == '\n') {
            if (fields == 0 || (expected != 0 && fields != expected))
                return false;
            expected = fields;
            fields = 0;
            lines++;
            exponent = exponent || at % 4 == 3;
            wide = wide || at - start > 1;
            still = still || (at >= 3 && bytes[at - 1] == bytes[at - 3]);
            start = at + 1;
        } else if (is_one_of(bytes[at], "0123456789+-.eE")) {
            fields += begins ? 1 : 0;
        } else if (!is_one_of(bytes[at], ",;\t \r")) {
            return false;
        }
    }
    if (lines < 2 || (!wide && (still || size < SURE)) || is_square_wave(bytes, size))
        return false;
    return exponent || (is_printable(bytes, size) && !repeats(bytes + body, size - body));
}

static bool is_common(const unsigned char *bytes, size_t size)
{
    bool marked = is_one_of(bytes[0], "{[<");
    const char *signs = marked ? "\n\r\t #,.;:-+\"{}[]_</>=?" : "\n\r\t #,.;:-+\"";
    size_t common = 0;

    for (size_t i = 0; i < size; i++)
        common += (bytes[i] >= 0x80 && size >= SHORT / 2) || isalnum(bytes[i]) != 0 ||
                  is_one_of(bytes[i], signs);
    return common >= size - size / (SHORT / 2);
}

static bool is_text(const unsigned char *bytes, size_t size, bool ended)
{
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        return size > 3 && is_printable(bytes, size);
    if (size >= PLAIN_TEXT_LEAST && is_table(bytes, size))
        return true;
    if (size < 2 || !is_printable(bytes, size))
        return false;
    if (size < PLAIN_TEXT_LEAST)
        return ended && is_common(bytes, size);
    return !has_few_values(bytes, size) && !looks_like_floats(bytes, size) &&
           !looks_like_halves(bytes, size) && (size >= SHORT || is_common(bytes, size));
}

const char plain_text_plain[] = "text";
const char plain_text_json[] = "JSON text";
const char plain_text_rows[] = "a JSON array";

const char *plain_text(const unsigned char *bytes, size_t size, bool ended)
{
    size_t at = 0;

    if (is_list(bytes, size, ended))
        return plain_text_rows;
    if (!is_text(bytes, size, ended))
        return NULL;
    while (at < size && is_one_of(bytes[at], "\n\r\t "))
        at++;
    if (at < size && bytes[at] == '{')
        return plain_text_json;
    if (at < size && bytes[at] == '<')
        return "XML or HTML text";
    return plain_text_plain;
}
