/* SPDX-License-Identifier: MIT */
/* Everything that libsndfile reads.
 *
 * It only gets plain files, and reads them by callbacks: on a pipe, version 1.2.0 fails, or
 * silently loses data. Integers stay integers, so that scaling happens in one place for all inputs;
 * they are the upper bits of a 16- or 32-bit integer, whatever their width. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/codecs/ogg_priv.h"
#include "format/recognise_priv.h"
#include "format/sndfile/library_priv.h"
#include "format/sndfile/sndfile_priv.h"
#include "format/sndfile/whole_priv.h"

enum {
    /* Frames at the end that readers leave to the source: its decoder checks the end of the file.
     */
    LEFT_OVER = 64 * 1024,
};

struct sndfile_source {
    struct source source;
    struct decoder decoder;
    struct slice file;
    struct promise promise; /* where the file should end */
    const char *next;       /* a file that begins there: "a CAF file"; may be NULL */
    uint64_t frames;        /* frames returned or skipped so far */
    bool exact;             /* seeking is exact, and the header knows the number of frames */
    bool over;              /* the bytes that follow are damaged, or another stream */

    /* An Ogg file is decoded link by link of its chain. */
    struct slice link;  /* the link that is decoded, and all bytes after it */
    uint64_t link_from; /* first frame of the link */
    struct ogg_walk walk;
    uint64_t walked; /* bytes of the file that ogg_walk() has used */
};

/* ---- the end of the file */

/* Finds where the file should end, before its frames are read. */
static void expect_end(struct sndfile_source *sndfile)
{
    uint64_t end;

    sndfile->promise = promise_of(&sndfile->file);
    end = sndfile->promise.bytes;
    /* A stated odd size may omit its padding. */
    for (uint64_t more = 0;
         end > 0 && end < sndfile->file.size && sndfile->next == NULL && more <= 1; more++) {
        unsigned char bytes[INPUT_PEEK];
        size_t got = slice_read(&sndfile->file, end + more, bytes, sizeof bytes);
        size_t wanted;
        const struct recognised found = recognise_bytes(bytes, got, got < sizeof bytes, &wanted);

        if (found.format != NULL && !found.format->no_samples)
            sndfile->next = found.words;
    }
}

/* Fails if bytes that the header promises are missing. */
static int check_missing(const struct sndfile_source *sndfile, struct error *error)
{
    const struct promise *promise = &sndfile->promise;

    if (promise->bytes <= sndfile->file.size + promise->padded)
        return 0;
    return error_set(error, ERROR_DAMAGED, sndfile->source.input->name,
                     "ends after %llu of the %llu bytes that its header promises: its %llu "
                     "frames were used",
                     (unsigned long long)sndfile->file.size, (unsigned long long)promise->bytes,
                     (unsigned long long)sndfile->frames);
}

/* Fails if pages are missing, or if another stream follows that is not decoded. */
static int check_ogg(struct sndfile_source *sndfile, struct error *error)
{
    struct ogg_walk *walk = &sndfile->walk;
    const struct decoder *decoder = &sndfile->decoder;
    const char *name = sndfile->source.input->name;
    const unsigned long long frames = sndfile->frames;
    const uint64_t counted = sndfile->link_from + (uint64_t)decoder->info.frames;

    if (ogg_check(walk, name, frames, error) != 0)
        return -1;
    if (sndfile->over || walk->shared)
        walk->remark[0] = '\0';
    if (sndfile->over)
        return error_set(error, ERROR_CONVERT, name,
                         "another Ogg stream follows at byte %llu, %s: only the %llu frames before "
                         "it were used",
                         (unsigned long long)(sndfile->link.base - sndfile->file.base),
                         decoder->file == NULL ? "which libsndfile cannot read"
                                               : "with another codec, rate or number of channels",
                         frames);
    if (walk->shared)
        return error_set(error, ERROR_CONVERT, name,
                         "its sound begins in the Ogg page of its headers, at byte %llu: "
                         "libsndfile loses the frames of that page: the other %llu were used",
                         (unsigned long long)walk->shared_at, frames);
    /* The times of the pages may be rounded to milliseconds, if they come from Matroska. */
    if (decoder->info.frames > 0 && decoder->info.frames != SF_COUNT_MAX &&
        counted > frames + (unsigned)decoder->info.samplerate / 100)
        return error_set(error, ERROR_DAMAGED, name,
                         "ends after %llu frames; its last Ogg page counts %llu: the frames that "
                         "are there were used",
                         frames, (unsigned long long)counted);
    return 0;
}

