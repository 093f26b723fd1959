/* SPDX-License-Identifier: MIT */
#include "job/plan_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cpus.h"
#include "base/min_max.h"
#include "base/size_words.h"
#include "cpu/block.h"
#include "format/format.h"
#include "format/text/stats.h"
#include "job/overall_priv.h"

/* Records of blocks that end in a chunk are kept in memory until the chunk is written. */
static const uint64_t TEXT_BYTES_MOST = UINT64_C(4) << 20;
static const uint64_t RECORD_BYTES = 360;

static const uint64_t BRIEF_BYTES = UINT64_C(1) << 20;

/* ---- lengths */

static int plan_windows(struct plan *plan, const struct settings *settings, double rate,
                        struct rate_ratio ratio, struct error *error)
{
    uint64_t width = 1;
    uint64_t hop = 1;

    if (settings->zoom_by_clock.period == 0 && settings->window_period == 0 &&
        (settings_span(&settings->window, rate, ratio, 1, 1, &width, error) != 0 ||
         settings_span(&settings->hop, rate, ratio, 1, 1, &hop, error) != 0))
        return -1;
    if (settings_hops(settings, &width, hop, error) != 0)
        return -1;
    /* Without frames in the output there are no windows past the end either. */
    window_init(&plan->stream.setup.window, width, hop,
                settings->emits.count > 0 ? settings->align : ALIGN_VALID, settings->edge);
    return 0;
}

/* Sets the length of a block of statistics. */
static int plan_stats(struct plan *plan, const struct settings *settings,
                      const struct job_files *task, double rate, struct rate_ratio ratio,
                      struct error *error)
{
    if (task->stats == NULL)
        return 0;
    plan->stream.stats_every = STATS_ALL;
    return settings->stats_by_clock.period != 0
               ? 0
               : settings_span(&settings->stats_every, rate, ratio, 1, STATS_ALL,
                               &plan->stream.stats_every, error);
}

/* ---- before there is an input */

int plan_check_window(const struct plan *plan, const struct settings *settings,
                      const struct source *source, struct error *error)
{
    const bool table = source != NULL
                           ? source->format.rows
                           : format_of_table("", settings->type, settings->table != NULL) != NULL;

    if (settings->emits.count == 0 || settings->window.given ||
        plan->sink.format->writer->any_window)
        return 0;
    if (plan->sink.format->writer->rate_of_input)
        return error_set(error, ERROR_FORMAT, "--zoom",
                         "%s needs the length of a pixel, as in --zoom 256", plan->sink.container);
    return USAGE(error, "-w: the length of the window is missing: %s",
                 table ? "-w 12 for that many rows, --zoom 1h for each hour, a picture with "
                         "-o log.svg, or a summary with gpuenv FILE (- for a pipe)"
                       : "-w 10ms (or 512 frames) -o envelope.wav, a picture with -o in.svg, "
                         "or a summary with gpuenv FILE (- for a pipe)");
}

int plan_begin(struct plan *plan, const struct settings *settings, const struct job_files *task,
               bool raw, struct error *error)
{
    const struct sink_request sink = {
        .type = settings->output_type,
        .path = task->output,
        .counts = settings->counts,
    };

    *plan = (struct plan){
        .stream.setup = {.emits = settings->emits, .nan = settings->nan},
        .sink = {.channels = 1, .rate = 1, .frames = SINK_FRAMES_UNKNOWN},
        .stream.extent = {.windows = RANGE_ALL, .blocks = RANGE_ALL},
    };
    if (settings->emits.count > 0 && sink_choose(&sink, &plan->sink, error) != 0)
        return -1;
    if (text_is_timed(&settings->dialect) && settings->emits.count > 0 &&
        plan->sink.format->writer->rate_of_input && !plan->sink.format->writer->any_window)
        return error_set(error, ERROR_FORMAT, "--time",
                         "%s has no times: leave --time out, or write csv", plan->sink.container);
    if (settings->dialect.by != NULL && settings->emits.count > 0 && !plan->sink.unnamed &&
        plan->sink.format->delimiter == '\0' && !plan->sink.format->writer->any_window)
        return error_set(error, ERROR_FORMAT, "--by",
                         "%s has no column of keys: leave --by out, or write csv, tsv or txt",
                         plan->sink.container);
    if (!raw)
        return 0;
    if (plan_stats(plan, settings, task, settings->rate, settings->ratio, error) != 0)
        return -1;
    return plan_windows(plan, settings, settings->rate, settings->ratio, error);
}

