/* SPDX-License-Identifier: MIT */
/* MPEG audio, layers I to III, through libmpg123.
 *
 * The library gets the bytes as they come, so pipes stream, however small their reads are. It
 * passes over tags, and drops what encoders add at both ends (gapless). After damage it would take
 * any bytes that look like a frame. So it must not look for the next frame (MPG123_NO_RESYNC), and
 * is opened again there: the beginning of a stream needs two frames in a row. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/codecs/codecs_priv.h"
#include "format/codecs/fed_priv.h"
#include "format/mpeg_priv.h"
#include "format/mpg123/mpg123_library_priv.h"
#include "format/recognise_priv.h"

enum {
    READ_BYTES = 16 * 1024,
    BEHIND = 8192,               /* bytes that are kept before those that the library needs */
    TAG_MOST = 16 * 1024 * 1024, /* bytes of a tag between frames: the library holds them */
    REST_MOST = 4096,            /* bytes after the frames that may be anything */
    HEADER_BYTES = 4,            /* bytes of a frame's header */
    LOOSE_BYTES = 128,           /* bytes of a tag that only some headers count */
};

#define FLAGS                                                                                      \
    (MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_GAPLESS | MPG123_SKIP_ID3V2 | MPG123_NO_RESYNC)

/* Positions count from the beginning of the input. */
struct mp3_source {
    struct fed_source fed;
    mpg123_handle *handle;
    uint64_t opened;      /* where the library was opened */
    uint64_t before;      /* number of MPEG frames before that */
    unsigned char *bytes; /* bytes from the last frame on, and a few before it */
    size_t capacity;
    size_t held;
    uint64_t from; /* position of `bytes` */

    enum {
        MP3_LOOKING, /* looking for a frame, from `opened` on */
        MP3_SYNCED,  /* the library knows where the next one is due */
        MP3_LOST,    /* looking again, since no frame was at `lost_at` */
        MP3_CHANGED, /* the frame at `lost_at` has another rate or other channels: the end */
        MP3_TAG,     /* a tag of more than TAG_MOST is at `lost_at`: the end */
    } state;
    bool last; /* the library may take a frame without a frame after it */
    bool junk; /* other bytes than zeros come before the first frame */
    uint64_t lost_at;
    uint64_t damaged_at; /* the first `lost_at` that frames followed, or NOWHERE */

    uint64_t mpeg_frames;
    uint64_t first; /* position of the first frame, or of the header before it */
    uint64_t at;    /* position of the last frame */
    struct mpeg_promise promise;
    char remark[160];
};

static const uint64_t NOWHERE = UINT64_MAX;

/* ---- bytes */

static uint64_t held_to(const struct mp3_source *mp3)
{
    return mp3->from + mp3->held;
}

/* The first byte that the library has not used. */
static uint64_t unused_from(const struct mp3_source *mp3)
{
    return mp3->opened + (uint64_t)mpg.tell_stream(mp3->handle);
}

static void drop_to(struct mp3_source *mp3, uint64_t position)
{
    size_t count = position > mp3->from ? (size_t)(position - mp3->from) : 0;

    for (size_t i = 0; mp3->mpeg_frames == 0 && i < count; i++)
        mp3->junk |= mp3->bytes[i] != 0;
    mp3->held -= count;
    mp3->from += count;
    memmove(mp3->bytes, mp3->bytes + count, mp3->held);
}

static int out_of_memory(const struct mp3_source *mp3, struct error *error)
{
    return error_system(error, ERROR_FILE, mp3->fed.source.input->name, ENOMEM);
}

static int feed_mp3(struct fed_source *fed, struct error *error)
{
    struct mp3_source *mp3 = (struct mp3_source *)fed;
    uint64_t needed = mp3->state == MP3_SYNCED ? mp3->at : unused_from(mp3);
    unsigned char *bytes;
    size_t got;

    drop_to(mp3, needed > BEHIND ? needed - BEHIND : 0);
    bytes = array_grow(mp3->bytes, &mp3->capacity, mp3->held + READ_BYTES, 1);
    if (bytes == NULL)
        return out_of_memory(mp3, error);
    mp3->bytes = bytes;
    if (input_read(fed->source.input, mp3->bytes + mp3->held, READ_BYTES, &got, error) != 0)
        return -1;
    fed->ended = got == 0;
    if (got > 0 && mpg.feed(mp3->handle, mp3->bytes + mp3->held, got) != MPG123_OK)
        return out_of_memory(mp3, error);
    mp3->held += got;
    return 0;
}

