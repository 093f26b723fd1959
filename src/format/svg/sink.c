/* SPDX-License-Identifier: MIT */
/* A picture for a report: the envelope of each channel over time, as SVG. One panel per channel,
 * stacked, over a common time axis. Channels of sound have a common level axis, columns of numbers
 * each have their own. Everything is written at the end, when the picture is complete. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/svg/svg_priv.h"

enum {
    /* Columns of the picture, for few channels and in total for many. At 11 bytes each, the worst
     * case, 16 channels need less than 300 KB. */
    COLUMNS_MOST = 1800,
    COLUMNS_LEAST = 300,
    COLUMNS_ALL = 22400,
    /* FINE times as many columns are kept, so that merging loses little resolution, but at most
     * COLUMNS_KEPT in total: 64 MiB. */
    FINE = 8,
    COLUMNS_KEPT = 1 << 21,

    WIDTH = 960, /* pixels, like everything below */
    TOP = 50,
    TITLE = 22, /* added height where there is a title */
    PANEL_LEAST = 30,
    PLAIN = 120,      /* height of a panel of nothing but the envelope */
    HEADING = 28,     /* height above each of several panels */
    PANELS_MOST = 32, /* panels of keys */
};

/* ---- columns in */

static size_t columns_to_draw(const struct svg *svg)
{
    size_t most = COLUMNS_ALL / svg->panels;

    most = most > COLUMNS_MOST ? COLUMNS_MOST : most < COLUMNS_LEAST ? COLUMNS_LEAST : most;
    return most * (size_t)svg->width / WIDTH;
}

/* Returns an even number of columns. */
static size_t columns_to_keep(const struct svg *svg)
{
    const size_t most = COLUMNS_KEPT / svg->panels;

    return min_u64(FINE * columns_to_draw(svg), most < 2 ? 2 : most & ~(size_t)1);
}

/* ---- series of keys */

/* Finds the series of a key, which may be new. */
static struct svg_series *series_of(struct svg *svg, const struct row_key *key, struct error *error)
{
    const unsigned channels = svg->sink.format.context.channels;
    void **const place = pointers_place(&svg->keys, key->number);
    struct svg_series *series = place == NULL ? NULL : *place;

    if (series != NULL)
        return series;
    if (svg->taken + channels > PANELS_MOST) {
        error_set(error, ERROR_FORMAT, svg->sink.output->name,
                  "more than %d panels, as each key has one for each column: --columns takes "
                  "fewer columns, or give --by a column with fewer keys",
                  PANELS_MOST);
        return NULL;
    }
    if (place != NULL)
        *place = series = calloc(1, sizeof *series);
    if (series == NULL || svg_columns_open(&series->columns, channels, columns_to_keep(svg),
                                           svg->columns.pick) != 0) {
        error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
        return NULL;
    }
    series->key = key;
    series->rows.gaps.rule = svg->sink.format.context.gap;
    svg->taken += channels;
    return series;
}

/* Names a panel: "attic, temperature". */
static int name_panel(struct svg *svg, const struct row_key *key, unsigned channel, unsigned panel)
{
    const char *const *names = svg->sink.format.context.names;
    const char *name = names == NULL || names[channel] == NULL ? "" : names[channel];
    void **const place = pointers_place(&svg->names, panel);

    if (place == NULL)
        return -1;
    *place = malloc(strlen(key->name) + strlen(name) + sizeof ", ");
    if (*place == NULL)
        return -1;
    stpcpy(stpcpy(stpcpy(*place, key->name), name[0] != '\0' ? ", " : ""), name);
    return 0;
}

