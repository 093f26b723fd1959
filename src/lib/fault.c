/* SPDX-License-Identifier: MIT */
/* Errors, as callers of the library see them. */
#include <stdarg.h>
#include <stdio.h>

#include "lib/lib_priv.h"

static const char *const code_names[] = {
    [GPUENV_OK] = "GPUENV_OK",
    [GPUENV_BAD_ARGUMENT] = "GPUENV_BAD_ARGUMENT",
    [GPUENV_NO_MEMORY] = "GPUENV_NO_MEMORY",
    [GPUENV_NO_THREADS] = "GPUENV_NO_THREADS",
    [GPUENV_NAN_FOUND] = "GPUENV_NAN_FOUND",
    [GPUENV_INTERRUPTED] = "GPUENV_INTERRUPTED",
    [GPUENV_NO_ROOM] = "GPUENV_NO_ROOM",
    [GPUENV_NO_DEVICE] = "GPUENV_NO_DEVICE",
    [GPUENV_DEVICE_FAILED] = "GPUENV_DEVICE_FAILED",
};

const char *gpuenv_code_name(int code)
{
    const int codes = sizeof code_names / sizeof *code_names;

    return code >= 0 && code < codes ? code_names[code] : "unknown";
}

static bool is_there(const gpuenv_error *error)
{
    return error != NULL && HAS_MEMBER(error, text);
}

void fault_clear(gpuenv_error *error)
{
    if (!is_there(error))
        return;
    error->code = GPUENV_OK;
    error->row = 0;
    error->frame = 0;
    error->channel = 0;
    error->subject[0] = '\0';
    error->text[0] = '\0';
}

int fault_set(gpuenv_error *error, enum gpuenv_code code, const char *subject, const char *format,
              ...)
{
    va_list arguments;

    if (!is_there(error))
        return (int)code;
    fault_clear(error);
    error->code = (int)code;
    snprintf(error->subject, sizeof error->subject, "%s", subject);
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return (int)code;
}

int fault_memory(gpuenv_error *error)
{
    return fault_set(error, GPUENV_NO_MEMORY, "memory", "cannot be allocated");
}

int fault_nan(gpuenv_error *error, uint64_t row, uint64_t frame, uint64_t channel)
{
    const int code =
        fault_set(error, GPUENV_NAN_FOUND, "in", "has a NaN in frame %llu of channel %llu",
                  (unsigned long long)frame, (unsigned long long)channel);

    if (error != NULL && HAS_MEMBER(error, channel)) {
        error->row = row;
        error->frame = frame;
        error->channel = channel;
    }
    return code;
}

int fault_of(gpuenv_error *error, const struct error *cause)
{
    enum gpuenv_code code = GPUENV_DEVICE_FAILED;

    if (cause->status == STATUS_NO_DEVICE || cause->code == ERROR_DEVICE_INTEGERS)
        code = GPUENV_NO_DEVICE;
    else if (cause->number != 0)
        return fault_memory(error);
    return fault_set(error, code, cause->subject, "%s", cause->reason);
}
