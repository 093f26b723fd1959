/* SPDX-License-Identifier: MIT */
#include "job/steps_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/channels.h"
#include "io/unpack.h"
#include "job/series_priv.h"

enum {
    LARGE_BYTES = 64 * 1024,
    PATIENCE_MICROSECONDS = 500,
};

static struct stream_fault *fail_at(struct steps *steps, enum stage stage, uint64_t frame)
{
    struct stream_fault *fault = &steps->faults[stage];

    fault->failed = true;
    fault->frame = frame;
    return fault;
}

/* ---- what pieces do, too */

size_t pipeline_look(const struct pipeline *pipeline, const void *frames, size_t count,
                     uint64_t first, struct error *error)
{
    const struct engine_setup *setup = &pipeline->plan->setup;
    char usual[CHANNEL_NAME];
    uint64_t of_input;
    size_t index;

    if (pipeline->loses_digits != NULL && !atomic_load(pipeline->loses_digits) &&
        sample_find_digits(setup->sample, frames, count * setup->channels))
        atomic_store(pipeline->loses_digits, true);
    if (setup->nan != NAN_ERROR || !sample_type_has_nan(setup->sample) ||
        !sample_find_nan(setup->sample, frames, count * setup->channels, &index))
        return count;
    of_input = pipeline->skipped + first + index / setup->channels;
    error_set(error, ERROR_FILE, pipeline->source->input->name,
              "NaN in frame %llu, %s (--nan error)", (unsigned long long)of_input,
              channel_name(pipeline->source->names, (unsigned)(index % setup->channels), usual));
    return index / setup->channels;
}

int pipeline_write_text(const struct pipeline *pipeline, struct memory_text *text,
                        struct error *error)
{
    const size_t used = text->used;

    text->used = 0;
    return used == 0 ? 0 : output_write(pipeline->stats_output, text->bytes, used, error);
}

/* ---- the reader */

/* Should a chunk that is not full go to the engine? A small one goes at once if the engine is idle.
 * Otherwise it goes when there is no more to read; a large one, which indicates a fast stream,
 * waits a moment for more. */
static bool goes_now(const struct steps *steps, const struct chunk *chunk)
{
    struct source *source = steps->pipeline->source;
    bool large = chunk->in_frames * engine_in_bytes(&steps->pipeline->plan->setup) >= LARGE_BYTES;

    if (!large && atomic_load(&steps->engine_waits))
        return true;
    return !source->class->ready(source, large ? PATIENCE_MICROSECONDS : 0);
}

/* Chunks end at borders, so that all frames of a chunk are processed in one way. */
static uint64_t border_after(const struct steps *steps, uint64_t frame)
{
    const struct extent *extent = &steps->extent;
    const uint64_t borders[] = {extent->windows.from, extent->windows.to, extent->blocks.from,
                                extent->blocks.to};
    uint64_t next = steps->pipeline->plan->limit;

    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        if (borders[i] > frame && borders[i] < next)
            next = borders[i];
    }
    return next;
}

static bool is_within(const struct range *range, uint64_t frame)
{
    return range->from <= frame && frame < range->to;
}

/* Is this damage that ends the input, but not the run? It is if the user has stopped the input, or
 * accepts damage. */
static bool accepts(const struct pipeline *pipeline, const struct error *error)
{
    if (error->code == ERROR_DAMAGED && pipeline->source->input->stopped)
        return true;
    if (pipeline->damage == NULL || error->code != ERROR_DAMAGED)
        return false;
    *pipeline->damage = *error;
    return true;
}

/* Fills the chunk by one or more reads, to the end of the input or of the wanted frames. After an
 * error, the chunk has the frames before it. */
static void fill(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;
    struct chunk *chunk = &slot->chunk;
    struct source *source = pipeline->source;
    size_t frame_bytes = engine_in_bytes(&pipeline->plan->setup);
    uint64_t left = border_after(steps, steps->frames) - steps->frames;
    size_t capacity = pipeline->plan->setup.chunk_frames;
    struct error error;

    if (capacity > left)
        capacity = (size_t)left;
    if (source->class->passes && source->input->idle)
        source->input->reading = &slot->reading;
    while (chunk->in_frames < capacity && !steps->input_over) {
        size_t got;
        bool failed = source->class->read(source, chunk->in + chunk->in_frames * frame_bytes,
                                          capacity - chunk->in_frames, &got, &error) != 0;

        source->input->stopped = source->input->stopped || input_is_ended(source->input);
        if ((failed || got == 0) && !source->input->stopped && !source->input->enough)
            failed = unpack_has_failed(&source->input->unpacker, &error) || failed;
        if (failed && !accepts(pipeline, &error))
            fail_at(steps, STAGE_READER, steps->frames)->error = error;
        steps->input_over = failed || got == 0;
        if (steps->input_over)
            break;
        if (slot->moments != NULL)
            memcpy(slot->moments + chunk->in_frames, source->table->moments,
                   got * sizeof *slot->moments);
        if (slot->keys != NULL)
            memcpy(slot->keys + chunk->in_frames, source->table->keys, got * sizeof *slot->keys);
        chunk->in_frames += got;
        steps->frames += got;
        if (source->input->stopped || (chunk->in_frames < capacity && goes_now(steps, chunk)))
            break;
    }
    source->input->reading = NULL;
    if (steps->frames == pipeline->plan->limit || source->input->stopped)
        steps->input_over = true;
}

