/* SPDX-License-Identifier: MIT */
/* Frames, with or without a header. The header is written first. Values that are raw samples
 * already are written from the engine's buffer. If the output can be overwritten, the header is
 * written again at the end, with the final length; so its size never changes. In a pipe it has what
 * is known in advance, or says that the length is unknown, if the format can express that.
 * Otherwise the frames may wait in a temporary file until they have been counted. */
#include "format/raw_writer_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/spool.h"

enum { BLOCK_BYTES = 64 * 1024 };

static const char too_large[] = "the container ends at 4 GiB: write wav, w64 or caf";

uint32_t header_whole_rate(const struct sink_format *format)
{
    return (uint32_t)sink_rate(format).said;
}

size_t header_frame_bytes(const struct sink_format *format)
{
    return sample_type_bytes(format->sample) * format->channels;
}

static const struct header_rules *rules_of(const struct sink_format *format)
{
    static const struct header_rules none;
    const struct header_rules *rules = format->format->writer->header;

    return rules != NULL ? rules : &none;
}

/* True if the header's fields can hold the size of so many frames. */
static bool fits(const struct sink_format *format, uint64_t frames)
{
    uint64_t most = rules_of(format)->data_most;

    return most == 0 || frames <= most / header_frame_bytes(format);
}

size_t header_build(const struct sink_format *format, uint64_t frames,
                    unsigned char bytes[HEADER_MOST], const char **why)
{
    const struct format_writer *writer = format->format->writer;
    const struct header_rules *rules = rules_of(format);
    struct builder builder = {.bytes = bytes};
    bool is_unknown = frames == SINK_FRAMES_UNKNOWN;

    *why = "it would have more channels than the container can hold";
    if ((rules->frame_most > 0 && header_frame_bytes(format) > rules->frame_most) ||
        (rules->channels_most > 0 && format->channels > rules->channels_most))
        return 0;
    *why = "its rate would be above 4294967295 Hz, the most that the container can hold: write caf "
           "or raw frames";
    /* Other writers check rates of their own, or have no limit. */
    if (writer->rate_most == UINT32_MAX && round(format->rate) > writer->rate_most)
        return 0;
    *why = "the container begins with its length, which is not known before the end of a stream: "
           "write to a file, or use csv, wav, au, caf or raw frames";
    if (is_unknown && !writer->streams)
        return 0;
    *why = "it would be larger than any file";
    if (!is_unknown && frames > (uint64_t)INT64_MAX / 2 / header_frame_bytes(format))
        return 0;
    *why = too_large;
    if (!is_unknown && !fits(format, frames))
        return 0;
    rules->put(&builder, format, frames);
    return builder.size;
}

size_t header_padding(const struct sink_format *format, uint64_t frames)
{
    return rules_of(format)->even ? frames * header_frame_bytes(format) % 2 : 0;
}

struct raw_writer {
    struct sink sink;
    uint64_t begin;   /* the offset of frame 0 in the output */
    uint64_t count;   /* frames written so far */
    bool begun;       /* values have been written */
    bool encodes;     /* samples are encoded; otherwise they are written as they are */
    int spool;        /* file that holds frames until their header is known; -1 if there is none */
    uint64_t spooled; /* bytes in `spool` */
};

static int refuse(const struct raw_writer *header, const char *why, struct error *error)
{
    return error_set(error, ERROR_FORMAT, header->sink.output->name, "%s", why);
}

static int write_header(struct raw_writer *header, uint64_t frames, bool again, struct error *error)
{
    struct sink *sink = &header->sink;
    unsigned char bytes[HEADER_MOST];
    const char *why = NULL;
    size_t size = header_build(&sink->format, frames, bytes, &why);

    if (size == 0)
        return refuse(header, why, error);
    if (again)
        return output_patch(sink->output, 0, bytes, size, error);
    return output_write(sink->output, bytes, size, error);
}

/* ---- frames */

/* In place of an offset: the frames follow those written before. */
#define IN_ORDER UINT64_MAX

