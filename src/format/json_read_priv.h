/* SPDX-License-Identifier: MIT */
/* Reads JSON (RFC 8259) without copying it. A text is checked as a whole once; after that its
 * values are slices of it, and each question about one scans that slice. For small files. */
#ifndef GPUENV_FORMAT_JSON_READ_PRIV_H
#define GPUENV_FORMAT_JSON_READ_PRIV_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_DEPTH_MOST = 64 };

/* A value in a text that has been checked: from its first byte to after its last. */
struct json_value {
    const char *at;
    const char *end;
};

/* Checks a text, which needs no terminator: one value, with blanks around it, nested no deeper than
 * JSON_DEPTH_MOST. A byte-order mark may precede it. */
bool json_read(const char *text, size_t size, struct json_value *value);

/* '{' for an object, '[' for an array, '"' for a string, '0' for a number, 't' and 'f' for true and
 * false, 'n' for null. */
char json_kind(struct json_value value);

/* Finds a member by its name: the last one if there are several. Returns false if there is none, or
 * if `object` is not an object. */
bool json_member(struct json_value object, const char *name, struct json_value *value);

/* Steps through an array or, with the name of each value, an object. Start with `*value` all NULL.
 * Returns false if there are no more values, or if `whole` is neither. */
bool json_next(struct json_value whole, struct json_value *name, struct json_value *value);

/* Copies a string, terminated; a string that does not fit is cut off. Characters that were escaped
 * as \uXXXX and are not ASCII become "?", and so does a zero. */
void json_string(struct json_value string, char *copy, size_t capacity);

#endif
