/* SPDX-License-Identifier: MIT */
/* Numbers in columns, as text; text/parser_priv.h describes their form.
 *
 * The source passes large reads to the parser, and keeps the rest, an incomplete line, for the next
 * one. Only the parser knows whether the text contains a frame, so to see whether a read would
 * wait, the source parses one row, and resets the parser. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/recognise_priv.h"
#include "format/text/parser_priv.h"
#include "format/text/text_priv.h"

enum {
    READ_BYTES = 256 * 1024,
    FIRST_ROW_MOST = 4 * TEXT_RECORD_MOST, /* bytes up to the end of the first row, at most */
    TIMES_ROOM = 16384,
    REMARK_MOST = 1200,
    BLOCKS_LEAST = 1024 * 1024, /* bytes of a file that is parsed in blocks, at least */
};

/* The ends of lines: an old file has CR alone. */
enum line_ends {
    ENDS_UNKNOWN,
    ENDS_LF,
    ENDS_CR,
};

struct text_source {
    struct source source;
    struct text_parser parser;
    struct text_blocks *blocks; /* NULL if rows are parsed in order */
    uint64_t in_order;          /* the next bytes that are parsed in order in any case */
    char *text;                 /* room for a record, the next read, and a newline */
    size_t start;               /* start of the text that is still to be parsed */
    size_t end;
    bool ended; /* the input has no more bytes */
    enum line_ends ends;
    struct text_dialect dialect; /* the options */
    char usual;                  /* delimiter of the format; 0 if the look finds it */
    unsigned least;              /* rows that the look waits for */
    struct look look;
    /* The text of the look, which has to agree with further rows; NULL if no more rows are looked
     * at. */
    char *begin;
    size_t begin_size;
    double *ahead;                   /* room for a row that is looked at */
    int64_t distance;                /* distance of these rows, in nanoseconds; 0 if not known */
    struct moment *moments;          /* the times of the rows of the last read; may be NULL */
    const struct row_key **row_keys; /* the keys of these rows; may be NULL */
    struct text_keys keys;
    struct text_bad_rows bad_rows;
    char remark[REMARK_MOST];
    bool has_failed; /* a read to look at a row has failed, with `failure` */
    struct error failure;
};

/* Looks for the first end of a line outside quotes. */
static enum line_ends find_ends(const struct text_source *text)
{
    bool quoted = false;

    for (size_t i = 0; i < text->end; i++) {
        const char *at = text->text + i;
        size_t behind = i;

        quoted ^= *at == '"';
        if (*at == '\n')
            return ENDS_LF;
        if (*at != '\r' || quoted)
            continue;
        while (behind < text->end && text->text[behind] == '\r')
            behind++;
        if (behind == text->end)
            return text->ended ? ENDS_CR : ENDS_UNKNOWN;
        return text->text[behind] == '\n' ? ENDS_LF : ENDS_CR;
    }
    return ENDS_UNKNOWN;
}

/* From then on, CR becomes LF. */
static void convert_ends(struct text_source *text, size_t got)
{
    char *at = text->text + text->end - got;

    if (text->ends == ENDS_UNKNOWN) {
        at = text->text;
        text->ends = find_ends(text);
    }
    if (text->ends != ENDS_CR)
        return;
    for (; at < text->text + text->end; at++) {
        if (*at == '\r')
            *at = '\n';
    }
}

/* The size of the text that is there, without the lines at the end that are not to be read. */
static size_t readable(const struct text_source *text)
{
    const char *from = text->text + text->start;
    const uint64_t footer = text->dialect.skip_footer;
    size_t size = text->end - text->start;

    for (uint64_t i = 0; footer > 0 && i <= footer && size > 0; i++) {
        const bool whole = i == 0; /* the first round leaves out an incomplete last line */
        const char *newline = memrchr(from, '\n', size - (whole ? 0 : 1));

        size = newline == NULL ? 0 : (size_t)(newline - from) + 1;
    }
    return size;
}

/* ---- the look ---- */

/* Looks at the first rows of a text. TEXT_OPEN: more text is needed. */
static enum text_next look_at_text(const struct text_source *text, const char *from, size_t size,
                                   struct look *look, struct error *error)
{
    const char *newline = memrchr(from, '\n', size);
    const unsigned least = text->dialect.look > 0 ? look_rows(&text->dialect) : text->least;

    size = newline == NULL ? 0 : (size_t)(newline - from) + 1;
    return look_take(look, text->source.input->name, from, size, text->ended, text->usual, least,
                     &text->dialect, error);
}

/* Has the look all the text that it can get? */
static bool is_final(const struct text_source *text, const struct look *look, size_t size)
{
    return text->ended || look->rows >= look_rows(&text->dialect) || size >= LOOK_BYTES;
}

