/* MPEG audio, layers I to III, through libmpg123.
 *
 * The library gets the bytes as they come, so pipes stream, whatever their reads. It passes over
 * tags, and drops what encoders add at both ends (gapless). After damage it would take any bytes
 * that look like a frame. So it may not look for the next one (MPG123_NO_RESYNC), and is opened
 * again there: at its beginning a stream needs two frames in a row. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/mpeg_priv.h"
#include "format/mpg123/mp3_priv.h"
#include "format/mpg123/mpg123_library_priv.h"
#include "format/recognise_priv.h"

enum {
    READ_BYTES = 16 * 1024,
    BEHIND = 8192,               /* bytes that are kept before those that the library needs */
    TAG_MOST = 16 * 1024 * 1024, /* between frames: the library holds all of it */
    REST_MOST = 4096,            /* bytes after the frames that may be anything */
    HEADER_BYTES = 4,            /* of a frame */
    LOOSE_BYTES = 128,           /* of a tag that some headers count, and others do not */
};

#define FLAGS                                                                                      \
    (MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_GAPLESS | MPG123_SKIP_ID3V2 | MPG123_NO_RESYNC)

/* Positions count from the beginning of the input. */
struct mp3_source {
    struct source source;
    mpg123_handle *handle;
    uint64_t opened;      /* where the library began, */
    uint64_t before;      /* and so many frames of MPEG before that */
    unsigned char *bytes; /* from the last frame on, and a few before it */
    size_t capacity;
    size_t held;
    uint64_t from; /* where they begin */

    const unsigned char *decoded; /* not returned yet; the library's */
    size_t left;                  /* bytes of them */
    uint64_t frames;              /* returned */

    uint64_t mpeg_frames;
    uint64_t first; /* the first one, or the header before it */
    uint64_t at;    /* the last one */
    uint64_t lost_at;
    uint64_t damaged_at;
    uint64_t rest; /* bytes at the end, other than tags */
    struct mpeg_promise promise;

    bool ended;      /* the input has no more bytes, */
    bool last;       /* and the library knows */
    bool over;       /* there are no more frames */
    bool synced;     /* the library knows where the next frame is due */
    bool lost;       /* at `lost_at` there was none, and none has been found since */
    bool damaged;    /* at `damaged_at` there was none, and others followed */
    bool changed;    /* the frame at `lost_at` has another rate or other channels */
    bool too_long;   /* there is a tag of more than TAG_MOST at `lost_at` */
    bool junk;       /* other bytes than zeros come before the first frame */
    bool has_failed; /* so did a look at what comes next */
    char remark[160];
    struct error failure;
};

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
    return error_system(error, ERROR_FILE, mp3->source.input->name, ENOMEM);
}

/* Reads what is there, and passes it on. */
static int read_more(struct mp3_source *mp3, struct error *error)
{
    uint64_t needed = mp3->synced ? mp3->at : unused_from(mp3);
    unsigned char *bytes;
    size_t got;

    drop_to(mp3, needed > BEHIND ? needed - BEHIND : 0);
    bytes = array_grow(mp3->bytes, &mp3->capacity, mp3->held + READ_BYTES, 1);
    if (bytes == NULL)
        return out_of_memory(mp3, error);
    mp3->bytes = bytes;
    if (input_read(mp3->source.input, mp3->bytes + mp3->held, READ_BYTES, &got, error) != 0)
        return -1;
    mp3->ended = got == 0;
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
    mp3->synced = false;
    mp3->last = false;
    mp3->before = mp3->mpeg_frames;
    allow(mp3, MPG123_NO_READAHEAD, false);
    if (mpg.open_feed(mp3->handle) != MPG123_OK ||
        mpg.feed(mp3->handle, mp3->bytes + at, mp3->held - at) != MPG123_OK)
        return out_of_memory(mp3, error);
    return 0;
}

/* The library drops a header of LAME's, which is a frame before the first. One of Fraunhofer's is a
 * silent frame to it. */
static void find_promise(struct mp3_source *mp3)
{
    const size_t at = (size_t)(mp3->at - mp3->from);
    size_t back = 0;

    mp3->first = mp3->at;
    while (at >= back && mp3->promise.frames == 0 && mp3->promise.bytes == 0 && back < BEHIND) {
        const size_t size = mp3->held - at + back;

        if (size >= MPEG_TAG_MOST)
            mp3->promise = mpeg_promise(mp3->bytes + at - back, size);
        back++;
    }
    if (mp3->promise.frames != 0 || mp3->promise.bytes != 0)
        mp3->first = mp3->at - (back - 1);
    drop_to(mp3, mp3->first);
}

static void lose_at(struct mp3_source *mp3, uint64_t position)
{
    if (!mp3->lost)
        mp3->lost_at = position;
    mp3->lost = true;
}

/* The last frame that the library has read since it was opened; false: none. */
static bool last_frame(struct mp3_source *mp3, uint64_t *position)
{
    const off_t offset = mpg.framepos(mp3->handle);

    *position = mp3->opened + (uint64_t)offset;
    return offset >= 0;
}

