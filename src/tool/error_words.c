#include "tool/error_words.h"

#include <stdio.h>
#include <string.h>

#include "format/text/decimal.h"
#include "io/input.h"
#include "sample/sample_type.h"
#include "tool/values.h"

struct words {
    const char *option;
    const char *hint; /* follows the reason */
};

static const struct words words_of_codes[] = {
    [ERROR_NO_NUMBER] = {NULL, ": --missing WORD takes it as missing, --columns leaves its column "
                               "out, --bad-lines skip its line"},
    [ERROR_TIME] = {NULL, " (see --time-format, --bad-lines)"},
    [ERROR_CONVERT] = {NULL, ": try ffmpeg -i "},
    [ERROR_DAMAGED] = {NULL, " (--accept-damaged makes this a warning)"},

    [ERROR_DEVICE] = {"--device", ""},
    [ERROR_DEVICE_INTEGERS] = {"--device", ": leave --device out, or round frames with -T f32"},
    [ERROR_OUTPUT_ENDING] = {"-o", ""},
    [ERROR_OUTPUT_FORMAT] = {"-o", ""},
    [ERROR_OUTPUT_TYPE] = {"-T", ""},
    [ERROR_INPUT_TYPE] = {"-t", ""},
    [ERROR_COMMAND] = {NULL, NULL},
};

static const char *find_meant(const char *word)
{
    static const struct elsewhere units[] = {
        {"us usec ms msec s sec m min minutes h hr hour hours d day days w week mo month y",
         "write a unit behind its number, as in 10ms"},
        {"k M G Hz hz kHz khz MHz mhz GHz Msps MSPS MS/s",
         "write a unit behind its number, as in 2.4M"},
        {"dB db dBFS %", "write a unit behind its number, as in -50dB"},
        {NULL, NULL},
    };
    static const struct elsewhere others[] = {
        {"help version", "did you mean --help, or --version?"},
        {"stat stats", "statistics are written by --emit none --stats -"},
        {"trim remix norm gain vol rate silence spectrogram channels fade reverse",
         "effects of sox are options here, as far as there are some: --skip, --frames, --pick"},
        {"info plot envelope waveform convert play record run man",
         "there are no commands, only options: -o in.svg is a picture, -w 10ms an envelope"},
        {"csv tsv txt wav flac svg npy raw", "-t gives its type, -T that of the output"},
        {"pipe: pipe:0 pipe:1", "- is standard input"},
        {NULL, NULL},
    };
    const struct decimal number = decimal_read(word, NULL, false);
    const char *unit = word + number.length;
    const char *here = values_elsewhere(units, word, strlen(word));
    struct sample_type type;

    if (here == NULL)
        here = values_elsewhere(others, word, strlen(word));
    if (here != NULL)
        return here;
    if (sample_type_parse(word, false, &type))
        return "-t gives its type, -T that of the output";
    if (number.length > 0 && (*unit == '\0' || values_elsewhere(units, unit, strlen(unit)) != NULL))
        return "which option has this value?";
    return NULL;
}

bool error_meant(const char *word, char meant[ERROR_MEANT])
{
    const char *found = find_meant(word);

    if (found != NULL)
        snprintf(meant, ERROR_MEANT, "is taken for an input: %s", found);
    else if (strncmp(word, "http://", 7) == 0 || strncmp(word, "https://", 8) == 0)
        snprintf(meant, ERROR_MEANT, "is no file: try curl -L URL | gpuenv ...");
    else if (strncmp(word, "hw:", 3) == 0 || strncmp(word, "plughw:", 7) == 0)
        snprintf(meant, ERROR_MEANT, "is no file: try arecord -D DEVICE -f FLOAT_LE | gpuenv ...");
    else
        return false;
    return true;
}

const char *error_words(const struct error *error, char words[ERROR_WORDS])
{
    const struct words *row = &words_of_codes[error->code];
    const char *option = row->option != NULL ? row->option : "";
    bool between = option[0] != '\0' && error->subject[0] != '\0';
    bool any = option[0] != '\0' || error->subject[0] != '\0';
    char meant[ERROR_MEANT];
    char operand[ERROR_OPERAND];

    snprintf(words, ERROR_WORDS, "%s%s%s%s%s%s", option, between ? " " : "", error->subject,
             any ? ": " : "", error->reason,
             error->advice != NULL ? error->advice
             : row->hint != NULL   ? row->hint
                                   : "");
    if (error->code == ERROR_NO_INPUT && error_meant(error->subject, meant)) {
        values_append(words, ERROR_WORDS, ": ");
        values_append(words, ERROR_WORDS, meant);
    }
    if (error->code == ERROR_CONVERT) {
        values_append(words, ERROR_WORDS,
                      strcmp(error->subject, INPUT_STANDARD) == 0
                          ? "-"
                          : error_operand(operand, error->subject));
        values_append(words, ERROR_WORDS, " -c:a pcm_f32le -f wav - | gpuenv ...");
    }
    return words;
}
