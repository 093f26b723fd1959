/* SPDX-License-Identifier: MIT */
/* Blocks of text, parsed by several threads side by side.
 *
 * Blocks are cut at ends of lines, so they must not have quotes, which may contain ends of lines.
 * Errors are reported by the parser that reads in order: it parses the block again, and knows the
 * line numbers. */
#ifndef GPUENV_FORMAT_TEXT_BLOCKS_PRIV_H
#define GPUENV_FORMAT_TEXT_BLOCKS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/threads.h"
#include "format/text/parser_priv.h"

struct text_blocks;

/* Opens the blocks of a plain file, whose columns `parser` knows. Returns NULL if rows have to be
 * read in order: with one thread, where rows have to be compared with earlier rows, or if memory
 * runs out. */
struct text_blocks *text_blocks_open(struct threads *threads, int fd,
                                     const struct text_parser *parser);
void text_blocks_close(struct text_blocks *blocks);

/* Reads and parses whole lines from byte `from` of the file on, where a line begins and `left`
 * bytes are left, and moves the parser behind them: `*used` bytes. Returns false, with nothing
 * done, where these lines have to be parsed in order. All rows of the last block must have been
 * taken. */
bool text_blocks_parse(struct text_blocks *blocks, struct text_parser *parser, uint64_t from,
                       uint64_t left, uint64_t *used);

/* Have all rows of the last block been taken? */
bool text_blocks_are_taken(const struct text_blocks *blocks);

/* Takes the next rows, with times and keys where they have some. Returns their number; if it is 0,
 * parse the next block. */
size_t text_blocks_take(struct text_blocks *blocks, double *frames, struct moment *moments,
                        const struct row_key **keys, size_t capacity);

#endif
