/* SPDX-License-Identifier: MIT */
/* Opus in Ogg, through libopusfile: all positions are those of opusdec.
 *
 * The library gets the pages of one link of a chain one by one, and is never told that it could
 * seek, so a file and a pipe give equal frames. Without more pages it reports the end of the
 * stream, and goes on when there are more. It decodes around damage, which ogg_walk() sees. */
#include <string.h>

#include "base/min_max.h"
#include "format/codecs/codecs_priv.h"
#include "format/codecs/fed_priv.h"
#include "format/codecs/ogg_priv.h"
#include "format/opusfile/opusfile_library_priv.h"

enum { READ_BYTES = 16 * 1024 };

struct opus_source {
    struct fed_source fed;
    OggOpusFile *file; /* NULL while it is being opened */
    unsigned char bytes[READ_BYTES];
    size_t held;
    size_t used; /* bytes used by the walk */
    struct ogg_walk walk;
    size_t taken;       /* bytes of the walk's page taken by the library */
    bool linked;        /* another link of the chain follows */
    bool changed;       /* this link has another number of channels, or is no Opus */
    uint64_t link_from; /* the first frame of this link */
    bool jumps;         /* the times of the link's pages jump, after `jumps_at` frames */
    uint64_t jumps_at;
    float samples[OPUS_CHANNELS * OPUS_PACKET_FRAMES];
};

/* ---- bytes */

static int feed_opus(struct fed_source *fed, struct error *error)
{
    struct opus_source *opus = (struct opus_source *)fed;

    opus->used = 0;
    if (input_read(fed->source.input, opus->bytes, READ_BYTES, &opus->held, error) != 0)
        return -1;
    fed->ended = opus->held == 0;
    return 0;
}

/* Is something left of the last page, or is another page there? */
static bool has_page(struct opus_source *opus)
{
    while (opus->taken == opus->walk.page_bytes && !opus->linked && !opus->fed.has_failed) {
        enum ogg_event event = ogg_walk(&opus->walk, opus->bytes, opus->held, &opus->used);

        opus->taken = 0;
        opus->linked = event == OGG_LINK;
        if (event != OGG_MORE)
            continue;
        /* The library cannot go on later where it opens a link. */
        if (opus->file != NULL || opus->fed.ended)
            return false;
        opus->fed.has_failed = feed_opus(&opus->fed, &opus->fed.failure) != 0;
    }
    return opus->taken < opus->walk.page_bytes;
}

static int take_bytes(void *stream, unsigned char *bytes, int most)
{
    struct opus_source *opus = stream;
    size_t count = 0;

    if (has_page(opus))
        count = (size_t)min_u64(opus->walk.page_bytes - opus->taken, (uint64_t)most);
    memcpy(bytes, opus->walk.page + opus->taken, count);
    opus->taken += count;
    return (int)count;
}

/* ---- links of a chain */

static const char *words_of(int result)
{
    return result == OP_EIMPL           ? "its channels are not assigned to loudspeakers"
           : result == OP_ENOTFORMAT    ? "there is no stream of Opus"
           : result == OP_EBADHEADER    ? "its headers are damaged"
           : result == OP_EVERSION      ? "its version is not known"
           : result == OP_EBADPACKET    ? "a packet is damaged"
           : result == OP_EBADTIMESTAMP ? "the times of its pages are wrong"
                                        : "it fails";
}

static int after_frame(const struct fed_source *fed, int result, struct error *error)
{
    return error_set(error, ERROR_DAMAGED, fed->source.input->name,
                     "after frame %llu: libopusfile: %s", (unsigned long long)fed->frames,
                     words_of(result));
}

/* Opens a link. Returns 0, or the library's error. */
static int open_link(struct opus_source *opus)
{
    static const struct opusfile_callbacks callbacks = {.read = take_bytes};
    int result = 0;

    op.free(opus->file);
    opus->file = NULL;
    opus->link_from = opus->fed.frames;
    opus->file = op.open_callbacks(opus, &callbacks, NULL, 0, &result);
    return opus->file == NULL ? result : 0;
}

