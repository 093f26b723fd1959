/* The manual's list of options: what a test looks for in man/. */
#include <ctype.h>
#include <string.h>

#include "completions/faces.h"

static void print_lower(const char *text, FILE *file)
{
    for (; *text != '\0'; text++)
        fputc(tolower((unsigned char)*text), file);
}

/* ".It Fl w Ar len , Fl -window Ns = Ns Ar len" */
static void print_option(const struct option_row *row, FILE *file)
{
    fputs(".It ", file);
    if (row->letter != 0) {
        fprintf(file, "Fl %c ", row->letter);
        if (row->value != NULL) {
            fputs("Ar ", file);
            print_lower(row->value, file);
            fputc(' ', file);
        }
        fputs(", ", file);
    }
    fprintf(file, "Fl -%s", row->name);
    if (row->value != NULL) {
        fputs(" Ns = Ns Ar ", file);
        print_lower(row->value, file);
    }
    fputc('\n', file);
}

void faces_manual(const struct command *command, FILE *file)
{
    for (size_t i = 0; command->sections[i] != NULL; i++) {
        const struct option_section *section = command->sections[i];
        const char *remark = strstr(section->title, " (");
        size_t length = remark != NULL ? (size_t)(remark - section->title) : strlen(section->title);

        fprintf(file, ".Ss %.*s\n", (int)length, section->title);
        for (size_t j = 0; j < section->count; j++)
            print_option(&section->rows[j], file);
    }
}