/* ---- frames */

static void allow(struct mp3_source *mp3, long flags, bool allowed)
{
    (void)mpg.param2(mp3->handle, allowed ? MPG123_ADD_FLAGS : MPG123_REMOVE_FLAGS, flags, 0);
}

/* Opens the library at this position, from which on it looks for frames. */
static int look_for_frames(struct mp3_source *mp3, uint64_t position, struct error *error)
{
    size_t at = position > mp3->from ? (size_t)(position - mp3->from) : 0;

    if (at > mp3->held)
        at = mp3->held;
    mp3->opened = mp3->from + at;
    if (mp3->state == MP3_SYNCED)
        mp3->state = MP3_LOOKING;
    mp3->last = false;
    mp3->before = mp3->mpeg_frames;
    allow(mp3, MPG123_NO_READAHEAD, false);
    if (mpg.open_feed(mp3->handle) != MPG123_OK ||
        mpg.feed(mp3->handle, mp3->bytes + at, mp3->held - at) != MPG123_OK)
        return out_of_memory(mp3, error);
    return 0;
}

static bool states(const struct mpeg_promise *promise)
{
    return promise->frames != 0 || promise->bytes != 0;
}

/* The library drops a header of LAME, which is a frame before the first. It decodes a header of
 * Fraunhofer as a silent frame: is_found() drops that. */
static void find_promise(struct mp3_source *mp3)
{
    const size_t at = (size_t)(mp3->at - mp3->from);
    size_t back = 0;

    mp3->first = mp3->at;
    while (at >= back && !states(&mp3->promise) && back < BEHIND) {
        const size_t size = mp3->held - at + back;

        if (size >= MPEG_TAG_MOST)
            mp3->promise = mpeg_promise(mp3->bytes + at - back, size);
        back++;
    }
    if (states(&mp3->promise))
        mp3->first = mp3->at - (back - 1);
    drop_to(mp3, mp3->first);
}

static void lose_at(struct mp3_source *mp3, uint64_t position)
{
    if (mp3->state != MP3_LOST)
        mp3->lost_at = position;
    mp3->state = MP3_LOST;
}

/* Finds the last frame that the library has read since it was opened. False if there is none. */
static bool last_frame(struct mp3_source *mp3, uint64_t *position)
{
    const off_t offset = mpg.framepos(mp3->handle);

    *position = mp3->opened + (uint64_t)offset;
    return offset >= 0;
}

/* The library has found no header where one was due. The next frame may begin inside the last
 * frame, if bytes are missing. Before the first frame this is no damage. */
static int out_of_sync(struct mp3_source *mp3, struct error *error)
{
    const uint64_t used = unused_from(mp3);
    const bool whole = used >= mp3->opened + HEADER_BYTES;
    const uint64_t position = whole ? used - HEADER_BYTES : mp3->opened;
    uint64_t last;
    const bool any = last_frame(mp3, &last);

    if (any || mp3->mpeg_frames > 0)
        lose_at(mp3, position);
    return look_for_frames(mp3, (any ? last : position) + 1, error);
}

/* Another format is believed if two frames in a row have it. */
static int new_format(struct mp3_source *mp3, struct error *error)
{
    uint64_t position;

    if (mp3->state != MP3_SYNCED || !last_frame(mp3, &position))
        return 0;
    lose_at(mp3, position);
    return look_for_frames(mp3, mp3->at + 1, error);
}

