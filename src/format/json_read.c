/* SPDX-License-Identifier: MIT */
#include "format/json_read_priv.h"

#include <string.h>

/* ---- the check */

static const char *pass_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Each function below takes a text that does not begin with a blank, and returns the end of the
 * part that it has passed; NULL if the text is wrong. */

/* Passes the rest of an escape, after the backslash. */
static const char *pass_escape(const char *at, const char *end)
{
    if (at == end)
        return NULL;
    if (*at != 'u')
        return *at != '\0' && strchr("\"\\/bfnrt", *at) != NULL ? at + 1 : NULL;
    if (end - at < 5)
        return NULL;
    for (int i = 1; i <= 4; i++) {
        if (hex_digit(at[i]) < 0)
            return NULL;
    }
    return at + 5;
}

static const char *pass_string(const char *at, const char *end)
{
    if (at == end || *at != '"')
        return NULL;
    for (at++; at != NULL && at < end;) {
        unsigned char c = (unsigned char)*at++;

        if (c == '"')
            return at;
        if (c < ' ')
            return NULL;
        if (c == '\\')
            at = pass_escape(at, end);
    }
    return NULL;
}

/* Passes one digit or more. */
static const char *pass_digits(const char *at, const char *end)
{
    const char *begin = at;

    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > begin ? at : NULL;
}

static const char *pass_number(const char *at, const char *end)
{
    if (at < end && *at == '-')
        at++;
    if (at < end && *at == '0')
        at++;
    else
        at = pass_digits(at, end);
    if (at != NULL && at < end && *at == '.')
        at = pass_digits(at + 1, end);
    if (at == NULL || at == end || (*at | 0x20) != 'e')
        return at;
    at++;
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    return pass_digits(at, end);
}

/* Passes a string, a number or a word. */
static const char *pass_scalar(const char *at, const char *end)
{
    static const char *const words[] = {"true", "false", "null"};

    if (*at == '"')
        return pass_string(at, end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);

        if ((size_t)(end - at) >= size && memcmp(at, words[i], size) == 0)
            return at + size;
    }
    return pass_number(at, end);
}

/* Passes the name of a member, the colon and blanks. */
static const char *pass_name(const char *at, const char *end)
{
    at = pass_string(at, end);
    if (at == NULL)
        return NULL;
    at = pass_blanks(at, end);
    return at < end && *at == ':' ? pass_blanks(at + 1, end) : NULL;
}

/* Passes a value, with up to `depth` values inside each other. */
// NOLINTNEXTLINE(misc-no-recursion)
static const char *pass_value(const char *at, const char *end, unsigned depth)
{
    const bool named = at < end && *at == '{';
    const char closer = named ? '}' : ']';

    if (at == end)
        return NULL;
    if (!named && *at != '[')
        return pass_scalar(at, end);
    if (depth == 0)
        return NULL;
    at = pass_blanks(at + 1, end);
    if (at < end && *at == closer)
        return at + 1;
    for (;;) {
        if (named)
            at = pass_name(at, end);
        if (at != NULL)
            at = pass_value(at, end, depth - 1);
        if (at == NULL)
            return NULL;
        at = pass_blanks(at, end);
        if (at < end && *at == closer)
            return at + 1;
        if (at == end || *at != ',')
            return NULL;
        at = pass_blanks(at + 1, end);
    }
}

bool json_read(const char *text, size_t size, struct json_value *value)
{
    const char *end = text + size;

    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    value->at = pass_blanks(text, end);
    value->end = pass_value(value->at, end, JSON_DEPTH_MOST);
    return value->end != NULL && pass_blanks(value->end, end) == end;
}

/* ---- values of a text that has been checked */

char json_kind(struct json_value value)
{
    if (*value.at == '-' || (*value.at >= '0' && *value.at <= '9'))
        return '0';
    return *value.at;
}

/* An escaped character, after the backslash. */
static char escaped(const char *at)
{
    static const char letters[] = "bfnrt";
    const char *letter = strchr(letters, *at);
    int code = 0;

    if (letter != NULL)
        return "\b\f\n\r\t"[letter - letters];
    if (*at != 'u')
        return *at;
    for (int i = 1; i <= 4; i++)
        code = 16 * code + hex_digit(at[i]);
    return (char)(code > 0 && code < 0x80 ? code : '?');
}

void json_string(struct json_value string, char *copy, size_t capacity)
{
    size_t size = 0;

    for (const char *at = string.at + 1; at < string.end - 1 && size + 1 < capacity; at++) {
        copy[size] = *at;
        if (*at == '\\') {
            copy[size] = escaped(++at);
            at += *at == 'u' ? 4 : 0;
        }
        size++;
    }
    copy[size] = '\0';
}

bool json_next(struct json_value whole, struct json_value *name, struct json_value *value)
{
    const char *at = value->end == NULL ? whole.at + 1 : value->end;
    const bool named = *whole.at == '{';

    if (!named && *whole.at != '[')
        return false;
    at = pass_blanks(at, whole.end);
    if (*at == ',')
        at = pass_blanks(at + 1, whole.end);
    if (at + 1 == whole.end) /* only the closing bracket is left */
        return false;
    value->at = at;
    if (named) {
        *name = (struct json_value){at, pass_string(at, whole.end)};
        value->at = pass_name(at, whole.end);
    }
    value->end = pass_value(value->at, whole.end, JSON_DEPTH_MOST);
    return true;
}

bool json_member(struct json_value object, const char *name, struct json_value *value)
{
    struct json_value member = {NULL, NULL};
    struct json_value its_name;
    bool found = false;
    char copy[64];

    while (json_kind(object) == '{' && json_next(object, &its_name, &member)) {
        json_string(its_name, copy, sizeof copy);
        if (strcmp(copy, name) == 0) {
            *value = member;
            found = true;
        }
    }
    return found;
}
