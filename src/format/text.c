/* Numbers in columns, as text: csv, tsv and txt, in and out. text_parser.h says what is understood.
 *
 * The source reads large pieces and hands them to the parser; what is left is the beginning of a
 * line, and goes before the next piece. Only the parser knows whether what is there makes a frame,
 * so the question whether a read would wait is answered by reading one ahead.
 *
 * The sink writes a header line, at the first write or at the end of a stream without frames, and a
 * line a frame: the frame of the input, its time in seconds where the rate is known, and the
 * samples in the fewest digits that read back as the same number. There is a whole line for each
 * frame of a write when that returns. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "format/format.h"
#include "format/text_parser.h"
#include "sample/number.h"

/* ---- in ---- */

enum { READ_BYTES = 256 * 1024 };

struct text_source {
    struct source source;
    struct text_parser parser;
    char *text;   /* room for a record, the next read, and a newline */
    size_t start; /* what is still to be parsed lies from here */
    size_t end;
    bool ended;      /* the input has no more */
    double *ahead;   /* a frame that was read to see whether there is one */
    bool is_ahead;   /* it is there */
    bool has_failed; /* so did a read that was made for the same reason */
    struct error failure;
};

/* Reads on. At the end of the input the last line gets the newline that it may lack. */
static int read_text(struct text_source *text, struct error *error)
{
    struct input *input = text->source.input;
    size_t got;

    text->end -= text->start;
    memmove(text->text, text->text + text->start, text->end);
    text->start = 0;
    if (text->end > TEXT_RECORD_MOST)
        return text_parser_too_long(&text->parser, error);
    if (input_read(input, text->text + text->end, READ_BYTES, &got, error) != 0)
        return -1;
    text->end += got;
    text->ended = got == 0;
    if (text->ended && !input->stopped && text->end > 0 && text->text[text->end - 1] != '\n')
        text->text[text->end++] = '\n';
    return 0;
}

/* Parses what is there. */
static int parse(struct text_source *text, double *frames, size_t room, size_t *got,
                 struct error *error)
{
    bool last = text->ended && !text->source.input->stopped;
    size_t used;
    int result = text_parser_read(&text->parser, text->text + text->start, text->end - text->start,
                                  last, frames, room, got, &used, error);

    text->start += used;
    return result;
}

/* The frame ahead, and those behind it that are there. An error among them is found once more by
 * the next read. */
static int read_from_ahead(struct text_source *text, double *frames, size_t room, size_t *got)
{
    unsigned channels = text->source.format.channels;
    struct error error;

    memcpy(frames, text->ahead, channels * sizeof *frames);
    text->is_ahead = false;
    if (parse(text, frames + channels, room - 1, got, &error) != 0)
        *got = 0;
    ++*got;
    return 0;
}

static int text_read(struct source *source, void *frames, size_t room, size_t *got,
                     struct error *error)
{
    struct text_source *text = (struct text_source *)source;

    if (text->is_ahead)
        return read_from_ahead(text, frames, room, got);
    *got = 0;
    for (;;) {
        if (parse(text, frames, room, got, error) != 0)
            return -1;
        if (*got > 0 || text->ended)
            return 0;
        if (text->has_failed) {
            *error = text->failure;
            return -1;
        }
        if (read_text(text, error) != 0)
            return -1;
    }
}

static int text_skip(struct source *source, uint64_t frames, uint64_t *passed, struct error *error)
{
    *passed = 0;
    return source_skip_by_reading(source, frames, passed, error);
}

static bool text_ready(struct source *source, unsigned microseconds)
{
    struct text_source *text = (struct text_source *)source;

    while (!text->is_ahead && !text->has_failed) {
        struct error error;
        size_t got;

        /* The read that follows finds the error once more. */
        if (parse(text, text->ahead, 1, &got, &error) != 0)
            return true;
        text->is_ahead = got > 0;
        if (text->is_ahead || text->ended)
            return true;
        if (!input_ready(source->input, microseconds))
            return false;
        text->has_failed = read_text(text, &text->failure) != 0;
    }
    return true;
}

static void text_source_close(struct source *source)
{
    struct text_source *text = (struct text_source *)source;

    text_parser_free(&text->parser);
    free(text->ahead);
    free(text->text);
    free(text);
}

static const struct source_class text_source_class = {
    .read = text_read,
    .skip = text_skip,
    .ready = text_ready,
    .close = text_source_close,
};

/* Reads until the columns are known, or there are none. */
static int find_columns(struct text_source *text, struct error *error)
{
    size_t got;

    for (;;) {
        if (parse(text, NULL, 0, &got, error) != 0)
            return -1;
        if (text->parser.columns > 0 || text->ended)
            return 0;
        if (read_text(text, error) != 0)
            return -1;
    }
}

