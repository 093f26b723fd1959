/* SPDX-License-Identifier: MIT */
/* Boxes of images whose samples need no decoding and are adjacent.
 *
 * An image is cut into *tiles*, columns of pixels so narrow that some rows of one stay in the
 * caches. Each row of a tile becomes keys, and then the best of `width` neighbouring pixels: the
 * best of a few pixels first, and then those of up to twice as many each time, whatever channels
 * there are. A ring keeps such rows until no box needs them. Pixels past the ends of the image
 * repeat those at its ends, which changes no extreme. */
#include <string.h>

#include "base/min_max.h"
#include "base/pages.h"
#include "base/past_cache.h"
#include "lib/filter_priv.h"

enum {
    FEW = 5, /* pixels that are compared at once */

    /* A row of a tile has at most TILE_BYTES, and the rows of two boxes RING_BYTES, unless rows
     * would be shorter than TILE_LEAST or than a box. */
    TILE_BYTES = 32 * 1024,
    RING_BYTES = 1024 * 1024,
    TILE_LEAST = 2 * 1024,
    ROW_BYTES = 512,        /* cost of a row beside that of its bytes, in bytes */
    BAND_BYTES = 64 * 1024, /* bytes of the rows of results that are computed at a time */
    LINE = 64,              /* bytes of a cache line */
    TASK_BYTES = 32 * 1024, /* least bytes of the results of a task */
    TILES_MORE = 16,        /* numbers of tiles that are tried */
};

struct tiles {
    struct work work;
    const struct strided *in;
    const struct strided *out;
    const struct cpu_kernels *kernels;
    unsigned sides;
    enum nan_policy nan;

    /* Boxes along rows, and down columns. */
    struct window across;
    struct window down;
    uint64_t tile;   /* pixels of results in a row of a tile; the last tile may have fewer */
    uint64_t band;   /* rows of results that are computed at a time */
    uint64_t slots;  /* slots of the ring */
    size_t row;      /* bytes of a slot */
    size_t keys;     /* bytes of the keys of a row, before they are compared */
    bool past_cache; /* results are written past the caches */
};

/* A task: a stretch of rows of a tile. */
struct tile {
    const struct tiles *tiles;
    uint64_t first; /* first pixel of the results */
    uint64_t pixels;
    uint64_t done;           /* rows of the image in the ring */
    unsigned char *lines[2]; /* keys of a row */
    unsigned char *ring;
    unsigned char *results; /* results of a band, before they are written past the caches */
    unsigned char *suffixes;
    const void **rows; /* slots of the rows of a band */
};

/* How many pixels, or rows, a box has before its own pixel. */
static uint64_t before(const struct window *window)
{
    return window->align == ALIGN_VALID ? 0 : window->width - 1 - window->after;
}

static unsigned char *slot_of(const struct tile *tile, uint64_t row)
{
    return tile->ring + row % tile->tiles->slots * tile->tiles->row;
}

/* Makes the keys of all pixels that the boxes of a row of the tile have. */
static void make_keys(const struct tile *tile, uint64_t row)
{
    const struct tiles *tiles = tile->tiles;
    const struct strided *in = tiles->in;
    const size_t pixel = in->bytes * (size_t)in->channels;
    const uint64_t lead = before(&tiles->across);
    const uint64_t missing = tile->first < lead ? lead - tile->first : 0;
    const uint64_t all = tile->pixels + tiles->across.width - 1;
    const uint64_t from = tile->first + missing - lead;
    const uint64_t there = min_u64(all - missing, in->frames - from);
    unsigned char *const first = tile->lines[0] + missing * pixel;
    unsigned char *const last = first + (there - 1) * pixel;

    tiles->kernels->keys(tiles->sides, tiles->nan, strided_at(in, row, from, 0),
                         (size_t)(there * in->channels), first);
    for (uint64_t i = 0; i < missing; i++)
        memcpy(tile->lines[0] + i * pixel, first, pixel);
    for (uint64_t i = 1; i <= all - missing - there; i++)
        memcpy(last + i * pixel, last, pixel);
}