/* Looks again at all rows so far, now that there are more of them: the looks must agree. */
static int look_again(struct text_source *text, size_t got, struct error *error)
{
    char *begin = realloc(text->begin, text->begin_size + got + 1);
    const char *added = text->text + text->end - got;
    struct look look;
    enum text_next next = TEXT_OPEN;
    int result = 0;

    if (begin == NULL)
        return error_system(error, ERROR_FILE, text->source.input->name, errno);
    text->begin = begin;
    memcpy(begin + text->begin_size, added, got);
    text->begin_size += got;
    if (text->ended || memchr(added, '\n', got) != NULL)
        next = look_at_text(text, begin, text->begin_size, &look, error);
    if (next == TEXT_FAULT)
        return -1;
    if (next != TEXT_RECORD)
        return 0;
    result = look_compare(&text->look, &look, text->source.input->name, error);
    if (result == 0 && is_final(text, &look, text->begin_size)) {
        free(text->begin);
        text->begin = NULL;
    }
    look_free(&look);
    return result;
}

/* Reads on, unless more than `most` bytes wait for the end of a line. At the end of the input the
 * last line gets the newline that it may lack. */
static int read_text(struct text_source *text, size_t most, struct error *error)
{
    struct input *input = text->source.input;
    size_t got;

    text->end -= text->start;
    memmove(text->text, text->text + text->start, text->end);
    text->start = 0;
    if (text->end > most)
        return text_parser_too_long(&text->parser, error);
    if (input_read(input, text->text + text->end, READ_BYTES, &got, error) != 0)
        return -1;
    text->end += got;
    text->ended = got == 0;
    convert_ends(text, got);
    if (text->ended && !input->stopped && text->end > 0 && text->text[text->end - 1] != '\n')
        text->text[text->end++] = '\n';
    if (text->begin == NULL || look_again(text, got, error) == 0)
        return 0;
    text->end = text->start; /* nothing of what has been read is used */
    return -1;
}

/* Parses the text that is there. */
static int parse(struct text_source *text, double *frames, struct moment *moments,
                 const struct row_key **keys, size_t capacity, size_t *got, struct error *error)
{
    bool last = text->ended && !text->source.input->stopped;
    size_t used;
    int result = text_parser_read(&text->parser, text->text + text->start, readable(text), last,
                                  frames, moments, keys, capacity, got, &used, error);

    text->start += used;
    text->in_order -= used < text->in_order ? used : text->in_order;
    return result;
}

/* Has the next block parsed in parallel. It is read from the file again, wherever the input is. */
static int parse_block(struct text_source *text, struct error *error)
{
    struct input *input = text->source.input;
    const size_t there = text->end - text->start;
    const uint64_t from = input_position(input) - there;
    uint64_t used;

    if (!text_blocks_parse(text->blocks, &text->parser, from, input_remaining(input) + there,
                           &used)) {
        text->in_order = used > 0 ? used : 1;
        return 0;
    }
    if (used <= there) {
        text->start += (size_t)used;
        return 0;
    }
    text->start = 0;
    text->end = 0;
    input->bytes += used - there;
    return input_rewind(input, from + used, error);
}

static int text_read(struct source *source, void *frames, size_t capacity, size_t *got,
                     struct error *error)
{
    struct text_source *text = (struct text_source *)source;

    if (text->moments != NULL && capacity > TIMES_ROOM)
        capacity = TIMES_ROOM;
    *got = 0;
    for (;;) {
        if (text->blocks != NULL)
            *got = text_blocks_take(text->blocks, frames, text->moments, text->row_keys, capacity);
        if (*got > 0)
            return 0;
        if (text->blocks != NULL && text->in_order == 0) {
            if (parse_block(text, error) != 0)
                return -1;
            continue;
        }
        if (parse(text, frames, text->moments, text->row_keys, capacity, got, error) != 0)
            return -1;
        if (*got > 0 || text->ended)
            return 0;
        if (text->has_failed) {
            *error = text->failure;
            return -1;
        }
        if (read_text(text, TEXT_RECORD_MOST, error) != 0)
            return -1;
    }
}

static int text_skip(struct source *source, uint64_t frames, uint64_t *passed, struct error *error)
{
    struct text_source *text = (struct text_source *)source;
    int result;

    *passed = 0;
    text->parser.place.times.skips = true;
    result = source_skip_by_reading(source, frames, passed, error);
    text->parser.place.times.skips = false;
    /* The stream begins here: a gap before the next row is none. The rows of a block that has been
     * parsed are known to have no gap. */
    if (text->blocks == NULL || text_blocks_are_taken(text->blocks)) {
        text->parser.place.times.series.timed = false;
        text_keys_begin(&text->keys);
    }
    return result;
}

/* Looks at up to `count` rows, without consuming them. False if they have an error, which the next
 * read finds again. */
