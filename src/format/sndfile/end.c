#include "format/sndfile/whole_priv.h"

#include "format/recognise_priv.h"
#include "format/sndfile/library_priv.h"

struct due_end due_end_of(const struct input *input, const struct slice *file)
{
    struct due_end due = {.input = input, .file = *file, .promise = promise_of(file)};
    const uint64_t end = due.promise.bytes;

    /* A stated odd size may omit its padding. */
    for (uint64_t more = 0; end > 0 && end < file->size && due.next == NULL && more <= 1; more++) {
        unsigned char bytes[INPUT_PEEK];
        size_t got = slice_read(file, end + more, bytes, sizeof bytes);
        size_t wanted;
        const struct recognised found = recognise_bytes(bytes, got, got < sizeof bytes, &wanted);

        if (found.format != NULL && !found.format->no_samples)
            due.next = found.words;
    }
    return due;
}

int end_check_missing(const struct due_end *due, uint64_t frames, struct error *error)
{
    if (due->promise.bytes <= due->file.size + due->promise.padded)
        return 0;
    return error_set(error, ERROR_DAMAGED, due->input->name,
                     "ends after %llu of the %llu bytes that its header promises: its %llu "
                     "frames were used",
                     (unsigned long long)due->file.size, (unsigned long long)due->promise.bytes,
                     (unsigned long long)frames);
}

int end_check(const struct due_end *due, const struct decoder *decoder, uint64_t frames,
              struct ending *ending, struct error *error)
{
    const struct promise *promise = &due->promise;
    const uint64_t there = due->file.size;
    const uint64_t counted = (uint64_t)decoder->info.frames;
    const bool is_flac = decoder->major == SF_FORMAT_FLAC;
    const bool is_ogg = decoder->major == SF_FORMAT_OGG;

    if (is_ogg &&
        ogg_check(due->input->name, &due->file, promise->patch != NULL, frames, ending, error) != 0)
        return -1;
    if (is_flac && flac_follows(&due->file, (uint64_t)decoder->bytes.at))
        return recognise_another(due->input, "another FLAC file", frames, error);
    if (is_flac && flac_check(due->input->name, &due->file, (unsigned)decoder->info.samplerate,
                              frames, error) != 0)
        return -1;
    if (end_check_missing(due, frames, error) != 0)
        return -1;
    if (due->next != NULL)
        return recognise_another(due->input, due->next, frames, error);
    /* Bytes that were not decoded. A few KiB of anything may follow. */
    if ((promise->bytes > 0 && there > promise->bytes + TAG_MOST) ||
        (is_flac && there > (uint64_t)decoder->bytes.at + TAG_MOST) ||
        (frames == 0 && there > TAG_MOST && !is_ogg))
        return error_set(error, ERROR_CONVERT, due->input->name,
                         "has %llu bytes, and its header knows of %llu frames only",
                         (unsigned long long)there, (unsigned long long)frames);
    /* The times of the pages of an Ogg file may be rounded to milliseconds, if they come from
     * Matroska. */
    if (is_ogg && decoder->info.frames > 0 && decoder->info.frames != SF_COUNT_MAX &&
        counted > frames + (unsigned)decoder->info.samplerate / 100)
        return error_set(error, ERROR_DAMAGED, due->input->name,
                         "ends after %llu frames; its last Ogg page counts %llu: what is there was "
                         "used",
                         (unsigned long long)frames, (unsigned long long)counted);
    return 0;
}