/* Sets the windows past the end of the stream, up to the last wanted one. */
static void begin_tail(struct steps *steps)
{
    const struct pipeline *pipeline = steps->pipeline;
    const struct window *window = &pipeline->plan->setup.window;
    uint64_t first = window_tail_first(window, steps->frames);
    uint64_t end = min_u64(first + window_tail(window, steps->frames), steps->extent.windows.to);

    /* An engine computes the tail from its beginning: samples leave its windows one by one. */
    if (first < end && steps->extent.windows.from < end)
        steps->tail = (struct range){first, end};
}

/* Chunks of the tail, too, end where the wanted windows begin. */
static struct range take_tail(struct steps *steps)
{
    struct range tail = steps->tail;

    tail.to = min_u64(tail.to, tail.from + steps->pipeline->plan->setup.chunk_frames);
    if (tail.from < steps->extent.windows.from)
        tail.to = min_u64(tail.to, steps->extent.windows.from);
    steps->tail.from = tail.to;
    return tail;
}

bool steps_read(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;

    slot->chunk.in_frames = 0;
    slot->tail = (struct range){0, 0};
    slot->is_cut = false;
    if (!steps->input_over) {
        fill(steps, slot);
        atomic_store(&pipeline->progress->in_frames,
                     max_u64(steps->frames, steps->extent.own) - pipeline->plan->extent.start);
        if (steps->input_over)
            begin_tail(steps);
    }
    if (slot->chunk.in_frames > 0)
        return true;
    slot->tail = take_tail(steps);
    return slot->tail.from < slot->tail.to;
}

/* ---- the engine */

/* Truncates the chunk before an error. It is then the last one. */
static void end_before(struct steps *steps, struct slot *slot, size_t before,
                       const struct error *error)
{
    slot->chunk.in_frames = before;
    slot->is_cut = true;
    fail_at(steps, STAGE_ENGINE, steps->submitted + before)->error = *error;
    steps->engine_over = true;
}

/* Why are there no more bytes, though the file had them when its size was looked at? */
static void explain_missing(const struct pipeline *pipeline, const struct shared_read *read,
                            struct error *error)
{
    const char *name = pipeline->source->input->name;
    unsigned char byte;

    errno = 0;
    if (read_at(read->fd, &byte, 1, read->at + atomic_load(&read->end)) == 0 && errno != 0)
        error_system(error, ERROR_FILE, name, errno);
    else
        error_set(error, ERROR_FILE, name, "became shorter while it was read");
}

/* Waits until the frames of the chunk are there. Truncates it before the first one that is missing,
 * and before its first NaN, if NaN is an error. */
static void check_frames(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;
    const size_t frame_bytes = engine_in_bytes(&pipeline->plan->setup);
    const size_t missing = (shared_read_end(&slot->reading) + frame_bytes - 1) / frame_bytes;
    size_t count = slot->chunk.in_frames - missing;
    struct error error;

    if (missing > 0)
        explain_missing(pipeline, &slot->reading, &error);
    count = pipeline_look(pipeline, slot->chunk.in, count, steps->submitted, &error);
    if (count < slot->chunk.in_frames)
        end_before(steps, slot, count, &error);
}

bool steps_submit(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;
    struct chunk *chunk = &slot->chunk;
    struct error error;

    slot->from = steps->submitted;
    if (slot->tail.from < slot->tail.to) {
        chunk_place_tail(chunk, &pipeline->plan->setup, steps->submitted, slot->tail.from,
                         slot->tail.to - slot->tail.from);
        if (!is_within(&steps->extent.windows, slot->tail.from))
            chunk_mute(chunk);
    } else {
        check_frames(steps, slot);
        chunk_place(chunk, &pipeline->plan->setup, steps->submitted);
        if (!is_within(&steps->extent.windows, steps->submitted) || steps->by_times != NULL)
            chunk_mute(chunk);
    }
    if (pipeline->plan->engine_class->submit(steps->engine, chunk, &error) != 0) {
        fail_at(steps, STAGE_ENGINE, steps->submitted)->error = error;
        steps->engine_over = steps->engine_failed = true;
        return false;
    }
    steps->submitted += chunk->in_frames;
    return true;
}