static bool look_ahead(struct text_source *text, size_t count, size_t *got)
{
    const struct text_place place = text->parser.place;
    const size_t start = text->start;
    const struct row_key *key;
    struct moment time;
    struct error error;
    bool right = true;
    size_t one = 1;

    text->parser.place.times.ahead = true;
    for (*got = 0; right && one > 0 && *got < count; *got += one)
        right = parse(text, text->ahead, &time, &key, 1, &one, &error) == 0;
    text->parser.place.times.ahead = false;
    if (right && *got == 0)
        return true; /* comments need not be parsed again */
    text->start = start;
    text->distance = text->parser.place.times.distance;
    text->parser.place = place;
    text->parser.lines.terse = place.bad_lines > 0;
    return right;
}

static bool text_ready(struct source *source, unsigned microseconds)
{
    struct text_source *text = (struct text_source *)source;
    size_t got;

    if (text->blocks != NULL)
        return true; /* the input is a plain file */
    while (!text->has_failed) {
        if (!look_ahead(text, 1, &got) || got > 0 || text->ended)
            return true;
        if (!input_ready(source->input, microseconds))
            return false;
        text->has_failed = read_text(text, TEXT_RECORD_MOST, &text->failure) != 0;
    }
    return true;
}

static void text_set_end(struct source *source, uint64_t frame)
{
    struct text_source *text = (struct text_source *)source;
    struct text_place *place = &text->parser.place;

    place->bad_lines = text_bad_rows_within(&text->bad_rows, place->bad_lines, frame);
}

static const char *text_remark(struct source *source)
{
    struct text_source *text = (struct text_source *)source;
    const struct text_place *place = &text->parser.place;
    const bool skipped = text->parser.lines.dialect->bad_lines == TEXT_BAD_SKIP;
    const bool bad = place->bad_lines > 0 && place->right; /* bad lines alone are an error */
    int used = 0;

    if (place->repeats > 0)
        used = snprintf(text->remark, sizeof text->remark,
                        "%llu line%s skipped that repeat%s the header%s",
                        (unsigned long long)place->repeats, place->repeats == 1 ? "" : "s",
                        place->repeats == 1 ? "s" : "", bad ? "; " : "");
    if (bad)
        snprintf(text->remark + used, sizeof text->remark - (size_t)used,
                 "%llu bad line%s %s, the first: %s", (unsigned long long)place->bad_lines,
                 place->bad_lines == 1 ? "" : "s", skipped ? "passed over" : "read as NaN",
                 place->bad.reason);
    return place->repeats > 0 || bad ? text->remark : NULL;
}

static void text_source_close(struct source *source)
{
    struct text_source *text = (struct text_source *)source;

    text_blocks_close(text->blocks);
    text_columns_free(&text->parser.columns);
    look_free(&text->look);
    free(text->begin);
    free(text->moments);
    free(text->row_keys);
    text_keys_free(&text->keys);
    free(text->bad_rows.rows);
    free(text->ahead);
    free(text->text);
}

static const struct source_class text_source_class = {
    .bytes = sizeof(struct text_source),
    .read = text_read,
    .skip = text_skip,
    .ready = text_ready,
    .set_end = text_set_end,
    .remark = text_remark,
    .close = text_source_close,
};

static int describe(struct text_source *text, struct error *error)
{
    struct text_columns *columns = &text->parser.columns;
    struct source_format *format = &text->source.format;
    size_t got;

    text->source.table = &columns->table;
    text->parser.bad_rows = &text->bad_rows;
    text->source.names = columns->named ? columns->names : NULL;
    text->source.units = columns->has_units ? columns->names + columns->channels : NULL;
    columns->table.bad_lines = &text->parser.place.bad_lines;
    columns->table.offset_line = &text->parser.place.times.offset_line;
    if (columns->time.count == 0)
        return 0;
    text->moments = malloc(TIMES_ROOM * sizeof *text->moments);
    text->row_keys = malloc(TIMES_ROOM * sizeof *text->row_keys);
    if (text->moments == NULL || text->row_keys == NULL)
        return error_system(error, ERROR_FILE, text->source.input->name, errno);
    text->parser.keys = &text->keys;
    columns->table.moments = text->moments;
    columns->table.keys = columns->by > 0 ? text->row_keys : NULL;
    if (!text->parser.lines.dialect->by_distance)
        return 0;
    /* The first two rows say how far apart rows are. */
    while (look_ahead(text, 2, &got) && got < 2 && !text->ended) {
        if (read_text(text, FIRST_ROW_MOST, error) != 0)
            return -1;
    }
    if (text->distance > 0) {
        format->ratio = rate_ratio(MOMENT_SECOND, (uint64_t)text->distance);
        format->rate = rate_of(format->ratio);
    }
    return 0;
}