/* Fails if frames are missing, or if more than tags follows. */
static int check_end(struct sndfile_source *sndfile, struct error *error)
{
    const struct input *input = sndfile->source.input;
    const struct decoder *decoder = &sndfile->decoder;
    const struct promise *promise = &sndfile->promise;
    const uint64_t there = sndfile->file.size;
    const uint64_t frames = sndfile->frames;
    const bool is_flac = decoder->major == SF_FORMAT_FLAC;
    const bool is_ogg = decoder->major == SF_FORMAT_OGG;

    if (is_ogg)
        return check_ogg(sndfile, error);
    if (is_flac && flac_follows(&sndfile->file, (uint64_t)decoder->bytes.at))
        return recognise_another(input, "another FLAC file", frames, error);
    if (is_flac && flac_check(input->name, &sndfile->file, (unsigned)decoder->info.samplerate,
                              frames, error) != 0)
        return -1;
    if (check_missing(sndfile, error) != 0)
        return -1;
    if (sndfile->next != NULL)
        return recognise_another(input, sndfile->next, frames, error);
    /* Bytes that were not decoded. A few KiB of anything may follow. */
    if ((promise->bytes > 0 && there > promise->bytes + TAG_MOST) ||
        (is_flac && there > (uint64_t)decoder->bytes.at + TAG_MOST) ||
        (frames == 0 && there > TAG_MOST))
        return error_set(error, ERROR_CONVERT, input->name,
                         "has %llu bytes, but its header counts only %llu frames",
                         (unsigned long long)there, (unsigned long long)frames);
    return 0;
}

/* At the end of the frames: returns an error if that comes too early, or if data follow. */
static int at_end(struct sndfile_source *sndfile, struct error *error)
{
    const char *name = sndfile->source.input->name;
    unsigned long long frames = sndfile->frames;
    const struct decoder *decoder = &sndfile->decoder;

    if (decoder->read_error != 0)
        return error_system(error, ERROR_FILE, name, decoder->read_error);
    /* A fault in the pages of an Ogg file says more than the decoder's message, which depends on
     * the reads. */
    if (decoder->failed && decoder->major == SF_FORMAT_OGG && check_end(sndfile, error) != 0)
        return -1;
    if (decoder->failed)
        return error_set(error, ERROR_DAMAGED, name, "after frame %llu: %s", frames,
                         decoder->bytes.why);
    if (sndfile->exact && frames < (uint64_t)decoder->info.frames)
        return error_set(error, ERROR_DAMAGED, name,
                         "ends after %llu frames; its %s header promises %llu: the frames that are "
                         "there were used",
                         frames, sndfile->source.container,
                         (unsigned long long)decoder->info.frames);
    return check_end(sndfile, error);
}

/* Opens the file again and reads up to this frame; `block` has room for `capacity` frames. A seek
 * may fail near damage. */
static bool return_to(struct decoder *decoder, uint64_t frame, void *block, size_t capacity)
{
    uint64_t passed = 0;

    decoder_reopen(decoder);
    while (decoder->file != NULL && !decoder->failed && passed < frame) {
        uint64_t left = frame - passed;
        size_t got = decoder_read(decoder, block, left < capacity ? (size_t)left : capacity);

        if (got == 0)
            return false;
        passed += got;
    }
    return decoder->file != NULL && !decoder->failed;
}

/* After damage, a FLAC decoder silently returns zeros, or later frames. Decoding frame by frame
 * finds the last sound one. Keeps the first reason. */