/* A recording that ends in the headers of a link has no frames of it. */
static int next_link(struct opus_source *opus, struct error *error)
{
    struct fed_source *fed = &opus->fed;
    int result;

    opus->linked = false;
    ogg_next_link(&opus->walk);
    result = open_link(opus);
    if (fed->has_failed) {
        *error = fed->failure;
        return -1;
    }
    opus->changed =
        result == OP_ENOTFORMAT ||
        (result == 0 && (unsigned)op.channel_count(opus->file, -1) != fed->source.format.channels);
    fed->over = result != 0 || opus->changed;
    return fed->over && !opus->changed && !fed->ended ? after_frame(fed, result, error) : 0;
}

/* ---- frames */

/* The times of pages may be rounded to milliseconds, if they come from Matroska. */
static void check_times(struct opus_source *opus, int frames)
{
    const uint64_t decoded = opus->fed.frames - opus->link_from + (unsigned)frames;

    if (opus->jumps || op.pcm_tell(opus->file) <= (int64_t)decoded + OPUS_RATE / 100)
        return;
    opus->jumps = true;
    opus->jumps_at = opus->fed.frames;
}

static int decode_opus(struct fed_source *fed, bool *more, struct error *error)
{
    struct opus_source *opus = (struct opus_source *)fed;
    const int most = sizeof opus->samples / sizeof *opus->samples;
    int frames;

    do {
        frames = op.read_float(opus->file, opus->samples, most, NULL);
    } while (frames == OP_HOLE);
    *more = frames == 0 && !opus->linked && !fed->ended;
    if (frames < 0)
        return after_frame(fed, frames, error);
    if (frames == 0 && opus->linked)
        return next_link(opus, error);
    if (frames == 0) {
        fed->over = fed->ended;
        return 0;
    }
    check_times(opus, frames);
    ogg_to_wav_order(opus->samples, (size_t)frames, fed->source.format.channels);
    fed->decoded = (const unsigned char *)opus->samples;
    fed->left = (size_t)frames * source_frame_bytes(&fed->source.format);
    return 0;
}

static int at_end(struct fed_source *fed, struct error *error)
{
    struct opus_source *opus = (struct opus_source *)fed;
    const char *name = fed->source.input->name;
    const unsigned long long frames = fed->frames;

    if (opus->changed)
        return error_set(error, ERROR_CONVERT, name,
                         "another Ogg stream follows after %llu frames, with another codec or "
                         "number of channels: only the first was used",
                         frames);
    if (ogg_check(&opus->walk, name, frames, error) != 0)
        return -1;
    if (opus->jumps)
        return error_set(error, ERROR_DAMAGED, name,
                         "has gaps: the times of its Ogg pages jump after frame %llu: the %llu "
                         "frames that are there were used",
                         (unsigned long long)opus->jumps_at, frames);
    return 0;
}

/* ---- the source */

static void opus_close(struct source *source)
{
    struct opus_source *opus = (struct opus_source *)source;

    op.free(opus->file);
}

static int open_first(struct opus_source *opus, const char *words, struct error *error)
{
    struct source *source = &opus->fed.source;
    const int result = open_link(opus);

    if (result == 0) {
        source->format.channels = (unsigned)op.channel_count(opus->file, -1);
        return 0;
    }
    if (opus->fed.has_failed) {
        *error = opus->fed.failure;
        return -1;
    }
    if (opus->fed.ended && ogg_check(&opus->walk, source->input->name, 0, error) != 0)
        return -1;
    return error_set(error, ERROR_CONVERT, source->input->name,
                     "is %s that libopusfile cannot read: %s", words, words_of(result));
}

int source_open_opusfile(struct input *input, const struct source_request *request,
                         const struct recognised *found, struct source **source,
                         struct error *error)
{
    static const struct fed_class fed_class = {feed_opus, decode_opus, at_end};
    static const struct source_class class = {
        .bytes = sizeof(struct opus_source),
        .read = fed_read,
        .skip = source_skip_by_reading,
        .ready = fed_ready,
        .close = opus_close,
    };
    struct opus_source *opus;

    if (library_load(&opusfile_library, input->name, error) != 0)
        return -1;
    opus = source_new(&class, input, source, error);
    if (opus == NULL)
        return -1;
    opus->fed.class = &fed_class;
    opus->fed.source.remark = opus->walk.remark;
    opus->fed.source.container = "ogg";
    opus->fed.source.encoding = "Opus";
    opus->fed.source.format = (struct source_format){
        .sample = source_decoded(SAMPLE_F32, request->sample.counts),
        .rate = OPUS_RATE,
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    return open_first(opus, found->words, error);
}
