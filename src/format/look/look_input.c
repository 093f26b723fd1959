/* SPDX-License-Identifier: MIT */
/* The look at an input that no option and no file name calls a table. */
#include <stdlib.h>
#include <string.h>

#include "format/look/look_priv.h"
#include "io/input.h"

bool look_is_table(struct input *input, const struct text_dialect *dialect)
{
    static const struct text_dialect usual = {.header = TEXT_HEADER_AUTO};
    enum { ROWS_LEAST = 3, WAIT = 100000 }; /* microseconds */
    char *bytes = malloc(LOOK_BYTES + 1);
    enum text_next next = TEXT_OPEN;
    bool is_table = false;
    bool ended = false;
    bool full = false;

    while (bytes != NULL && next == TEXT_OPEN && !ended) {
        size_t size = input_glimpse(input, bytes, LOOK_BYTES, &ended);
        const char *newline;
        struct look look;
        struct error ignored;

        ended = ended || full || size == LOOK_BYTES || !input_can_wait(input);
        if (ended && size > 0 && bytes[size - 1] != '\n')
            bytes[size++] = '\n';
        newline = memrchr(bytes, '\n', size);
        size = newline == NULL ? 0 : (size_t)(newline - bytes) + 1;
        next = look_take(&look, input->name, bytes, size, ended, '\0', 2,
                         dialect != NULL ? dialect : &usual, &ignored);
        is_table = (look.is_table || look.maker != NULL) && next != TEXT_OPEN;
        if (next == TEXT_RECORD && !is_table && look.rows < ROWS_LEAST)
            next = TEXT_OPEN;
        look_free(&look);
        if (next == TEXT_OPEN && !ended)
            full = !input_wait_for_more(input, WAIT);
    }
    free(bytes);
    return is_table;
}