static size_t read_sound(struct sndfile_source *sndfile, unsigned char *frames, size_t capacity)
{
    struct decoder *decoder = &sndfile->decoder;
    char why[sizeof decoder->bytes.why];
    size_t sound = 0;

    sndfile->over = true;
    memcpy(why, decoder->bytes.why, sizeof why);
    if (return_to(decoder, sndfile->frames, frames, capacity)) {
        while (sound < capacity &&
               decoder_read(decoder, frames + sound * decoder->frame_bytes, 1) == 1 &&
               !decoder->failed)
            sound++;
    }
    memcpy(decoder->bytes.why, why, sizeof why);
    decoder->failed = true;
    return sound;
}

static void open_with_length(struct decoder *decoder, uint64_t length)
{
    decoder_close(decoder);
    decoder->bytes.length = (sf_count_t)length;
    decoder_open(decoder);
}

/* Goes through the pages of a link. True if another link follows. */
static bool walk_link(struct sndfile_source *sndfile)
{
    enum ogg_event event = OGG_MORE;
    unsigned char bytes[16 * 1024];
    size_t got = 1;

    while (got > 0 && event != OGG_LINK) {
        size_t used = 0;

        got = slice_read(&sndfile->file, sndfile->walked, bytes, sizeof bytes);
        do {
            event = ogg_walk(&sndfile->walk, bytes, got, &used);
        } while (event == OGG_PAGE);
        sndfile->walked += used;
    }
    if (sndfile->promise.patch != NULL)
        sndfile->walk.shared = false;
    return event == OGG_LINK;
}

/* At the end of a link of an Ogg file: opens the next link, if its rate and channels are those of
 * the source. */
static bool next_link(struct sndfile_source *sndfile)
{
    struct decoder *decoder = &sndfile->decoder;
    const SF_INFO before = decoder->info;
    uint64_t at;

    if (decoder->major != SF_FORMAT_OGG || sndfile->over)
        return false;
    if (!walk_link(sndfile) || decoder->failed || decoder->read_error != 0)
        return false;
    at = sndfile->walk.at;
    sndfile->link =
        (struct slice){sndfile->file.fd, sndfile->file.base + at, sndfile->file.size - at};
    free(sndfile->promise.patch);
    sndfile->promise.patch = ogg_patch(&sndfile->link);
    decoder->patch = sndfile->promise.patch;
    open_with_length(decoder, sndfile->link.size);
    decoder->major = SF_FORMAT_OGG;
    sndfile->over = decoder->file == NULL || decoder->info.channels != before.channels ||
                    decoder->info.samplerate != before.samplerate ||
                    decoder->info.format != before.format;
    if (sndfile->over)
        return false;
    sndfile->link_from = sndfile->frames;
    ogg_next_link(&sndfile->walk);
    return true;
}

/* Never reads past the last frame: an error there would not concern the frames. */
static int sndfile_read(struct source *source, void *frames, size_t capacity, size_t *got,
                        struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    struct decoder *decoder = &sndfile->decoder;
    uint64_t before = decoder->count;
    uint64_t left = sndfile->exact ? (uint64_t)decoder->info.frames - sndfile->frames : capacity;

    *got = 0;
    if (capacity > left)
        capacity = (size_t)left;
    do {
        if (capacity > 0 && !sndfile->over)
            *got = decoder_read(decoder, frames, capacity);
    } while (*got == 0 && next_link(sndfile));
    if (decoder->failed && decoder->major == SF_FORMAT_FLAC && !sndfile->over)
        *got = read_sound(sndfile, frames, capacity);
    source->input->bytes += decoder->count - before;
    sndfile->frames += *got;
    return *got > 0 ? 0 : at_end(sndfile, error);
}

static bool seek_to(struct decoder *decoder, uint64_t frame)
{
    return sf.seek(decoder->file, (sf_count_t)frame, SEEK_SET) == (sf_count_t)frame;
}

/* After damage, the decoded frames depend on where decoding began: in doubt it begins at the start
 * of the file, as without readers. */