/* Is all of the input there, perhaps compressed? */
static bool is_file(const struct input *input)
{
    return input->regular || input->unpacker.program.name != NULL;
}

/* Does the look say no table, where nothing else says one? */
static bool is_doubtful(const struct text_source *text, const struct recognised *found)
{
    return found->refused != NULL && !text->look.is_table && text->look.maker == NULL;
}

/* Reads until the look has all rows that it wants, or all rows of a stream that are there. */
static int begin_look(struct text_source *text, const struct recognised *found, struct error *error)
{
    /* A stream that has had so many bytes is not waited for: they may be a full pipe. */
    enum { ROWS_LEAST = 3, ENOUGH = 32 * 1024 };
    struct input *input = text->source.input;
    enum text_next next = TEXT_OPEN;

    for (;;) {
        const bool waits = next == TEXT_OPEN || is_file(input) || input_ready(input, 0);

        if (next == TEXT_RECORD && (!waits || is_final(text, &text->look, text->end)))
            break;
        look_free(&text->look);
        if (read_text(text, FIRST_ROW_MOST, error) != 0)
            return -1;
        next = look_at_text(text, text->text, readable(text), &text->look, error);
        if (next == TEXT_FAULT && !is_doubtful(text, found))
            return -1;
        if (next == TEXT_FAULT)
            return recognise_refuse(input, found, error);
        if (is_doubtful(text, found) && text->look.rows < ROWS_LEAST)
            next = !text->ended && text->end < LOOK_BYTES &&
                           (text->end < ENOUGH || is_file(input) || input_ready(input, 0))
                       ? TEXT_OPEN
                       : TEXT_RECORD;
    }
    if (is_doubtful(text, found))
        return recognise_refuse(input, found, error);
    if (is_final(text, &text->look, text->end))
        return 0;
    text->begin_size = text->end;
    text->begin = malloc(text->end);
    if (text->begin == NULL)
        return error_system(error, ERROR_FILE, input->name, errno);
    memcpy(text->begin, text->text, text->end);
    return 0;
}

static int refuse_channels(const struct input *input, const struct source_request *request,
                           struct error *error)
{
    return USAGE(error, "-c %u: the columns of %s are its channels: leave -c out (see --columns)",
                 request->channels, input->name);
}

/* Text without records is a source without frames. */
static const struct text_dialect usual_dialect = {.header = TEXT_HEADER_AUTO};

int text_open_source(struct input *input, const struct source_request *request,
                     const struct recognised *found, struct source **source, struct error *error)
{
    const char delimiter = found->format->delimiter;
    struct text_source *text;

    if (request->channels_given && found->refused == NULL)
        return refuse_channels(input, request, error);
    text = source_new(&text_source_class, input, source, error);
    if (text == NULL)
        return -1;
    text->source.container = found->format->names[0];
    text->source.encoding = "decimal";
    text->source.format = (struct source_format){
        .sample = {.kind = SAMPLE_F64, .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
        .numbers = true,
        .decimal = true,
        .rows = true,
        .nan_is_missing = true,
        .usual_output = found->format,
        .channels = 1,
        .rate = request->rate,
        .ratio = request->ratio,
        .frames = SOURCE_FRAMES_UNKNOWN,
    };
    text->dialect = request->dialect != NULL ? *request->dialect : usual_dialect;
    text->dialect.sorts = text->dialect.sorts && is_file(input);
    /* The look finds the delimiter of csv, and of a file that is text by the ending of its name. */
    if (request->format != NULL ||
        (delimiter == ',' && format_of_input(input->name, NULL) == found->format))
        text->usual = delimiter;
    text->least = found->refused != NULL ? 2 : 1;
    text->parser = (struct text_parser){.lines.name = input->name, .place.line = 1};
    text->text = malloc((size_t)FIRST_ROW_MOST + READ_BYTES + 1);
    if (text->text == NULL)
        goto no_memory;
    if (begin_look(text, found, error) != 0)
        return -1;
    if (request->channels_given)
        return refuse_channels(input, request, error);
    if (text_parser_init(&text->parser, input->name, &text->look, &text->dialect, error) != 0)
        return -1;
    text->start = (size_t)(text->look.at - text->text);
    if (text->parser.columns.count > 0)
        text->source.format.channels = text->parser.columns.channels;
    text->ahead = malloc(text->source.format.channels * sizeof *text->ahead);
    if (text->ahead == NULL)
        goto no_memory;
    if (describe(text, error) != 0)
        return -1;
    /* If memory runs out, rows are parsed in order. */
    if (input->regular && input_remaining(input) >= BLOCKS_LEAST && text->ends != ENDS_CR &&
        text->parser.lines.dialect->skip_footer == 0)
        text->blocks = text_blocks_open(input->threads, input->fd, &text->parser);
    return 0;

no_memory:
    return error_system(error, ERROR_FILE, input->name, errno);
}
