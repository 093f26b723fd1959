#include "cli/command.h"

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
