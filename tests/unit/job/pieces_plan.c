/* SPDX-License-Identifier: MIT */
/* job/pieces_plan: pieces have no gaps between them, none is empty, and with statistics they
 * begin where a leaf or a block does. */
#include "check.h"
#include "random.h"

#include "job/fakes.h"
#include "job/pieces_priv.h"

enum { PLANS = CHECK_FEW ? 1000 : 6000 };

static struct pipeline pipeline;

/* From 1 to 2^bits; each order of magnitude is as likely as the others. */
static uint64_t draw(unsigned bits)
{
    return random_below(UINT64_C(1) << random_below(bits + 1)) + 1;
}

/* Millions of pieces are alike: only those at both ends are looked at. */
static void check_plan(const struct pieces_plan *plan, unsigned number)
{
    const struct engine_setup *setup = &planned.setup;
    bool right = plan->cut.tasks > 0 && pieces_first(&pipeline, plan, 0) == plan->begin &&
                 pieces_first(&pipeline, plan, plan->cut.tasks) == plan->end;

    for (uint64_t i = 0; right && i < plan->cut.tasks;
         i = i == 1000 && plan->cut.tasks > 2000 ? plan->cut.tasks - 1000 : i + 1) {
        uint64_t first = pieces_first(&pipeline, plan, i);
        uint64_t next = pieces_first(&pipeline, plan, i + 1);
        struct piece piece = piece_make(&setup->window, first, next - first);

        right = next > first &&
                (plan->placed || piece.pick.kept * engine_out_bytes(setup) <= plan->out_bytes) &&
                (pipeline.stats == NULL || first % planned.stats_every % TREE_LEAF == 0);
    }
    CHECK_THAT(right,
               "plan %u: %u workers, %llu pieces of %llu frames, %llu to %llu; %u channels, blocks "
               "of %llu",
               number, plan->workers, (unsigned long long)plan->cut.tasks,
               (unsigned long long)plan->piece, (unsigned long long)plan->begin,
               (unsigned long long)plan->end, setup->channels,
               (unsigned long long)planned.stats_every);
}

/* Statistics of blocks that begin where the plan does. */
static void draw_stats(struct stats_setup *setup)
{
    struct range *range = &planned.extent.blocks;

    setup->every = random_below(4) == 0 ? STATS_ALL : draw(24);
    planned.stats_every = setup->every;
    if (setup->every < planned.frames && random_below(2) == 0) {
        range->from = random_below(planned.frames / setup->every) * setup->every;
        range->to = range->from + draw(10) * setup->every;
        planned.extent.windows = *range;
    }
}

static bool draw_plan(struct pieces_plan *plan)
{
    const struct sink_class *classes[] = {&ordered, &placed, &in_parts};
    const struct sink_class *class = classes[random_below(3)];
    struct stats_setup setup = {.sample = {.kind = SAMPLE_F32}, .channels = 1};
    struct machine machine;

    pipeline = fake_stream(class, &machine, &engine_cpu);
    CHECK(machine_open(&machine, 1 + (unsigned)random_below(64), NULL, 0) == 0);
    planned.setup.channels = (unsigned)draw(random_below(4) == 0 ? 16 : 8);
    planned.frames = draw(30);
    source.source.left_over = (unsigned)random_below(planned.frames < 100 ? planned.frames : 100);
    window_init(&planned.setup.window, draw(random_below(4) == 0 ? 24 : 9), draw(12),
                (enum window_align)random_below(4), EDGE_SHRINK);
    if (random_below(4) > 0) {
        draw_stats(&setup);
        pipeline.stats = stats_open(&setup, NULL, planned.extent.blocks.from);
        CHECK(pipeline.stats != NULL);
    }
    if (random_below(4) == 0)
        pipeline.sink = NULL;
    pieces_plan(&pipeline, &pipeline.plan->extent, plan);
    machine_close(&machine);
    return plan->workers > 0;
}

int main(void)
{
    unsigned plans = 0;

    if (!due_open())
        return 1;
    reset_fakes();
    source.end = 1;
    for (unsigned i = 0; i < PLANS; i++) {
        struct pieces_plan plan;

        if (draw_plan(&plan)) {
            check_plan(&plan, i);
            plans++;
        }
        stats_close(pipeline.stats);
    }
    CHECK_THAT(plans > PLANS / 4, "only %u of %u streams are cut into pieces", plans, PLANS);
    due_close();
    return check_result();
}