/* Joins the columns of all keys, over one range of times, to the columns of the picture. */
static int join_series(struct svg *svg)
{
    const unsigned channels = svg->sink.format.context.channels;
    struct svg_columns *all = &svg->columns;
    bool begun = false;
    unsigned panel = 0;

    if (svg->taken > 0)
        svg->panels = svg->taken;
    if (svg_columns_open(all, svg->panels, columns_to_keep(svg), all->pick) != 0)
        return -1;
    for (size_t i = 0; i < svg->keys.count; i++) {
        const struct svg_series *series = svg->keys.at[i];

        if (series == NULL || series->columns.frames == 0)
            continue;
        if (!begun || moment_is_before(series->columns.begin, all->begin))
            all->begin = all->end = series->columns.begin;
        begun = true;
        all->span = max_u64(all->span, series->columns.span);
    }
    for (size_t i = 0; i < svg->keys.count; i++) {
        const struct svg_series *series = svg->keys.at[i];

        if (series == NULL)
            continue;
        svg_columns_add_series(all, &series->columns, panel);
        for (unsigned c = 0; c < channels; c++, panel++) {
            all->extents[panel].frames = series->columns.frames;
            if (name_panel(svg, series->key, c, panel) != 0)
                return -1;
        }
    }
    return 0;
}

/* ---- rows with times */

static int svg_times(struct sink *sink, const struct row_key *key, uint64_t number,
                     const struct moment *moments, size_t count, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    struct svg_series *series = key == NULL ? NULL : series_of(svg, key, error);

    if (key != NULL && series == NULL)
        return -1;
    if (count > 0) {
        if (!svg->has_rows || moment_is_before(moments[0], svg->first_row))
            svg->first_row = moments[0];
        if (!svg->has_rows || moment_is_before(svg->last_row, moments[count - 1]))
            svg->last_row = moments[count - 1];
        svg->has_rows = true;
        svg->row_count += count;
    }
    return sink->format.context.period > 0 ||
                   gap_rows_add(series == NULL ? &svg->rows : &series->rows, number, moments,
                                count) == 0
               ? 0
               : error_system(error, ERROR_RESOURCE, "memory", errno);
}

/* Adds a frame of rows with times: at its row, where there may be a gap before it, or over its
 * interval. */
static void take_timed(struct svg *svg, const unsigned char *frame, const struct sink_rows *at)
{
    struct svg_series *series = at->key == NULL ? NULL : svg->keys.at[at->key->number];
    struct svg_columns *columns = series == NULL ? &svg->columns : &series->columns;
    struct gap_rows *rows = series == NULL ? &svg->rows : &series->rows;
    const uint64_t stretch = rows->stretch;

    if (svg->sink.format.context.period > 0) {
        svg_columns_take_at(columns, frame, at->first_time, at->last_time, false);
        return;
    }
    gap_rows_pass(rows, at->first);
    svg_columns_take_at(columns, frame, at->first_time, at->first_time, rows->stretch != stretch);
}

static int svg_write(struct sink *sink, void *frames, size_t count, const struct sink_rows *rows,
                     bool gift, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    const size_t frame_bytes = sink->format.channels * value_bytes(sink->format.row.kind[0]);

    (void)gift;
    (void)error;
    if (rows == NULL)
        svg_columns_take(&svg->columns, frames, count);
    for (size_t i = 0; rows != NULL && i < count; i++)
        take_timed(svg, (const unsigned char *)frames + i * frame_bytes, &rows[i]);
    return 0;
}

static void svg_close(struct sink *sink)
{
    struct svg *svg = (struct svg *)sink;

    svg_columns_close(&svg->columns);
    gap_rows_free(&svg->rows);
    for (size_t i = 0; i < svg->keys.count; i++) {
        struct svg_series *series = svg->keys.at[i];

        if (series == NULL)
            continue;
        svg_columns_close(&series->columns);
        gap_rows_free(&series->rows);
        free(series);
    }
    for (size_t i = 0; i < svg->names.count; i++)
        free(svg->names.at[i]);
    free(svg->keys.at);
    free(svg->names.at);
    svg_converter_close(&svg->converter);
    free(svg);
}

static void svg_reserve(struct sink *sink, uint64_t frames, unsigned threads)
{
    (void)frames; /* there may be more frames in a file that is compressed */
    (void)threads;
    svg_columns_reserve(&((struct svg *)sink)->columns, sink->format.frames);
}

