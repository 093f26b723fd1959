/* SPDX-License-Identifier: MIT */
#include "tool/error_words.h"

#include <stdio.h>
#include <string.h>

#include "io/input.h"

struct words {
    const char *option;
    const char *hint; /* follows the reason */
};

static const struct words words_of_codes[ERROR_TRY + 1] = {
    [ERROR_CONVERT] = {NULL, ": try ffmpeg -i "},
    [ERROR_DAMAGED] = {NULL, " (--accept-damaged makes this a warning)"},

    [ERROR_DEVICE] = {"--device", ""},
    [ERROR_OUTPUT_ENDING] = {"-o", ""},
};

const char *error_words(const struct error *error, char words[ERROR_WORDS])
{
    const struct words *row = &words_of_codes[error->code];
    const char *option = row->option != NULL ? row->option : "";
    bool between = option[0] != '\0' && error->subject[0] != '\0';
    bool any = option[0] != '\0' || error->subject[0] != '\0';
    bool converts = error->code == ERROR_CONVERT;
    char operand[ERROR_OPERAND];

    snprintf(words, ERROR_WORDS, "%s%s%s%s%s%s%s%s", option, between ? " " : "", error->subject,
             any ? ": " : "", error->reason,
             error->advice != NULL ? error->advice
             : row->hint != NULL   ? row->hint
                                   : "",
             !converts                                     ? ""
             : strcmp(error->subject, INPUT_STANDARD) == 0 ? "-"
                                                           : error_operand(operand, error->subject),
             converts ? " -c:a pcm_f32le -f wav - | gpuenv ..." : "");
    return words;
}
