#include "job/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/size_words.h"
#include "format/format.h"
#include "stats/stats.h"
#include "stream/devices.h"

/* Records of blocks that end in a chunk are kept in memory until the chunk is written. */
static const uint64_t TEXT_BYTES_MOST = UINT64_C(4) << 20;
static const uint64_t RECORD_BYTES = 320;

static const uint64_t BRIEF_BYTES = UINT64_C(1) << 20;

/* ---- lengths */

static int plan_windows(struct plan *plan, const struct settings *settings, double rate,
                        struct error *error)
{
    uint64_t width;
    uint64_t hop;

    if (settings_span(&settings->window, rate, 1, 1, &width, error) != 0 ||
        settings_span(&settings->hop, rate, 1, 1, &hop, error) != 0)
        return -1;
    /* Without frames in the output there are no windows past the end either. */
    window_init(&plan->setup.window, width, hop,
                settings->emits.count > 0 ? settings->align : ALIGN_VALID, settings->edge);
    return 0;
}

/* Sets the length of a block of statistics. */
static int plan_stats(struct plan *plan, const struct settings *settings, const struct task *task,
                      double rate, struct error *error)
{
    uint64_t every;

    if (task->stats == NULL)
        return 0;
    if (settings_span(&settings->stats_every, rate, 1, STATS_ALL, &every, error) != 0)
        return -1;
    plan->setup.stats_every = every;
    return 0;
}

/* ---- before there is an input */

int plan_begin(struct plan *plan, const struct settings *settings, const struct task *task,
               bool raw, struct error *error)
{
    const struct sink_request sink = {
        .type = settings->output_type,
        .path = task->output,
        .counts = settings->counts,
    };

    *plan = (struct plan){
        .setup = {.emits = settings->emits, .nan = settings->nan},
        .sink = {.channels = 1, .rate = 1, .frames = SINK_FRAMES_UNKNOWN},
        .has_lengths = raw,
        .shard.extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL},
    };
    if (settings->emits.count > 0 && sink_choose(&sink, &plan->sink, error) != 0)
        return -1;
    if (!raw)
        return 0;
    if (plan_stats(plan, settings, task, settings->rate, error) != 0)
        return -1;
    return plan_windows(plan, settings, settings->rate, error);
}

/* ---- with the input's format */

static void plan_shard(struct plan *plan, const struct settings *settings)
{
    const struct shard_whole whole = {
        .window = plan->setup.emits.count > 0 ? &plan->setup.window : NULL,
        .every = plan->setup.stats_every,
        .frames = plan->frames,
        .limit = plan->limit,
    };

    shard_cut(&plan->shard, &whole, settings->shard, settings->shards);
    plan->outputs = plan->shard.outputs.to - plan->shard.outputs.from;
    plan->reads = shard_frames(&plan->shard, &whole);
}

static void plan_counts(struct plan *plan, const struct settings *settings, uint64_t source_frames)
{
    plan->frames = plan->limit;
    plan->reads = plan->limit;
    plan->shard.limit = plan->limit;
    plan->outputs = SINK_FRAMES_UNKNOWN;
    if (source_frames == SOURCE_FRAMES_UNKNOWN)
        return;
    plan->frames = source_frames > plan->skip ? source_frames - plan->skip : 0;
    if (plan->frames > plan->limit)
        plan->frames = plan->limit;
    plan->outputs = window_outputs(&plan->setup.window, plan->frames);
    plan->reads = plan->frames;
    if (settings->shards > 0)
        plan_shard(plan, settings);
    plan->brief = plan->reads <= BRIEF_BYTES / engine_in_bytes(&plan->setup);
}

/* What writers of text and pictures tell about the frames. */
static void plan_context(struct plan *plan, const struct task *task,
                         const struct source_format *source)
{
    const struct window *window = &plan->setup.window;
    const char *slash = task->input == NULL ? NULL : strrchr(task->input, '/');
    const char *title = slash == NULL ? task->input : slash + 1;

    plan->sink.context = (struct sink_context){
        .emits = plan->setup.emits,
        .channels = source->channels,
        .hop = window->hop,
        .first_frame = plan->skip + plan->shard.outputs.from * window->hop,
        .input_rate = source->rate,
        .title = title == NULL || strcmp(title, "-") == 0 ? NULL : title,
        .pixels = window->align == ALIGN_FORWARD && window->width == window->hop,
        .continues = plan->shard.number > 1,
    };
}