/* Text without a record is a source without a frame. */
static int open_source(struct input *input, const char *container, char delimiter,
                       const struct source_request *request, struct source **source,
                       struct error *error)
{
    struct text_source *text;
    unsigned channels;
    char given[16];

    snprintf(given, sizeof given, "%u", request->channels);
    if (request->channels_given)
        return error_set(error, ERROR_CHANNELS_OF_COLUMNS, given,
                         "the columns of %s are its channels", input->name);
    text = calloc(1, sizeof *text);
    if (text == NULL)
        return error_system(error, ERROR_FILE, input->name, errno);
    text->source = (struct source){
        .class = &text_source_class,
        .container = container,
        .encoding = "decimal",
        .format =
            {
                .sample = {.kind = SAMPLE_F64,
                           .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
                .content = SOURCE_TABLE,
                .rate = request->rate,
                .frames = SOURCE_FRAMES_UNKNOWN,
            },
        .input = input,
    };
    text_parser_init(&text->parser, input->name, delimiter, request->columns);
    text->text = malloc((size_t)TEXT_RECORD_MOST + READ_BYTES + 1);
    if (text->text == NULL)
        goto no_memory;
    if (find_columns(text, error) != 0)
        goto error;
    channels = text->parser.columns > 0 ? text->parser.channels : 1;
    text->source.format.channels = channels;
    text->ahead = malloc(channels * sizeof *text->ahead);
    if (text->ahead == NULL)
        goto no_memory;
    *source = &text->source;
    return 0;

no_memory:
    error_system(error, ERROR_FILE, input->name, errno);
error:
    text_source_close(&text->source);
    return -1;
}

/* ---- out ---- */

enum {
    BLOCK_BYTES = 64 * 1024,
    SAMPLE_ROOM = NUMBER_MOST + 2,    /* with its delimiter, and the end of the line */
    START_ROOM = 2 * NUMBER_MOST + 1, /* frame and time */
};

/* Writes values[index] and returns the length. */
typedef size_t number_writer(char text[NUMBER_MOST], const void *values, size_t index);

static size_t write_f32(char text[NUMBER_MOST], const void *values, size_t index)
{
    return number_write_f32(text, ((const float *)values)[index]);
}

static size_t write_f64(char text[NUMBER_MOST], const void *values, size_t index)
{
    return number_write_f64(text, ((const double *)values)[index]);
}

static size_t write_i64(char text[NUMBER_MOST], const void *values, size_t index)
{
    return number_write_i64(text, ((const int64_t *)values)[index]);
}

static size_t write_u64(char text[NUMBER_MOST], const void *values, size_t index)
{
    return number_write_u64(text, ((const uint64_t *)values)[index]);
}

static number_writer *const number_writers[VALUE_KINDS] = {
    [VALUE_F32] = write_f32,
    [VALUE_F64] = write_f64,
    [VALUE_I64] = write_i64,
    [VALUE_U64] = write_u64,
};

struct text_sink {
    struct sink sink;
    char delimiter;
    char *header;                       /* the line; NULL: it has been written, or there is none */
    number_writer *writers[EMIT_KINDS]; /* of the values of a channel */
    uint64_t frame;
    size_t used;
    char block[BLOCK_BYTES];
};

static int flush(struct text_sink *text, struct error *error)
{
    size_t used = text->used;

    text->used = 0;
    return used == 0 ? 0 : output_write(text->sink.output, text->block, used, error);
}

/* A frame's number beyond 2^53 may be no double. Its last bits are divided apart, so that the
 * result is the double that is nearest to the quotient. */
static double time_of(uint64_t frame, double rate)
{
    const uint64_t low = frame > UINT64_C(1) << DBL_MANT_DIG ? frame % 2048 : 0;
    double high = (double)(frame - low);
    double time = high / rate;

    return low == 0 ? time : time + (fma(-time, rate, high) + (double)low) / rate;
}

/* The values from `first` on are those of the frame. */
static int put_frame(struct text_sink *text, const void *values, size_t first, struct error *error)
{
    const struct sink_context *context = &text->sink.format.context;
    const unsigned emits = text->sink.format.row.count;
    unsigned emit = 0;
    char *at = text->block + text->used;

    at += number_write_u64(at, text->frame);
    if (context->input_rate > 0) {
        *at++ = text->delimiter;
        at += number_write_f64(at, time_of(text->frame, context->input_rate));
    }
    text->used = (size_t)(at - text->block);
    for (unsigned i = 0; i < text->sink.format.channels; i++) {
        if (BLOCK_BYTES - text->used < SAMPLE_ROOM && flush(text, error) != 0)
            return -1;
        at = text->block + text->used;
        *at++ = text->delimiter;
        at += text->writers[emit](at, values, first + i);
        emit = emit + 1 < emits ? emit + 1 : 0;
        text->used = (size_t)(at - text->block);
    }
    text->block[text->used++] = '\n';
    text->frame += context->hop;
    return 0;
}

static int put_header(struct text_sink *text, struct error *error)
{
    int result = 0;

    if (text->header != NULL)
        result = output_write(text->sink.output, text->header, strlen(text->header), error);
    free(text->header);
    text->header = NULL;
    return result;
}

static int text_write(struct sink *sink, void *frames, size_t count, bool gift, struct error *error)
{
    struct text_sink *text = (struct text_sink *)sink;

    (void)gift;
    if (count > 0 && put_header(text, error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (BLOCK_BYTES - text->used < START_ROOM && flush(text, error) != 0)
            return -1;
        if (put_frame(text, frames, i * sink->format.channels, error) != 0)
            return -1;
    }
    return flush(text, error);
}

static int text_finish(struct sink *sink, struct error *error)
{
    return put_header((struct text_sink *)sink, error);
}

static void text_sink_close(struct sink *sink)
{
    struct text_sink *text = (struct text_sink *)sink;

    free(text->header);
    free(text);
}

static const struct sink_class text_sink_class = {
    .write = text_write,
    .finish = text_finish,
    .close = text_sink_close,
};

/* "frame,time,min0,max0,min1,max1\n". To be freed; NULL: no memory. */
static char *make_header(char delimiter, const struct sink_context *context)
{
    static const char *const names[] = {
        [EMIT_MIN] = "min",     [EMIT_MAX] = "max", [EMIT_ABS] = "abs",
        [EMIT_RANGE] = "range", [EMIT_MID] = "mid",
    };
    char *header = NULL;
    size_t size;
    FILE *stream = open_memstream(&header, &size);

    if (stream == NULL)
        return NULL;
    fputs("frame", stream);
    if (context->input_rate > 0)
        fprintf(stream, "%ctime", delimiter);
    for (unsigned channel = 0; channel < context->channels; channel++) {
        for (unsigned i = 0; i < context->emits.count; i++) {
            fprintf(stream, "%c%s", delimiter, names[context->emits.item[i]]);
            if (context->channels > 1)
                fprintf(stream, "%u", channel);
        }
    }
    fputc('\n', stream);
    return memory_text_close(stream, &header);
}

static int open_sink(struct output *output, char delimiter, const struct sink_format *format,
                     struct sink **sink, struct error *error)
{
    const struct sink_context *context = &format->context;
    struct text_sink *text = calloc(1, sizeof *text);

    if (text == NULL)
        goto error;
    text->sink = (struct sink){.class = &text_sink_class, .format = *format, .output = output};
    text->delimiter = delimiter;
    text->frame = context->first_frame;
    for (unsigned i = 0; i < format->row.count; i++)
        text->writers[i] = number_writers[format->row.kind[i]];
    if (!context->continues) {
        text->header = make_header(text->delimiter, context);
        if (text->header == NULL)
            goto error;
    }
    *sink = &text->sink;
    return 0;

error:
    error_system(error, ERROR_FILE, output->name, errno);
    free(text);
    return -1;
}

/* ---- rows of the table ---- */

/* A format, its reader and its writer. */
#define TEXT_FORMAT(NAME, DELIMITER, WORDS, BY_ENDING)                                             \
    static int read_##NAME(struct input *input, const struct source_request *request,              \
                           const char *words, struct source **source, struct error *error)         \
    {                                                                                              \
        (void)words;                                                                               \
        return open_source(input, #NAME, DELIMITER, request, source, error);                       \
    }                                                                                              \
                                                                                                   \
    static int write_##NAME(struct output *output, const struct sink_format *format,               \
                            struct sink **sink, struct error *error)                               \
    {                                                                                              \
        return open_sink(output, DELIMITER, format, sink, error);                                  \
    }                                                                                              \
                                                                                                   \
    static const struct format_writer NAME##_writer = {                                            \
        .usual = SAMPLE_F32,                                                                       \
        .kinds = " f32",                                                                           \
        .whole = true,                                                                             \
        .rateless = true,                                                                          \
        .streams = true,                                                                           \
        .text = true,                                                                              \
        .open = write_##NAME,                                                                      \
    };                                                                                             \
                                                                                                   \
    const struct format format_##NAME = {                                                          \
        .names = {#NAME},                                                                          \
        .words = (WORDS),                                                                          \
        .endings = " " #NAME,                                                                      \
        .columns = true,                                                                           \
        .by_ending = (BY_ENDING),                                                                  \
        .open = read_##NAME,                                                                       \
        .writer = &NAME##_writer,                                                                  \
    };

TEXT_FORMAT(csv, ',', "comma-separated values", true)
TEXT_FORMAT(tsv, '\t', "tab-separated values", true)
TEXT_FORMAT(txt, ' ', "text in columns", false)
