/* Nothing here reads or computes frames. */
#include "job/pieces_plan.h"
#include "base/min_max.h"
#include "base/thread.h"

enum {
    WORKER_LEAST = 1024 * 1024, /* input bytes per worker; fewer do not pay for starting a thread */
    SPARSE = 2, /* more output than this part of the input makes the output the bottleneck */
    BLOCK_BYTES = 256 * 1024,      /* input that a worker processes at a time, in its cache */
    PIECE_LEAST = 256 * 1024,      /* bytes; below this, taking a piece costs more than doing it */
    PIECE_MOST = 4 * 1024 * 1024,  /* unless the halo asks for more */
    OUTPUT_MOST = 4 * 1024 * 1024, /* the same for the output of a piece that waits for its turn */
    HALO_SHARE = 16,               /* a piece is so many times as long as its halo */
    PIECES_A_WORKER = 4,
    EXPANSION = 16, /* samples rarely take more than this times their compressed bytes */
};

/* Why pieces are impossible regardless of sizes; NULL: they are possible. */
static const char *find_obstacle(const struct pipeline *pipeline)
{
    const struct range *windows = &pipeline->plan->extent.windows;
    const struct range *blocks = &pipeline->plan->extent.blocks;
    const struct device_request *devices = &pipeline->devices;

    /* A single device requested by name gets the whole stream. So does the first of several with
     * statistics, which a device computes only in the order of the stream. */
    if (pipeline->plan->engine_class->restart == NULL ||
        (devices->by_name && (devices->count < 2 || pipeline->stats != NULL)))
        return "the engine works only in order";
    if (!pipeline->source->anywhere || pipeline->plan->frames == SOURCE_FRAMES_UNKNOWN)
        return "the input can only be read in order";
    if (pipeline->stats != NULL && pipeline->sink != NULL &&
        (windows->from != blocks->from || windows->to != blocks->to))
        return "windows and statistics cover different parts of the input";
    return NULL;
}

/* A piece with statistics contains a border of theirs, or it would have no frames. */
static uint64_t shortest_piece(const struct pipeline *pipeline)
{
    return pipeline->stats != NULL ? TREE_LEAF : 1;
}

/* Frames of a piece. */
static uint64_t piece_of(const struct pipeline *pipeline, const struct pieces_plan *plan,
                         uint64_t halo)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    uint64_t in = engine_in_bytes(setup);
    uint64_t frames = plan->end - plan->begin;
    uint64_t workers = max_u64(plan->workers, 1);
    uint64_t even = frames / workers / PIECES_A_WORKER;
    uint64_t piece = max_u64(min_u64(even, PIECE_MOST / in), PIECE_LEAST / in + 1);

    piece = max_u64(piece, shortest_piece(pipeline));
    /* A long halo is read and processed again for every piece. */
    if (piece < HALO_SHARE * halo)
        piece = max_u64(piece, min_u64(HALO_SHARE * halo, frames / workers + 1));
    return piece;
}

static uint64_t out_bytes_of(const struct pipeline *pipeline, uint64_t frames)
{
    const struct engine_setup *setup = &pipeline->plan->setup;

    /* With statistics, a piece may begin up to a leaf, or a short block, earlier. */
    if (pipeline->stats != NULL)
        frames += max_u64(TREE_LEAF, frames / 8);
    return ((frames - 1) / setup->window.hop + 2) * engine_out_bytes(setup);
}

/* The frames that will be written, limited by the size of the input, because a header may claim
 * any number. */
static uint64_t outputs_likely(const struct pipeline *pipeline)
{
    uint64_t held =
        (uint64_t)pipeline->source->input->status.st_size / engine_in_bytes(&pipeline->plan->setup);

    if (pipeline->sink == NULL)
        return 0;
    if (pipeline->plan->frames / EXPANSION <= held)
        return pipeline->sink->format.frames;
    return min_u64(pipeline->sink->format.frames,
                   window_outputs(&pipeline->plan->setup.window, EXPANSION * held));
}

