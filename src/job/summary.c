#include "job/summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/error_words.h"
#include "cli/messages.h"
#include "stats/stats.h"

static const char *ending(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void summary_say_plan(const struct summary *summary)
{
    static const char *const align[] = {"valid", "causal", "center", "forward"};
    const struct pipeline *pipeline = summary->pipeline;
    const struct source *source = pipeline->source;
    const struct sink *sink = pipeline->sink;
    const struct engine_setup *setup = &pipeline->setup;
    const struct shard *shard = &summary->plan->shard;
    char rate[40] = "";

    if (source->format.rate > 0)
        snprintf(rate, sizeof rate, " at %.17g Hz", source->format.rate);
    messages_note("%s: %s %s, %u channel%s%s", source->input->name, source->container,
                  source->encoding, setup->channels, ending(setup->channels), rate);
    if (pipeline->stats != NULL)
        messages_note("%s: statistics of the input", pipeline->stats_output->name);
    if (sink == NULL)
        return;
    messages_note("%s: %s %s, %u channel%s", sink->output->name, sink->format.container,
                  sample_type_name(sink->format.sample), sink->format.channels,
                  ending(sink->format.channels));
    if (pipeline->intervals.period > 0) {
        messages_note("plan: rows by the clock, intervals of %s, values a channel: %u",
                      summary->settings->zoom.text, setup->emits.count);
        return;
    }
    messages_note("plan: %s engine, window %" PRIu64 ", %s, hop %" PRIu64
                  ", values a channel: %u, frames a chunk: up to %zu",
                  pipeline->engine_class->name, setup->window.width, align[setup->window.align],
                  setup->window.hop, setup->emits.count, setup->chunk_frames);
    if (shard->number > 0)
        messages_note("part %" PRIu32 " of %" PRIu32 ": %" PRIu64 " of %" PRIu64
                      " output frames, from number %" PRIu64 " on",
                      shard->number, shard->count, shard->outputs.to - shard->outputs.from,
                      shard->in_all, shard->outputs.from);
}

static void warn_of_short_input(const struct summary *summary, uint64_t frames)
{
    const struct source *source = summary->pipeline->source;
    const struct span *window = &summary->settings->window;
    uint64_t width = summary->pipeline->setup.window.width;

    if (window->is_time)
        messages_warning("%s: no output: the input has %.6g s (%" PRIu64 " frame%s), the window %s"
                         " (see --align)",
                         source->input->name, (double)frames / source->format.rate, frames,
                         ending(frames), window->text);
    else
        messages_warning("%s: no output: the input has %" PRIu64 " frame%s, the window %" PRIu64
                         " (see --align)",
                         source->input->name, frames, ending(frames), width);
}

static void warn_of_lines(const struct summary *summary)
{
    struct source *source = summary->pipeline->source;
    const char *remark = source->class->remark == NULL ? NULL : source->class->remark(source);

    if (remark != NULL)
        messages_warning("%s: %s", source->input->name, remark);
}

void summary_warn(const struct summary *summary, bool complete)
{
    const struct pipeline *pipeline = summary->pipeline;
    const struct window *window = &pipeline->setup.window;
    const struct plan *plan = summary->plan;
    uint64_t frames = plan->shard.number > 0 ? plan->frames : summary->account->in_frames;
    const struct sink *sink = pipeline->sink;

    /* A fault of a device requested by name is the error that ends the run. */
    if (!pipeline->devices.alone)
        report_warn_devices(summary->account);
    warn_of_lines(summary);
    if (sink == NULL)
        return;
    if (complete && window->align == ALIGN_VALID && frames < window->width)
        warn_of_short_input(summary, frames);
    if (sink->losses.clipped > 0)
        messages_warning("%s: %llu value%s clipped", sink->output->name, sink->losses.clipped,
                         ending(sink->losses.clipped));
    if (sink->losses.nan > 0)
        messages_warning("%s: %llu NaN written as zero", sink->output->name, sink->losses.nan);
}

struct report summary_report(const struct summary *summary, struct summary_details *details,
                             const struct error *failure)
{
    const struct pipeline *pipeline = summary->pipeline;
    const struct source *source = pipeline->source;
    const struct sink *sink = pipeline->sink;
    const struct output *frames = &summary->files->of[FILES_FRAMES];
    bool has_stats = pipeline->stats != NULL;
    const struct shard *part = &summary->plan->shard;

    details->shard = (struct report_shard){
        .number = part->number,
        .count = part->count,
        .input_size = (uint64_t)source->input->status.st_size,
        .input_mtime = source->input->status.st_mtim,
        .input_frames = summary->plan->frames,
        .outputs = part->in_all,
        .first_output = part->outputs.from,
        .next_output = part->outputs.to,
        .first_block = part->records.from,
        .next_block = part->records.to,
    };
    return (struct report){
        .input = source->input->name,
        .input_container = source->container,
        .input_encoding = source->encoding,
        .output = frames->name,
        .frameless = sink == NULL,
        .output_container = sink == NULL ? NULL : sink->format.container,
        .output_encoding = sink == NULL ? NULL : sample_type_name(sink->format.sample),
        .stats = has_stats ? pipeline->stats_output->name : NULL,
        .stats_format = has_stats ? stats_format_words[summary->settings->stats_format] : NULL,
        .stats_records = has_stats ? stats_records(pipeline->stats) : 0,
        .width = pipeline->setup.window.width,
        .hop = pipeline->setup.window.hop,
        .channels = pipeline->setup.channels,
        .clipped = sink == NULL ? 0 : sink->losses.clipped,
        .status = failure == NULL ? STATUS_DONE : (int)failure->status,
        .error = failure == NULL ? NULL : error_words(failure, details->error),
        .shard = part->number > 0 ? &details->shard : NULL,
        .account = summary->account,
    };
}