static void cannot_keep_text(struct steps *steps, uint64_t frame)
{
    error_system(&fail_at(steps, STAGE_ENGINE, frame)->error, ERROR_RESOURCE, "--stats", ENOMEM);
    steps->engine_over = true;
}

/* Rows with keys that are outside the range belong to no record. */
static int add_stats(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;
    const struct chunk *chunk = &slot->chunk;
    size_t run;
    bool inside;

    if (slot->keys == NULL)
        return stats_add(pipeline->stats, chunk->in, slot->moments, chunk->in_frames, &slot->text);
    if (chunk->in_frames > 0)
        row_range_begin(&steps->range, slot->moments[0]);
    for (size_t done = 0; done < chunk->in_frames; done += run) {
        run = rows_run(&steps->range, slot->moments + done, slot->keys + done,
                       chunk->in_frames - done, &inside);
        if (inside && stats_add_series(pipeline->stats, slot->keys[done],
                                       pipeline->skipped + slot->from + done,
                                       chunk->in + done * engine_in_bytes(&pipeline->plan->setup),
                                       slot->moments + done, run, &slot->text) != 0)
            return -1;
    }
    return 0;
}

bool steps_collect(struct steps *steps, struct slot *slot)
{
    const struct pipeline *pipeline = steps->pipeline;
    struct error error;

    if (pipeline->plan->engine_class->collect(steps->engine, &slot->chunk, &error) != 0) {
        fail_at(steps, STAGE_ENGINE, slot->from)->error = error;
        steps->engine_failed = true;
        return false;
    }
    atomic_fetch_add(&pipeline->progress->chunks, 1);
    if (pipeline->stats == NULL || !is_within(&steps->extent.blocks, slot->from))
        return true;
    if (add_stats(steps, slot) != 0)
        cannot_keep_text(steps, slot->chunk.stream_frames);
    return true;
}

void steps_finish_engine(struct steps *steps)
{
    struct stats *stats = steps->pipeline->stats;

    if (stats != NULL && stats_end(stats, &steps->last_text) != 0 &&
        !steps->faults[STAGE_ENGINE].failed)
        cannot_keep_text(steps, steps->submitted);
}

/* ---- the writer */

/* If both outputs fail, the first fault is reported. */
static void fail_output(struct steps *steps, const struct error *error)
{
    if (!steps->faults[STAGE_WRITER].failed)
        fail_at(steps, STAGE_WRITER, steps->written)->error = *error;
}

static void write_text(struct steps *steps, struct memory_text *text)
{
    struct error error;

    if (!steps->text_failed && pipeline_write_text(steps->pipeline, text, &error) != 0) {
        steps->text_failed = true;
        fail_output(steps, &error);
    }
    text->used = 0;
}

static int write_frames(struct steps *steps, struct slot *slot, struct error *error)
{
    const struct pipeline *pipeline = steps->pipeline;
    struct sink *sink = pipeline->sink;
    struct chunk *chunk = &slot->chunk;
    const struct sink_rows *rows = NULL;

    if (steps->by_times != NULL)
        return by_times_add(steps->by_times, (const double *)(const void *)chunk->in, slot->moments,
                            slot->keys, chunk->in_frames, slot->is_cut, error);
    if (slot->moments != NULL && sink->class->times != NULL &&
        sink->class->times(sink, NULL, pipeline->skipped + slot->from, slot->moments,
                           chunk->in_frames, error) != 0)
        return -1;
    if (slot->moments != NULL) {
        if (window_rows_add(&steps->rows, &pipeline->plan->setup.window, slot->moments,
                            chunk->in_frames, slot->from, pipeline->skipped) != 0)
            return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
        rows = window_rows_take(&steps->rows, chunk->out_frames);
    }
    if (chunk->out_frames == 0)
        return 0;
    if (sink->class->write(sink, chunk->out, chunk->out_frames, rows, chunk->out_is_ours, error) !=
        0)
        return -1;
    atomic_fetch_add(&pipeline->progress->out_frames, chunk->out_frames);
    return 0;
}

