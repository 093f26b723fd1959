#include "format/sndfile/sndfile_decoder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bytes/read_at.h"

enum {
    BATCH_FRAMES = 16 * 1024, /* decoded at a time: the engine is not to wait for long */
    MPEG_FRAMES = 1152,      /* the same of an MP3 file: what is decoded in front of trouble, in the
                              * same call, is lost */
    SPARING_END = 64 * 1024, /* bytes at the end that are read in reads of no more than this: */
    SPARING_MOST = 256,
};

static sf_count_t read_bytes(struct sndfile_file *file, void *buffer, sf_count_t count)
{
    struct decoder *decoder = file->owner;
    unsigned char *bytes = buffer;
    sf_count_t done = 0;

    if (decoder->sparing && count > SPARING_MOST && file->at > file->length - SPARING_END)
        count = SPARING_MOST;
    /* Behind the frames of an MP3 file there may be tags. */
    if (decoder->is_mpeg && count > file->length - file->at)
        count = file->length - file->at;
    while (done < count) {
        ssize_t got =
            pread(decoder->fd, bytes + done, (size_t)(count - done), decoder->base + file->at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            decoder->read_error = errno;
        if (got <= 0)
            break;
        done += got;
        file->at += got;
    }
    decoder->count += (uint64_t)done;
    return done;
}

void decoder_open(struct decoder *decoder)
{
    unsigned char start[4];

    decoder->trouble[0] = '\0';
    decoder->bytes.at = 0;
    decoder->bytes.read = read_bytes;
    decoder->info = (SF_INFO){.format = 0};
    decoder->bytes.owner = decoder;
    decoder->sparing =
        read_at(decoder->fd, start, sizeof start, (uint64_t)decoder->base) == sizeof start &&
        memcmp(start, "fLaC", sizeof start) == 0;
    decoder->file = sndfile_file_open(&decoder->bytes, SFM_READ, &decoder->info);
    decoder->is_mpeg = strcmp(sndfile_container(decoder->info.format), "mp3") == 0;
}

void decoder_close(struct decoder *decoder)
{
    if (decoder->file != NULL)
        sf.close(decoder->file);
    decoder->file = NULL;
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

size_t decoder_read(struct decoder *decoder, void *frames, size_t room)
{
    size_t most = decoder->is_mpeg ? MPEG_FRAMES : BATCH_FRAMES;
    sf_count_t batch = (sf_count_t)(room < most ? room : most);
    sf_count_t done = 0;

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
    if (sf.error(decoder->file) != SF_ERR_NO_ERROR && decoder->trouble[0] == '\0')
        snprintf(decoder->trouble, sizeof decoder->trouble, "%s", sf.strerror(decoder->file));
    /* What it makes of a file that it could not read is not what is in the file. */
    if (done <= 0 || decoder->read_error != 0)
        return 0;
    if (decoder->shift > 0)
        shift_down(frames, (size_t)done * (size_t)decoder->info.channels, decoder->kind,
                   decoder->shift);
    return (size_t)done;
}