/* The library has read a header that is none. The next frame may begin inside the last one, if
 * bytes are missing. Before the first one, this is no damage. */
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

    if (!mp3->synced || !last_frame(mp3, &position))
        return 0;
    lose_at(mp3, position);
    return look_for_frames(mp3, mp3->at + 1, error);
}

/* The format of the first frame is that of the source; it is the same after damage. */
static int check_format(struct mp3_source *mp3, struct error *error)
{
    struct source_format *format = &mp3->source.format;
    long rate;
    int channels;
    int encoding;

    if (mpg.getformat(mp3->handle, &rate, &channels, &encoding) != MPG123_OK ||
        encoding != MPG123_ENC_FLOAT_32)
        return error_set(error, ERROR_CONVERT, mp3->source.input->name,
                         "libmpg123 does not decode it to float32");
    if (format->channels == 0) {
        format->channels = (unsigned)channels;
        format->rate = (double)rate;
    }
    mp3->changed = format->channels != (unsigned)channels || format->rate != (double)rate;
    mp3->over = mp3->changed;
    return 0;
}

/* A frame has been decoded. */
static int is_found(struct mp3_source *mp3, uint64_t number, const unsigned char *decoded,
                    size_t size, struct error *error)
{
    if (!mp3->synced && check_format(mp3, error) != 0)
        return -1;
    if (mp3->changed)
        return 0;
    (void)last_frame(mp3, &mp3->at);
    if (mp3->mpeg_frames == 0)
        find_promise(mp3);
    mp3->mpeg_frames = mp3->before + number + 1;
    mp3->synced = true;
    if (mp3->lost && !mp3->damaged) {
        mp3->damaged = true;
        mp3->damaged_at = mp3->lost_at;
    }
    mp3->lost = false;
    mp3->decoded = decoded;
    mp3->left = size;
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
    mp3->too_long = true;
    return true;
}

/* The library needs more bytes than there are. At the end, the last frame may come without a next
 * one; and where the library waits for more, there may be no frame, but later. */
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
    mp3->over = true;
    return 0;
}

/* Decodes what is there until there are frames, or no more of them. `*more`: more bytes are needed,
 * and the input has not ended. */
static int decode_some(struct mp3_source *mp3, bool *more, struct error *error)
{
    *more = false;
    while (mp3->left == 0 && !mp3->over) {
        unsigned char *decoded;
        off_t number = 0;
        size_t size = 0;
        int result = mpg.decode_frame(mp3->handle, &number, &decoded, &size);
        int failed = 0;

        if (result == MPG123_OK) {
            failed = is_found(mp3, (uint64_t)number, decoded, size, error);
        } else if (result == MPG123_NEW_FORMAT) {
            failed = new_format(mp3, error);
        } else if (result == MPG123_NEED_MORE) {
            mp3->over = is_too_long(mp3);
            *more = !mp3->over && !mp3->ended;
            if (*more)
                return 0;
            if (!mp3->over)
                failed = at_last(mp3, error);
        } else if (result == MPG123_DONE || mpg.errcode(mp3->handle) == MPG123_OUT_OF_SYNC) {
            failed = out_of_sync(mp3, error);
        } else {
            failed = error_set(error, ERROR_DAMAGED, mp3->source.input->name,
                               "after frame %llu: libmpg123: %s", (unsigned long long)mp3->frames,
                               mpg.strerror(mp3->handle));
        }
        if (failed != 0)
            return -1;
    }
    return 0;
}

