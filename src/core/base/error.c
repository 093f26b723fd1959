/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/device_number.h"

/* The status follows from the order of the codes. */
static enum status status_of(enum error_code code)
{
    if (code == ERROR_DEVICE)
        return STATUS_NO_DEVICE;
    if ((code >= ERROR_FORMAT && code < ERROR_RESOURCE) || code >= ERROR_DEVICE_INTEGERS)
        return STATUS_USAGE;
    return STATUS_FAILED;
}

int error_set(struct error *error, enum error_code code, const char *subject, const char *format,
              ...)
{
    va_list arguments;

    error->code = code;
    error->status = status_of(code);
    error->quiet = false;
    error->number = 0;
    error->advice = error->option = NULL;
    snprintf(error->subject, sizeof error->subject, "%s", subject != NULL ? subject : "");
    va_start(arguments, format);
    vsnprintf(error->reason, sizeof error->reason, format, arguments);
    va_end(arguments);
    return -1;
}

void error_try(struct error *error, const char *option, const char *value)
{
    if (snprintf(error->value, sizeof error->value, "%s", value) < ERROR_VALUE)
        error->option = option;
}

const char *error_device(char name[ERROR_DEVICE_NAME], unsigned device)
{
    snprintf(name, ERROR_DEVICE_NAME, "cuda device %u", device_number(device));
    return name;
}

int error_system(struct error *error, enum error_code code, const char *subject, int number)
{
    error_set(error, code, subject, "%s", strerror(number));
    error->number = number;
    return -1;
}

const char *error_operand(char word[ERROR_OPERAND], const char *name)
{
    char *at = word;

    if (strpbrk(name, " \t\n!\"#$&'()*;<>?[\\]`{|}~") == NULL)
        return name;
    for (*at++ = '\''; *name != '\0' && at < word + ERROR_OPERAND - sizeof "'\\'''"; name++) {
        *at++ = *name;
        if (*name == '\'')
            at = stpcpy(at, "\\''");
    }
    (void)stpcpy(at, "'");
    return *name == '\0' ? word : "FILE";
}

bool error_names_file(const struct error *error)
{
    return error->code < ERROR_RESOURCE;
}
