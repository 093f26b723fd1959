/* Statistics of the input: a record for each block of frames and each channel.
 *
 * They take the raw frames of the stream in order, cut anywhere. The text is the same for every
 * cut, instruction set and number of threads. */
#ifndef GPUENV_STATS_STATS_H
#define GPUENV_STATS_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/output.h"
#include "engine/part.h"
#include "sample/sample_type.h"
#include "stats/writer.h"

#define STATS_ALL UINT64_MAX

struct stats_setup {
    struct output *output; /* not owned; left to the caller to commit */
    enum stats_format format;
    uint64_t every; /* frames of a block; STATS_ALL: one block for all */
    struct sample_type sample;
    unsigned channels;
    const char *isa; /* as for an engine */
};

struct stats;

/* The bytes that stats_open() takes. */
uint64_t stats_memory(unsigned channels);

/* NULL, with errno set, when there is no memory. */
struct stats *stats_open(const struct stats_setup *setup);
void stats_close(struct stats *stats);

/* The first block begins at frame `first` of the input; without this, at 0. */
void stats_start(struct stats *stats, uint64_t first);

/* The frames that come next. The records of all blocks that they end are written. */
int stats_add(struct stats *stats, const void *frames, size_t count, struct error *error);

/* How many records there have been. */
uint64_t stats_records(const struct stats *stats);

/* The same for a chunk of which an engine has worked out some parts. A part lies within one block.
 */
int stats_add_chunk(struct stats *stats, const void *frames, size_t count,
                    const struct stats_parts *parts, struct error *error);

/* The stream has ended. Writes the last block, which may be short; an empty one is written only if
 * the stream had no frame at all. */
int stats_end(struct stats *stats, struct error *error);

#endif
