/* gpuenv-faces PROGRAM bash|zsh|fish|manual: for developers, a face of a program's table of options
 * on standard output. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench_options.h"
#include "cli/messages.h"
#include "cli/options_rows.h"
#include "completions/faces.h"

static const struct command *const commands[] = {&options_command, &bench_command};

static const struct {
    const char *name;
    void (*print)(const struct command *command, FILE *file);
} faces[] = {
    {"bash", faces_bash},
    {"zsh", faces_zsh},
    {"fish", faces_fish},
    {"manual", faces_manual},
};

static int print_face(const char *program, const char *face, struct error *error)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        for (size_t j = 0; j < sizeof faces / sizeof faces[0]; j++) {
            if (strcmp(commands[i]->program, program) == 0 && strcmp(faces[j].name, face) == 0) {
                faces[j].print(commands[i], stdout);
                return 0;
            }
        }
    }
    return error_set(error, ERROR_COMMAND, NULL, "%s %s: there is no such face", program, face);
}

int main(int argc, char **argv)
{
    struct error error = {.status = STATUS_DONE};

    messages_program("gpuenv-faces");
    messages_init(MESSAGES_NORMAL);
    if (argc != 3)
        error_set(&error, ERROR_COMMAND, NULL,
                  "PROGRAM bash|zsh|fish|manual: two words are needed");
    else if (print_face(argv[1], argv[2], &error) == 0 && fflush(stdout) != 0)
        error_set(&error, ERROR_RESOURCE, "standard output", "cannot be written");
    if (error.status != STATUS_DONE)
        messages_error(&error);
    return (int)error.status;
}
