/* The formats of text in columns. */
#include "format/format.h"
#include "format/text/text.h"

/* A format, its reader and its writer. */
#define TEXT_FORMAT(NAME, IN, OUT, WORDS, BY_ENDING)                                               \
    static int read_##NAME(struct input *input, const struct source_request *request,              \
                           const char *words, struct source **source, struct error *error)         \
    {                                                                                              \
        (void)words;                                                                               \
        return text_open_source(input, #NAME, IN, request, source, error);                         \
    }                                                                                              \
                                                                                                   \
    static int write_##NAME(struct output *output, const struct sink_format *format,               \
                            struct sink **sink, struct error *error)                               \
    {                                                                                              \
        return text_open_sink(output, OUT, format, sink, error);                                   \
    }                                                                                              \
                                                                                                   \
    static const struct format_writer NAME##_writer = {                                            \
        .usual = SAMPLE_F32,                                                                       \
        .kinds = " f32 f64",                                                                       \
        .whole = true,                                                                             \
        .rateless = true,                                                                          \
        .streams = true,                                                                           \
        .text = true,                                                                              \
        .open = write_##NAME,                                                                      \
    };                                                                                             \
                                                                                                   \
    const struct format format_##NAME = {                                                          \
        .names = {#NAME},                                                                          \
        .words = (WORDS),                                                                          \
        .endings = " " #NAME,                                                                      \
        .columns = true,                                                                           \
        .by_ending = (BY_ENDING),                                                                  \
        .open = read_##NAME,                                                                       \
        .writer = &NAME##_writer,                                                                  \
    };

TEXT_FORMAT(csv, '\0', ',', "comma-separated values", true)
TEXT_FORMAT(tsv, '\t', '\t', "tab-separated values", true)
TEXT_FORMAT(txt, ' ', ' ', "text in columns", false)