/* The format of the first frame is that of the source. Frames after damage must have it, too. */
static int check_format(struct mp3_source *mp3, struct error *error)
{
    struct source_format *format = &mp3->fed.source.format;
    long rate;
    int channels;
    int encoding;

    if (mpg.getformat(mp3->handle, &rate, &channels, &encoding) != MPG123_OK ||
        encoding != MPG123_ENC_FLOAT_32)
        return error_set(error, ERROR_CONVERT, mp3->fed.source.input->name,
                         "libmpg123 does not decode it to float32");
    if (format->channels == 0) {
        format->channels = (unsigned)channels;
        format->rate = (double)rate;
    }
    if (format->channels != (unsigned)channels || format->rate != (double)rate) {
        mp3->state = MP3_CHANGED;
        mp3->fed.over = true;
    }
    return 0;
}

/* A frame has been decoded. */
static int is_found(struct mp3_source *mp3, uint64_t number, const unsigned char *decoded,
                    size_t size, struct error *error)
{
    if (mp3->state != MP3_SYNCED && check_format(mp3, error) != 0)
        return -1;
    if (mp3->state == MP3_CHANGED)
        return 0;
    (void)last_frame(mp3, &mp3->at);
    if (mp3->mpeg_frames == 0)
        find_promise(mp3);
    mp3->mpeg_frames = mp3->before + number + 1;
    if (mp3->state == MP3_LOST && mp3->damaged_at == NOWHERE)
        mp3->damaged_at = mp3->lost_at;
    mp3->state = MP3_SYNCED;
    mp3->fed.decoded = decoded;
    mp3->fed.left =
        mp3->mpeg_frames == 1 && states(&mp3->promise) && mp3->first == mp3->at ? 0 : size;
    return 0;
}

/* A tag is larger than all that frames need. */
static bool is_too_long(struct mp3_source *mp3)
{
    uint64_t at = unused_from(mp3);

    if (held_to(mp3) < at + MPEG_TAG_START ||
        mpeg_tag_bytes(mp3->bytes + (at - mp3->from)) <= TAG_MOST)
        return false;
    lose_at(mp3, at);
    mp3->state = MP3_TAG;
    return true;
}

/* The library needs more bytes than there are. At the end, the last frame may come without a next
 * frame. Where the library waits for more bytes, there may be no frame, but one later. */
static int at_last(struct mp3_source *mp3, struct error *error)
{
    const uint64_t at = unused_from(mp3);
    const uint64_t rest = held_to(mp3) - at;
    uint64_t last;

    if (!mp3->last) {
        mp3->last = true;
        allow(mp3, MPG123_NO_READAHEAD, true);
        return 0;
    }
    if (!last_frame(mp3, &last) && rest > 0 && rest <= BEHIND)
        return look_for_frames(mp3, at + 1, error);
    mp3->fed.over = true;
    return 0;
}

/* The library needs more bytes. `*more`: the input may have some. */
static int need_more(struct mp3_source *mp3, bool *more, struct error *error)
{
    mp3->fed.over = is_too_long(mp3);
    *more = !mp3->fed.over && !mp3->fed.ended;
    return *more || mp3->fed.over ? 0 : at_last(mp3, error);
}

static int decode_mp3(struct fed_source *fed, bool *more, struct error *error)
{
    struct mp3_source *mp3 = (struct mp3_source *)fed;
    int failed = 0;

    *more = false;
    while (failed == 0 && fed->left == 0 && !fed->over && !*more) {
        unsigned char *decoded;
        off_t number = 0;
        size_t size = 0;
        int result = mpg.decode_frame(mp3->handle, &number, &decoded, &size);

        if (result == MPG123_OK)
            failed = is_found(mp3, (uint64_t)number, decoded, size, error);
        else if (result == MPG123_NEW_FORMAT)
            failed = new_format(mp3, error);
        else if (result == MPG123_NEED_MORE)
            failed = need_more(mp3, more, error);
        else if (result == MPG123_DONE || mpg.errcode(mp3->handle) == MPG123_OUT_OF_SYNC)
            failed = out_of_sync(mp3, error);
        else
            failed = error_set(error, ERROR_DAMAGED, fed->source.input->name,
                               "after frame %llu: libmpg123: %s", (unsigned long long)fed->frames,
                               mpg.strerror(mp3->handle));
    }
    return failed;
}

