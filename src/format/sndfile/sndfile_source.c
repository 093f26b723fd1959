/* Everything that libsndfile reads.
 *
 * It is only ever given plain files, and reads them by callbacks: told about a pipe, version 1.2.0
 * fails, or loses data without a word. Integers are handed to the engine as integers, so that
 * scaling happens in one place for all inputs; they stand at the top of a 16- or 32-bit integer,
 * whatever their width. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/sndfile/sndfile.h"
#include "format/sndfile/sndfile_end.h"
#include "format/sndfile/sndfile_file.h"

enum { PIECE_FRAMES = 16 * 1024 }; /* decoded at a time: the engine is not to wait for long */

#define MACHINE_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct sndfile_source {
    struct source source;
    SNDFILE *file;
    SF_INFO info;
    off_t base;                /* of the container in the file */
    struct sndfile_file bytes; /* what is to be decoded of it */
    struct sndfile_end end;    /* what is known from the start */
    uint64_t frames;           /* given or passed so far */
    int read_error;            /* errno of a read that failed */
    int shift;                 /* of integers that are to be counts */
    bool exact;                /* seeking is exact, and the header knows the number of frames */
};

static sf_count_t read_bytes(struct sndfile_file *file, void *buffer, sf_count_t count)
{
    struct sndfile_source *sndfile = file->owner;
    unsigned char *bytes = buffer;
    sf_count_t done = 0;

    while (done < count) {
        ssize_t got = pread(sndfile->source.input->fd, bytes + done, (size_t)(count - done),
                            sndfile->base + file->at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            sndfile->read_error = errno;
        if (got <= 0)
            break;
        done += got;
        file->at += got;
    }
    sndfile->source.input->bytes += (uint64_t)done;
    return done;
}

/* No more frames came: is that as it should be? */
static int at_end(const struct sndfile_source *sndfile, struct error *error)
{
    const char *name = sndfile->source.input->name;
    unsigned long long frames = sndfile->frames;
    struct sndfile_end end = sndfile->end;

    if (sndfile->read_error != 0)
        return error_system(error, name, sndfile->read_error);
    if (sf.error(sndfile->file) != SF_ERR_NO_ERROR)
        return error_set(error, STATUS_FAILED, "%s: after frame %llu: %s", name, frames,
                         sf.strerror(sndfile->file));
    if (sndfile->exact && frames < (uint64_t)sndfile->info.frames)
        return error_set(error, STATUS_FAILED,
                         "%s: ends after %llu frames; its %s header promises %llu: what is there "
                         "was used",
                         name, frames, sndfile->source.container,
                         (unsigned long long)sndfile->info.frames);
    end.frames = sndfile->frames;
    end.container = sndfile->source.container;
    end.read_to = (uint64_t)sndfile->bytes.at;
    return sndfile_end_check(&end, error);
}

static void shift_down(void *frames, size_t count, enum sample_kind kind, int shift)
{
    int16_t *shorts = frames;
    int32_t *ints = frames;

    for (size_t i = 0; i < count; i++) {
        if (kind == SAMPLE_S16)
            shorts[i] = (int16_t)(shorts[i] >> shift);
        else
            ints[i] = ints[i] >> shift;
    }
}

static int sndfile_read(struct source *source, void *frames, size_t room, size_t *got,
                        struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    enum sample_kind kind = source->format.sample.kind;
    sf_count_t piece = room < PIECE_FRAMES ? (sf_count_t)room : PIECE_FRAMES;
    sf_count_t done = 0;

    switch (kind) {
    case SAMPLE_S16:
        done = sf.readf_short(sndfile->file, frames, piece);
        break;
    case SAMPLE_S32:
        done = sf.readf_int(sndfile->file, frames, piece);
        break;
    case SAMPLE_F64:
        done = sf.readf_double(sndfile->file, frames, piece);
        break;
    default:
        done = sf.readf_float(sndfile->file, frames, piece);
        break;
    }
    *got = done > 0 ? (size_t)done : 0;
    sndfile->frames += *got;
    if (sndfile->shift > 0)
        shift_down(frames, *got * source->format.channels, kind, sndfile->shift);
    return *got > 0 ? 0 : at_end(sndfile, error);
}

/* By decoding: where seeking is not exact, it would give other frames than reading does. */
static int skip_by_reading(struct sndfile_source *sndfile, uint64_t frames, uint64_t *passed,
                           struct error *error)
{
    const struct source_format *format = &sndfile->source.format;
    size_t bytes = sample_type_bytes(format->sample) * format->channels;
    void *block = malloc(PIECE_FRAMES * bytes);
    int result = 0;

    if (block == NULL)
        return error_system(error, sndfile->source.input->name, errno);
    while (result == 0 && *passed < frames) {
        uint64_t left = frames - *passed;
        size_t got;

        result = sndfile_read(&sndfile->source, block,
                              left < PIECE_FRAMES ? (size_t)left : PIECE_FRAMES, &got, error);
        *passed += got;
        if (got == 0)
            break;
    }
    free(block);
    return result;
}

static int sndfile_skip(struct source *source, uint64_t frames, uint64_t *passed,
                        struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    uint64_t ahead = (uint64_t)sndfile->info.frames - sndfile->frames;
    uint64_t to = sndfile->frames + (frames < ahead ? frames : ahead);

    *passed = 0;
    if (!sndfile->exact || sndfile->info.seekable == 0)
        return skip_by_reading(sndfile, frames, passed, error);
    if (sf.seek(sndfile->file, (sf_count_t)to, SEEK_SET) != (sf_count_t)to)
        return error_set(error, STATUS_FAILED, "%s: cannot go to frame %llu: %s",
                         source->input->name, (unsigned long long)to, sf.strerror(sndfile->file));
    *passed = to - sndfile->frames;
    sndfile->frames = to;
    return 0;
}

static bool sndfile_ready(struct source *source, unsigned microseconds)
{
    (void)microseconds;
    (void)source;
    return true;
}

static void sndfile_close(struct source *source)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;

    if (sndfile->file != NULL)
        sf.close(sndfile->file);
    free(sndfile);
}