bool steps_write(struct steps *steps, struct slot *slot)
{
    struct error error;

    if (steps->pipeline->sink != NULL && !steps->faults[STAGE_WRITER].failed &&
        write_frames(steps, slot, &error) != 0) {
        steps->frames_failed = true;
        fail_output(steps, &error);
    }
    steps->written = slot->chunk.stream_frames;
    steps->ended = slot->chunk.piece.first + slot->chunk.piece.count;
    write_text(steps, &slot->text);
    return !steps->faults[STAGE_WRITER].failed;
}

void steps_finish_output(struct steps *steps)
{
    struct sink *sink = steps->pipeline->sink;
    struct error error;

    write_text(steps, &steps->last_text);
    if (sink != NULL)
        sink->in_frames = atomic_load(&steps->pipeline->progress->in_frames);
    /* An output that does not match its header is only a consequence of an earlier fault. */
    if (steps->by_times != NULL && !steps->frames_failed &&
        by_times_end(steps->by_times, steps_fault(steps) == NULL, &error) != 0) {
        steps->frames_failed = true;
        fail_output(steps, &error);
    }
    if (sink != NULL && !steps->frames_failed && !steps_give_up_device(steps) &&
        sink->class->finish(sink, &error) != 0 && !steps->faults[STAGE_WRITER].failed)
        fail_at(steps, STAGE_WRITER, UINT64_MAX)->error = error;
}

/* ---- the run */

const struct stream_fault *steps_fault(const struct steps *steps)
{
    const struct stream_fault *first = NULL;

    /* Where two faults are at one frame, the later stage's counts: it has processed more of the
     * stream. */
    for (int stage = 0; stage < STAGES; stage++) {
        const struct stream_fault *fault = &steps->faults[stage];

        if (fault->failed && (first == NULL || fault->frame <= first->frame))
            first = fault;
    }
    return first;
}

bool steps_give_up_device(const struct steps *steps)
{
    return steps->engine_failed && !steps->faults[STAGE_WRITER].failed &&
           steps->pipeline->plan == steps->pipeline->device;
}

/* Prepares the slots for rows with times, and the frames of a stream that goes by times. */
static int open_times(struct steps *steps, struct error *error)
{
    const struct pipeline *pipeline = steps->pipeline;
    const struct source_table *table = pipeline->source->table;

    for (unsigned i = 0; table->times != NULL && i < steps->slot_count; i++) {
        struct slot *slot = &steps->slots[i];

        slot->moments = malloc(pipeline->plan->setup.chunk_frames * sizeof *slot->moments);
        if (table->keys != NULL)
            slot->keys = malloc(pipeline->plan->setup.chunk_frames * sizeof *slot->keys);
        if (slot->moments == NULL || (table->keys != NULL && slot->keys == NULL))
            return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
    }
    if (!stream_goes_by_times(pipeline->plan) || pipeline->sink == NULL)
        return 0;
    steps->by_times = by_times_open(pipeline);
    return steps->by_times != NULL ? 0 : error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
}

int steps_open(struct steps *steps, const struct pipeline *pipeline, const struct extent *extent,
               bool brief, struct error *error)
{
    const struct engine_class *class = pipeline->plan->engine_class;
    unsigned slots;

    *steps = (struct steps){
        .pipeline = pipeline,
        .extent = *extent,
        .range = pipeline->plan->range,
        .frames = extent->start,
        .submitted = extent->start,
        .written = extent->start,
    };
    if (class->open(pipeline->machine, &pipeline->plan->setup, extent->start, &steps->engine,
                    error) != 0)
        return -1;
    slots = class->in_flight;
    steps->in_turn = slots == 1 && (brief || pipeline->machine->cpus == 1 ||
                                    pipeline->plan->intervals.period > 0);
    if (!steps->in_turn)
        slots += 2; /* one being read, one being written */
    while (steps->slot_count < slots && steps->slot_count < SLOTS_MOST) {
        if (class->attach(steps->engine, &steps->slots[steps->slot_count].chunk, error) != 0)
            goto error;
        steps->slot_count++;
    }
    if (open_times(steps, error) == 0)
        return 0;

error:
    steps_close(steps);
    return -1;
}

void steps_close(struct steps *steps)
{
    const struct engine_class *class = steps->pipeline->plan->engine_class;

    for (unsigned i = 0; i < steps->slot_count; i++) {
        (void)shared_read_end(&steps->slots[i].reading);
        class->detach(steps->engine, &steps->slots[i].chunk);
        memory_text_free(&steps->slots[i].text);
        free(steps->slots[i].moments);
        free(steps->slots[i].keys);
    }
    memory_text_free(&steps->last_text);
    window_rows_free(&steps->rows);
    by_times_close(steps->by_times);
    class->close(steps->engine);
}