/* ---- with the input's format */

static void plan_counts(struct plan *plan, const struct settings *settings, uint64_t source_frames)
{
    struct stream_plan *stream = &plan->stream;

    stream->frames = stream->limit;
    plan->reads = stream->limit;
    if (source_frames == SOURCE_FRAMES_UNKNOWN)
        return;
    stream->frames = min_u64(source_frames - min_u64(source_frames, plan->skip), stream->limit);
    plan->reads = stream->frames;
    if (!settings->accept_damaged) /* there may be fewer */
        plan->sink.frames = window_outputs(&stream->setup.window, stream->frames);
    if (settings->shards > 0) {
        plan->shard = shard_cut(stream, settings->shard, settings->shards);
        plan->reads = min_u64(stream->limit, stream->frames) - stream->extent.start;
        plan->sink.frames = plan->shard.outputs.to - plan->shard.outputs.from;
    }
    stream->brief = plan->reads <= BRIEF_BYTES / engine_in_bytes(&stream->setup);
}

/* Sets what writers of text and pictures tell about the frames. */
static void plan_context(struct plan *plan, const struct settings *settings,
                         const struct job_files *task, const struct source *from)
{
    const struct source_format *source = &from->format;
    const struct source_table *table = from->table;
    const struct window *window = &plan->stream.setup.window;
    const char *slash = task->input == NULL ? NULL : strrchr(task->input, '/');
    const char *title = slash == NULL ? task->input : slash + 1;

    plan->sink.context = (struct sink_context){
        .emits = plan->stream.setup.emits,
        .channels = plan->overall ? 1 : source->channels,
        .window = *window,
        .first_frame = plan->skip + plan->shard.outputs.from * window->hop,
        .input_rate = source->rate,
        .ratio = source->ratio,
        .table = table,
        .names = plan->overall ? NULL : from->names,
        .units = plan->overall ? NULL : from->units,
        .no_frame = settings->no_frame,
        .db = settings->db,
        .period = plan->stream.intervals.period,
        .time_width = plan->stream.time_window.width,
        .gap = settings->gap,
        .rule = settings->rule,
        .title = title == NULL || strcmp(title, "-") == 0 ? NULL : title,
        .numbers = source->numbers || source->sample.counts,
        .decimal = source->decimal,
        .rows = source->rows,
        .magnitudes = source->magnitudes || sample_type_is_complex(source->sample),
        .length = settings->window.given ? settings->window.value.text : NULL,
        .picture = settings->picture,
        .continues = plan->shard.number > 1,
    };
    if (table->times == NULL)
        return;
    plan->times = *table->times;
    plan->sink.context.times = &plan->times;
    plan->stream.intervals.clock = table->times->clock;
    if (plan->stream.intervals.period > 0)
        time_form_for_intervals(&plan->times, &plan->stream.intervals);
}

/* A window of one frame has its sample as minimum and maximum: a picture takes it once. */
static void plan_samples_once(struct plan *plan)
{
    struct emit_list *emits = &plan->stream.setup.emits;

    if (emits->count == 2 && overall_is_direct(emits) && !plan->overall &&
        plan->sink.format->writer->any_window && plan->stream.setup.window.width == 1 &&
        !stream_goes_by_times(&plan->stream))
        emits->count = 1;
    plan->sink.channels = (plan->overall ? 1 : plan->stream.setup.channels) * emits->count;
}

