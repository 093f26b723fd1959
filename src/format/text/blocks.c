/* SPDX-License-Identifier: MIT */
#include "format/text/parser_priv.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cut.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "io/read_at.h"

enum {
    PART_BYTES = 128 * 1024, /* bytes; text and rows of a part stay in a CPU's cache */
    PART_LEAST = 64 * 1024,  /* bytes; fewer are parsed before another thread is awake */
    PART_BEHIND = 64 * 1024, /* bytes of a part's last line */
    TEXT_BYTES = PART_BYTES + PART_BEHIND,
    THREADS_MOST = 32,
};

/* A key of the rows of a part. */
struct part_key {
    struct text_key *own;
    struct text_key *key; /* the key in the whole text; NULL if not known yet */
    struct text_series before;
    bool has_rows;
    struct moment first; /* time of the first of these rows */
};

/* The part of a block that one thread reads and parses at a time. */
struct text_part {
    double *frames;
    struct moment *moments;
    const struct row_key **keys; /* keys of the part's rows */
    struct text_keys own;
    struct part_key *known; /* each key of the part, by number */
    size_t known_most;
    struct text_words *words; /* words so far; may be NULL */
    struct text_bad_rows bad_rows;
    bool is_right;
    uint64_t end;            /* end of its last line */
    struct text_place place; /* counts from the part's first line on */
    size_t rows;
    size_t taken;
};

/* Parts that are parsed side by side. A block ends with its last whole line. */
struct text_block {
    struct text_blocks *blocks;
    uint64_t from;
    struct cut cut;
    unsigned parts; /* 0 if the block has not been begun */
    unsigned next;  /* the part to take rows from */
    struct threads_job job;
    struct text_part *part;
};

/* Rows are taken from one block while the threads parse the other, which follows it. */
struct text_blocks {
    struct threads *threads;
    int fd;
    struct text_parser parser; /* the parser at the beginning of each part; shares the columns */
    atomic_bool ends;          /* blocks that have been begun are no longer needed */
    size_t rows_most;          /* rows of a part */
    unsigned parts_most;
    struct text_block block[2];
    struct text_block *at; /* the block from which rows are taken */
    struct text_part part[];
};

/* The memory for the rows of a part, and for their moments and keys behind them. */
static size_t rows_bytes(const struct text_blocks *blocks)
{
    const struct text_columns *columns = &blocks->parser.columns;

    return blocks->rows_most * (columns->channels * sizeof(double) +
                                (columns->time.count > 0 ? sizeof(struct moment) : 0) +
                                (columns->by > 0 ? sizeof(struct row_key *) : 0));
}

/* Waits for a block that has been begun. */
static void end_block(struct text_block *block)
{
    if (block->parts > 0)
        threads_end(block->blocks->threads, &block->job);
}

static struct text_block *other(struct text_blocks *blocks)
{
    return &blocks->block[blocks->at == &blocks->block[0]];
}

void text_blocks_close(struct text_blocks *blocks)
{
    if (blocks == NULL)
        return;
    atomic_store(&blocks->ends, true);
    end_block(other(blocks));
    for (unsigned i = 0; i < 2 * blocks->parts_most; i++) {
        pages_free(blocks->part[i].frames, rows_bytes(blocks));
        text_words_close(blocks->part[i].words);
        free(blocks->part[i].bad_rows.rows);
        text_keys_free(&blocks->part[i].own);
        free(blocks->part[i].known);
    }
    free(blocks);
}

struct text_blocks *text_blocks_open(struct threads *threads, int fd,
                                     const struct text_parser *parser)
{
    const struct text_columns *columns = &parser->columns;
    const unsigned many = threads_size(threads);
    const unsigned parts = (many < THREADS_MOST ? many : THREADS_MOST) * TASKS_A_THREAD;
    struct text_blocks *blocks;

    if (many == 1 || columns->count == 0 || parser->lines.dialect->by_distance ||
        parser->lines.dialect->late > 0)
        return NULL;
    blocks = calloc(1, sizeof *blocks + sizeof *blocks->part * 2 * parts);
    if (blocks == NULL)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        blocks->block[i] =
            (struct text_block){.blocks = blocks, .part = blocks->part + (size_t)i * parts};
    blocks->at = &blocks->block[0];
    blocks->threads = threads;
    blocks->fd = fd;
    blocks->parser = *parser;
    blocks->parser.place = (struct text_place){
        .times = {.lines = &parser->lines, .columns = &parser->columns.time},
    };
    /* A field has a byte, at its end. The pages of missing rows are never touched. */
    blocks->rows_most = (size_t)TEXT_BYTES / columns->count + 1;
    blocks->parts_most = parts;
    for (unsigned i = 0; i < 2 * parts; i++) {
        struct text_part *part = &blocks->part[i];

        part->frames = pages_alloc(rows_bytes(blocks));
        if (parser->words != NULL)
            part->words = text_words_open(columns->count);
        if (part->frames == NULL || (parser->words != NULL && part->words == NULL)) {
            text_blocks_close(blocks);
            return NULL;
        }
        part->moments = (struct moment *)(part->frames + blocks->rows_most * columns->channels);
        part->keys = (void *)(part->moments + (columns->time.count > 0 ? blocks->rows_most : 0));
    }
    return blocks;
}