static const struct source_class sndfile_class = {
    .name = "sndfile",
    .read = sndfile_read,
    .skip = sndfile_skip,
    .ready = sndfile_ready,
    .close = sndfile_close,
};

/* The type that frames are handed on in, and how far integers would have to be shifted to be
 * the numbers that are in the file. */
static enum sample_kind kind_of(int subtype, int *shift)
{
    *shift = 0;
    switch (subtype) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_DPCM_8:
        *shift = 8;
        return SAMPLE_S16;
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
    case SF_FORMAT_IMA_ADPCM:
    case SF_FORMAT_MS_ADPCM:
    case SF_FORMAT_GSM610:
    case SF_FORMAT_VOX_ADPCM:
    case SF_FORMAT_G721_32:
    case SF_FORMAT_G723_24:
    case SF_FORMAT_G723_40:
    case SF_FORMAT_DWVW_16:
    case SF_FORMAT_DPCM_16:
    case SF_FORMAT_ALAC_16:
        return SAMPLE_S16;
    case SF_FORMAT_DWVW_12:
        *shift = 4;
        return SAMPLE_S16;
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_DWVW_24:
    case SF_FORMAT_ALAC_24:
        *shift = 8;
        return SAMPLE_S32;
    case SF_FORMAT_ALAC_20:
        *shift = 12;
        return SAMPLE_S32;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_ALAC_32:
        return SAMPLE_S32;
    case SF_FORMAT_DOUBLE:
        return SAMPLE_F64;
    default:
        return SAMPLE_F32;
    }
}

/* Lossy ones: a decoder that seeks begins in another state than one that reads. */
static bool is_exact(const SF_INFO *info)
{
    switch (info->format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
        return info->frames > 0 && info->frames < SF_COUNT_MAX;
    default:
        return false;
    }
}