/* Decibels are of magnitudes, and of full scale. */
static int check_decibels(const struct settings *settings, const struct source *from,
                          const struct sink_format *sink, struct error *error)
{
    const struct source_format *source = &from->format;
    const char *wrong = NULL;
    char others[64] = "";

    if (!settings->db)
        return 0;
    if (source->numbers)
        return error_set(error, ERROR_FORMAT, "--db",
                         "%s has numbers without a full scale: leave --db out", from->input->name);
    if (!sink->format->writer->decibels)
        return error_set(error, ERROR_FORMAT, "--db",
                         "needs a table of values or a picture: give -T csv or -T svg");
    for (unsigned i = 0; i < settings->emits.count; i++) {
        const enum emit emit = settings->emits.item[i];
        const bool extreme = emit == EMIT_MIN || emit == EMIT_MAX;
        const size_t used = strlen(others);

        if (emit == EMIT_ABS || emit == EMIT_RMS ||
            (extreme && sample_type_is_complex(source->sample))) {
            snprintf(others + used, sizeof others - used, "%s%s", used > 0 ? "," : "",
                     emit_names[emit]);
        } else if (wrong == NULL) {
            wrong = emit_names[emit];
        }
    }
    return wrong == NULL
               ? 0
               : error_set(error, ERROR_FORMAT, "--db",
                           "decibels of %s are of abs%s and rms, not of %s: give --emit %s",
                           from->input->name,
                           sample_type_is_complex(source->sample) ? ", min, max" : "", wrong,
                           others[0] != '\0' ? others : "abs");
}

/* ---- kinds of values */

/* Does the output hold more than float32 does? Statistics always do; text and pictures do unless
 * the user has named float32. */
static bool holds_more(const struct sink_format *sink, const struct source_format *source)
{
    const struct format_writer *writer = sink->format->writer;

    if (writer->whole || (writer->whole_decimals && source->decimal))
        return !sink->type_named || sink->sample.kind != SAMPLE_F32;
    return sample_type_value(sink->sample) != VALUE_F32;
}

/* Does the output take integers of 64 bits as they are? Text takes plain numbers; a sample type
 * takes plain numbers if it has counts, and fractions of full scale if it has those. */
static bool takes_integers(const struct sink_format *sink, const struct source_format *source)
{
    enum sample_kind kind = sink->sample.kind;

    if (sink->format->writer->whole && sink->format->writer->fit == NULL)
        return source->sample.counts;
    return (kind == SAMPLE_S32 || kind == SAMPLE_U32 || kind == SAMPLE_S64 || kind == SAMPLE_U64) &&
           sink->sample.counts == source->sample.counts;
}

/* Integers of an array are whole in raw integers and in every type that holds them all, and so are
 * samples in an array of integers; those of 64 bits are whole in s64 and u64 anywhere. Of samples
 * that use a part of their type, or are mixed, full scale becomes full scale. */
static void plan_scale(struct sink_format *sink, struct source_format *source)
{
    const struct sample_type sample = source->mixed ? source->part : source->sample;
    const bool wide = sink->sample.kind == SAMPLE_S64 || sink->sample.kind == SAMPLE_U64;

    if (!sample_type_is_integer(sample))
        return;
    if (source->array)
        sink->sample.counts = sink->sample.counts || sink->format == &format_raw ||
                              sample_type_holds(sink->sample, sample);
    else if (sink->format->writer->numbers && sample_type_is_integer(sink->sample))
        sink->sample.counts = source->sample.counts =
            source->sample.counts || (sample.bits == 0 && !source->mixed);
    else if (wide && sample_type_value(sample) == VALUE_I64)
        sink->sample.counts = sample.counts;
}

/* Does the output round float64 itself? Means are float64, and rounded once. */
static bool takes_doubles(const struct sink_format *sink)
{
    const bool encodes = sink->format == &format_raw || sink->format->writer->header != NULL;

    return sink->sample.kind == SAMPLE_F32 ? sink->format->writer->whole && !sink->type_named
                                           : encodes || sink->format->writer->whole;
}

/* Sets what the engine gives of each channel if the answer cannot be joined from the wanted values
 * themselves: the sums, or the extremes. Integers keep all digits until the values are made. */
static void plan_joined(struct engine_setup *setup, enum value_kind wide, bool cuts)
{
    if (emits_need_sums(&setup->emits)) {
        setup->value = setup->value == VALUE_F32 ? wide : setup->value;
        setup->emits = (struct emit_list){
            .count = emits_have(&setup->emits, EMIT_STD) ? 7 : 5,
            .item = {EMIT_MIN, EMIT_MAX, EMIT_SUM, EMIT_SQUARE, EMIT_COUNT, EMIT_CENTER,
                     EMIT_SQUARES},
        };
    } else if (!overall_is_direct(&setup->emits)) {
        /* Integers have no NaN: the magnitude has it for cut windows. */
        setup->emits = (struct emit_list){.count = setup->value == VALUE_I64 && cuts ? 3 : 2,
                                          .item = {EMIT_MIN, EMIT_MAX, EMIT_ABS}};
    } else {
        return;
    }
    for (unsigned i = 0; i < setup->emits.count; i++)
        setup->results[i] = i < 2 ? setup->value : VALUE_F64;
    memset(setup->narrow, 0, sizeof setup->narrow);
}