/* Reads a part of a block, and finds the lines that begin in it. Returns NULL if there are none, or
 * if a line is too long. */
static const char *read_lines(const struct text_block *block, unsigned index, char *text,
                              size_t *size, uint64_t *behind)
{
    const int fd = block->blocks->fd;
    const bool is_first = index == 0;
    const bool is_last = index + 1 == block->parts;
    const struct task task = cut_task(&block->cut, index);
    /* The byte before a part, but for the first part, shows whether the part begins with a line. */
    const uint64_t from = task.first - (is_first ? 0 : 1);
    const size_t part = (size_t)(task.first + task.count - (is_last ? 0 : 1) - from);
    const size_t got = read_at(fd, text, part + (is_last ? 0 : PART_BEHIND), block->from + from);
    const char *begin = text;
    const char *end = NULL;

    if (got < part)
        return NULL;
    if (!is_first) {
        begin = memchr(text, '\n', part);
        if (begin == NULL)
            return NULL;
        begin++;
    }
    if (is_last)
        end = memrchr(text, '\n', part);
    else
        end = memchr(text + part, '\n', got - part);
    if (end == NULL || end < begin)
        return NULL;
    *behind = block->from + from + (uint64_t)(end - text) + 1;
    *size = (size_t)(end - begin) + 1;
    return begin;
}

/* Lists the keys of the rows that have been parsed, by their numbers. */
static int list_keys(struct text_part *part, size_t rows, const struct text_columns *columns)
{
    struct part_key *known =
        array_grow(part->known, &part->known_most, part->own.count + 1, sizeof *known);

    if (known == NULL)
        return -1;
    part->known = known;
    for (size_t i = 0; i < part->own.capacity; i++) {
        struct text_key *own = part->own.places[i];

        if (own != NULL)
            known[own->key.number] = (struct part_key){.own = own};
    }
    for (size_t row = rows; columns->by > 0 && columns->time.count > 0 && row-- > 0;) {
        known[part->keys[row]->number].has_rows = true;
        known[part->keys[row]->number].first = part->moments[row];
    }
    return 0;
}

/* The parser and the count of rows change with each row, so they are copies: neighbouring parts
 * share cache lines. */
static void parse_part(void *context, unsigned index)
{
    const struct text_block *block = context;
    const struct text_blocks *blocks = block->blocks;
    struct text_part *part = &block->part[index];
    struct text_parser parser = blocks->parser;
    char *text = atomic_load(&blocks->ends) ? NULL : pages_malloc(TEXT_BYTES, PAGES_LINE);
    const char *lines;
    struct error error;
    size_t size;
    size_t used;
    size_t rows = 0;

    part->is_right = false;
    parser.words = part->words;
    parser.keys = &part->own;
    parser.bad_rows = &part->bad_rows;
    text_keys_free(&part->own);
    if (text == NULL)
        return;
    lines = read_lines(block, index, text, &size, &part->end);
    part->is_right = lines != NULL && memchr(lines, '"', size) == NULL &&
                     text_parser_read(&parser, lines, size, false, part->frames, part->moments,
                                      part->keys, blocks->rows_most, &rows, &used, &error) == 0 &&
                     used == size && (parser.place.bad_lines == 0 || blocks->parser.lines.terse) &&
                     parser.place.bad_lines <= part->bad_rows.capacity &&
                     parser.place.repeats == 0 && !parser.place.times.depends &&
                     list_keys(part, rows, &parser.columns) == 0;
    part->place = parser.place;
    part->rows = rows;
    part->taken = 0;
    free(text);
}

/* Begins to parse `left` bytes, at most those of a block. */
static void begin(struct text_block *block, const struct text_parser *parser, uint64_t from,
                  uint64_t left)
{
    struct text_blocks *blocks = block->blocks;
    const uint64_t most = (uint64_t)blocks->parts_most * PART_BYTES;
    struct work_size work = {
        .units = 1,
        .frames = min_u64(left, most),
        .least = PART_LEAST,
        .most = PART_BYTES,
        .threads = blocks->parts_most / TASKS_A_THREAD,
    };

    blocks->parser.lines.terse = parser->lines.terse;
    blocks->parser.place.right = parser->place.right;
    block->from = from;
    block->next = 0;
    block->cut = cut_work(&work);
    block->parts = block->cut.tasks < 2 ? 0 : (unsigned)block->cut.tasks;
    if (block->parts > 0)
        threads_begin(blocks->threads, &block->job, block->parts, block->cut.threads, parse_part,
                      block);
}