/* The memory of a worker, with its stack and its slots. */
static uint64_t worker_bytes(const struct pipeline *pipeline, const struct pieces_plan *plan)
{
    uint64_t state =
        pipeline->plan->engine_class->memory(pipeline->machine, &pipeline->plan->setup);
    uint64_t rest = UINT64_C(4) * BLOCK_BYTES + 2 * plan->out_bytes + THREAD_STACK_BYTES;

    return state > UINT64_MAX - rest ? UINT64_MAX : state + rest;
}

/* Output written in order waits in memory: pieces get as large as the halo asks for, if there is
 * room. */
static void fit_output(const struct pipeline *pipeline, struct pieces_plan *plan, uint64_t halo)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    uint64_t of_frame = engine_out_bytes(setup) / setup->window.hop + 1;
    uint64_t room = max_u64(OUTPUT_MOST, machine_memory(pipeline->machine, UINT64_MAX) / 16 /
                                             max_u64(plan->workers, 1));
    uint64_t piece = max_u64(OUTPUT_MOST / of_frame, HALO_SHARE / 4 * halo);

    piece = max_u64(piece, shortest_piece(pipeline));
    plan->piece = max_u64(min_u64(plan->piece, min_u64(piece, room / of_frame)), 1);
    plan->out_bytes = (size_t)out_bytes_of(pipeline, plan->piece);
}

/* Fills in the plan. Returns the reason why there can be no pieces, or NULL. */
static const char *work_out(const struct pipeline *pipeline, struct pieces_plan *plan)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    const struct range *range =
        pipeline->sink != NULL ? &pipeline->plan->extent.windows : &pipeline->plan->extent.blocks;
    const char *obstacle = find_obstacle(pipeline);
    uint64_t in = engine_in_bytes(setup);
    uint64_t halo = pipeline->sink != NULL ? setup->window.width - 1 : 0;

    if (obstacle != NULL)
        return obstacle;
    plan->begin = range->from;
    plan->end = min_u64(min_u64(range->to, pipeline->plan->limit), pipeline->plan->frames);
    plan->outputs = outputs_likely(pipeline);
    plan->end -= min_u64(plan->end, pipeline->source->left_over);
    plan->placed = pipeline->sink == NULL || sink_places(pipeline->sink);
    plan->block = (size_t)min_u64(max_u64(BLOCK_BYTES / in, 1), setup->chunk_frames);
    if (plan->end <= plan->begin || stream_is_short(setup, plan->end - plan->begin))
        return "the input is short";
    if (!plan->placed && engine_out_bytes(setup) / setup->window.hop > in / SPARSE)
        return "the output is the bottleneck";
    plan->workers =
        pipeline->devices.by_name ? pipeline->devices.count : pipeline->machine->threads;
    plan->workers =
        (unsigned)min_u64(plan->workers, max_u64((plan->end - plan->begin) * in / WORKER_LEAST, 1));
    plan->piece = piece_of(pipeline, plan, halo);
    if (!plan->placed)
        fit_output(pipeline, plan, halo);
    if (plan->piece < shortest_piece(pipeline))
        return "memory is short";
    if (pipeline->stats != NULL)
        plan->end = share_border(pipeline->stats, plan->end, plan->piece);
    if (plan->end <= plan->begin)
        return "the input is shorter than a leaf of statistics";
    plan->count = (plan->end - plan->begin - 1) / plan->piece + 1;
    plan->workers = (unsigned)min_u64(plan->workers, machine_memory(pipeline->machine, UINT64_MAX) /
                                                         2 / worker_bytes(pipeline, plan));
    if (plan->workers == 0)
        return "memory is short";
    plan->slots = plan->placed ? 8 * plan->workers + 2 * DEVICE_PIECES * pipeline->devices.count
                               : 2 * plan->workers;
    /* Writing in order, a single worker would only wait for the output, and halos may cost what
     * several workers gain. */
    if (!plan->placed &&
        (plan->workers == 1 || plan->workers * plan->piece / (halo + plan->piece) < 2))
        return "pieces do not pay";
    return NULL;
}

void pieces_plan(const struct pipeline *pipeline, struct pieces_plan *plan)
{
    *plan = (struct pieces_plan){.workers = 0};
    plan->why = work_out(pipeline, plan);
    if (plan->why != NULL)
        plan->workers = 0;
}
