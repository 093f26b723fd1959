#include "cli/command.h"

#include <string.h>

const struct option_row *command_row(const struct command *command, size_t number)
{
    for (size_t i = 0; command->sections[i] != NULL; i++) {
        const struct option_section *section = command->sections[i];

        if (number < section->count)
            return &section->rows[number];
        number -= section->count;
    }
    return NULL;
}

const struct option_row *command_find(const struct command *command, const char *name)
{
    const struct option_row *row;

    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}