/* Appends the rows of a part, the first of which lies at `first`, to a series. False if they are
 * not in order. */
static bool join_series(const struct text_times *times, struct text_series *series,
                        const struct text_series *part, struct moment first)
{
    if (series->timed &&
        (moment_is_before(first, series->newest) || text_gap_is_long(times, series->newest, first)))
        return false;
    text_series_step(series, first);
    series->fine = series->fine || part->fine;
    text_series_go_on(series, first);
    text_series_go_on(series, part->newest);
    return true;
}

/* Finds the keys of a part among those of the text. Near the largest number of keys, rows are
 * parsed in order. */
static bool join_keys(const struct text_part *part, const struct text_parser *parser)
{
    if (part->own.count > 0 && parser->keys->count + part->own.count > TEXT_KEYS_MOST)
        return false;
    for (uint32_t i = 0; i < part->own.count; i++) {
        struct part_key *known = &part->known[i];

        known->key = text_keys_find(parser->keys, &known->own->name);
        if (known->key == NULL)
            return false;
        known->before = known->key->series;
        if (known->has_rows && !join_series(&parser->place.times, &known->key->series,
                                            &known->own->series, known->first))
            return false;
    }
    return true;
}

/* Restores the series of keys to their state before this part. */
static void undo_keys(const struct text_part *part)
{
    for (uint32_t i = 0; i < part->own.count && part->known[i].key != NULL; i++)
        part->known[i].key->series = part->known[i].before;
}

/* Are all rows of a part right (or, after a first bad row whose error is kept, counted), without
 * quotes, and their times in order? If so, moves the place and the series of keys behind them. */
static bool join_part(const struct text_part *part, struct text_parser *parser,
                      struct text_place *place)
{
    if (!part->is_right || (part->place.bad_lines > 0 && !place->right) ||
        (part->words != NULL && text_words_join(parser->words, &parser->lines, part->words) != 0))
        return false;
    for (uint64_t i = 0; i < part->place.bad_lines; i++)
        text_bad_rows_add(parser->bad_rows, place->bad_lines + i,
                          place->rows + part->bad_rows.rows[i]);
    place->rows += part->rows;
    place->bad_lines += part->place.bad_lines;
    place->right = part->place.right;
    if (place->times.offset_line == 0 && part->place.times.offset_line > 0)
        place->times.offset_line = place->line + part->place.times.offset_line;
    place->line += part->place.line;
    if (parser->columns.by > 0)
        return join_keys(part, parser);
    return parser->columns.time.count == 0 || part->rows == 0 ||
           join_series(&place->times, &place->times.series, &part->place.times.series,
                       part->moments[0]);
}

/* Joins all parts, or none. */
static bool join(const struct text_block *block, struct text_parser *parser)
{
    struct text_place place = parser->place;

    for (unsigned i = 0; i < block->parts; i++) {
        if (join_part(&block->part[i], parser, &place))
            continue;
        for (i += block->part[i].is_right; i-- > 0;)
            undo_keys(&block->part[i]);
        return false;
    }
    parser->place = place;
    return block->parts > 0;
}

bool text_blocks_parse(struct text_blocks *blocks, struct text_parser *parser, uint64_t from,
                       uint64_t left, uint64_t *used)
{
    struct text_block *block = other(blocks);
    bool is_right;

    if (block->parts > 0 && block->from != from) {
        end_block(block);
        block->parts = 0;
    }
    if (block->parts == 0)
        begin(block, parser, from, left);
    end_block(block);
    is_right = join(block, parser);
    *used = block->cut.frames;
    if (is_right) {
        *used = block->part[block->parts - 1].end - from;
        blocks->at = block;
        begin(other(blocks), parser, from + *used, left - *used);
    } else {
        block->parts = 0;
    }
    return is_right;
}

bool text_blocks_are_taken(const struct text_blocks *blocks)
{
    return blocks->at->next == blocks->at->parts;
}

size_t text_blocks_take(struct text_blocks *blocks, double *frames, struct moment *moments,
                        const struct row_key **keys, size_t capacity)
{
    const unsigned channels = blocks->parser.columns.channels;
    struct text_block *block = blocks->at;
    size_t got = 0;

    while (block->next < block->parts && got < capacity) {
        struct text_part *part = &block->part[block->next];
        const size_t count = min_u64(part->rows - part->taken, capacity - got);

        memcpy(frames + got * channels, part->frames + part->taken * channels,
               count * channels * sizeof *frames);
        if (blocks->parser.columns.time.count > 0)
            memcpy(moments + got, part->moments + part->taken, count * sizeof *moments);
        for (size_t i = 0; blocks->parser.columns.by > 0 && i < count; i++)
            keys[got + i] = &part->known[part->keys[part->taken + i]->number].key->key;
        got += count;
        part->taken += count;
        if (part->taken == part->rows)
            block->next++;
    }
    return got;
}
