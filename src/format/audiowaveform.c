/* The data formats of audiowaveform: waveform overviews for players in a browser, .dat and .json.
 * The bytes are those that `audiowaveform --split-channels` writes. Each frame is a pixel: a
 * minimum and a maximum of each channel. The length is in front of the data: if it is neither
 * known in advance nor can be filled in later, the data wait in a temporary file.
 *
 * .dat is little-endian: int32 version (1, or 2 with the last field), uint32 flags (1: 8 bits),
 * int32 rate, int32 frames per pixel, uint32 pixels, and in version 2 int32 channels; then for
 * each pixel and channel its minimum and maximum. .json is one line, always of version 2.
 *
 * audiowaveform converts PCM to 16 bits by dropping the lower bits, which is a floor. A floor is
 * monotonic, so the floor of a minimum is the minimum of the floors. 8-bit values are 16-bit ones
 * divided as in C, toward zero. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes/spool.h"
#include "format/format.h"
#include "sample/number.h"

enum {
    BLOCK_BYTES = 64 * 1024,
    VALUE_MOST = NUMBER_MOST + 2, /* bytes of a value, with a comma and a sign */
    HEADER_MOST = 160,
    DAT_LENGTH_AT = 16,
};

struct overview {
    struct sink sink;
    bool json;
    bool narrow; /* 8 bits */
    uint32_t channels;
    int32_t rate;
    int32_t pixel; /* input frames */
    uint64_t pixels;
    int spool; /* holds the data until the header is known; -1: none */
    uint64_t spooled;
    size_t used; /* of the block */
    char block[BLOCK_BYTES];
};

/* ---- the header */

static size_t dat_header(const struct overview *overview, uint64_t pixels, char *to)
{
    struct builder builder = {.bytes = (unsigned char *)to};
    bool mono = overview->channels == 1;

    put_little(&builder, mono ? 1 : 2, 4);
    put_little(&builder, overview->narrow ? 1 : 0, 4);
    put_little(&builder, (uint32_t)overview->rate, 4);
    put_little(&builder, (uint32_t)overview->pixel, 4);
    put_little(&builder, pixels, 4);
    if (!mono)
        put_little(&builder, overview->channels, 4);
    return builder.size;
}

static size_t json_header(const struct overview *overview, uint64_t pixels, char *to)
{
    return (size_t)snprintf(
        to, HEADER_MOST,
        "{\"version\":2,\"channels\":%" PRIu32 ",\"sample_rate\":%" PRId32
        ",\"samples_per_pixel\":%" PRId32 ",\"bits\":%d,\"length\":%" PRIu64 ",\"data\":[",
        overview->channels, overview->rate, overview->pixel, overview->narrow ? 8 : 16, pixels);
}

static int write_header(struct overview *overview, uint64_t pixels, struct error *error)
{
    char header[HEADER_MOST];
    size_t size = overview->json ? json_header(overview, pixels, header)
                                 : dat_header(overview, pixels, header);

    return output_write(overview->sink.output, header, size, error);
}

/* ---- the data */

static int flush(struct overview *overview, struct error *error)
{
    const char *name = overview->sink.output->name;
    size_t size = overview->used;

    overview->used = 0;
    if (overview->spool < 0)
        return output_write(overview->sink.output, overview->block, size, error);
    if (spool_write(overview->spool, name, overview->block, size, overview->spooled, error) != 0)
        return -1;
    overview->spooled += size;
    return 0;
}

static int level_of(float sample, struct sample_losses *losses)
{
    double number = floor((double)sample * 0x1p15);

    if (isnan(number)) {
        losses->nan++;
        return 0;
    }
    if (number >= INT16_MIN && number <= INT16_MAX)
        return (int)number;
    losses->clipped++;
    return number < 0 ? INT16_MIN : INT16_MAX;
}

/* Call with enough room in the block. */
static void put_value(struct overview *overview, int level, bool first)
{
    char *to = overview->block + overview->used;
    int value = overview->narrow ? level / 256 : level;
    size_t size = 0;

    if (overview->json) {
        if (!first)
            to[size++] = ',';
        if (value < 0)
            to[size++] = '-';
        size += number_write_u64(to + size, (uint64_t)abs(value));
    } else {
        to[size++] = (char)(unsigned char)value;
        if (!overview->narrow)
            to[size++] = (char)(unsigned char)((unsigned)value >> 8);
    }
    overview->used += size;
}

static int overview_write(struct sink *sink, void *frames, size_t count, bool gift,
                          struct error *error)
{
    struct overview *overview = (struct overview *)sink;
    size_t values = count * sink->format.channels;
    const float *samples = frames;

    (void)gift;
    for (size_t i = 0; i < values; i++) {
        int level = level_of(samples[i], &sink->losses);

        if (BLOCK_BYTES - overview->used < VALUE_MOST && flush(overview, error) != 0)
            return -1;
        put_value(overview, level, overview->pixels == 0 && i == 0);
    }
    overview->pixels += count;
    return 0;
}