static void describe(struct sndfile_source *sndfile, const struct source_request *request)
{
    const SF_INFO *info = &sndfile->info;
    struct source *source = &sndfile->source;
    SF_FORMAT_INFO words = {.format = info->format & SF_FORMAT_SUBMASK};

    source->container = sndfile_container(info->format);
    source->encoding = "";
    if (sf.command(NULL, SFC_GET_FORMAT_INFO, &words, sizeof words) == 0)
        source->encoding = words.name;
    source->format = (struct source_format){
        .sample.kind = kind_of(words.format, &sndfile->shift),
        .sample.big_endian = MACHINE_IS_BIG,
        .sample.counts = request->sample.counts,
        .channels = (unsigned)info->channels,
        .rate = info->samplerate,
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    if (!request->sample.counts)
        sndfile->shift = 0;
    sndfile->exact = is_exact(info);
    if (sndfile->exact)
        source->format.frames = (uint64_t)info->frames;
}

static int look_at_size(struct sndfile_source *sndfile, const char *words, struct error *error)
{
    struct input *input = sndfile->source.input;
    struct sndfile_end *end = &sndfile->end;

    sndfile_end_look(end, input, (uint64_t)sndfile->base, (uint64_t)sndfile->bytes.length);
    if (end->whole.misread)
        return error_set(error, STATUS_FAILED,
                         "%s: is %s of a kind that libsndfile misreads: try ffmpeg -i "
                         "%s -c:a pcm_f32le -f wav - | gpuenv ...",
                         input->name, words, input_operand(input));
    if (end->next != NULL ||
        (end->whole.passed_by && end->whole.bytes > 0 && end->whole.bytes < end->there))
        sndfile->bytes.length = (sf_count_t)end->whole.bytes;
    return 0;
}

/* Some files that end early are only read by libsndfile if it believes that they do not. */
static void open_file(struct sndfile_source *sndfile)
{
    sf_count_t promised = (sf_count_t)sndfile->end.whole.bytes;

    sndfile->file = sndfile_file_open(&sndfile->bytes, SFM_READ, &sndfile->info);
    if (sndfile->file != NULL || promised <= sndfile->bytes.length)
        return;
    sndfile->bytes.length = promised;
    sndfile->bytes.at = 0;
    sndfile->info = (SF_INFO){.format = 0};
    sndfile->file = sndfile_file_open(&sndfile->bytes, SFM_READ, &sndfile->info);
}

int source_open_sndfile_after(struct input *input, const struct source_request *request,
                              const char *words, const struct bytes_taken *taken,
                              struct source **source, struct error *error)
{
    struct sndfile_source *sndfile;
    struct stat status;

    if (sndfile_load(error) != 0 || spool_input(input, words, taken, error) != 0)
        return -1;
    sndfile = calloc(1, sizeof *sndfile);
    if (sndfile == NULL || fstat(input->fd, &status) != 0) {
        free(sndfile);
        return error_system(error, input->name, errno);
    }
    sndfile->source = (struct source){.class = &sndfile_class, .input = input};
    sndfile->base = (off_t)input_position(input);
    sndfile->bytes = (struct sndfile_file){
        .length = status.st_size - sndfile->base,
        .read = read_bytes,
        .owner = sndfile,
    };
    if (look_at_size(sndfile, words, error) != 0) {
        free(sndfile);
        return -1;
    }
    open_file(sndfile);
    if (sndfile->file == NULL || sndfile->info.channels < 1) {
        if (sndfile->read_error != 0)
            error_system(error, input->name, sndfile->read_error);
        else if (sndfile_end_missing(&sndfile->end, error) == 0)
            error_set(error, STATUS_FAILED,
                      "%s: is %s that libsndfile cannot read: %s: try ffmpeg -i %s -c:a pcm_f32le "
                      "-f wav - | gpuenv ...",
                      input->name, words, sf.strerror(sndfile->file), input_operand(input));
        sndfile_close(&sndfile->source);
        return -1;
    }
    describe(sndfile, request);
    *source = &sndfile->source;
    return 0;
}

int source_open_sndfile(struct input *input, const struct source_request *request,
                        const char *words, struct source **source, struct error *error)
{
    return source_open_sndfile_after(input, request, words, NULL, source, error);
}