static void make_row(const struct tile *tile, uint64_t row)
{
    const struct tiles *tiles = tile->tiles;
    const size_t width = (size_t)tiles->across.width;
    const size_t channels = (size_t)tiles->in->channels;
    const unsigned char *from = tile->lines[0];
    size_t wide = width <= FEW ? width : FEW - 1;
    size_t more = 0;

    make_keys(tile, row);
    for (unsigned turn = 1;; turn ^= 1) {
        const size_t step = more > 0 ? more : 1;
        unsigned char *to = wide < width ? tile->lines[turn] : slot_of(tile, row);

        tiles->kernels->best(from, step * channels, more > 0 ? 2 : wide,
                             ((size_t)tile->pixels + width - wide) * channels, to);
        if (wide == width)
            return;
        from = to;
        more = min_u64(wide, width - wide);
        wide += more;
    }
}

/* Computes some rows of results of the tile. */
static void run_band(struct tile *tile, uint64_t begin, uint64_t end)
{
    const struct tiles *tiles = tile->tiles;
    const struct strided *out = tiles->out;
    const struct window *down = &tiles->down;
    const uint64_t lead = before(down);
    const uint64_t last = tiles->in->rows - 1;
    const uint64_t needed = min_u64(end - lead + down->width - 1, last + 1);
    unsigned char *to = strided_at(out, begin, tile->first, 0);
    const struct stacks work = {
        .rows = tile->rows,
        .height = (size_t)down->width,
        .count = (size_t)(tile->pixels * out->channels),
        .windows = (size_t)(end - begin),
        .out = tiles->past_cache ? tile->results : to,
        .step = tiles->past_cache ? (ptrdiff_t)tiles->row : out->row,
        .suffixes = tile->suffixes,
    };

    for (tile->done = max_u64(tile->done, begin < lead ? 0 : begin - lead); tile->done < needed;
         tile->done++)
        make_row(tile, tile->done);
    for (uint64_t i = 0; i < end - begin + down->width - 1; i++) {
        const uint64_t row = begin + i < lead ? 0 : begin + i - lead;

        tile->rows[i] = slot_of(tile, min_u64(row, last));
    }
    tiles->kernels->stacks(tiles->sides, tiles->nan, &work);
    for (uint64_t i = 0; tiles->past_cache && i < end - begin; i++, to += out->row)
        copy_past_cache(to, tile->results + i * tiles->row, work.count * out->bytes);
}

static void run_tile(struct work *work, void *room, uint64_t unit, const struct task *stretch)
{
    struct tiles *tiles = (struct tiles *)work;
    const uint64_t end = stretch->first + stretch->count;
    struct tile tile = {.tiles = tiles, .first = unit * tiles->tile, .ring = room};

    tile.pixels = min_u64(tiles->tile, tiles->out->frames - tile.first);
    tile.lines[0] = tile.ring + tiles->slots * tiles->row;
    tile.lines[1] = tile.lines[0] + tiles->keys;
    tile.results = tile.lines[1] + tiles->keys;
    tile.suffixes = tile.results + (tiles->past_cache ? tiles->band : 0) * tiles->row;
    tile.rows = (const void **)(void *)(tile.suffixes + tiles->band * BOXES_STRAND);
    for (uint64_t at = stretch->first, next; at < end && work->stopped == 0; at = next) {
        next = min_u64(at + tiles->band, end);
        run_band(&tile, at, next);
        work_look(work, (next - at) * tile.pixels * tiles->in->channels);
    }
}

/* ---- the plan */

/* An odd number of cache lines, so that rows do not push each other out of the cache. */
static size_t row_bytes(uint64_t bytes)
{
    return (size_t)((bytes + BOXES_STRAND + LINE - 1) / LINE | 1) * LINE;
}

/* Sets the width of tiles, and their cut into tasks. Rows and pixels that two tasks share cost
 * time, and so does a thread that waits for others; a thread waits less where it has several
 * tasks. */
