/* SPDX-License-Identifier: MIT */
#include "tool/visible_priv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/device_number.h"
#include "lib/engines.h"

static const char VARIABLE[] = "CUDA_VISIBLE_DEVICES";

enum { LIST_BYTES = 4096 };

/* Finds the entry of a list that is a device's name for CUDA. As CUDA reads a list, an empty entry
 * and one like -1 end it. Returns the entry's length, 0 if there is none. */
static size_t find_entry(const char **list, unsigned number)
{
    size_t length = strcspn(*list, ",");

    for (; number > 0 && length > 0 && **list != '-'; number--) {
        *list += length + ((*list)[length] == ',');
        length = strcspn(*list, ",");
    }
    return **list == '-' ? 0 : length;
}

/* Finds the name of device `number`: its entry in the user's list or, without a list, its number,
 * if that is below `files`. Returns the name's length, 0 if there is no such device: CUDA will
 * report it. */
static size_t find_name(const char *list, unsigned files, unsigned number, char text[16],
                        const char **name)
{
    *name = list;
    if (list != NULL)
        return find_entry(name, number);
    *name = text;
    return number < files ? (size_t)snprintf(text, 16, "%u", number) : 0;
}

void visible_devices(struct settings *settings, bool alone)
{
    static unsigned numbers[SETTINGS_DEVICES];
    const char *list = getenv(VARIABLE);
    const unsigned count = settings->device_count > 0 ? settings->device_count : 1;
    const unsigned used_count = alone ? 1 : count;
    unsigned files = 0;
    char seen[LIST_BYTES] = "";
    size_t used = 0;

    if (settings->device == DEVICE_CPU || (settings->all_devices && !alone))
        return;
    if (list == NULL) {
        files = engines_devices.files();
        if (files < 2 || engines_devices.have_parts())
            return;
    }
    for (unsigned i = 0; i < count; i++) {
        char text[16];
        const char *name;
        size_t length = find_name(list, files, settings->devices[i], text, &name);

        if (length == 0 || used + length + 2 > sizeof seen)
            return;
        if (i < used_count)
            used += (size_t)snprintf(seen + used, sizeof seen - used, "%s%.*s", i > 0 ? "," : "",
                                     (int)length, name);
    }
    if (setenv(VARIABLE, seen, 1) != 0)
        return;
    for (unsigned i = 0; i < used_count; i++) {
        numbers[i] = settings->devices[i];
        settings->devices[i] = i;
    }
    settings->device_count = used_count;
    settings->all_devices = false;
    device_number_all(numbers, used_count);
}
