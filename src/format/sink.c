/* SPDX-License-Identifier: MIT */
#include "format/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "format/source.h"
#include "io/unpack.h"

/* Does the writer have the type, without its byte order? */
static bool holds(const struct format_writer *writer, struct sample_type type)
{
    const char *name = sample_type_name(type);

    return format_is_among(writer->kinds, name, strcspn(name, "lb"));
}

/* Sets the sample type in a container. `type` follows its name and a colon in the argument; may be
 * NULL. */
static int choose_held(const char *type, struct sink_format *format, struct error *error)
{
    const struct format_writer *writer = format->format->writer;
    const char *container = format->container;
    struct sample_type *sample = &format->sample;

    *sample = (struct sample_type){.kind = writer->usual, .big_endian = writer->big_endian};
    if (type == NULL)
        return 0;
    if (!sample_type_parse(type, writer->big_endian, sample) || !holds(writer, *sample))
        return USAGE(error, "-T %s:%s: %s holds%s", container, type, container, writer->kinds);
    if (!writer->any_order && sample_type_bytes(*sample) > 1 &&
        sample->big_endian != writer->big_endian)
        return USAGE(error, "-T %s:%s: %s has %s-endian samples", container, type, container,
                     writer->big_endian ? "big" : "little");
    return 0;
}

static int choose_raw(const char *type, struct sink_format *format, struct error *error)
{
    if (!sample_type_parse(type, false, &format->sample))
        return format_unknown(type, true, error);
    if (sample_type_is_complex(format->sample))
        return USAGE(error, "-T %s: results are real: give -T f32", type);
    if (!holds(format_raw.writer, format->sample))
        return USAGE(error, "-T %s: samples of this type are only read", type);
    return 0;
}

/* Chooses the format by the argument of -T, up to a colon, which must be the first name of a
 * writer; or by the ending of the output's name, which may set the type of raw frames. Otherwise
 * raw frames. */
static const struct format *choose(const struct sink_request *request, struct sample_type *raw)
{
    const char *type = request->type;
    const size_t length = type == NULL ? 0 : strcspn(type, ":");
    const struct format *format = NULL;

    if (type != NULL)
        format = format_named(type, length);
    else if (request->path != NULL)
        format = format_by_ending(request->path, raw);
    if (format == NULL ||
        (type != NULL && (format->writer == NULL || strlen(format->names[0]) != length ||
                          memcmp(format->names[0], type, length) != 0)))
        return &format_raw;
    return format;
}

/* Rejects raw frames under the name of a container: no program would read them. */
static int refuse_raw_name(const struct sink_request *request, const char *type,
                           const struct format *named, struct error *error)
{
    const char *name = named->names[0];

    if (format_is_among(named->writer->kinds, type, strcspn(type, "lb")))
        return USAGE(error, "-T %s: %s would be raw frames: give -T %s:%s", type, request->path,
                     name, type);
    return USAGE(error, "-T %s: %s would be raw frames: give -T %s, or another name", type,
                 request->path, name);
}

static int refuse_ending(const char *path, struct error *error)
{
    const char *program = unpack_program(path);
    const struct format *packed = format_of_input(path, NULL);
    char word[ERROR_OPERAND];

    if (program != NULL && packed != NULL && packed != &format_raw && packed->writer != NULL)
        return USAGE(error, "-o %s: is written through a pipe: gpuenv ... -T %s | %s >%s", path,
                     packed->names[0], program, error_operand(word, path));
    return error_set(
        error, ERROR_OUTPUT_ENDING, path,
        "%s cannot be written: use .svg for a picture, .wav, .flac or .csv for values, "
        "or -T f32 for raw frames of any name",
        strrchr(path, '.') + 1);
}

int sink_choose(const struct sink_request *request, struct sink_format *format, struct error *error)
{
    const char *type = request->type;
    const char *colon = type == NULL ? NULL : strchr(type, ':');
    const struct format *named =
        request->path == NULL ? NULL : format_by_ending(request->path, NULL);
    int result = 0;

    format->sample = (struct sample_type){.kind = SAMPLE_F32};
    format->format = choose(request, &format->sample);
    format->container = format->format->names[0];
    if (request->path != NULL &&
        (format->format->writer == NULL || !holds(format_raw.writer, format->sample)))
        return refuse_ending(request->path, error);
    if (format->format != &format_raw)
        result = choose_held(colon == NULL ? NULL : colon + 1, format, error);
    else if (type != NULL)
        result = choose_raw(type, format, error);
    if (result == 0 && type != NULL && format->format == &format_raw && named != NULL &&
        named != &format_raw && named->writer != NULL && !format_ending_says_nothing(request->path))
        return refuse_raw_name(request, type, named, error);
    format->unnamed = type == NULL && named == NULL;
    /* Outputs of a batch, and ".raw", are float32 by default. */
    format->type_named = format->format != &format_raw
                             ? colon != NULL
                             : type != NULL || format->sample.kind != SAMPLE_F32;
    format->sample.counts = request->counts || format->format->writer->numbers;
    return result;
}

void sink_follow(struct sink_format *format, const struct source *source)
{
    if (!format->unnamed || source->format.usual_output == NULL)
        return;
    format->format = source->format.usual_output;
    format->container = format->format->names[0];
}

bool sink_needs_no_window(const struct sink_request *request)
{
    const struct format_writer *writer = choose(request, NULL)->writer;

    return writer != NULL && writer->any_window;
}

bool sink_row_is_native(const struct sink_format *format)
{
    for (unsigned i = 0; i < format->row.count; i++) {
        if (!sample_type_is_native(format->sample, format->row.kind[i]))
            return false;
    }
    return true;
}

/* The writer of raw frames, with or without a header, takes raw samples. */
bool sink_takes_samples(const struct sink_format *format)
{
    return format->format->writer->open == format_raw.writer->open;
}

bool sink_places(const struct sink *sink)
{
    return sink->class->place != NULL && output_places(sink->output);
}

struct sink_rate sink_rate(const struct sink_format *format)
{
    const struct format_writer *writer = format->format->writer;
    double due = writer->rate_of_input ? format->context.input_rate : format->rate;
    bool is_whole = writer->rate_most > 0 && writer->rate_most <= UINT32_MAX;

    return (struct sink_rate){due, is_whole ? fmin(fmax(round(due), 1), writer->rate_most) : due};
}

int sink_open(struct output *output, const struct sink_format *format, struct sink **sink,
              struct error *error)
{
    const struct format_writer *writer = format->format->writer;
    const bool timed = format->context.times != NULL;

    if (writer->rate_most == 0 || format->rate > 0 || (timed && writer->any_window))
        return writer->open(output, format, sink, error);
    return timed ? error_set(error, ERROR_FORMAT, output->name,
                             "%s files have a rate, and rows with times have none: leave --time "
                             "out, or write csv",
                             format->container)
                 : error_set(error, ERROR_FORMAT, output->name,
                             "%s files have a rate, and that of the input is not known: give -r HZ",
                             format->container);
}