static void cut_tiles(struct tiles *tiles, unsigned most_threads)
{
    const size_t pixel = tiles->in->bytes * (size_t)tiles->in->channels;
    const uint64_t pixels = tiles->out->frames;
    const uint64_t rows = tiles->out->rows;
    const uint64_t height = tiles->down.width;
    const uint64_t least = max_u64(TILE_LEAST, tiles->across.width * pixel);
    const uint64_t most = max_u64(min_u64(TILE_BYTES, RING_BYTES / 2 / height), least);
    const uint64_t first = (pixels * pixel - 1) / most + 1;
    const bool pays = most_threads > 1 && pixels * pixel * rows / TASK_BYTES > 1;
    const unsigned threads = pays ? most_threads : 1;
    uint64_t best = UINT64_MAX;

    for (uint64_t count = first; count < first + (pays ? TILES_MORE : 1); count++) {
        const uint64_t tile = ((pixels - 1) / count / LINE + 1) * LINE;
        const uint64_t units = (pixels - 1) / tile + 1;
        const uint64_t pay = rows / max_u64(height, TASK_BYTES / (tile * pixel) + 1);

        for (unsigned turns = 1; turns <= (pays ? TASKS_A_THREAD : 1); turns++) {
            const uint64_t wanted = (turns * (uint64_t)threads - 1) / units + 1;
            const uint64_t stretches = max_u64(min_u64(wanted, pay), 1);
            const uint64_t cost = ((units * stretches - 1) / threads + 1) *
                                  ((rows - 1) / stretches + height) *
                                  ((tile + tiles->across.width) * pixel + ROW_BYTES);

            if (cost + cost / 8 / turns >= best)
                continue;
            best = cost + cost / 8 / turns;
            tiles->tile = tile;
            tiles->work.cut =
                (struct cut){units, rows, stretches, units * stretches, threads, cost};
        }
    }
}

static int make_plan(struct tiles *tiles, const gpuenv_spec *spec, gpuenv_error *error)
{
    const size_t pixel = tiles->in->bytes * (size_t)tiles->in->channels;
    const unsigned threads = work_threads(tiles->work.context, spec);
    uint64_t bytes;

    cut_tiles(tiles, threads);
    bytes = min_u64(tiles->tile, tiles->out->frames) * pixel;
    tiles->row = row_bytes(bytes);
    tiles->keys = row_bytes(bytes + (tiles->across.width - 1) * pixel);
    tiles->band = min_u64(max_u64(BAND_BYTES / tiles->row, tiles->down.width), tiles->out->rows);
    /* No memory has the most: the rooms of all threads are bytes that can be counted. */
    tiles->slots = min_u64(tiles->band + tiles->down.width - 1, UINT64_MAX / 1024 / tiles->row);
    bytes = tiles->out->rows * tiles->out->frames * pixel;
    tiles->past_cache = bytes >= PAST_CACHE_BYTES && pages_are_touched(tiles->out->data, bytes);
    tiles->work.room = tiles->slots * (tiles->row + sizeof(void *)) + 2 * tiles->keys +
                       tiles->band * (BOXES_STRAND + (tiles->past_cache ? tiles->row : 0));
    tiles->work.run = run_tile;
    return memory_check(tiles->work.context,
                        tiles->work.room * min_u64(threads, tiles->work.cut.tasks), error);
}

bool tiles_fit(const struct filter *rows, const struct strided *out)
{
    const struct strided *in = &rows->in;
    const enum value_kind kind = rows->plan.kernels->kind;

    return in->frames > 0 && in->rows > 0 && sample_type_is_native(in->sample, kind) &&
           sample_type_is_native(out->sample, kind) && strided_is_plain(in, (size_t)in->channels) &&
           strided_is_plain(out, (size_t)out->channels);
}

int tiles_filter(const struct filter *rows, const gpuenv_spec *spec, uint64_t height,
                 const struct strided *out, gpuenv_error *error)
{
    const struct block_plan *plan = &rows->plan;
    struct tiles tiles = {
        .in = &rows->in,
        .out = out,
        .kernels = plan->kernels,
        .sides = plan->sides,
        .nan = plan->setup.nan,
        .across = plan->setup.window,
    };
    int code;

    work_begin(&tiles.work, rows->work.context);
    /* Boxes that are higher than this cover no more rows of the image. */
    window_init(&tiles.down, min_u64(height, 2 * rows->in.rows + 1), 1, tiles.across.align,
                tiles.across.edge);
    code = make_plan(&tiles, spec, error);
    return code == GPUENV_OK ? work_run(&tiles.work, error) : code;
}