static int wrong_length(const struct overview *overview, struct error *error)
{
    return error_set(error, ERROR_FILE, overview->sink.output->name,
                     "its header, already written, promises %llu frames, and there were %llu",
                     (unsigned long long)overview->sink.format.frames,
                     (unsigned long long)overview->pixels);
}

static int overview_finish(struct sink *sink, struct error *error)
{
    static const char json_end[] = "]}\n";
    struct overview *overview = (struct overview *)sink;
    unsigned char length[4];
    struct builder builder = {.bytes = length};

    if (!overview->json && overview->pixels > UINT32_MAX)
        return error_set(error, ERROR_FILE, sink->output->name,
                         "a dat file holds at most 4294967295 pixels");
    if (overview->spool >= 0 && write_header(overview, overview->pixels, error) != 0)
        return -1;
    if (flush(overview, error) != 0)
        return -1;
    if (overview->spool >= 0 && spool_copy_out(overview->spool, sink->output, error) != 0)
        return -1;
    if (overview->json && output_write(sink->output, json_end, strlen(json_end), error) != 0)
        return -1;
    if (overview->spool >= 0)
        return 0;
    if (overview->json || !sink->output->patchable)
        return overview->pixels == sink->format.frames ? 0 : wrong_length(overview, error);
    put_little(&builder, overview->pixels, sizeof length);
    return output_patch(sink->output, DAT_LENGTH_AT, length, sizeof length, error);
}

static void overview_close(struct sink *sink)
{
    struct overview *overview = (struct overview *)sink;

    if (overview->spool >= 0)
        close(overview->spool);
    free(overview);
}

static const struct sink_class overview_class = {
    .write = overview_write,
    .finish = overview_finish,
    .close = overview_close,
};

/* ---- opening */

static int check(const struct output *output, const struct sink_format *format, struct error *error)
{
    const struct sink_context *context = &format->context;
    const struct emit_list *emits = &context->emits;

    if (emits->count != 2 || emits->item[0] != EMIT_MIN || emits->item[1] != EMIT_MAX)
        return error_set(error, ERROR_OVERVIEW_VALUES, output->name,
                         "a %s file holds minima and maxima", format->container);
    if (!context->pixels || context->hop < 2)
        return error_set(error, ERROR_OVERVIEW_ZOOM, output->name,
                         "a %s file has pixels of 2 frames or more", format->container);
    if (context->hop > INT32_MAX)
        return error_set(error, ERROR_FORMAT, output->name,
                         "a %s file has pixels of 2147483647 frames at most", format->container);
    if (!(context->input_rate > 0))
        return error_set(error, ERROR_RATE_UNKNOWN, output->name,
                         "a %s file has a rate, and that of the input is not known",
                         format->container);
    return 0;
}

static int open_overview(struct output *output, const struct sink_format *format,
                         struct sink **sink, struct error *error)
{
    const struct sink_context *context = &format->context;
    uint64_t pixels = format->frames;
    struct overview *overview;

    if (check(output, format, error) != 0)
        return -1;
    overview = malloc(sizeof *overview);
    if (overview == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    overview->sink = (struct sink){.class = &overview_class, .format = *format, .output = output};
    overview->json = strcmp(format->container, "json") == 0;
    overview->narrow = format->sample.kind == SAMPLE_S8;
    overview->channels = context->channels;
    overview->rate = (int32_t)sink_rate(format).said;
    overview->pixel = (int32_t)context->hop;
    overview->pixels = 0;
    overview->spooled = 0;
    overview->used = 0;
    overview->spool = -1;
    /* The header is filled in at the end; until then it describes a truncated run. A .json cannot
     * be filled in, because the number of digits of the length is unknown. */
    if (!overview->json && output->patchable)
        pixels = 0;
    if (pixels == SINK_FRAMES_UNKNOWN) {
        overview->spool = spool_open(output->name, "an overview", error);
        if (overview->spool < 0)
            goto error;
    } else if (write_header(overview, pixels, error) != 0) {
        goto error;
    }
    *sink = &overview->sink;
    return 0;

error:
    overview_close(&overview->sink);
    return -1;
}

static const struct format_writer dat_writer = {
    .usual = SAMPLE_S16,
    .kinds = " s16 s8",
    .rate_most = INT32_MAX,
    .rate_of_input = true,
    .open = open_overview,
};

static const struct format_writer json_writer = {
    .usual = SAMPLE_S16,
    .kinds = " s16 s8",
    .rate_most = INT32_MAX,
    .rate_of_input = true,
    .text = true,
    .open = open_overview,
};

const struct format format_dat = {
    .names = {"dat"},
    .words = "an overview for players",
    .endings = " dat",
    .writer = &dat_writer,
};

const struct format format_json = {
    .names = {"json"},
    .words = "an overview for players, as JSON",
    .endings = " json",
    .writer = &json_writer,
};