/* The kinds of samples and of results. A cut window can have a NaN, which no integer is. */
static void plan_values(struct plan *plan, const struct settings *settings,
                        struct source_format *source)
{
    struct engine_setup *setup = &plan->stream.setup;
    const struct sample_type sample = source->sample;
    const struct emit_list emits = setup->emits;
    const bool frames = emits.count > 0;
    const unsigned positions = emits_positions(&emits);
    const bool cuts = settings->edge == EDGE_NAN && settings->align != ALIGN_VALID;
    const enum value_kind wide = sample_type_value(sample) == VALUE_I64 ? VALUE_I64 : VALUE_F64;
    enum value_kind extremes = VALUE_F64;
    bool doubles; /* means are among the values, and rounded once */
    bool rounded; /* samples are rounded to float32 for other values */

    setup->value = VALUE_F32;
    if (frames && plan->sink.format->writer->fit != NULL && !plan->sink.type_named)
        plan->sink.format->writer->fit(&plan->sink, source, cuts);
    if (frames)
        plan_scale(&plan->sink, source);
    if (!frames || holds_more(&plan->sink, source))
        setup->value = sample_type_value(sample);
    rounded = setup->value == VALUE_F32;
    doubles = emits_need_sums(&emits) && takes_doubles(&plan->sink);
    /* Beside results of 64 bits others are float64, too, with the digits of float32. */
    if (!rounded || doubles || (positions > 0 && positions < emits.count))
        setup->value = wide;
    plan->rounded = rounded && !doubles;
    if (setup->value == VALUE_F32)
        extremes = VALUE_F32;
    else if (frames && setup->value == VALUE_I64 && !rounded && !cuts &&
             takes_integers(&plan->sink, source))
        extremes = sample.kind == SAMPLE_U64 && source->sample.counts ? VALUE_U64 : VALUE_I64;
    plan->sink.row.count = emits.count;
    for (unsigned i = 0; i < emits.count; i++) {
        const enum emit emit = emits.item[i];

        plan->sink.row.kind[i] = emit_is_position(emit)      ? VALUE_FRAME
                                 : emit_is_sample(emit)      ? extremes
                                 : setup->value == VALUE_F32 ? VALUE_F32
                                                             : VALUE_F64;
        plan->sink.row.narrow[i] = rounded && (emit_is_of_extremes(emit) || emit_is_sample(emit)) &&
                                   plan->sink.row.kind[i] == VALUE_F64;
        plan->rounded = plan->rounded || plan->sink.row.narrow[i];
        setup->narrow[i] =
            plan->sink.row.narrow[i] && (emit > EMIT_ABS || sample_type_value(sample) != VALUE_F32);
        setup->results[i] = plan->sink.row.kind[i];
    }
    if (plan->overall)
        plan_joined(setup, wide, cuts);
    /* For messages: text has no sample type. */
    if (frames && plan->sink.format->writer->whole)
        plan->sink.sample.kind = extremes == VALUE_F32   ? SAMPLE_F32
                                 : extremes == VALUE_F64 ? SAMPLE_F64
                                 : extremes == VALUE_I64 ? SAMPLE_S64
                                                         : SAMPLE_U64;
}

/* Positions are plain integers of 64 bits; a count is no fraction of full scale, which samples of
 * sound are. */
