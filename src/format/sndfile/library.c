/* SPDX-License-Identifier: MIT */
#include "format/sndfile/library_priv.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/min_max.h"
#include "format/codecs/ogg_priv.h"
#include "format/sndfile/sndfile_priv.h"

struct sndfile_library sf;

#define FUNCTION(member) LIBRARY_FUNCTION(sf_, sf, member),
static const struct library_function functions[] = {SNDFILE_FUNCTIONS(FUNCTION){0}};

struct shared_library sndfile_library = {
    .name = "libsndfile",
    .file = "libsndfile.so.1", /* the name since version 1.0 */
    .package = "libsndfile1",
    .functions = functions,
};

const char *sndfile_version(void)
{
    static const char name[] = "libsndfile-";
    const char *words;

    if (!library_is_there(&sndfile_library))
        return "not found";
    words = sf.version_string();
    return strncmp(words, name, sizeof name - 1) == 0 ? words + sizeof name - 1 : words;
}

/* Some of libsndfile's messages begin with "Error : ", and most end like a sentence. */
void sndfile_words(SNDFILE *file, char words[SNDFILE_WORDS])
{
    const char *text = sf.strerror(file);
    size_t length;

    if (strncmp(text, "Error", 5) == 0 && text[5 + strspn(text + 5, " ")] == ':')
        text += 5 + strspn(text + 5, " :");
    length = strlen(text);
    while (length > 0 && (text[length - 1] == '.' || isspace((unsigned char)text[length - 1])))
        length--;
    (void)snprintf(words, SNDFILE_WORDS, "%.*s", (int)length, text);
}

/* ---- a file by callbacks */

static sf_count_t file_length(void *context)
{
    const struct sndfile_file *file = context;

    return file->length;
}

/* Seeks anywhere, even if the bytes go into a pipe. */
static sf_count_t file_seek(sf_count_t offset, int whence, void *context)
{
    struct sndfile_file *file = context;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->at : file->length;
    sf_count_t to = offset < -from ? -1 : from + offset;

    if (to >= 0)
        file->at = to;
    return to;
}

static sf_count_t file_tell(void *context)
{
    const struct sndfile_file *file = context;

    return file->at;
}

/* libsndfile keeps the reason of a failed open in global variables, without a lock, and every other
 * open resets them: so one file is opened at a time. */
SNDFILE *sndfile_file_open(struct sndfile_file *file, int mode, SF_INFO *info)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    SF_VIRTUAL_IO io = {file_length, file_seek, file->read, file->write, file_tell};
    SNDFILE *opened;

    pthread_mutex_lock(&lock);
    opened = sf.open_virtual(&io, mode, info, file);
    if (opened == NULL)
        sndfile_words(NULL, file->why);
    pthread_mutex_unlock(&lock);
    return opened;
}

/* ---- a decoder */

enum {
    BATCH_FRAMES = 16 * 1024, /* frames decoded at a time: the engine must not wait long */
    SPARING_END = 64 * 1024,  /* bytes at the end that are read in small reads */
    SPARING_MOST = 256,
};

/* Puts the patch, if there is one, into the bytes that begin at this offset. */
static void put_patch(const struct patch *patch, uint64_t from, unsigned char *bytes, size_t size)
{
    uint64_t begin = patch == NULL ? from + size : max_u64(patch->at, from);
    uint64_t end = patch == NULL ? 0 : min_u64(patch->at + patch->size, from + size);

    if (begin < end)
        memcpy(bytes + (begin - from), patch->bytes + (begin - patch->at), (size_t)(end - begin));
}

static sf_count_t read_bytes(void *buffer, sf_count_t count, void *context)
{
    struct sndfile_file *file = context;
    struct decoder *decoder = file->owner;
    unsigned char *bytes = buffer;
    sf_count_t done = 0;

    if (decoder->sparing && count > SPARING_MOST && file->at > file->length - SPARING_END)
        count = SPARING_MOST;
    while (done < count) {
        ssize_t got = pread(decoder->slice->fd, bytes + done, (size_t)(count - done),
                            (off_t)decoder->slice->base + file->at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            decoder->read_error = errno;
        if (got <= 0)
            break;
        put_patch(decoder->patch, (uint64_t)file->at, bytes + done, (size_t)got);
        done += got;
        file->at += got;
    }
    /* If the file was opened with more bytes than it has, libsndfile's parsers go on until they
     * reach that length. */
    if (done == 0 && file->at < file->length)
        file->at = file->length;
    decoder->count += (uint64_t)done;
    return done;
}

void decoder_open(struct decoder *decoder)
{
    unsigned char start[4];

    decoder->failed = false;
    decoder->bytes.at = 0;
    decoder->bytes.read = read_bytes;
    decoder->bytes.owner = decoder;
    decoder->info = (SF_INFO){.format = 0};
    decoder->sparing = slice_read(decoder->slice, 0, start, sizeof start) == sizeof start &&
                       memcmp(start, "fLaC", sizeof start) == 0;
    decoder->file = sndfile_file_open(&decoder->bytes, SFM_READ, &decoder->info);
    decoder->major = decoder->info.format & SF_FORMAT_TYPEMASK;
}

void decoder_close(struct decoder *decoder)
{
    if (decoder->file != NULL)
        sf.close(decoder->file);
    decoder->file = NULL;
}

void decoder_reopen(struct decoder *decoder)
{
    const SF_INFO info = decoder->info;
    int major = decoder->major;

    decoder_close(decoder);
    decoder_open(decoder);
    decoder->info = info;
    decoder->major = major;
}

size_t decoder_read(struct decoder *decoder, void *frames, size_t capacity)
{
    sf_count_t batch = (sf_count_t)min_u64(capacity, BATCH_FRAMES);
    sf_count_t done = 0;
    size_t samples;

    switch (decoder->kind) {
    case SAMPLE_S16:
        done = sf.readf_short(decoder->file, frames, batch);
        break;
    case SAMPLE_S32:
        done = sf.readf_int(decoder->file, frames, batch);
        break;
    case SAMPLE_F64:
        done = sf.readf_double(decoder->file, frames, batch);
        break;
    default:
        done = sf.readf_float(decoder->file, frames, batch);
        break;
    }
    if (sf.error(decoder->file) != SF_ERR_NO_ERROR && !decoder->failed) {
        sndfile_words(decoder->file, decoder->bytes.why);
        decoder->failed = true;
    }
    /* Frames decoded from a file that could not be read are not those of the file. */
    if (done <= 0 || decoder->read_error != 0)
        return 0;
    if (decoder->is_vorbis)
        ogg_to_wav_order(frames, (size_t)done, (unsigned)decoder->info.channels);
    samples = decoder->shift == 0 ? 0 : (size_t)done * (size_t)decoder->info.channels;
    for (size_t i = 0; i < samples; i++) {
        if (decoder->kind == SAMPLE_S16)
            ((int16_t *)frames)[i] = (int16_t)(((int16_t *)frames)[i] >> decoder->shift);
        else
            ((int32_t *)frames)[i] >>= decoder->shift;
    }
    return (size_t)done;
}