static enum plan_device plan_device(const struct settings *settings)
{
    if (settings->lemire || settings->device == DEVICE_CPU)
        return PLAN_CPU;
    return settings->device == DEVICE_CUDA ? PLAN_DEVICE
           : settings->emits.count > 0     ? PLAN_DEVICE_BESIDE
                                           : PLAN_CPU;
}

int plan_stream(struct plan *plan, const struct settings *settings, const struct task *task,
                const struct source_format *source, struct error *error)
{
    struct engine_setup *setup = &plan->setup;

    setup->sample = source->sample;
    setup->channels = source->channels;
    if (!plan->has_lengths && (plan_windows(plan, settings, source->rate, error) != 0 ||
                               plan_stats(plan, settings, task, source->rate, error) != 0))
        return -1;
    if (settings_span(&settings->frames, source->rate, 0, UINT64_MAX, &plan->limit, error) != 0 ||
        settings_span(&settings->skip, source->rate, 0, 0, &plan->skip, error) != 0)
        return -1;
    plan_counts(plan, settings, source->frames);
    plan->device = plan_device(settings);
    plan->sink.channels = setup->channels * setup->emits.count;
    plan->sink.rate = source->rate / (double)setup->window.hop;
    plan->sink.frames = plan->outputs;
    plan_context(plan, task, source);
    return 0;
}

/* ---- the engine */

bool plan_is_short_for_device(const struct plan *plan, uint64_t most)
{
    return plan->device == PLAN_DEVICE &&
           devices_input_is_small(&plan->setup, plan->reads < most ? plan->reads : most);
}

/* The number of frames for which the larger of a chunk's two buffers has the engine's size. */
static uint64_t chunk_of(const struct engine_setup *setup, const struct engine_class *engine_class,
                         uint64_t fit)
{
    uint64_t in = engine_in_bytes(setup);
    uint64_t out = engine_out_bytes(setup) / setup->window.hop;
    uint64_t frames = engine_class->chunk_bytes / (in > out ? in : out);

    if (frames > fit)
        frames = fit;
    if (setup->stats_every > 0) {
        uint64_t blocks = TEXT_BYTES_MOST / RECORD_BYTES / setup->channels + 1;

        if (setup->stats_every < frames / blocks)
            frames = blocks * setup->stats_every;
    }
    return frames;
}

void plan_engine(struct plan *plan, const struct settings *settings, const struct machine *machine,
                 const struct engine_class *engine_class)
{
    /* With little memory, chunks are smaller: together they take a fraction of it. */
    uint64_t fit = machine->memory / 4 / engine_chunks_bytes(engine_class, &plan->setup);
    uint64_t frames = settings->chunk;

    if (frames == 0)
        frames = chunk_of(&plan->setup, engine_class, fit);
    else if (frames > fit)
        frames = fit;
    if (settings->chunk == 0 && frames > plan->reads)
        frames = plan->reads;
    plan->setup.chunk_frames = frames > 0 ? (size_t)frames : 1;
    plan->engine_class = engine_class;
}

int plan_check_memory(const struct plan *plan, const struct settings *settings,
                      const struct task *task, const struct machine *machine, struct error *error)
{
    const struct engine_setup *setup = &plan->setup;
    uint64_t limit = machine->memory;
    uint64_t chunks = setup->chunk_frames * engine_chunks_bytes(plan->engine_class, setup);
    uint64_t window = plan->engine_class->memory(machine, setup);
    char asked[64];
    char needed[SIZE_WORDS];
    char there[SIZE_WORDS];

    snprintf(asked, sizeof asked, "%s %s", settings->window.option, settings->window.text);

    chunks += task->stats != NULL ? stats_memory(setup->channels) : 0;
    if (setup->emits.count == 0 && chunks > limit)
        return error_set(error, ERROR_STATS, NULL, "needs %s of memory, but only %s is available",
                         size_words(needed, chunks), size_words(there, limit));
    if (window > UINT64_MAX - chunks)
        return error_set(error, ERROR_RESOURCE, asked,
                         "needs more bytes of memory than can be counted");
    if (window + chunks > limit)
        return error_set(error, ERROR_RESOURCE, asked,
                         "needs %s of memory (%" PRIu64 " bytes), but only %s is available",
                         size_words(needed, window + chunks), window + chunks,
                         size_words(there, limit));
    return 0;
}