static int sndfile_go(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    uint64_t passed;

    if (!doubt && seek_to(&sndfile->decoder, frame)) {
        sndfile->frames = frame;
        return 0;
    }
    decoder_reopen(&sndfile->decoder);
    if (sndfile->decoder.file == NULL)
        return error_set(error, ERROR_FILE, source->input->name, "cannot be read again");
    sndfile->frames = 0;
    sndfile->over = false;
    return source_skip_by_reading(source, frame, &passed, error);
}

/* Seeking past the last frame fails, and so does seeking in a file that ends early. */
static int sndfile_skip(struct source *source, uint64_t frames, uint64_t *passed,
                        struct error *error)
{
    struct sndfile_source *sndfile = (struct sndfile_source *)source;
    struct decoder *decoder = &sndfile->decoder;
    uint64_t all = (uint64_t)decoder->info.frames;
    uint64_t from = sndfile->frames;
    uint64_t to = from + min_u64(frames, all - from);
    uint64_t sought = min_u64(to, all - 1);
    int result;

    *passed = 0;
    /* Inexact seeking would give other frames than reading does. */
    if (!sndfile->exact || decoder->info.seekable == 0)
        return source_skip_by_reading(source, frames, passed, error);
    if (to == from)
        return 0;
    if (seek_to(decoder, sought)) {
        sndfile->frames = sought;
        result = source_skip_by_reading(source, to - sought, passed, error);
        *passed += sought - from;
        return result;
    }
    result = sndfile_go(source, to, true, error);
    *passed = sndfile->frames > from ? sndfile->frames - from : 0;
    return result;
}

/* ---- random access */

struct sndfile_reader {
    struct frame_reader reader;
    struct decoder decoder;
    uint64_t at;
};

static size_t read_frames(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct sndfile_reader *own = (struct sndfile_reader *)reader;
    struct decoder *decoder = &own->decoder;
    unsigned char *to = frames;
    size_t done = 0;

    if (own->at == frame || seek_to(decoder, frame)) {
        size_t got = 1;

        for (; done < count && got > 0; done += got)
            got = decoder_read(decoder, to + done * decoder->frame_bytes, count - done);
        own->at = frame + done;
    }
    reader->bytes = decoder->count;
    reader->failed = decoder->failed || decoder->read_error != 0;
    return done;
}

static void close_reader(struct frame_reader *reader)
{
    struct sndfile_reader *own = (struct sndfile_reader *)reader;

    decoder_close(&own->decoder);
    free(own);
}

static int sndfile_open_reader(struct source *source, struct frame_reader **reader,
                               struct error *error)
{
    static const struct frame_reader_class class = {read_frames, close_reader};
    const struct sndfile_source *sndfile = (const struct sndfile_source *)source;
    struct sndfile_reader *own = calloc(1, sizeof *own);

    if (own == NULL)
        return error_system(error, ERROR_FILE, source->input->name, ENOMEM);
    own->reader.class = &class;
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
    free(sndfile->promise.patch);
}

/* ---- what is in the file */

/* The major formats, whose numbers end in four zeros. */
static const char *const containers[] = {
    [SF_FORMAT_AIFF >> 16] = "aiff", [SF_FORMAT_CAF >> 16] = "caf",
    [SF_FORMAT_FLAC >> 16] = "flac", [SF_FORMAT_OGG >> 16] = "ogg",
    [SF_FORMAT_WAV >> 16] = "wav",   [SF_FORMAT_WAVEX >> 16] = "wav",
    [SF_FORMAT_RF64 >> 16] = "rf64", [SF_FORMAT_W64 >> 16] = "w64",
    [SF_FORMAT_AU >> 16] = "au",     [SF_FORMAT_SVX >> 16] = "svx",
    [SF_FORMAT_NIST >> 16] = "nist", [SF_FORMAT_VOC >> 16] = "voc",
};