static int write_block(struct raw_writer *header, uint64_t at, const unsigned char *block,
                       size_t size, struct error *error)
{
    struct output *output = header->sink.output;

    if (at != IN_ORDER)
        return output_write_at(output, at, block, size, error);
    if (header->spool < 0)
        return output_write(output, block, size, error);
    at = header->spooled;
    header->spooled += size;
    return spool_write(header->spool, output->name, rules_of(&header->sink.format)->spools, block,
                       size, at, error);
}

/* Encodes the values of whole rows, by runs of one kind. */
static void encode_rows(struct builder *builder, const struct sink_format *format,
                        const void *values, size_t count, bool first, struct sample_losses *losses)
{
    const struct sink_row *row = &format->row;
    const unsigned char *from = values;
    size_t from_bytes = value_bytes(row->kind[0]);
    size_t to_bytes = sample_type_bytes(format->sample);
    bool even = true;

    (void)first;
    for (unsigned i = 1; i < row->count; i++)
        even = even && row->kind[i] == row->kind[0];
    for (size_t i = 0; i < count;) {
        enum value_kind kind = row->kind[i % row->count];
        size_t run = even ? count : 1;

        while (i + run < count && row->kind[(i + run) % row->count] == kind)
            run++;
        sample_encode(format->sample, kind, from + i * from_bytes, builder->bytes + builder->size,
                      run, losses);
        builder->size += run * to_bytes;
        i += run;
    }
}

static int write_encoded(struct raw_writer *header, uint64_t at, const unsigned char *values,
                         size_t count, struct sample_losses *losses, struct error *error)
{
    const struct sink_format *format = &header->sink.format;
    const struct header_rules *rules = rules_of(format);
    size_t of_value = rules->encode != NULL ? rules->value_most : sample_type_bytes(format->sample);
    size_t most = BLOCK_BYTES / of_value / format->row.count * format->row.count;
    unsigned char block[BLOCK_BYTES];

    while (count > 0) {
        size_t batch = count < most ? count : most;
        struct builder builder = {.bytes = block};

        (rules->encode != NULL ? rules->encode : encode_rows)(&builder, format, values, batch,
                                                              !header->begun, losses);
        if (write_block(header, at, block, builder.size, error) != 0)
            return -1;
        values += batch * value_bytes(format->row.kind[0]);
        count -= batch;
        if (at != IN_ORDER)
            at += builder.size;
        else
            header->begun = true;
    }
    return 0;
}

static int header_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                        bool gift, struct error *error)
{
    struct raw_writer *header = (struct raw_writer *)sink;
    uint64_t most = rules_of(&sink->format)->frames_most;
    size_t samples = count * sink->format.channels;
    size_t size = samples * value_bytes(sink->format.row.kind[0]);

    (void)rows;
    if (!fits(&sink->format, header->count + count))
        return error_set(error, ERROR_FILE, sink->output->name, "%s", too_large);
    if (most > 0 && header->count + count > most)
        return error_set(error, ERROR_FILE, sink->output->name,
                         "a %s file holds at most %llu pixels", sink->format.container,
                         (unsigned long long)most);
    header->count += count;
    if (header->encodes)
        return write_encoded(header, IN_ORDER, frames, samples, &sink->losses, error);
    if (gift)
        return output_give(sink->output, frames, size, error);
    return output_write(sink->output, frames, size, error);
}

static void header_reserve(struct sink *sink, uint64_t frames, unsigned threads)
{
    uint64_t bytes = frames * header_frame_bytes(&sink->format);

    output_reserve(sink->output, ((struct raw_writer *)sink)->begin + bytes, threads);
}

static int header_place(struct sink *sink, uint64_t frame, const void *frames, size_t count,
                        struct sample_losses *losses, struct error *error)
{
    struct raw_writer *header = (struct raw_writer *)sink;
    uint64_t at = header->begin + frame * header_frame_bytes(&sink->format);
    size_t samples = count * sink->format.channels;

    if (header->encodes)
        return write_encoded(header, at, frames, samples, losses, error);
    return output_write_at(sink->output, at, frames,
                           samples * value_bytes(sink->format.row.kind[0]), error);
}

