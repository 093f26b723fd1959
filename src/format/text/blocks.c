#include "format/text/blocks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

enum {
    PART_BYTES = 512 * 1024,
    PART_LEAST = 64 * 1024, /* less is parsed before another thread is awake */
    PARTS_A_THREAD = 4,     /* waking a thread takes as long as parsing some of one */
    THREADS_LEAST = 4,      /* two gain nothing: reading and copying rows takes as long */
    THREADS_MOST = 32,
};

/* What one thread parses at a time. */
struct part {
    struct text_parser parser; /* shares the columns */
    const char *text;
    size_t size;
    bool is_right;
    double *frames;
    struct moment *moments;
    size_t rows;
    size_t taken;
};

struct text_blocks {
    struct crew *crew;
    unsigned channels;
    bool timed;
    size_t rows_most; /* of a part */
    unsigned parts_most;
    unsigned parts; /* of the block */
    unsigned next;  /* the part to take rows from */
    struct part part[];
};

static size_t frames_bytes(const struct text_blocks *blocks)
{
    return blocks->rows_most * blocks->channels * sizeof(double);
}

static size_t moments_bytes(const struct text_blocks *blocks)
{
    return blocks->timed ? blocks->rows_most * sizeof(struct moment) : 0;
}

void text_blocks_close(struct text_blocks *blocks)
{
    for (unsigned i = 0; blocks != NULL && i < blocks->parts_most; i++) {
        pages_free(blocks->part[i].frames, frames_bytes(blocks));
        if (blocks->timed)
            pages_free(blocks->part[i].moments, moments_bytes(blocks));
    }
    free(blocks);
}

struct text_blocks *text_blocks_open(struct crew *crew, const struct text_parser *parser)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned threads = crew == NULL ? 1 : crew_size(crew);
    const unsigned parts = (threads < THREADS_MOST ? threads : THREADS_MOST) * PARTS_A_THREAD;
    struct text_blocks *blocks;

    if (threads < THREADS_LEAST || columns->count == 0 || parser->dialect->by_distance ||
        parser->dialect->gap_period > 0)
        return NULL;
    blocks = calloc(1, sizeof *blocks + parts * sizeof *blocks->part);
    if (blocks == NULL)
        return NULL;
    blocks->crew = crew;
    blocks->channels = columns->channels;
    blocks->timed = columns->times > 0;
    /* A field has a byte, at its end. The pages of rows that are not there are not touched. */
    blocks->rows_most = (size_t)PART_BYTES / columns->count + 1;
    blocks->parts_most = parts;
    for (unsigned i = 0; i < parts; i++) {
        struct part *part = &blocks->part[i];

        part->frames = pages_alloc(frames_bytes(blocks));
        part->moments = blocks->timed ? pages_alloc(moments_bytes(blocks)) : NULL;
        if (part->frames == NULL || (blocks->timed && part->moments == NULL)) {
            text_blocks_close(blocks);
            return NULL;
        }
    }
    return blocks;
}

size_t text_blocks_bytes(const struct text_blocks *blocks)
{
    return (size_t)blocks->parts_most * PART_BYTES;
}

static void parse_part(void *context, unsigned index)
{
    const struct text_blocks *blocks = context;
    struct part *part = &((struct text_blocks *)context)->part[index];
    struct error error;
    size_t used;

    part->is_right =
        memchr(part->text, '"', part->size) == NULL &&
        text_parser_read(&part->parser, part->text, part->size, false, part->frames, part->moments,
                         blocks->rows_most, &part->rows, &used, &error) == 0 &&
        used == part->size && part->parser.bad_lines == 0;
}

/* Cuts `size` bytes of whole lines into parts. Returns false if a line is too long for that. */
static bool cut(struct text_blocks *blocks, const struct text_parser *parser, const char *text,
                size_t size, unsigned parts)
{
    size_t from = 0;

    for (unsigned i = 0; i < parts; i++) {
        struct part *part = &blocks->part[i];
        size_t to = size / parts * (i + 1);
        const char *end = memchr(text + to, '\n', size - to);

        to = i + 1 == parts || end == NULL ? size : (size_t)(end - text) + 1;
        part->parser = *parser;
        part->parser.line = 0;
        part->parser.timed = false;
        part->parser.bad_lines = 0;
        part->text = text + from;
        part->size = to - from;
        part->rows = 0;
        part->taken = 0;
        if (part->size > PART_BYTES)
            return false;
        from = to;
    }
    return true;
}

/* Are all rows right, and none in quotes, and are their times in order? If so, moves the parser
 * behind them. */
static bool join(const struct text_blocks *blocks, struct text_parser *parser, unsigned parts)
{
    struct moment time = parser->time;
    bool timed = parser->timed;
    uint64_t lines = 0;

    for (unsigned i = 0; i < parts; i++) {
        const struct part *part = &blocks->part[i];

        if (!part->is_right)
            return false;
        lines += part->parser.line;
        if (!blocks->timed || part->rows == 0)
            continue;
        if (timed && moment_is_before(part->moments[0], time))
            return false;
        time = part->moments[part->rows - 1];
        timed = true;
    }
    parser->line += lines;
    parser->time = time;
    parser->timed = timed;
    return true;
}

bool text_blocks_is_short(size_t size)
{
    return size < (size_t)2 * PART_LEAST;
}

bool text_blocks_parse(struct text_blocks *blocks, struct text_parser *parser, const char *text,
                       size_t size, size_t *used)
{
    const size_t most = text_blocks_bytes(blocks) - (size_t)blocks->parts_most * PART_LEAST / 2;
    const char *end = memrchr(text, '\n', size < most ? size : most);
    const size_t whole = end == NULL ? 0 : (size_t)(end - text) + 1;
    unsigned parts = blocks->parts_most;

    if (whole / PART_LEAST < parts)
        parts = (unsigned)(whole / PART_LEAST);
    if (parts < 2 || !cut(blocks, parser, text, whole, parts))
        return false;
    crew_run(blocks->crew, parts, parse_part, blocks);
    if (!join(blocks, parser, parts))
        return false;
    blocks->parts = parts;
    blocks->next = 0;
    *used = whole;
    return true;
}

size_t text_blocks_take(struct text_blocks *blocks, double *frames, struct moment *moments,
                        size_t room)
{
    const unsigned channels = blocks->channels;
    size_t got = 0;

    while (blocks->next < blocks->parts && got < room) {
        struct part *part = &blocks->part[blocks->next];
        size_t count =
            part->rows - part->taken < room - got ? part->rows - part->taken : room - got;

        memcpy(frames + got * channels, part->frames + part->taken * channels,
               count * channels * sizeof *frames);
        if (blocks->timed)
            memcpy(moments + got, part->moments + part->taken, count * sizeof *moments);
        got += count;
        part->taken += count;
        if (part->taken == part->rows)
            blocks->next++;
    }
    return got;
}
