#include "stream/pause.h"

#include "base/clock.h"
#include "stream/pieces.h"
#include "stream/recall.h"

enum { STARTS_GONE = 4 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* ---- whether */

/* Has a device been tried, and is not to be tried again? */
static bool is_in_vain(const struct pipeline *pipeline)
{
    const struct device_account *account = &pipeline->device_accounts[0];

    return account->hopeless || account->state == DEVICE_NEVER || account->state == DEVICE_FAILED ||
           account->state == DEVICE_HUNG;
}

static bool is_possible(const struct pipeline *pipeline)
{
    return pipeline->devices.count > 0 && !pipeline->devices.alone && !pipeline->source->anywhere &&
           pipeline->stats == NULL && pipeline->sink != NULL;
}

void pause_open(struct pause *pause, struct pipeline *pipeline)
{
    struct pieces_plan plan;

    *pause = (struct pause){.pipeline = pipeline, .source = pipeline->source};
    if (!is_possible(pipeline))
        return;
    pipeline->recall =
        recall_open(pipeline->source, pipeline->skipped + pipeline->start,
                    engine_in_bytes(&pipeline->setup), pipeline->setup.window.width - 1);
    if (pipeline->recall == NULL)
        return;
    pieces_plan(pipeline, &plan);
    pause->workers = plan.workers;
    if (pause->workers > 0)
        pipeline->source = recall_source(pipeline->recall);
    else
        pause_close(pause);
}

void pause_close(struct pause *pause)
{
    struct pipeline *pipeline = pause->pipeline;

    pipeline->source = pause->source;
    recall_close(pipeline->recall);
    pipeline->recall = NULL;
}

/* ---- when */

void pause_begin(struct pause *pause)
{
    pause->began = clock_seconds();
    pause->first = pause->pipeline->start;
    if (is_in_vain(pause->pipeline))
        pause->workers = 0;
}

/* UINT64_MAX: nobody knows. */
static uint64_t end_of(const struct pipeline *pipeline)
{
    return least(pipeline->frames, least(pipeline->limit, pipeline->windows.to));
}

/* All that is not the engine's goes on as it is: a device waits for its input, too. */
static struct device_outlook outlook_of(const struct pause *pause, uint64_t frame, double seconds,
                                        const double busy[RING_STAGES])
{
    const struct pipeline *pipeline = pause->pipeline;
    struct device_outlook outlook = pieces_outlook(pipeline, pause->workers);
    double done = (double)(frame - pause->first);
    uint64_t end = end_of(pipeline);
    uint64_t left = end == UINT64_MAX ? frame : end - least(end, frame);

    outlook.left = (double)left;
    outlook.cost = pause->workers * seconds / done;
    outlook.reading = busy[RING_READER] / done;
    outlook.writing = busy[RING_WRITER] / done;
    outlook.in_order = most(outlook.reading, outlook.writing);
    return outlook;
}

/* Has it gone on for long enough? Where the end is unknown: so long that a start in vain is a small
 * part of it. */
static bool is_long(const struct pipeline *pipeline, double seconds)
{
    double start = pipeline->devices.estimate.start;

    if (start < 0)
        return true;
    return seconds >= DEVICES_FIRST_LOOK &&
           (end_of(pipeline) != UINT64_MAX || seconds >= STARTS_GONE * start);
}

bool pause_is_due(struct pause *pause, uint64_t frame, const double busy[RING_STAGES])
{
    struct pipeline *pipeline = pause->pipeline;
    double seconds;

    if (pause->workers == 0 || frame < pause->next || frame == pause->first ||
        frame < pipeline->windows.from || frame >= pipeline->windows.to)
        return false;
    seconds = clock_seconds() - pause->began;
    pipeline->outlook = outlook_of(pause, frame, seconds, busy);
    return is_long(pipeline, seconds) &&
           devices_pay(&pipeline->devices.estimate, &pipeline->outlook);
}

/* ---- the pieces */

int pause_run(struct pause *pause, uint64_t frame, struct error *error)
{
    struct pipeline *pipeline = pause->pipeline;
    struct pieces_plan plan;
    int result = pieces_go_on(pipeline, frame, false, error);

    pieces_plan(pipeline, &plan);
    if (result == 0 && plan.workers > 0 &&
        recall_make_room(pipeline->recall, plan.slots * plan.piece) == 0)
        result = pieces_run(pipeline, &plan, error);
    pause->next = 2 * pipeline->counted;
    return result;
}