/* How samples are encoded, by the minor format. The rest is decoded to float32. */
static const struct encoding {
    enum sample_kind kind; /* kind of the decoded frames */
    int shift;  /* bits to shift down to the file's integers; 8 or more if up to 24 bits are in s32
                 */
    bool exact; /* seeking and reading give equal frames */
} encodings[256] = {
    [SF_FORMAT_PCM_S8] = {SAMPLE_S16, 8, true},     [SF_FORMAT_PCM_U8] = {SAMPLE_S16, 8, true},
    [SF_FORMAT_PCM_16] = {SAMPLE_S16, 0, true},     [SF_FORMAT_PCM_24] = {SAMPLE_S32, 8, true},
    [SF_FORMAT_PCM_32] = {SAMPLE_S32, 0, true},     [SF_FORMAT_FLOAT] = {SAMPLE_F32, 0, true},
    [SF_FORMAT_DOUBLE] = {SAMPLE_F64, 0, true},     [SF_FORMAT_ULAW] = {SAMPLE_S16, 0, true},
    [SF_FORMAT_ALAW] = {SAMPLE_S16, 0, true},       [SF_FORMAT_DPCM_8] = {SAMPLE_S16, 8, false},
    [SF_FORMAT_DPCM_16] = {SAMPLE_S16, 0, false},   [SF_FORMAT_DWVW_12] = {SAMPLE_S16, 4, false},
    [SF_FORMAT_DWVW_16] = {SAMPLE_S16, 0, false},   [SF_FORMAT_DWVW_24] = {SAMPLE_S32, 8, false},
    [SF_FORMAT_ALAC_16] = {SAMPLE_S16, 0, false},   [SF_FORMAT_ALAC_20] = {SAMPLE_S32, 12, false},
    [SF_FORMAT_ALAC_24] = {SAMPLE_S32, 8, false},   [SF_FORMAT_ALAC_32] = {SAMPLE_S32, 0, false},
    [SF_FORMAT_IMA_ADPCM] = {SAMPLE_S16, 0, false}, [SF_FORMAT_MS_ADPCM] = {SAMPLE_S16, 0, false},
    [SF_FORMAT_VOX_ADPCM] = {SAMPLE_S16, 0, false}, [SF_FORMAT_GSM610] = {SAMPLE_S16, 0, false},
    [SF_FORMAT_G721_32] = {SAMPLE_S16, 0, false},   [SF_FORMAT_G723_24] = {SAMPLE_S16, 0, false},
    [SF_FORMAT_G723_40] = {SAMPLE_S16, 0, false},
};

