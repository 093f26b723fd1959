/* SPDX-License-Identifier: MIT */
/* Frames without a header, read directly into the engine's buffer. */
#include "format/format.h"
#include "format/raw_reader_priv.h"
#include "format/raw_writer_priv.h"

static int open_raw(struct input *input, const struct source_request *request,
                    const struct recognised *found, struct source **source, struct error *error)
{
    const struct raw_reader_data data = {
        .container = "raw",
        .format = {.sample = request->sample, .channels = request->channels},
        .bytes = RAW_UNTIL_END,
        .named = request->format == &format_raw,
    };

    (void)found;
    return source_open_raw_frames(input, &data, source, error);
}

static const struct format_writer writer = {
    .kinds = " f16 f32 f64 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64",
    .any_order = true,
    .streams = true,
    .open = sink_open_header,
};

const struct format format_raw = {
    .names = {"raw"},
    .words = "raw frames",
    .open = open_raw,
    .writer = &writer,
};