static int check_values(const struct plan *plan, const struct settings *settings,
                        const struct job_files *task, struct error *error)
{
    const struct sink_format *sink = &plan->sink;
    const struct emit_list *emits = &settings->emits;
    const struct format_writer *writer;
    const unsigned positions = emits_positions(emits);
    const bool scaled = !sink->sample.counts && !sample_type_has_nan(sink->sample);
    const char *type = settings->output_type;
    const char *wrong = NULL;

    if (emits->count == 0)
        return 0;
    writer = sink->format->writer;
    if (emits_have(emits, EMIT_COUNT) && !writer->text && !writer->numbers &&
        (sink->format != &format_raw || scaled))
        wrong = "samples of sound are fractions of full scale, which a count is not: write csv, "
                "npy or f32";
    else if (positions > 0 &&
             (!writer->positions ||
              (!writer->whole && (positions < emits->count || sink->sample.kind != SAMPLE_S64))))
        wrong = "argmin and argmax are whole numbers of 64 bits: write csv, or npy of them alone";
    if (wrong == NULL)
        return 0;
    if (type == NULL && task->output == NULL)
        return USAGE(error, "-o: %s", wrong);
    return USAGE(error, "%s %s: %s", type != NULL ? "-T" : "-o", type != NULL ? type : task->output,
                 wrong);
}

/* Integers of 64 bits, positions and statistics are left to the cores. */
static int plan_devices(struct plan *plan, const struct settings *settings, struct error *error)
{
    bool integers = plan->stream.setup.value == VALUE_I64;

    plan->device = PLAN_CPU;
    if (settings->lemire || settings->device == DEVICE_CPU || settings->emits.count == 0 ||
        stream_goes_by_times(&plan->stream))
        return 0;
    if (settings->device == DEVICE_CUDA && integers)
        return USAGE(error, "--device cuda: only the cores work on integers of 64 bits: "
                            "leave --device out, or round frames with -T f32");
    if (settings->device == DEVICE_CUDA)
        plan->device = PLAN_DEVICE;
    else if (!integers && emits_positions(&settings->emits) == 0)
        plan->device = PLAN_AUTO;
    return 0;
}

/* The cores need not decode samples for an output that takes them as they are. A device would not
 * be faster. */
static void plan_samples(struct plan *plan, const struct settings *settings)
{
    struct engine_setup *setup = &plan->stream.setup;

    if (setup->emits.count == 0 || plan->device == PLAN_DEVICE || settings->lemire ||
        plan->overall || stream_goes_by_times(&plan->stream) || !sink_takes_samples(&plan->sink))
        return;
    block_keep_samples(setup, settings->isa, plan->sink.sample);
    if (!value_is_compact(setup->value))
        return;
    plan->device = PLAN_CPU;
    for (unsigned i = 0; i < setup->emits.count; i++)
        plan->sink.row.kind[i] = setup->results[i];
}

int plan_stream(struct plan *plan, const struct settings *settings, const struct job_files *task,
                const struct source *from, struct error *error)
{
    const struct source_format *source = &from->format;
    struct source_format planned = *source;
    struct engine_setup *setup = &plan->stream.setup;

    sink_follow(&plan->sink, from);
    if (plan_spans(plan, settings, source, error) != 0)
        return -1;
    /* Unless other values are wanted, a picture of magnitudes in decibels has their RMS, too. */
    if (settings->db && !settings->emit_given && settings->zoom.given &&
        plan->sink.format->writer->any_window &&
        (source->magnitudes || sample_type_is_complex(source->sample)))
        setup->emits = (struct emit_list){.count = 3, .item = {EMIT_MIN, EMIT_MAX, EMIT_RMS}};
    setup->channels = source->channels;
    if (source->nan_is_missing && !settings->nan_given)
        setup->nan = NAN_OMIT;
    if (plan_windows(plan, settings, source->rate, source->ratio, error) != 0 ||
        plan_stats(plan, settings, task, source->rate, source->ratio, error) != 0 ||
        plan_part(plan, settings, from, error) != 0)
        return -1;
    plan->stream.intervals = settings->zoom_by_clock;
    plan->stream.keyed = from->table->keys != NULL;
    plan->stream.time_window = (struct time_window){
        settings->window_period, settings->window_period > 0 && settings->align == ALIGN_CENTER};
    setup->origin = plan->skip;
    plan_counts(plan, settings, source->frames);
    plan->overall = settings->overall && source->channels > 1 && setup->emits.count > 0;
    plan->sink.flat = source->flat;
    plan->sink.rate = rate_of_every(setup->window.hop, source->rate, source->ratio);
    if (plan->stream.intervals.period > 0)
        plan->sink.rate =
            rate_of(rate_ratio(MOMENT_SECOND, (uint64_t)plan->stream.intervals.period));
    plan_context(plan, settings, task, from);
    plan_samples_once(plan);
    if (check_decibels(settings, from, &plan->sink, error) != 0 ||
        plan_span_lengths(plan, settings, from, error) != 0)
        return -1;
    plan_values(plan, settings, &planned);
    setup->sample = planned.sample;
    if (check_values(plan, settings, task, error) != 0 || plan_devices(plan, settings, error) != 0)
        return -1;
    plan_samples(plan, settings);
    return 0;
}