/* ---- the end */

/* Are these all tags? Each states its length at its end. The library takes the first half of an
 * enhanced ID3v1 for a tag. */
static bool are_tags(const struct mp3_source *mp3, uint64_t rest)
{
    size_t left = mp3->held;
    uint64_t size;

    while (left >= MPEG_TAG_END && (size = mpeg_tag_before(mp3->bytes + left, left)) > 0) {
        if (size >= rest)
            return size - rest <= MPEG_TAG_END;
        rest -= size;
        if (size > left)
            return false;
        left -= (size_t)size;
    }
    return false;
}

/* Has the header promised more? Some headers count themselves: then all bytes are there. */
static bool is_short(const struct mp3_source *mp3, uint64_t end)
{
    uint64_t due = mp3->first + mp3->promise.bytes;

    if (mp3->promise.frames == 0)
        return mp3->promise.bytes != 0 && end + LOOSE_BYTES < due;
    return mp3->promise.frames > mp3->mpeg_frames + (end == due);
}

/* Do these bytes begin like the header of a frame? */
static bool begins_frame(const struct mp3_source *mp3, uint64_t at)
{
    const unsigned char *bytes = mp3->bytes + (at - mp3->from);
    uint64_t size = held_to(mp3) - at;

    return size > 0 && bytes[0] == 0xff && (size == 1 || bytes[1] >= 0xe0);
}

/* Warns of bytes that were skipped in front, of `rest` bytes behind the frames, or of more frames
 * than promised. */
static void make_remark(struct mp3_source *mp3, unsigned long long rest)
{
    const unsigned long long promised = mp3->promise.frames;

    /* Fraunhofer's header is a frame. */
    if (promised != 0 && mp3->mpeg_frames > promised + 1)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "has %llu MPEG frames, and its mp3 header promises %llu: all were used",
                 (unsigned long long)mp3->mpeg_frames, promised);
    else if (mp3->junk)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "its first MPEG frame begins at byte %llu: the bytes before it were skipped",
                 (unsigned long long)mp3->first);
    else if (rest > 0)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "%llu byte%s no MPEG frame follow%s the last one, and %s not used", rest,
                 rest == 1 ? " that is" : "s that are", rest == 1 ? "s" : "",
                 rest == 1 ? "was" : "were");
}

static int at_end(struct fed_source *fed, struct error *error)
{
    struct mp3_source *mp3 = (struct mp3_source *)fed;
    const char *name = fed->source.input->name;
    const unsigned long long frames = fed->frames;
    const bool synced = mp3->state <= MP3_SYNCED;
    const uint64_t end = held_to(mp3);
    const unsigned long long at = synced ? unused_from(mp3) : mp3->lost_at;
    const unsigned long long rest = end - at;

    if (mp3->damaged_at != NOWHERE)
        return error_set(error, ERROR_DAMAGED, name,
                         "is damaged: no MPEG frame begins at byte %llu: the %llu frames that "
                         "could be decoded were used",
                         (unsigned long long)mp3->damaged_at, frames);
    if (mp3->state == MP3_CHANGED)
        return error_set(error, ERROR_CONVERT, name,
                         "its rate or channels change at byte %llu: %llu frames were used", at,
                         frames);
    if (mp3->state == MP3_TAG)
        return error_set(error, ERROR_DAMAGED, name,
                         "a tag of more than %d MiB begins at byte %llu: the %llu frames before it "
                         "were used",
                         TAG_MOST >> 20, at, frames);
    if (synced && begins_frame(mp3, at))
        return error_set(error, ERROR_DAMAGED, name,
                         "is cut off: it ends inside the MPEG frame at byte %llu: %llu frames "
                         "were used",
                         at, frames);
    if (is_short(mp3, end))
        return error_set(error, ERROR_DAMAGED, name,
                         "ends after %llu MPEG frames; its mp3 header promises more (%lu in %lu "
                         "bytes): the %llu frames that are there were used",
                         (unsigned long long)mp3->mpeg_frames, (unsigned long)mp3->promise.frames,
                         (unsigned long)mp3->promise.bytes, frames);
    if (rest > REST_MOST && !are_tags(mp3, rest))
        return error_set(
            error, ERROR_DAMAGED, name,
            "%llu bytes that are not MPEG frames follow byte %llu: the %llu frames that "
            "could be decoded were used",
            rest, at, frames);
    make_remark(mp3, are_tags(mp3, rest) ? 0 : rest);
    return 0;
}

