#include "completions/faces.h"

void faces_print_origin(const struct command *command, const char *shell, FILE *file)
{
    fprintf(file,
            "# Completion of %s for %s.\n"
            "# Made from the table of options, by the build's target `completions`.\n",
            command->program, shell);
}

void faces_function(const struct command *command, const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", command->program, name != NULL ? "_" : "",
             name != NULL ? name : "");
    for (; *text != '\0'; text++) {
        if (*text == '-')
            *text = '_';
    }
}

void faces_print_words(const char *const *words, FILE *file)
{
    for (size_t i = 0; words[i] != NULL; i++)
        fprintf(file, "%s%s", i > 0 ? " " : "", words[i]);
}