/* ---- the engine */

bool plan_is_short_for_device(const struct plan *plan, uint64_t most_frames)
{
    return plan->device == PLAN_DEVICE &&
           stream_is_short(&plan->stream.setup, min_u64(plan->reads, most_frames));
}

/* Frames per chunk, so that the larger of its two buffers has the engine's size. The rows of a
 * table that one thread reads are fewer: they stay in its cache. */
static uint64_t chunk_of(const struct plan *plan, bool alone, const struct engine_class *engine)
{
    const struct engine_setup *setup = &plan->stream.setup;
    uint64_t in = engine_in_bytes(setup);
    uint64_t out = engine_out_bytes(setup) / setup->window.hop;
    uint64_t frames = engine->chunk_bytes / max_u64(in, out);
    uint64_t blocks = TEXT_BYTES_MOST / RECORD_BYTES / setup->channels + 1;

    if (engine->chunk_bytes == ENGINE_CHUNK_BYTES &&
        (cpus_want_small_blocks() || (alone && plan->sink.context.decimal)))
        frames = ENGINE_SMALL_CHUNK_BYTES / max_u64(2 * in, out);
    if (plan->stream.stats_every > 0 && plan->stream.stats_every < frames / blocks)
        frames = blocks * plan->stream.stats_every;
    return frames;
}

void plan_engine(struct plan *plan, const struct settings *settings, const struct machine *machine,
                 const struct engine_class *engine_class)
{
    struct engine_setup *setup = &plan->stream.setup;
    const uint64_t chunk = chunk_of(plan, machine->threads_most == 1, engine_class);
    uint64_t frames = settings->chunk > 0 ? settings->chunk : min_u64(chunk, plan->reads);
    uint64_t each = engine_chunks_bytes(engine_class, setup);
    uint64_t needed = frames > UINT64_MAX / each ? UINT64_MAX : frames * each;

    /* With little memory, chunks are smaller: together they take a fraction of it. */
    setup->chunk_frames =
        (size_t)max_u64(min_u64(frames, machine_memory(machine, needed) / 4 / each), 1);
    plan->stream.engine_class = engine_class;
}

int plan_check_memory(const struct plan *plan, const struct settings *settings,
                      const struct job_files *task, const struct machine *machine,
                      struct error *error)
{
    const struct engine_setup *setup = &plan->stream.setup;
    uint64_t chunks = setup->chunk_frames * engine_chunks_bytes(plan->stream.engine_class, setup);
    uint64_t window = plan->stream.engine_class->memory(machine, setup);
    uint64_t all;
    uint64_t limit;
    char asked[64];
    char needed[SIZE_WORDS];
    char there[SIZE_WORDS];

    snprintf(asked, sizeof asked, "%s %s", settings->window.value.option,
             settings->window.value.text);
    chunks += task->stats != NULL ? stats_memory(setup->channels) : 0;
    all = window > UINT64_MAX - chunks ? UINT64_MAX : window + chunks;
    limit = machine_memory(machine, all);
    if (setup->emits.count == 0 && chunks > limit)
        return error_set(error, ERROR_RESOURCE, "--stats",
                         "needs %s of memory, but only %s is available", size_words(needed, chunks),
                         size_words(there, limit));
    if (all == UINT64_MAX)
        return error_set(error, ERROR_RESOURCE, asked,
                         "needs more bytes of memory than can be counted");
    if (all > limit)
        return error_set(error, ERROR_RESOURCE, asked,
                         "needs %s of memory (%" PRIu64 " bytes), but only %s is available",
                         size_words(needed, all), all, size_words(there, limit));
    return 0;
}
