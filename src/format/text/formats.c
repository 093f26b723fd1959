/* The formats of text in columns. */
#include "format/text/text.h"

static const struct format_writer writer = {
    .kinds = " f32 f64",
    .whole = true,
    .streams = true,
    .text = true,
    .open = text_open_sink,
};

const struct format format_csv = {
    .names = {"csv"},
    .words = "comma-separated values",
    .endings = " csv",
    .by_ending = true,
    .open = text_open_source,
    .delimiter = ',',
    .writer = &writer,
};

const struct format format_tsv = {
    .names = {"tsv"},
    .words = "tab-separated values",
    .endings = " tsv",
    .by_ending = true,
    .open = text_open_source,
    .delimiter = '\t',
    .writer = &writer,
};

const struct format format_txt = {
    .names = {"txt"},
    .words = "text in columns",
    .endings = " txt",
    .open = text_open_source,
    .delimiter = ' ',
    .writer = &writer,
};