/* ---- the source */

static void mp3_close(struct source *source)
{
    struct mp3_source *mp3 = (struct mp3_source *)source;

    mpg.delete(mp3->handle);
    free(mp3->bytes);
}

static const struct source_class mp3_class = {
    .bytes = sizeof(struct mp3_source),
    .read = fed_read,
    .skip = source_skip_by_reading,
    .ready = fed_ready,
    .close = mp3_close,
};

/* ---- opening */

/* Passes over tags of any size and their padding, which may be in front of other formats, too. */
static int pass_tags(struct input *input, uint64_t *passed, struct recognised *found,
                     struct error *error)
{
    for (;;) {
        const unsigned char *bytes;
        uint64_t size;
        uint64_t skipped;
        size_t got;

        if (input_peek(input, MPEG_TAG_START, &bytes, &got, error) != 0)
            return -1;
        size = got < MPEG_TAG_START ? 0 : mpeg_tag_bytes(bytes);
        if (size == 0) {
            while (size < got && bytes[size] == 0)
                size++;
        }
        if (size == 0)
            break;
        if (input_skip(input, size, &skipped, error) != 0)
            return -1;
        *passed += skipped;
    }
    return *passed == 0 ? 0 : recognise(input, found, error);
}

static int open_handle(struct mp3_source *mp3, struct error *error)
{
    int reason;

    mp3->capacity = READ_BYTES;
    mp3->bytes = malloc(mp3->capacity);
    mp3->handle = mpg.new(NULL, &reason);
    if (mp3->bytes == NULL || mp3->handle == NULL)
        return out_of_memory(mp3, error);
    allow(mp3, FLAGS, true);
    allow(mp3, MPG123_AUTO_RESAMPLE, false);
    (void)mpg.param2(mp3->handle, MPG123_RESYNC_LIMIT, -1, 0);
    return look_for_frames(mp3, mp3->from, error);
}

/* Decodes the first frame. */
static int describe(struct mp3_source *mp3, const char *words, struct error *error)
{
    static const char *const layers[] = {"", "MPEG Layer III", "MPEG Layer II", "MPEG Layer I"};
    struct source *source = &mp3->fed.source;

    if (fed_decode(&mp3->fed, error) != 0)
        return -1;
    if (mp3->mpeg_frames == 0)
        return error_set(error, ERROR_CONVERT, source->input->name,
                         "is %s in which libmpg123 finds no MPEG frame", words);
    source->encoding = layers[mp3->bytes[mp3->at - mp3->from + 1] >> 1 & 3];
    return 0;
}

int source_open_mpg123(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error)
{
    struct recognised behind = *found;
    uint64_t passed = 0;
    static const struct fed_class fed_class = {feed_mp3, decode_mp3, at_end};
    struct mp3_source *mp3;

    if (pass_tags(input, &passed, &behind, error) != 0)
        return -1;
    if (behind.refused != NULL)
        return recognise_refuse(input, &behind, error);
    if (behind.format != NULL && !format_reads(found->format, behind.format))
        return behind.format->open(input, request, &behind, source, error);
    if (library_load(&mpg123_library, input->name, error) != 0)
        return -1;
    mp3 = source_new(&mp3_class, input, source, error);
    if (mp3 == NULL)
        return -1;
    mp3->damaged_at = NOWHERE;
    mp3->from = passed;
    mp3->fed.class = &fed_class;
    mp3->fed.source.remark = mp3->remark;
    mp3->fed.source.container = "mp3";
    mp3->fed.source.format = (struct source_format){
        .sample = source_decoded(SAMPLE_F32, request->sample.counts),
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    return open_handle(mp3, error) == 0 ? describe(mp3, found->words, error) : -1;
}