static void describe(struct sndfile_source *sndfile, const struct source_request *request)
{
    struct decoder *decoder = &sndfile->decoder;
    const SF_INFO *info = &decoder->info;
    struct source *source = &sndfile->source;
    const unsigned major = (unsigned)decoder->major >> 16;
    const bool named = major < sizeof containers / sizeof *containers && containers[major] != NULL;
    SF_FORMAT_INFO words = {.format = info->format & SF_FORMAT_SUBMASK};
    const struct encoding encoding =
        words.format < 256 ? encodings[words.format] : (struct encoding){.kind = SAMPLE_F32};

    source->remark = sndfile->walk.remark;
    source->container = named ? containers[major] : "sndfile";
    source->encoding = "";
    if (sf.command(NULL, SFC_GET_FORMAT_INFO, &words, sizeof words) == 0)
        source->encoding = words.name;
    source->format = (struct source_format){
        .sample = source_decoded(encoding.kind, request->sample.counts),
        .channels = (unsigned)info->channels,
        .rate = info->samplerate,
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    source->format.decoded = words.format == SF_FORMAT_ULAW || words.format == SF_FORMAT_ALAW;
    source->format.codes = words.format == SF_FORMAT_ULAW ? SAMPLE_ULAW : SAMPLE_ALAW;
    if (encoding.shift > 0)
        source->format.sample.bits =
            (unsigned char)(8 * sample_type_bytes(source->format.sample) - (size_t)encoding.shift);
    decoder->kind = encoding.kind;
    decoder->shift = request->sample.counts ? encoding.shift : 0;
    decoder->is_vorbis = (info->format & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS;
    decoder->frame_bytes = sample_type_bytes(source->format.sample) * source->format.channels;
    sndfile->exact = encoding.exact && info->frames > 0 && info->frames < SF_COUNT_MAX;
    if (sndfile->exact)
        source->format.frames = (uint64_t)info->frames;
    source->anywhere = sndfile->exact && info->seekable != 0 && decoder->major == SF_FORMAT_FLAC;
    source->left_over = LEFT_OVER;
    source->endless = sndfile->promise.bytes == 0 && decoder->major != SF_FORMAT_FLAC &&
                      decoder->major != SF_FORMAT_OGG;
}

/* ---- opening */

/* The bits of a sample, less one, are five of those that begin at the end of byte 20. */
static bool is_flac_of_32_bits(const struct slice *file)
{
    unsigned char bytes[22];

    return slice_read(file, 0, bytes, sizeof bytes) == sizeof bytes &&
           memcmp(bytes, "fLaC", 4) == 0 && (bytes[20] & 1) == 1 && bytes[21] >> 4 == 15;
}

/* Some files that end early can only be opened with the length that their header states. */
static void open_decoder(struct sndfile_source *sndfile)
{
    struct decoder *decoder = &sndfile->decoder;
    const uint64_t there = sndfile->file.size;
    const uint64_t promised = sndfile->promise.bytes;
    const bool passed_by = sndfile->promise.passed_by && promised > 0 && promised < there;

    open_with_length(decoder, sndfile->next != NULL || passed_by ? promised : there);
    if (decoder->file == NULL && promised > (uint64_t)decoder->bytes.length)
        open_with_length(decoder, promised);
}

int source_open_sndfile_after(struct input *input, const struct source_request *request,
                              const char *words, const struct bytes_taken *taken,
                              struct source **source, struct error *error)
{
    static const struct source_class class = {
        .bytes = sizeof(struct sndfile_source),
        .read = sndfile_read,
        .skip = sndfile_skip,
        .reader = sndfile_open_reader,
        .go = sndfile_go,
        .ready = sndfile_ready,
        .close = sndfile_close,
    };
    struct sndfile_source *sndfile;
    struct decoder *decoder;

    /* Before, only a few bytes of a pipe were seen; now all are there. */
    if (library_load(&sndfile_library, input->name, error) != 0 ||
        spool_input(input, words, taken, error) != 0 ||
        (request->format != NULL && recognise_named(input, request->format, error) != 0))
        return -1;
    sndfile = source_new(&class, input, source, error);
    if (sndfile == NULL)
        return -1;
    sndfile->file = (struct slice){input->fd, input_position(input), input_remaining(input)};
    if (sndfile->file.size == UINT64_MAX) /* an empty input */
        sndfile->file.size = 0;
    expect_end(sndfile);
    decoder = &sndfile->decoder;
    sndfile->link = sndfile->file;
    decoder->slice = &sndfile->link;
    decoder->patch = sndfile->promise.patch;
    if (!sndfile->promise.misread)
        open_decoder(sndfile);
    if (decoder->read_error == 0 && decoder->file != NULL && decoder->info.channels >= 1 &&
        decoder->major != SNDFILE_MPEG) {
        describe(sndfile, request);
        return 0;
    }
    if (sndfile->promise.misread)
        error_set(error, ERROR_CONVERT, input->name, "is %s of a kind that libsndfile misreads",
                  words);
    else if (decoder->read_error != 0)
        error_system(error, ERROR_FILE, input->name, decoder->read_error);
    else if (decoder->major == SNDFILE_MPEG)
        error_set(error, ERROR_FILE, input->name, "is MPEG audio: give -t mp3");
    else if (is_flac_of_32_bits(&sndfile->file))
        error_set(error, ERROR_FILE, input->name,
                  "is %s of 32 bits, which libsndfile cannot read: flac -dc %s | gpuenv ...", words,
                  input->standard ? "-" : input->name);
    else if (check_missing(sndfile, error) == 0)
        error_set(error, ERROR_CONVERT, input->name, "is %s that libsndfile cannot read: %s", words,
                  decoder->bytes.why);
    return -1;
}
