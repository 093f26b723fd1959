/* SPDX-License-Identifier: MIT */
/* Recognises text. All bytes that are there must be text, with an end of line among them. Samples
 * hardly ever look like text, unless they are few, or change little. */
#include "format/recognise_priv.h"

#include <ctype.h>
#include <string.h>

enum {
    SHORT = 64, /* fewer bytes may be printable by chance */
    STRAY = 16, /* one byte in STRAY may be a character of another encoding than UTF-8 */
};

static bool is_one_of(unsigned char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

/* The length of the UTF-8 character at these bytes; 0 if there is none. A character truncated by
 * the end of the bytes counts. */
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

/* The length of the number, null or NaN at these bytes; 0 if there is none. */
static size_t value_length(const unsigned char *bytes, size_t size)
{
    enum { MOST = 32 };
    size_t length = is_one_of(bytes[0], "-0123456789nN");

    while (length > 0 && length < size && is_one_of(bytes[length], "0123456789+-.eEnulNa"))
        length++;
    return length <= MOST ? length : 0;
}

/* True for a list of JSON, in one line or more: of numbers, lists or objects. */
static bool is_list(const unsigned char *bytes, size_t size, bool ended)
{
    enum { DEPTH_MOST = 4, VALUES_LEAST = 2 };
    unsigned depth = 0;
    unsigned values = 0;
    bool wanted = true;

    if (size < PLAIN_TEXT_LEAST && !ended)
        return false;
    for (size_t at = 0, length; at < size; at += length) {
        length = 1;
        if (is_one_of(bytes[at], " \n\r\t"))
            continue;
        if (bytes[at] == '[' && wanted && depth < DEPTH_MOST) {
            depth++;
        } else if (bytes[at] == ',' && !wanted) {
            wanted = true;
        } else if (bytes[at] == ']' && !wanted && depth > 0) {
            depth--;
        } else if (bytes[at] == '{' && depth == 1 && values == 0) {
            return is_object(bytes + at, size - at);
        } else {
            length = wanted && depth > 0 ? value_length(bytes + at, size - at) : 0;
            if (length == 0)
                return false;
            wanted = false;
            values++;
        }
    }
    return values >= VALUES_LEAST;
}

/* True for characters, blanks and line ends only, with at least one line end. */
static bool is_printable(const unsigned char *bytes, size_t size)
{
    bool lines = false;
    size_t strays = 0;

    for (size_t at = 0; at < size;) {
        size_t step = character(bytes + at, size - at);

        if (bytes[at] == '\n')
            lines = true;
        if (step == 0 && bytes[at] >= 0xa0)
            strays++;
        else if (step == 0 && !is_one_of(bytes[at], "\n\t\f\r"))
            return false;
        at += step == 0 ? 1 : step;
    }
    return (lines || is_object(bytes, size)) && strays <= size / STRAY;
}

/* Do float32 at these bytes change little, as those of a sensor or a square wave do? Then most have
 * the upper half of the float before them, and exponents of common numbers, which are no end of a
 * line, and no point. */
static bool change_little(const unsigned char *bytes, size_t size)
{
    const size_t words = size / sizeof(float);
    size_t same = 0;

    for (size_t i = 1; i < words; i++)
        same += bytes[4 * i + 3] >= '0' && memcmp(bytes + 4 * i + 2, bytes + 4 * i - 2, 2) == 0;
    return words > 1 && 4 * same >= 3 * (words - 1);
}

static bool is_common(const unsigned char *bytes, size_t size)
{
    bool marked = is_one_of(bytes[0], "{[<");
    const char *signs = marked ? "\n\r\t #,.;:-+\"{}[]_</>=?" : "\n\r\t #,.;:-+\"_/()%'";
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
    if (size < 2 || (size < PLAIN_TEXT_LEAST && !ended))
        return false;
    return is_printable(bytes, size) && !change_little(bytes, size) &&
           (size >= SHORT || is_common(bytes, size));
}

/* ---- rows for text */

static const char no_samples[] =
    ", not samples: read numbers in columns with -t csv, -t tsv or -t txt, and samples that only "
    "look like text with -t f32";

static const struct format_magic plain = {.words = "text", .advice = no_samples};
static const struct format_magic markup = {.words = "XML or HTML text", .advice = no_samples};
static const struct format_magic json = {
    .words = "JSON text",
    .advice = ": convert it: duckdb -csv -c \"FROM '",
    .behind = "'\" | gpuenv -t csv ...",
    .file = "FILE.json",
};
/* JSON with rows of numbers, of lists of numbers, or of objects. */
static const struct format_magic json_rows = {
    .words = "a JSON array",
    .advice = ": convert it: jq -r '.[] | [arrays[], objects[], scalars] | @csv' ",
    .behind = " | gpuenv -t csv ...",
    .file = "FILE.json",
};

const struct format format_plain_text = {
    .words = "text",
    .magic = &plain,
    .no_samples = true,
};

const struct format_magic *plain_text(const unsigned char *bytes, size_t size, bool ended)
{
    size_t at = 0;

    if (is_list(bytes, size, ended))
        return &json_rows;
    if (!is_text(bytes, size, ended))
        return NULL;
    while (at < size && is_one_of(bytes[at], "\n\r\t "))
        at++;
    if (at < size && bytes[at] == '{')
        return &json;
    return at < size && bytes[at] == '<' ? &markup : &plain;
}