static int header_placed(struct sink *sink, uint64_t frames, struct error *error)
{
    struct raw_writer *header = (struct raw_writer *)sink;
    uint64_t bytes = frames * header_frame_bytes(&sink->format);

    header->count = frames;
    return output_go_on(sink->output, header->begin + bytes, error);
}

/* ---- the end */

/* With an unknown length, padding would be taken for samples. */
static int write_end(struct raw_writer *header, struct error *error)
{
    const char *end = rules_of(&header->sink.format)->end;

    if (end != NULL)
        return output_write(header->sink.output, end, strlen(end), error);
    return output_write(header->sink.output, "",
                        header_padding(&header->sink.format, header->count), error);
}

/* True if the header can be written again at the end. */
static bool can_fill_in(const struct sink *sink)
{
    return sink->output->patchable && !rules_of(&sink->format)->grows;
}

static int header_finish(struct sink *sink, struct error *error)
{
    struct raw_writer *header = (struct raw_writer *)sink;
    bool patch = can_fill_in(sink);
    bool known = patch || sink->format.frames != SINK_FRAMES_UNKNOWN;

    if (rules_of(&sink->format)->put == NULL)
        return 0;
    if (header->spool >= 0) {
        if (write_header(header, header->count, false, error) != 0 ||
            spool_copy_out(header->spool, 0, header->spooled, sink->output, error) != 0)
            return -1;
        return write_end(header, error);
    }
    if (known && write_end(header, error) != 0)
        return -1;
    if (patch)
        return write_header(header, header->count, true, error);
    if (known && header->count != sink->format.frames)
        return error_set(error, ERROR_FILE, sink->output->name,
                         "its header, already written, promises %llu frames, and there were "
                         "%llu",
                         (unsigned long long)sink->format.frames,
                         (unsigned long long)header->count);
    return 0;
}

static void header_close(struct sink *sink)
{
    struct raw_writer *header = (struct raw_writer *)sink;

    if (header->spool >= 0)
        close(header->spool);
    free(header);
}

static const struct sink_class header_class = {
    .write = header_write,
    .reserve = header_reserve,
    .place = header_place,
    .placed = header_placed,
    .finish = header_finish,
    .close = header_close,
};

/* For values that are not of a sample's size: their offset is not known before they are written. */
static const struct sink_class ordered_class = {
    .write = header_write,
    .finish = header_finish,
    .close = header_close,
};

/* Writes a provisional header, or opens the temporary file for the frames. */
static int start(struct raw_writer *header, bool waits, struct error *error)
{
    const struct sink *sink = &header->sink;
    unsigned char bytes[HEADER_MOST];
    uint64_t frames = sink->format.frames;
    const char *why = NULL;

    /* Checks that the header can hold everything that is known already. */
    if (header_build(&sink->format, frames == SINK_FRAMES_UNKNOWN ? 0 : frames, bytes, &why) == 0)
        return refuse(header, why, error);
    if (waits) {
        header->spool = spool_open(sink->output->name, rules_of(&sink->format)->spools, error);
        return header->spool < 0 ? -1 : 0;
    }
    /* The header is filled in at the end; until then it describes a truncated run. */
    return write_header(header, can_fill_in(sink) ? 0 : frames, false, error);
}

int sink_open_header(struct output *output, const struct sink_format *format, struct sink **sink,
                     struct error *error)
{
    const struct header_rules *rules = rules_of(format);
    struct raw_writer *header = calloc(1, sizeof *header);
    bool waits;

    if (header == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    header->sink = (struct sink){
        .class = rules->encode != NULL ? &ordered_class : &header_class,
        .format = *format,
        .output = output,
    };
    header->spool = -1;
    waits = rules->spools != NULL && format->frames == SINK_FRAMES_UNKNOWN &&
            !can_fill_in(&header->sink);
    header->encodes = waits || !sink_row_is_native(format);
    if (rules->put != NULL && start(header, waits, error) != 0) {
        header_close(&header->sink);
        return -1;
    }
    header->begin = output->bytes;
    *sink = &header->sink;
    return 0;
}
