/* SPDX-License-Identifier: MIT */
/* What libsndfile writes: FLAC, and Vorbis in Ogg. libsndfile goes back to fill in a header if the
 * output can be overwritten. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/codecs/ogg_priv.h"
#include "format/format.h"
#include "format/raw_writer_priv.h"
#include "format/sndfile/library_priv.h"
#include "format/sndfile/sndfile_priv.h"

enum {
    BLOCK_SAMPLES = 16 * 1024,
    FLAC_MAGIC = 4, /* bytes of the magic */
    FLAC_STREAMINFO = 38,
};

/* ---- the output, as libsndfile sees it */

struct sndfile_sink {
    struct sink sink;
    SNDFILE *file; /* NULL before the first frame */
    struct sndfile_file bytes;
    int major;   /* format that is written: SF_FORMAT_FLAC, ... */
    bool dry;    /* nothing is written */
    bool failed; /* writing has failed, for the reason `failure` */
    struct error failure;
    unsigned char encoded[4 * BLOCK_SAMPLES]; /* samples of the format's type, of at most 4 bytes */
    union {
        int32_t integers[BLOCK_SAMPLES];
        float floats[BLOCK_SAMPLES];
    } block; /* the samples as libsndfile takes them */
};

/* In a pipe libsndfile cannot go back to fill in the number of frames. If it is known in advance,
 * this function puts it into the STREAMINFO of a FLAC on the way, as 36 bits. */
static int write_to_pipe(struct sndfile_sink *sndfile, const unsigned char *bytes, size_t size)
{
    struct output *output = sndfile->sink.output;
    uint64_t frames = sndfile->sink.format.frames;
    unsigned char block[FLAC_STREAMINFO];

    /* Do not fill in the number of samples and a checksum at the beginning; FLAC and Ogg do not
     * need them. If seeking failed, libsndfile would write them at the end. */
    if (sndfile->bytes.at < sndfile->bytes.length)
        return 0;
    if (sndfile->major != SF_FORMAT_FLAC || frames >= UINT64_C(1) << 36 ||
        sndfile->bytes.at != FLAC_MAGIC || size != FLAC_STREAMINFO)
        return output_write(output, bytes, size, &sndfile->failure);
    memcpy(block, bytes, sizeof block);
    block[17] = (unsigned char)((block[17] & 0xf0) | frames >> 32);
    for (int i = 0; i < 4; i++)
        block[18 + i] = (unsigned char)(frames >> (24 - 8 * i));
    return output_write(output, block, sizeof block, &sndfile->failure);
}

static int write_to_file(struct sndfile_sink *sndfile, const unsigned char *bytes, size_t size)
{
    struct output *output = sndfile->sink.output;
    sf_count_t at = sndfile->bytes.at;
    sf_count_t written = sndfile->bytes.length - at; /* bytes written earlier, from `at` on */
    size_t over = written < 0 ? 0 : (uint64_t)written < size ? (size_t)written : size;

    if (over > 0 && output_patch(output, (uint64_t)at, bytes, over, &sndfile->failure) != 0)
        return -1;
    return output_write(output, bytes + over, size - over, &sndfile->failure);
}

static sf_count_t write_bytes(const void *buffer, sf_count_t count, void *context)
{
    struct sndfile_file *file = context;
    struct sndfile_sink *sndfile = file->owner;
    int result = 0;

    if (sndfile->failed || count <= 0)
        return 0;
    if (!sndfile->dry && sndfile->sink.output->patchable)
        result = write_to_file(sndfile, buffer, (size_t)count);
    else if (!sndfile->dry)
        result = write_to_pipe(sndfile, buffer, (size_t)count);
    sndfile->failed = result != 0;
    if (sndfile->failed)
        return 0;
    file->at += count;
    if (file->at > file->length)
        file->length = file->at;
    return count;
}

/* ---- the sink */

static int open_writer(struct sndfile_sink *sndfile, struct error *error)
{
    static const int subtypes[SAMPLE_KINDS] = {
        [SAMPLE_S8] = SF_FORMAT_PCM_S8,
        [SAMPLE_S16] = SF_FORMAT_PCM_16,
        [SAMPLE_S24] = SF_FORMAT_PCM_24,
        [SAMPLE_F32] = SF_FORMAT_VORBIS,
    };
    const struct sink_format *format = &sndfile->sink.format;
    SF_INFO info = {
        .samplerate = (int)sink_rate(format).said,
        .channels = (int)format->channels,
        .format = sndfile->major | subtypes[format->sample.kind],
    };

    if (round(format->rate) > format->format->writer->rate_most)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "its rate would be %.10g Hz, and %s holds %.0f Hz at most: write wav "
                         "or caf",
                         format->rate, format->container, format->format->writer->rate_most);
    if (sf.format_check(&info) == 0)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "%s cannot hold %u channels of %s at %d Hz", format->container,
                         format->channels, sample_type_name(format->sample), info.samplerate);
    sndfile->file = sndfile_file_open(&sndfile->bytes, SFM_WRITE, &info);
    if (sndfile->file == NULL)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "%u channels of %s at %d Hz, as %s: %s", format->channels,
                         sample_type_name(format->sample), info.samplerate, format->container,
                         sndfile->bytes.why);
    return 0;
}

/* Integers are encoded as for all outputs, which also counts clipping. libsndfile takes the upper
 * bits of 32-bit integers. */
