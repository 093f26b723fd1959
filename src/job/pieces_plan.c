/* SPDX-License-Identifier: MIT */
/* Nothing here reads or computes frames. */
#include "base/min_max.h"
#include "base/thread.h"
#include "job/pieces_priv.h"

enum {
    WORKER_LEAST = 1024 * 1024, /* input bytes per worker; fewer do not pay for starting a thread */
    SPARSE = 2, /* more output than this part of the input makes the output the bottleneck */
    BLOCK_BYTES = 256 * 1024,      /* input that a worker processes at a time, in its cache */
    PIECE_LEAST = 64 * 1024,       /* below this, taking a piece costs more than doing it */
    PIECE_MOST = 4 * 1024 * 1024,  /* input of a piece, unless the halo asks for more */
    OUTPUT_MOST = 4 * 1024 * 1024, /* output of a waiting piece, unless the halo asks for more */
    TEXT_BYTES = 4, /* lines have at most about so many times the bytes of their values */
    EXPANSION = 16, /* samples rarely take more than this times their compressed bytes */
};

/* Why pieces are impossible regardless of sizes; NULL if they are possible. */
static const char *find_obstacle(const struct pipeline *pipeline, const struct extent *extent)
{
    const struct engine_class *class = pipeline->plan->engine_class;

    /* A device has several chunks in flight. */
    if (class->restart == NULL || class->in_flight > 1)
        return "the engine works only in order";
    if (!pipeline->source->anywhere || pipeline->plan->frames == SOURCE_FRAMES_UNKNOWN)
        return "the input can only be read in order";
    if (pipeline->stats != NULL && pipeline->sink != NULL &&
        (extent->windows.from != extent->blocks.from || extent->windows.to != extent->blocks.to))
        return "windows and statistics cover different parts of the input";
    return NULL;
}

/* The memory of an output frame that waits for its turn. */
static uint64_t waiting_bytes(const struct pipeline *pipeline)
{
    const bool is_text = pipeline->sink != NULL && pipeline->sink->class->parts_wait;

    return (is_text ? TEXT_BYTES : 1) * engine_out_bytes(&pipeline->plan->setup);
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

/* Cuts the frames into pieces of about equal length. False if memory is short. */
static bool cut_pieces(const struct pipeline *pipeline, struct pieces_plan *plan, uint64_t halo)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    const uint64_t in = engine_in_bytes(setup);
    const uint64_t out = waiting_bytes(pipeline) / setup->window.hop + 1;
    /* A piece with statistics contains a border of theirs, or it would have no frames. */
    const uint64_t shortest = pipeline->stats != NULL ? TREE_LEAF : 1;
    /* The length that the halo asks for. */
    const uint64_t reach = TASK_HALOS * min_u64(halo, UINT64_MAX / TASK_HALOS);
    uint64_t frames;
    uint64_t longest =
        plan->placed ? max_u64(PIECE_MOST / in, reach) : max_u64(OUTPUT_MOST / out, reach / 4);
    struct work_size work = {
        .units = 1,
        .frames = plan->end - plan->begin,
        .halo = halo,
        .threads = plan->workers,
    };

    longest = max_u64(longest, 2 * shortest);
    if (!plan->placed) {
        /* Output written in order waits in memory. */
        const uint64_t capacity =
            machine_memory(pipeline->machine, UINT64_MAX) / 16 / plan->workers;
        longest = min_u64(longest, max_u64(OUTPUT_MOST, capacity) / out);
        if (longest < 2 * shortest)
            return false;
    }
    work.most = longest;
    work.least = min_u64(max_u64(PIECE_LEAST / in, shortest), longest / 2);
    plan->cut = cut_work(&work);
    plan->piece = work.frames / plan->cut.tasks;
    /* With statistics, a piece may begin up to a leaf, or a short block, earlier. */
    frames =
        plan->piece + (pipeline->stats != NULL ? max_u64(TREE_LEAF, (plan->piece + 1) / 8) : 0);
    plan->out_bytes =
        plan->placed ? 0 : (size_t)((frames / setup->window.hop + 2) * waiting_bytes(pipeline));
    return true;
}

/* Fills in the plan. Returns the reason why there can be no pieces; NULL if there can. */
static const char *work_out(const struct pipeline *pipeline, const struct extent *extent,
                            struct pieces_plan *plan)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    const struct range *range = pipeline->sink != NULL ? &extent->windows : &extent->blocks;
    const char *obstacle = find_obstacle(pipeline, extent);
    uint64_t in = engine_in_bytes(setup);
    uint64_t halo = pipeline->sink != NULL ? setup->window.width - 1 : 0;

    if (obstacle != NULL)
        return obstacle;
    plan->begin = range->from;
    plan->end = min_u64(min_u64(range->to, pipeline->plan->limit), pipeline->plan->frames);
    plan->outputs = outputs_likely(pipeline);
    plan->end -= min_u64(plan->end, pipeline->source->left_over);
    plan->placed = pipeline->sink == NULL || sink_places(pipeline->sink) ||
                   (pipeline->sink->class->part != NULL && !pipeline->sink->class->parts_wait);
    plan->block = (size_t)min_u64(max_u64(BLOCK_BYTES / in, 1), setup->chunk_frames);
    if (plan->end <= plan->begin || stream_is_short(setup, plan->end - plan->begin))
        return "the input is short";
    if (!plan->placed && !pipeline->sink->class->parts_are_small &&
        engine_out_bytes(setup) / setup->window.hop > in / SPARSE)
        return "the output is the bottleneck";
    plan->workers = (unsigned)min_u64(pipeline->machine->threads_most,
                                      max_u64((plan->end - plan->begin) * in / WORKER_LEAST, 1));
    if (!cut_pieces(pipeline, plan, halo))
        return "memory is short";
    if (plan->workers > 1 && plan->cut.tasks == 1)
        return "pieces do not pay";
    plan->workers = (unsigned)min_u64(plan->workers, plan->cut.tasks);
    if (pipeline->stats != NULL)
        plan->end = share_border(pipeline->stats, plan->end, plan->piece);
    if (plan->end <= plan->begin)
        return "the input is shorter than one run of statistics";
    plan->workers = (unsigned)min_u64(plan->workers, machine_memory(pipeline->machine, UINT64_MAX) /
                                                         2 / worker_bytes(pipeline, plan));
    if (plan->workers == 0)
        return "memory is short";
    plan->slots = (plan->placed || pipeline->sink->class->parts_are_small ? 8 : 2) * plan->workers;
    /* Writing in order, a single worker would only wait for the output, and halos may cost what
     * several workers gain. */
    if (!plan->placed &&
        (plan->workers == 1 || plan->workers * plan->piece / (halo + plan->piece) < 2))
        return "pieces do not pay";
    return NULL;
}

void pieces_plan(const struct pipeline *pipeline, const struct extent *extent,
                 struct pieces_plan *plan)
{
    *plan = (struct pieces_plan){.workers = 0};
    plan->why = work_out(pipeline, extent, plan);
    if (plan->why != NULL)
        plan->workers = 0;
}