/* Decodes until there are frames, or no more of them. */
static int decode_next(struct mp3_source *mp3, struct error *error)
{
    bool more;

    while (mp3->left == 0 && !mp3->over) {
        if (decode_some(mp3, &more, error) != 0 || (more && read_more(mp3, error) != 0))
            return -1;
    }
    return 0;
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

static int at_end(struct mp3_source *mp3, struct error *error)
{
    const char *name = mp3->source.input->name;
    const unsigned long long frames = mp3->frames;
    const uint64_t end = held_to(mp3);
    const uint64_t at = mp3->lost ? mp3->lost_at : unused_from(mp3);
    const unsigned long long rest = end - at;

    if (mp3->source.input->stopped)
        return 0;
    if (mp3->damaged)
        return error_set(error, ERROR_DAMAGED, name,
                         "is damaged: no MPEG frame begins at byte %llu: the %llu frames that "
                         "could be decoded were used",
                         (unsigned long long)mp3->damaged_at, frames);
    if (mp3->changed)
        return error_set(error, ERROR_CONVERT, name,
                         "its rate or channels change at byte %llu: %llu frames were used",
                         (unsigned long long)mp3->lost_at, frames);
    if (mp3->too_long)
        return error_set(error, ERROR_DAMAGED, name,
                         "a tag of more than %d MiB begins at byte %llu: the %llu frames before it "
                         "were used",
                         TAG_MOST >> 20, (unsigned long long)at, frames);
    if (!mp3->lost && begins_frame(mp3, at))
        return error_set(error, ERROR_DAMAGED, name,
                         "is cut off: it ends inside the MPEG frame at byte %llu: %llu frames "
                         "were used",
                         (unsigned long long)at, frames);
    if (is_short(mp3, end))
        return error_set(error, ERROR_DAMAGED, name,
                         "ends after %llu MPEG frames; its mp3 header promises more (%lu in %lu "
                         "bytes): the %llu frames that are there were used",
                         (unsigned long long)mp3->mpeg_frames, (unsigned long)mp3->promise.frames,
                         (unsigned long)mp3->promise.bytes, frames);
    if (rest == 0 || are_tags(mp3, rest))
        return 0;
    if (rest <= REST_MOST) {
        mp3->rest = rest;
        return 0;
    }
    return error_set(error, ERROR_DAMAGED, name,
                     "%llu bytes that are no MPEG frames follow byte %llu: the %llu frames that "
                     "could be decoded were used",
                     rest, (unsigned long long)at, frames);
}

static const char *mp3_remark(struct source *source)
{
    struct mp3_source *mp3 = (struct mp3_source *)source;
    const unsigned long long promised = mp3->promise.frames;

    /* Fraunhofer's header is a frame. */
    if (promised != 0 && mp3->mpeg_frames > promised + 1)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "has %llu MPEG frames, and its mp3 header promises %llu: all were used",
                 (unsigned long long)mp3->mpeg_frames, promised);
    else if (mp3->junk)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "its first MPEG frame begins at byte %llu: what is before it was passed over",
                 (unsigned long long)mp3->first);
    else if (mp3->rest > 0)
        snprintf(mp3->remark, sizeof mp3->remark,
                 "%llu byte%s no MPEG frame follow%s the last one, and %s not used",
                 (unsigned long long)mp3->rest, mp3->rest == 1 ? " that is" : "s that are",
                 mp3->rest == 1 ? "s" : "", mp3->rest == 1 ? "was" : "were");
    else
        return NULL;
    return mp3->remark;
}

/* ---- the source */

static int mp3_read(struct source *source, void *frames, size_t capacity, size_t *got,
                    struct error *error)
{
    struct mp3_source *mp3 = (struct mp3_source *)source;
    const size_t frame_bytes = source_frame_bytes(&source->format);
    size_t bytes = capacity * frame_bytes;

    *got = 0;
    if (mp3->has_failed) {
        *error = mp3->failure;
        return -1;
    }
    if (decode_next(mp3, error) != 0)
        return -1;
    if (mp3->left == 0)
        return at_end(mp3, error);
    if (bytes > mp3->left)
        bytes = mp3->left;
    memcpy(frames, mp3->decoded, bytes);
    mp3->decoded += bytes;
    mp3->left -= bytes;
    *got = bytes / frame_bytes;
    mp3->frames += *got;
    return 0;
}

static bool mp3_ready(struct source *source, unsigned microseconds)
{
    struct mp3_source *mp3 = (struct mp3_source *)source;
    bool more;

    while (!mp3->has_failed && mp3->left == 0 && !mp3->over) {
        mp3->has_failed = decode_some(mp3, &more, &mp3->failure) != 0;
        if (mp3->has_failed || !more)
            continue;
        if (!input_ready(source->input, microseconds))
            return false;
        mp3->has_failed = read_more(mp3, &mp3->failure) != 0;
    }
    return true;
}

static void mp3_close(struct source *source)
{
    struct mp3_source *mp3 = (struct mp3_source *)source;

    mpg.delete(mp3->handle);
    free(mp3->bytes);
    free(mp3);
}

static const struct source_class mp3_class = {
    .read = mp3_read,
    .skip = source_skip_by_reading,
    .ready = mp3_ready,
    .remark = mp3_remark,
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
    struct source *source = &mp3->source;

    if (decode_next(mp3, error) != 0)
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
    struct mp3_source *mp3;

    if (pass_tags(input, &passed, &behind, error) != 0)
        return -1;
    if (behind.refused != NULL)
        return recognise_refuse(input, &behind, error);
    if (behind.format != NULL && !format_reads(found->format, behind.format))
        return behind.format->open(input, request, &behind, source, error);
    if (mpg123_load(input->name, error) != 0)
        return -1;
    mp3 = calloc(1, sizeof *mp3);
    if (mp3 == NULL)
        return error_system(error, ERROR_FILE, input->name, errno);
    mp3->source = (struct source){
        .class = &mp3_class,
        .container = "mp3",
        .format = {.sample = {.kind = SAMPLE_F32,
                              .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
                              .counts = request->sample.counts},
                   .frames = SOURCE_FRAMES_UNKNOWN},
        .input = input,
    };
    mp3->from = passed;
    if (open_handle(mp3, error) == 0 && describe(mp3, found->words, error) == 0) {
        *source = &mp3->source;
        return 0;
    }
    mp3_close(&mp3->source);
    return -1;
}