static sf_count_t write_integers(struct sndfile_sink *sndfile, const float *samples, size_t count)
{
    struct sample_type type = sndfile->sink.format.sample;
    unsigned bytes = (unsigned)sample_type_bytes(type);

    sample_encode(type, VALUE_F32, samples, sndfile->encoded, count, &sndfile->sink.losses);
    for (size_t i = 0; i < count; i++) {
        uint64_t number = number_of_bytes(sndfile->encoded + i * bytes, bytes, type.big_endian);

        sndfile->block.integers[i] = (int32_t)(uint32_t)(number << (32 - 8 * bytes));
    }
    return sf.write_int(sndfile->file, sndfile->block.integers, (sf_count_t)count);
}

static sf_count_t write_floats(struct sndfile_sink *sndfile, const float *samples, size_t count)
{
    const unsigned channels = sndfile->sink.format.channels;

    memcpy(sndfile->block.floats, samples, count * sizeof *samples);
    ogg_from_wav_order(sndfile->block.floats, count / channels, channels);
    return sf.write_float(sndfile->file, sndfile->block.floats, (sf_count_t)count);
}

static int sndfile_write(struct sink *sink, void *frames, size_t count,
                         const struct sink_rows *rows, bool gift, struct error *error)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;
    size_t most = BLOCK_SAMPLES - BLOCK_SAMPLES % sink->format.channels;
    size_t left = count * sink->format.channels;
    const float *samples = frames;

    (void)rows;
    (void)gift;
    if (sndfile->file == NULL && open_writer(sndfile, error) != 0)
        return -1;
    while (left > 0) {
        size_t piece = left < most ? left : most;
        sf_count_t done = sndfile->major == SF_FORMAT_OGG ? write_floats(sndfile, samples, piece)
                                                          : write_integers(sndfile, samples, piece);

        if (sndfile->failed) {
            *error = sndfile->failure;
            return -1;
        }
        if (done != (sf_count_t)piece) {
            sndfile_words(sndfile->file, sndfile->bytes.why);
            return error_set(error, ERROR_FILE, sink->output->name,
                             "libsndfile cannot write %u channels as %s: %s", sink->format.channels,
                             sink->format.container, sndfile->bytes.why);
        }
        samples += piece;
        left -= piece;
    }
    return 0;
}

/* Writes a FLAC file whose only block of metadata is STREAMINFO. */
static void put_empty_flac(struct builder *builder, const struct sink_format *format)
{
    static const unsigned char md5_of_nothing[16] = {0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00,
                                                     0xb2, 0x04, 0xe9, 0x80, 0x09, 0x98,
                                                     0xec, 0xf8, 0x42, 0x7e};
    uint64_t bits = 8 * sample_type_bytes(format->sample);

    builder_put(builder, "fLaC", 4);
    put_big(builder, 0x80000022, 4);
    put_big(builder, 4096, 2); /* frames of a block, at least and at most */
    put_big(builder, 4096, 2);
    put_big(builder, 0, 6);
    put_big(builder,
            (uint64_t)header_whole_rate(format) << 44 | (format->channels - 1ULL) << 41 |
                (bits - 1) << 36,
            8);
    builder_put(builder, md5_of_nothing, sizeof md5_of_nothing);
}

static int sndfile_finish(struct sink *sink, struct error *error)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;
    unsigned char bytes[HEADER_MOST];
    struct builder builder = {.bytes = bytes};

    /* For no frames libsndfile writes a file that other programs reject, or find frames in. */
    if (sndfile->file == NULL && sndfile->major == SF_FORMAT_FLAC) {
        put_empty_flac(&builder, &sink->format);
        return output_write(sink->output, bytes, builder.size, error);
    }
    if (sndfile->file == NULL && open_writer(sndfile, error) != 0)
        return -1;
    (void)sf.close(sndfile->file);
    sndfile->file = NULL;
    if (sndfile->failed)
        *error = sndfile->failure;
    return sndfile->failed ? -1 : 0;
}

static void sndfile_sink_close(struct sink *sink)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;

    sndfile->failed = true; /* stops all further writes */
    if (sndfile->file != NULL)
        sf.close(sndfile->file);
    free(sndfile);
}

/* Reports now if libsndfile would refuse the format. Writes nothing, because there may be no
 * frames. */
static int try_writer(struct sndfile_sink *sndfile, struct error *error)
{
    sndfile->dry = true;
    if (open_writer(sndfile, error) != 0)
        return -1;
    (void)sf.close(sndfile->file);
    sndfile->file = NULL;
    sndfile->dry = false;
    /* The Vorbis encoder reports a failure in no other way. */
    if (sndfile->bytes.length == 0 && sndfile->major == SF_FORMAT_OGG)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "libsndfile cannot write %u channels at %.0f Hz as %s",
                         sndfile->sink.format.channels, sndfile->sink.format.rate,
                         sndfile->sink.format.container);
    sndfile->bytes.at = 0;
    sndfile->bytes.length = 0;
    return 0;
}

int sink_open_sndfile(struct output *output, const struct sink_format *format, struct sink **sink,
                      struct error *error)
{
    static const struct sink_class class = {
        .write = sndfile_write,
        .finish = sndfile_finish,
        .close = sndfile_sink_close,
    };
    struct sndfile_sink *sndfile;

    if (library_load(&sndfile_library, output->name, error) != 0)
        return -1;
    sndfile = calloc(1, sizeof *sndfile);
    if (sndfile == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    sndfile->sink = (struct sink){.class = &class, .format = *format, .output = output};
    sndfile->bytes = (struct sndfile_file){.write = write_bytes, .owner = sndfile};
    sndfile->major = format->sample.kind == SAMPLE_F32 ? SF_FORMAT_OGG : SF_FORMAT_FLAC;
    if (try_writer(sndfile, error) != 0) {
        sndfile_sink_close(&sndfile->sink);
        return -1;
    }
    *sink = &sndfile->sink;
    return 0;
}
