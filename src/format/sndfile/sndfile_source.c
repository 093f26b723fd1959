/* Everything that libsndfile reads.
 *
 * It is only ever given plain files, and reads them by callbacks: told about a pipe, version 1.2.0
 * fails, or loses data without a word. Integers are handed to the engine as integers, so that
 * scaling happens in one place for all inputs; they stand at the top of a 16- or 32-bit integer,
 * whatever their width. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/sndfile/sndfile.h"
#include "format/sndfile/sndfile_decoder.h"
#include "format/sndfile/sndfile_end.h"
#include "format/sndfile/tags.h"

enum { SKIPPED_FRAMES = 16 * 1024 }; /* decoded at a time */

#define MACHINE_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct sndfile_source {
    struct source source;
    struct decoder decoder;
    struct sndfile_end end; /* what is known from the start */
    uint64_t frames;        /* given or passed so far */
    bool exact;             /* seeking is exact, and the header knows the number of frames */
    bool over;              /* what follows is damaged */
};

static bool is_flac(const struct sndfile_source *sndfile)
{
    return (sndfile->decoder.info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
}

/* No more frames came: is that as it should be? */
static int at_end(const struct sndfile_source *sndfile, struct error *error)
{
    const char *name = sndfile->source.input->name;
    unsigned long long frames = sndfile->frames;
    const struct decoder *decoder = &sndfile->decoder;
    struct sndfile_end end = sndfile->end;

    end.frames = sndfile->frames;
    if (decoder->info.frames > 0 && decoder->info.frames < SF_COUNT_MAX)
        end.frames_due = (uint64_t)decoder->info.frames;
    end.rate = (unsigned)decoder->info.samplerate;
    end.container = sndfile->source.container;
    end.read_to = (uint64_t)decoder->bytes.at;
    if (decoder->read_error != 0)
        return error_system(error, ERROR_FILE, name, decoder->read_error);
    /* Of an MP3 file the frames tell more than the trouble that the decoder has with them. */
    if (decoder->trouble[0] != '\0' && decoder->is_mpeg && sndfile_end_check(&end, error) != 0)
        return -1;
    if (decoder->trouble[0] != '\0')
        return error_set(error, ERROR_FILE, name, "after frame %llu: %s", frames, decoder->trouble);
    if (sndfile->exact && frames < (uint64_t)decoder->info.frames)
        return error_set(error, ERROR_FILE, name,
                         "ends after %llu frames; its %s header promises %llu: what is there "
                         "was used",
                         frames, sndfile->source.container,
                         (unsigned long long)decoder->info.frames);
    return sndfile_end_check(&end, error);
}

/* Opens the file anew and reads up to this frame; `block` has room for `room` of them. A seek would
 * not do: near damage it succeeds or fails by where it goes to. */
static bool return_to(struct decoder *decoder, uint64_t frame, void *block, size_t room)
{
    const SF_INFO info = decoder->info;
    uint64_t passed = 0;

    decoder_close(decoder);
    decoder_open(decoder);
    decoder->info = info;
    while (decoder->file != NULL && decoder->trouble[0] == '\0' && passed < frame) {
        uint64_t left = frame - passed;
        size_t got = decoder_read(decoder, block, left < room ? (size_t)left : room);

        if (got == 0)
            return false;
        passed += got;
    }
    return decoder->file != NULL && decoder->trouble[0] == '\0';
}

/* Behind damage a FLAC decoder gives zeros, or frames of a later place, as if nothing had happened.
 * Frame by frame it shows where the sound ones end. */
static size_t read_sound(struct sndfile_source *sndfile, unsigned char *frames, size_t room)
{
    struct decoder *decoder = &sndfile->decoder;
    const struct source_format *format = &sndfile->source.format;
    size_t frame_bytes = sample_type_bytes(format->sample) * format->channels;
    char trouble[sizeof decoder->trouble];
    size_t sound = 0;

    sndfile->over = true;
    memcpy(trouble, decoder->trouble, sizeof trouble);
    if (return_to(decoder, sndfile->frames, frames, room)) {
        while (sound < room && decoder_read(decoder, frames + sound * frame_bytes, 1) == 1 &&
               decoder->trouble[0] == '\0')
            sound++;
    }
    memcpy(decoder->trouble, trouble, sizeof trouble);
    return sound;
}

/* Never past the last frame: what follows that is no trouble of the frames. */
static int sndfile_read(struct source *source, void *frames, size_t room, size_t *got,
                        struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    struct decoder *decoder = &sndfile->decoder;
    uint64_t before = decoder->count;
    uint64_t left = sndfile->exact ? (uint64_t)decoder->info.frames - sndfile->frames : room;

    *got = 0;
    if (room > left)
        room = (size_t)left;
    if (room > 0 && !sndfile->over)
        *got = decoder_read(decoder, frames, room);
    if (decoder->trouble[0] != '\0' && is_flac(sndfile) && !sndfile->over)
        *got = read_sound(sndfile, frames, room);
    source->input->bytes += decoder->count - before;
    sndfile->frames += *got;
    return *got > 0 ? 0 : at_end(sndfile, error);
}

/* By decoding: where seeking is not exact, it would give other frames than reading does. */
static int skip_by_reading(struct sndfile_source *sndfile, uint64_t frames, uint64_t *passed,
                           struct error *error)
{
    const struct source_format *format = &sndfile->source.format;
    size_t bytes = sample_type_bytes(format->sample) * format->channels;
    void *block = malloc(SKIPPED_FRAMES * bytes);
    int result = 0;

    if (block == NULL)
        return error_system(error, ERROR_FILE, sndfile->source.input->name, errno);
    while (result == 0 && *passed < frames) {
        uint64_t left = frames - *passed;
        size_t got;

        result = sndfile_read(&sndfile->source, block,
                              left < SKIPPED_FRAMES ? (size_t)left : SKIPPED_FRAMES, &got, error);
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
    struct decoder *decoder = &sndfile->decoder;
    uint64_t ahead = (uint64_t)decoder->info.frames - sndfile->frames;
    uint64_t to = sndfile->frames + (frames < ahead ? frames : ahead);

    *passed = 0;
    if (!sndfile->exact || decoder->info.seekable == 0)
        return skip_by_reading(sndfile, frames, passed, error);
    if (sf.seek(decoder->file, (sf_count_t)to, SEEK_SET) != (sf_count_t)to)
        return error_set(error, ERROR_FILE, source->input->name, "cannot go to frame %llu: %s",
                         (unsigned long long)to, sf.strerror(decoder->file));
    *passed = to - sndfile->frames;
    sndfile->frames = to;
    return 0;
}

/* ---- at any place */

/* Frames at the end that are left to the source's own decoder: only one that comes to the end of
 * the file can tell whether that is as it should be. */
enum { LEFT_OVER = 64 * 1024 };

struct sndfile_reader {
    struct frame_reader reader;
    const struct sndfile_source *sndfile;
    struct decoder decoder;
    uint64_t at;
};

static size_t read_frames(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct sndfile_reader *own = (struct sndfile_reader *)reader;
    const struct source_format *format = &own->sndfile->source.format;
    size_t frame_bytes = sample_type_bytes(format->sample) * format->channels;
    unsigned char *to = frames;
    size_t done = 0;

    if (own->at != frame &&
        sf.seek(own->decoder.file, (sf_count_t)frame, SEEK_SET) != (sf_count_t)frame)
        return 0;
    while (done < count) {
        size_t got = decoder_read(&own->decoder, to + done * frame_bytes, count - done);

        if (got == 0)
            break;
        done += got;
    }
    own->at = frame + done;
    reader->bytes = own->decoder.count;
    return done;
}

static bool is_well(const struct frame_reader *reader)
{
    const struct decoder *decoder = &((const struct sndfile_reader *)reader)->decoder;

    return decoder->trouble[0] == '\0' && decoder->read_error == 0;
}

static void close_reader(struct frame_reader *reader)
{
    struct sndfile_reader *own = (struct sndfile_reader *)reader;

    decoder_close(&own->decoder);
    free(own);
}

static int sndfile_reader(struct source *source, struct frame_reader **reader, struct error *error)
{
    static const struct frame_reader_class class = {
        .read = read_frames, .is_well = is_well, .close = close_reader};
    const struct sndfile_source *sndfile = (const struct sndfile_source *)source;
    struct sndfile_reader *own = calloc(1, sizeof *own);

    if (own == NULL)
        return error_system(error, ERROR_FILE, source->input->name, ENOMEM);
    own->reader.class = &class;
    own->sndfile = sndfile;
    own->decoder = sndfile->decoder;
    own->decoder.count = 0;
    decoder_open(&own->decoder);
    if (own->decoder.file == NULL || own->decoder.info.frames != sndfile->decoder.info.frames) {
        close_reader(&own->reader);
        return error_set(error, ERROR_FILE, source->input->name, "cannot be opened twice");
    }
    *reader = &own->reader;
    return 0;
}

/* Where there is damage on the way, what a decoder gives behind it depends on where it comes from:
 * it then goes there from the beginning, as it would have gone without readers. */
static int sndfile_go(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    struct decoder *decoder = &sndfile->decoder;
    uint64_t passed = 0;

    if (!doubt && sf.seek(decoder->file, (sf_count_t)frame, SEEK_SET) == (sf_count_t)frame) {
        sndfile->frames = frame;
        return 0;
    }
    decoder_close(decoder);
    decoder_open(decoder);
    if (decoder->file == NULL)
        return error_set(error, ERROR_FILE, source->input->name, "cannot be read again");
    sndfile->frames = 0;
    sndfile->over = false;
    return skip_by_reading(sndfile, frame, &passed, error);
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

    decoder_close(&sndfile->decoder);
    free(sndfile);
}

static const struct source_class sndfile_class = {
    .read = sndfile_read,
    .skip = sndfile_skip,
    .reader = sndfile_reader,
    .go = sndfile_go,
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
    const SF_INFO *info = &sndfile->decoder.info;
    struct source *source = &sndfile->source;
    SF_FORMAT_INFO words = {.format = info->format & SF_FORMAT_SUBMASK};

    source->container = sndfile_container(info->format);
    source->encoding = "";
    if (sf.command(NULL, SFC_GET_FORMAT_INFO, &words, sizeof words) == 0)
        source->encoding = words.name;
    source->format = (struct source_format){
        .sample.kind = kind_of(words.format, &sndfile->decoder.shift),
        .sample.big_endian = MACHINE_IS_BIG,
        .sample.counts = request->sample.counts,
        .channels = (unsigned)info->channels,
        .rate = info->samplerate,
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    sndfile->decoder.kind = source->format.sample.kind;
    if (!request->sample.counts)
        sndfile->decoder.shift = 0;
    sndfile->exact = is_exact(info);
    if (sndfile->exact)
        source->format.frames = (uint64_t)info->frames;
    source->anywhere = sndfile->exact && info->seekable != 0 && is_flac(sndfile);
    source->left_over = LEFT_OVER;
}

static int look_at_size(struct sndfile_source *sndfile, const char *words, struct error *error)
{
    struct input *input = sndfile->source.input;
    struct sndfile_end *end = &sndfile->end;

    sndfile_end_look(end, input, (uint64_t)sndfile->decoder.base,
                     (uint64_t)sndfile->decoder.bytes.length);
    if (end->whole.misread)
        return error_set(error, ERROR_FILE, input->name,
                         "is %s of a kind that libsndfile misreads: try ffmpeg -i "
                         "%s -c:a pcm_f32le -f wav - | gpuenv ...",
                         words, input_operand(input));
    if (end->next != NULL ||
        (end->whole.passed_by && end->whole.bytes > 0 && end->whole.bytes < end->there))
        sndfile->decoder.bytes.length = (sf_count_t)end->whole.bytes;
    return 0;
}

/* The decoder of MP3 looks for frames in the tags behind them, and where these are long it takes
 * them for damage. */
static void leave_out_tags(struct decoder *decoder)
{
    sf_count_t end = (sf_count_t)tags_begin(decoder->fd, (uint64_t)decoder->base,
                                            (uint64_t)decoder->bytes.length);

    if (end == decoder->bytes.length)
        return;
    decoder_close(decoder);
    decoder->bytes.length = end;
    decoder_open(decoder);
}

/* Some files that end early are only read by libsndfile if it believes that they do not. */
static void open_file(struct sndfile_source *sndfile)
{
    struct decoder *decoder = &sndfile->decoder;
    sf_count_t promised = (sf_count_t)sndfile->end.whole.bytes;

    decoder_open(decoder);
    if (decoder->file != NULL && decoder->is_mpeg)
        leave_out_tags(decoder);
    if (decoder->file != NULL || promised <= decoder->bytes.length)
        return;
    decoder->bytes.length = promised;
    decoder_open(decoder);
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
        return error_system(error, ERROR_FILE, input->name, errno);
    }
    sndfile->source = (struct source){.class = &sndfile_class, .input = input};
    sndfile->decoder = (struct decoder){.fd = input->fd, .base = (off_t)input_position(input)};
    sndfile->decoder.bytes = (struct sndfile_file){
        .length = status.st_size - sndfile->decoder.base,
    };
    if (look_at_size(sndfile, words, error) != 0) {
        free(sndfile);
        return -1;
    }
    open_file(sndfile);
    if (sndfile->decoder.file == NULL || sndfile->decoder.info.channels < 1 ||
        sndfile->decoder.read_error != 0) {
        if (sndfile->decoder.read_error != 0)
            error_system(error, ERROR_FILE, input->name, sndfile->decoder.read_error);
        else if (sndfile_end_missing(&sndfile->end, error) == 0)
            error_set(error, ERROR_FILE, input->name,
                      "is %s that libsndfile cannot read: %s: try ffmpeg -i %s -c:a pcm_f32le "
                      "-f wav - | gpuenv ...",
                      words, sndfile->decoder.bytes.why, input_operand(input));
        sndfile_close(&sndfile->source);
        return -1;
    }
    if (sndfile->decoder.info.frames > sndfile->end.whole.surplus)
        sndfile->decoder.info.frames -= sndfile->end.whole.surplus;
    describe(sndfile, request);
    *source = &sndfile->source;
    return 0;
}

int source_open_sndfile(struct input *input, const struct source_request *request,
                        const char *words, struct source **source, struct error *error)
{
    return source_open_sndfile_after(input, request, words, NULL, source, error);
}