/* A part has only the columns of a picture. */
static struct sink *svg_part(const struct sink *sink, uint64_t frame, uint64_t count)
{
    const struct svg *svg = (const struct svg *)sink;
    struct svg *part = calloc(1, sizeof *part);

    if (part == NULL)
        return NULL;
    part->sink.class = sink->class;
    part->sink.format = sink->format;
    part->converter = (struct svg_converter){.feed = -1, .made = -1};
    if (svg_columns_open_part(&part->columns, &svg->columns, frame, count) == 0)
        return &part->sink;
    svg_close(&part->sink);
    return NULL;
}

static int svg_join(struct sink *sink, struct sink *part, struct error *error)
{
    (void)error;
    svg_columns_join(&((struct svg *)sink)->columns, &((const struct svg *)part)->columns);
    return 0;
}

/* ---- the size */

/* Plans all sizes that do not depend on the values. */
static int plan_size(struct svg *svg, struct error *error)
{
    const struct sink_context *context = &svg->sink.format.context;
    const struct picture *picture = &context->picture;
    const unsigned channels = svg->panels;
    double beside;

    svg->scale = picture->scale != PICTURE_USUAL ? picture->scale
                 : context->numbers              ? PICTURE_FIT
                                                 : PICTURE_FULL;
    svg->own_axes = context->numbers && channels > 1;
    svg->plain = picture->plain;
    svg->width = picture->width > 0 ? (int)picture->width : WIDTH;
    svg->heading = channels > 1 ? HEADING : 0;
    svg->top = svg_title(svg) != NULL ? TOP + TITLE : TOP;
    svg->top -= svg->heading / 3;
    svg->height = channels == 1   ? 300
                  : channels == 2 ? 180
                  : channels <= 4 ? 120
                  : channels <= 8 ? 84
                                  : 60;
    if (svg->plain) {
        svg->top = svg->heading = 0;
        svg->height = PLAIN;
    }
    if (picture->height == 0)
        return 0;
    beside = svg->plain ? 0 : svg->top + SVG_BOTTOM + svg->heading * (double)channels;
    svg->height = (picture->height - beside) / channels;
    if (svg->height >= PANEL_LEAST)
        return 0;
    return error_set(error, ERROR_FORMAT, svg->sink.output->name,
                     "%u channels need a height of at least %.0f pixels (--size)", channels,
                     beside + PANEL_LEAST * (double)channels);
}

static int svg_finish(struct sink *sink, struct error *error)
{
    struct svg *svg = (struct svg *)sink;
    struct svg_layout layout = {.width = 0};
    struct memory_text text = {.bytes = NULL};
    int result = -1;

    if (source_key_name(sink->format.context.table) != NULL) {
        if (join_series(svg) != 0)
            return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
        if (plan_size(svg, error) != 0)
            return -1;
    } else {
        for (unsigned i = 0; i < svg->columns.channels; i++)
            svg->columns.extents[i].frames = svg->columns.frames;
    }
    svg_columns_reduce(&svg->columns, columns_to_draw(svg));
    svg->has_rms =
        svg->columns.pick.squares && (svg->columns.pick.has_rms || svg->columns.span >= SVG_RMS);
    if (sink->format.context.db)
        svg_columns_decibels(&svg->columns, svg->has_rms);
    svg_lay_out(&layout, svg);
    if (svg_is_quiet(svg, &layout.extent))
        sink->remark = "all levels are below -20 dB: --scale fit draws them larger";
    svg_draw(&text, svg, &layout);
    if (text.failed)
        error_system(error, ERROR_FILE, sink->output->name, ENOMEM);
    else if (svg->converter.program.name != NULL)
        result = svg_converter_finish(&svg->converter, text.bytes, text.used, sink->output, error);
    else
        result = output_write(sink->output, text.bytes, text.used, error);
    memory_text_free(&text);
    return result;
}

/* ---- opening */

