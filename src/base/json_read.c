#include "base/json_read.h"

#include <stdint.h>
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

/* The functions below take a text that does not begin with a blank, and return the end of what they
 * have passed; NULL: it is wrong. */

/* After a backslash. */
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

/* One digit or more. */
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

static const char *pass_word(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0 ? at + size : NULL;
}

/* A string, a number or a word. */
static const char *pass_scalar(const char *at, const char *end)
{
    switch (*at) {
    case '"':
        return pass_string(at, end);
    case 't':
        return pass_word(at, end, "true");
    case 'f':
        return pass_word(at, end, "false");
    case 'n':
        return pass_word(at, end, "null");
    default:
        return pass_number(at, end);
    }
}

/* The name of a member, the colon and blanks. */
static const char *pass_name(const char *at, const char *end)
{
    at = pass_string(at, end);
    if (at == NULL)
        return NULL;
    at = pass_blanks(at, end);
    return at < end && *at == ':' ? pass_blanks(at + 1, end) : NULL;
}

/* What is open around a place: a bit for each level, set for an object. */
struct nest {
    uint64_t objects;
    unsigned depth;
};

_Static_assert(JSON_DEPTH_MOST <= 64, "the levels have to fit into the bits");

static bool is_in_object(const struct nest *nest)
{
    return (nest->objects >> (nest->depth - 1) & 1) != 0;
}

/* Opens an object or an array, which may be empty: then `*whole` is set, and it is closed. */
static const char *open_nest(const char *at, const char *end, struct nest *nest, bool *whole)
{
    bool object = *at == '{';

    if (nest->depth == JSON_DEPTH_MOST)
        return NULL;
    at = pass_blanks(at + 1, end);
    *whole = at < end && *at == (object ? '}' : ']');
    if (*whole)
        return at + 1;
    nest->objects &= ~(UINT64_C(1) << nest->depth);
    nest->objects |= (uint64_t)object << nest->depth;
    nest->depth++;
    return object ? pass_name(at, end) : at;
}

/* After a value: closes what ends there. `*more`: another value follows. */
static const char *pass_ends(const char *at, const char *end, struct nest *nest, bool *more)
{
    *more = false;
    while (nest->depth > 0) {
        bool object = is_in_object(nest);

        at = pass_blanks(at, end);
        if (at == end)
            return NULL;
        if (*at == ',') {
            *more = true;
            at = pass_blanks(at + 1, end);
            return object ? pass_name(at, end) : at;
        }
        if (*at != (object ? '}' : ']'))
            return NULL;
        at++;
        nest->depth--;
    }
    return at;
}

static const char *pass_value(const char *at, const char *end)
{
    struct nest nest = {0};
    bool more = true;

    while (more) {
        bool whole = true;

        if (at == end)
            return NULL;
        at = *at == '{' || *at == '[' ? open_nest(at, end, &nest, &whole) : pass_scalar(at, end);
        if (at != NULL && whole)
            at = pass_ends(at, end, &nest, &more);
        if (at == NULL)
            return NULL;
    }
    return at;
}

bool json_read(const char *text, size_t size, struct json_value *value)
{
    const char *end = text + size;

    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    value->at = pass_blanks(text, end);
    value->end = pass_value(value->at, end);
    return value->end != NULL && pass_blanks(value->end, end) == end;
}

/* ---- values of a text that is right */

bool json_is_object(struct json_value value)
{
    return *value.at == '{';
}

bool json_is_array(struct json_value value)
{
    return *value.at == '[';
}

bool json_is_string(struct json_value value)
{
    return *value.at == '"';
}

bool json_is_number(struct json_value value)
{
    return *value.at == '-' || (*value.at >= '0' && *value.at <= '9');
}

bool json_is_null(struct json_value value)
{
    return *value.at == 'n';
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

void json_string(struct json_value string, char *copy, size_t room)
{
    size_t size = 0;

    for (const char *at = string.at + 1; at < string.end - 1 && size + 1 < room; at++) {
        copy[size] = *at;
        if (*at == '\\') {
            copy[size] = escaped(++at);
            at += *at == 'u' ? 4 : 0;
        }
        size++;
    }
    copy[size] = '\0';
}

/* True if the string is `name`. */
static bool is_name(struct json_value string, const char *name)
{
    char copy[64];

    json_string(string, copy, sizeof copy);
    return strcmp(copy, name) == 0;
}

bool json_member(struct json_value object, const char *name, struct json_value *value)
{
    bool found = false;

    if (!json_is_object(object))
        return false;
    for (const char *at = pass_blanks(object.at + 1, object.end); *at == '"';) {
        struct json_value member = {at, pass_string(at, object.end)};
        bool wanted = is_name(member, name);

        member.at = pass_name(at, object.end);
        member.end = pass_value(member.at, object.end);
        if (wanted)
            *value = member;
        found = found || wanted;
        at = pass_blanks(member.end, object.end);
        if (*at == ',')
            at = pass_blanks(at + 1, object.end);
    }
    return found;
}

bool json_next(struct json_value array, struct json_value *element)
{
    const char *at;

    if (!json_is_array(array))
        return false;
    at = pass_blanks(element->end == NULL ? array.at + 1 : element->end, array.end);
    if (*at == ',')
        at = pass_blanks(at + 1, array.end);
    if (*at == ']')
        return false;
    element->at = at;
    element->end = pass_value(at, array.end);
    return true;
}
