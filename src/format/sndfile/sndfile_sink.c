/* What libsndfile writes: FLAC and Ogg. It goes back to fill in a header where the output can be
 * written over. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/header_sink.h"
#include "format/sndfile/sndfile.h"
#include "format/sndfile/sndfile_file.h"

enum {
    BLOCK_SAMPLES = 16 * 1024,
    FLAC_MAGIC = 4, /* bytes */
    FLAC_STREAMINFO = 38,
};

/* ---- the output, as libsndfile sees it */

struct sndfile_sink {
    struct sink sink;
    SNDFILE *file; /* NULL before the first frame */
    struct sndfile_file bytes;
    int major;   /* what is written: SF_FORMAT_FLAC, ... */
    bool dry;    /* what it writes goes nowhere */
    bool failed; /* and why: */
    struct error failure;
    unsigned char *encoded; /* BLOCK_SAMPLES of the format's type, of 4 bytes at most */
    int32_t *block;         /* the same as libsndfile takes them; shorts, too */
};

/* In a pipe nobody comes back to fill in how many frames there are. Where this is known beforehand,
 * it is put into the STREAMINFO of a FLAC as it passes: 36 bits, the lowest of these bytes. */
static bool holds_length(const struct sndfile_sink *sndfile, size_t size)
{
    return sndfile->major == SF_FORMAT_FLAC && sndfile->sink.format.frames < UINT64_C(1) << 36 &&
           sndfile->bytes.at == FLAC_MAGIC && size == FLAC_STREAMINFO &&
           sndfile->bytes.length == FLAC_MAGIC && !sndfile->sink.output->patchable;
}

static int write_with_length(struct sndfile_sink *sndfile, const unsigned char *bytes)
{
    unsigned char block[FLAC_STREAMINFO];
    uint64_t frames = sndfile->sink.format.frames;

    memcpy(block, bytes, sizeof block);
    block[17] = (unsigned char)((block[17] & 0xf0) | frames >> 32);
    for (int i = 0; i < 4; i++)
        block[18 + i] = (unsigned char)(frames >> (24 - 8 * i));
    return output_write(sndfile->sink.output, block, sizeof block, &sndfile->failure);
}

static int write_at(struct sndfile_sink *sndfile, const unsigned char *bytes, size_t size)
{
    struct output *output = sndfile->sink.output;
    sf_count_t at = sndfile->bytes.at;
    sf_count_t length = sndfile->bytes.length;
    size_t over = 0; /* bytes that were written before */

    if (sndfile->dry)
        return 0;
    /* What would be filled in at the beginning of a pipe stays as it was: the number of samples and
     * a checksum. FLAC and Ogg can do without; told that it cannot go back, libsndfile would
     * write them at the end. */
    if (at < length && !output->patchable)
        return 0;
    if (holds_length(sndfile, size))
        return write_with_length(sndfile, bytes);
    if (at < length)
        over = (size_t)(length - at);
    if (over > size)
        over = size;
    if (over > 0 && output_patch(output, (uint64_t)at, bytes, over, &sndfile->failure) != 0)
        return -1;
    return output_write(output, bytes + over, size - over, &sndfile->failure);
}

static sf_count_t write_bytes(struct sndfile_file *file, const void *buffer, sf_count_t count)
{
    struct sndfile_sink *sndfile = file->owner;

    if (sndfile->failed || count <= 0)
        return 0;
    sndfile->failed = write_at(sndfile, buffer, (size_t)count) != 0;
    if (sndfile->failed)
        return 0;
    file->at += count;
    if (file->at > file->length)
        file->length = file->at;
    return count;
}

/* ---- the sink */

static int subtype_of(enum sample_kind kind)
{
    switch (kind) {
    case SAMPLE_S8:
        return SF_FORMAT_PCM_S8;
    case SAMPLE_S16:
        return SF_FORMAT_PCM_16;
    case SAMPLE_S24:
        return SF_FORMAT_PCM_24;
    default:
        return SF_FORMAT_FLOAT;
    }
}

static int open_writer(struct sndfile_sink *sndfile, struct error *error)
{
    const struct sink_format *format = &sndfile->sink.format;
    double rate = round(format->rate);
    SF_INFO info = {
        .samplerate = rate < 1           ? 1
                      : rate > INT32_MAX ? INT32_MAX
                                         : (int)rate,
        .channels = (int)format->channels,
        .format =
            sndfile->major |
            (sndfile->major == SF_FORMAT_OGG ? SF_FORMAT_VORBIS : subtype_of(format->sample.kind)),
    };

    if (sf.format_check(&info) == 0)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "%s cannot hold %u channels of %s at %.10g Hz", format->container,
                         format->channels, sample_type_name(format->sample), rate);
    sndfile->file = sndfile_file_open(&sndfile->bytes, SFM_WRITE, &info);
    if (sndfile->file == NULL)
        return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                         "%u channels of %s at %d Hz, as %s: %s", format->channels,
                         sample_type_name(format->sample), info.samplerate, format->container,
                         sndfile->bytes.why);
    /* A chunk with the largest sample and the time of day: the same input has to give the same
     * bytes. */
    (void)sf.command(sndfile->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    return 0;
}