static const struct sink_class svg_class = {
    .write = svg_write,
    .reserve = svg_reserve,
    .part = svg_part,
    .join = svg_join,
    .finish = svg_finish,
    .close = svg_close,
};

/* For frames with times, or if the number of frames is not known. */
static const struct sink_class ordered_class = {
    .write = svg_write,
    .times = svg_times,
    .finish = svg_finish,
    .close = svg_close,
};

/* Selects the emits to draw. */
static bool pick_emits(struct svg *svg, struct svg_pick *pick)
{
    const struct sink_context *context = &svg->sink.format.context;
    const struct emit_list *emits = &context->emits;
    const struct sink_row *row = &svg->sink.format.row;
    const bool has_rms = !context->numbers && (!context->magnitudes || context->db);
    unsigned extremes = 0;

    *pick = (struct svg_pick){.values = row->count, .kind = row->kind[0]};
    svg->emit = emits->item[0];
    if (emits->count == 1)
        return true;
    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN)
            pick->low = i % row->count;
        else if (emits->item[i] == EMIT_MAX)
            pick->high = i % row->count;
        else if (emits->item[i] == EMIT_RMS && has_rms)
            pick->rms = i;
        else
            return false;
        extremes += emits->item[i] <= EMIT_MAX;
    }
    svg->emit = EMIT_KINDS;
    pick->has_rms = emits->count == 3;
    pick->squares = pick->has_rms || (context->window.width == 1 && !svg->timed && has_rms);
    return extremes == 2;
}

/* Draws minima and maxima if the emits are min and max, in any order, of sound with its RMS; or a
 * single emit. With a single value, that is both minimum and maximum. */
static int open_svg(struct output *output, const struct sink_format *format, struct sink **sink,
                    struct error *error)
{
    const struct sink_context *context = &format->context;
    struct svg *svg = calloc(1, sizeof *svg);
    struct svg_pick pick;

    if (svg == NULL)
        return error_system(error, ERROR_FILE, output->name, errno);
    svg->sink = (struct sink){.class = &svg_class, .format = *format, .output = output};
    svg->converter = (struct svg_converter){.feed = -1, .made = -1};
    svg->timed = format->context.times != NULL;
    svg->rows.gaps.rule = context->gap;
    svg->panels = context->channels;
    if (svg->timed || format->frames == SINK_FRAMES_UNKNOWN)
        svg->sink.class = &ordered_class;
    if (!pick_emits(svg, &pick)) {
        error_set(error, ERROR_FORMAT, output->name,
                  "a picture shows the minimum and the maximum, or one value: give --emit min,max, "
                  "or a single value");
        goto error;
    }
    if (plan_size(svg, error) != 0)
        goto error;
    svg->columns.pick = pick;
    if (source_key_name(context->table) == NULL &&
        svg_columns_open(&svg->columns, svg->panels, columns_to_keep(svg), pick) != 0) {
        error_system(error, ERROR_FILE, output->name, ENOMEM);
        goto error;
    }
    if (!format->format->writer->text &&
        svg_converter_open(&svg->converter, format->container, output, error) != 0)
        goto error;
    *sink = &svg->sink;
    return 0;

error:
    svg_close(&svg->sink);
    return -1;
}

#define PICTURE                                                                                    \
    .kinds = " f32", .streams = true, .any_window = true, .decibels = true,                        \
    .whole_decimals = true, .open = open_svg

static const struct format_writer of_text = {PICTURE, .text = true};
static const struct format_writer of_bytes = {PICTURE};

const struct format format_svg = {
    .names = {"svg"},
    .words = "an SVG picture",
    .endings = " svg",
    .writer = &of_text,
};

const struct format format_png = {
    .names = {"png"},
    .words = "a PNG picture",
    .endings = " png",
    .writer = &of_bytes,
};

const struct format format_pdf = {
    .names = {"pdf"},
    .words = "a PDF document",
    .endings = " pdf",
    .writer = &of_bytes,
};
