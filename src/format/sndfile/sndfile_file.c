#include "format/sndfile/sndfile_file.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* SF_FORMAT_MPEG, which headers before 1.1.0 do not have. */
enum { MAJOR_MPEG = 0x230000 };

static const struct {
    int major;
    const char *container;
} majors[] = {
    {SF_FORMAT_AIFF, "aiff"}, {SF_FORMAT_CAF, "caf"}, {SF_FORMAT_FLAC, "flac"},
    {SF_FORMAT_OGG, "ogg"},   {SF_FORMAT_WAV, "wav"}, {SF_FORMAT_WAVEX, "wav"},
    {SF_FORMAT_RF64, "rf64"}, {SF_FORMAT_W64, "w64"}, {SF_FORMAT_AU, "au"},
    {MAJOR_MPEG, "mp3"},      {SF_FORMAT_SVX, "svx"}, {SF_FORMAT_NIST, "nist"},
    {SF_FORMAT_VOC, "voc"},
};

enum { MAJORS = sizeof majors / sizeof *majors };

int sndfile_major(const char *container)
{
    for (size_t i = 0; i < MAJORS; i++) {
        if (strcmp(majors[i].container, container) == 0)
            return majors[i].major;
    }
    return 0;
}

const char *sndfile_container(int format)
{
    for (size_t i = 0; i < MAJORS; i++) {
        if ((format & SF_FORMAT_TYPEMASK) == majors[i].major)
            return majors[i].container;
    }
    return "sndfile";
}

static sf_count_t file_length(void *context)
{
    const struct sndfile_file *file = context;

    return file->length;
}

/* It may go where it likes, also where the bytes go into a pipe. */
static sf_count_t file_seek(sf_count_t offset, int whence, void *context)
{
    struct sndfile_file *file = context;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->at : file->length;
    sf_count_t to = offset < -from ? -1 : from + offset;

    if (to >= 0)
        file->at = to;
    return to;
}

static sf_count_t file_read(void *buffer, sf_count_t count, void *context)
{
    struct sndfile_file *file = context;

    return file->read == NULL ? 0 : file->read(file, buffer, count);
}

static sf_count_t file_write(const void *buffer, sf_count_t count, void *context)
{
    struct sndfile_file *file = context;

    return file->write == NULL ? 0 : file->write(file, buffer, count);
}

static sf_count_t file_tell(void *context)
{
    const struct sndfile_file *file = context;

    return file->at;
}

/* libsndfile keeps the reason of a failed opening in global variables, without a lock, and every
 * other opening resets them. */
SNDFILE *sndfile_file_open(struct sndfile_file *file, int mode, SF_INFO *info)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static SF_VIRTUAL_IO io = {
        .get_filelen = file_length,
        .seek = file_seek,
        .read = file_read,
        .write = file_write,
        .tell = file_tell,
    };
    SNDFILE *opened;

    pthread_mutex_lock(&lock);
    opened = sf.open_virtual(&io, mode, info, file);
    (void)snprintf(file->why, sizeof file->why, "%s", sf.strerror(opened));
    pthread_mutex_unlock(&lock);
    return opened;
}