/* Integers are made by the one encoder that all outputs share, which also counts what it clips. */
static sf_count_t write_integers(struct sndfile_sink *sndfile, const float *samples, size_t count)
{
    struct sample_type type = sndfile->sink.format.sample;
    unsigned bytes = (unsigned)sample_type_bytes(type);
    int16_t *shorts = (int16_t *)sndfile->block;

    sample_encode(type, samples, sndfile->encoded, count, &sndfile->sink.losses);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *raw = sndfile->encoded + i * bytes;
        uint64_t number = number_of(raw, bytes, type.big_endian);
        uint32_t top = (uint32_t)(number << (32 - 8 * bytes)); /* at the top of 32 bits */

        if (bytes <= 2)
            shorts[i] = (int16_t)(top >> 16);
        else
            sndfile->block[i] = (int32_t)top;
    }
    if (bytes <= 2)
        return sf.write_short(sndfile->file, shorts, (sf_count_t)count);
    return sf.write_int(sndfile->file, sndfile->block, (sf_count_t)count);
}

static int write_failed(const struct sndfile_sink *sndfile, struct error *error)
{
    if (sndfile->failed) {
        *error = sndfile->failure;
        return -1;
    }
    return error_set(error, ERROR_FILE, sndfile->sink.output->name,
                     "libsndfile cannot write %u channels as %s: %s", sndfile->sink.format.channels,
                     sndfile->sink.format.container, sf.strerror(sndfile->file));
}

static int sndfile_write(struct sink *sink, float *frames, size_t count, bool gift,
                         struct error *error)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;
    bool is_float = sample_type_has_nan(sink->format.sample);
    size_t most = BLOCK_SAMPLES - BLOCK_SAMPLES % sink->format.channels;
    size_t left = count * sink->format.channels;

    (void)gift;
    if (sndfile->file == NULL && open_writer(sndfile, error) != 0)
        return -1;
    while (left > 0) {
        size_t piece = left < most ? left : most;
        sf_count_t done = is_float ? sf.write_float(sndfile->file, frames, (sf_count_t)piece)
                                   : write_integers(sndfile, frames, piece);

        if (done != (sf_count_t)piece || sndfile->failed)
            return write_failed(sndfile, error);
        frames += piece;
        left -= piece;
    }
    return 0;
}

/* What libsndfile writes of no frames, other programs refuse, or find frames in. */
static int finish_empty(struct sndfile_sink *sndfile, struct error *error)
{
    const struct sink_format *format = &sndfile->sink.format;
    unsigned char bytes[HEADER_MOST];
    struct builder builder = {.bytes = bytes};

    if (format->format->writer->empty == NULL)
        return open_writer(sndfile, error);
    format->format->writer->empty(&builder, format);
    return output_write(sndfile->sink.output, bytes, builder.size, error);
}

static int sndfile_finish(struct sink *sink, struct error *error)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;

    if (sndfile->file == NULL && finish_empty(sndfile, error) != 0)
        return -1;
    if (sndfile->file == NULL)
        return 0;
    (void)sf.close(sndfile->file);
    sndfile->file = NULL;
    if (sndfile->failed)
        *error = sndfile->failure;
    return sndfile->failed ? -1 : 0;
}

static void sndfile_sink_close(struct sink *sink)
{
    struct sndfile_sink *sndfile = (struct sndfile_sink *)sink;

    sndfile->failed = true; /* nothing is written any more */
    if (sndfile->file != NULL)
        sf.close(sndfile->file);
    free(sndfile->encoded);
    free(sndfile->block);
    free(sndfile);
}

static const struct sink_class sndfile_sink_class = {
    .write = sndfile_write,
    .finish = sndfile_finish,
    .close = sndfile_sink_close,
};

bool sndfile_is_here(void)
{
    return true;
}

/* What libsndfile does not take is to show now. Nothing is written: there may be no frames. */
static int try_writer(struct sndfile_sink *sndfile, struct error *error)
{
    sndfile->dry = true;
    if (open_writer(sndfile, error) != 0)
        return -1;
    (void)sf.close(sndfile->file);
    sndfile->file = NULL;
    sndfile->dry = false;
    /* The encoder of Vorbis says no in this way alone. */
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
    struct sndfile_sink *sndfile;

    if (sndfile_load(error) != 0)
        return -1;
    sndfile = calloc(1, sizeof *sndfile);
    if (sndfile == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    sndfile->sink =
        (struct sink){.class = &sndfile_sink_class, .format = *format, .output = output};
    sndfile->bytes = (struct sndfile_file){.write = write_bytes, .owner = sndfile};
    sndfile->major = sndfile_major(format->container);
    sndfile->encoded = malloc((size_t)BLOCK_SAMPLES * 4);
    sndfile->block = malloc(BLOCK_SAMPLES * sizeof(int32_t));
    if (sndfile->encoded == NULL || sndfile->block == NULL) {
        error_system(error, ERROR_FILE, output->name, errno);
        goto error;
    }
    if (try_writer(sndfile, error) != 0)
        goto error;
    *sink = &sndfile->sink;
    return 0;

error:
    sndfile_sink_close(&sndfile->sink);
    return -1;
}
