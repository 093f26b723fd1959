/* SPDX-License-Identifier: MIT */
/* Windows of several rows: boxes of images.
 *
 * The extremes of a box are those of the extremes of its rows. So there are two passes: along rows,
 * into the *middle*, and down its columns. A task has a stretch of rows of results, and makes them
 * in bands: the middle of a band stays in the cache until its second pass, and rows that the next
 * band needs, too, are kept. */
#include <stdalign.h>
#include <string.h>

#include "base/min_max.h"
#include "lib/filter_priv.h"

enum {
    BAND_BYTES = 192 * 1024, /* of the middle, at a time */
    SHORT_BYTES = 16,        /* of windows whose samples are all compared, */
    FEW = 5,                 /* or so many of them; */
    FEW_FLOATS = 3,          /* of floats of one channel */
};

struct boxes {
    struct work work;
    struct filter rows;    /* of the image, to the middle */
    struct filter columns; /* of the middle, to the results */
    uint64_t band;         /* rows of results */
    size_t row;            /* bytes of the middle */
    size_t band_bytes;
    bool direct; /* Rows are compared with themselves. */
};

/* A task at work. Both filters are its own: their middle is its band, which stands where these rows
 * of the whole middle would. */
struct box_task {
    struct filter rows;
    struct filter columns;
    unsigned char *band;
    unsigned char *room;
    uint64_t first; /* row of the middle in the band, */
    uint64_t end;   /* and the one behind the last */
};

/* ---- along rows */

/* The samples of a row, with the first and the last one repeated as often as windows reach over the
 * ends: that changes no extreme. */
static void pad_row(const struct filter *rows, uint64_t row, unsigned char *to)
{
    const struct strided *in = &rows->in;
    const struct window *window = &rows->plan.setup.window;
    const bool cut = window->align != ALIGN_VALID;
    const uint64_t before = cut ? window->width - 1 - window->after : 0;
    const size_t pixel = in->bytes * (size_t)in->channels;
    const unsigned char *from = strided_at(in, row, 0, 0);

    for (uint64_t i = 0; i < before; i++, to += pixel)
        memcpy(to, from, pixel);
    memcpy(to, from, pixel * (size_t)in->frames);
    to += pixel * (size_t)in->frames;
    for (uint64_t i = 0; cut && i < window->after; i++, to += pixel)
        memcpy(to, from + pixel * (size_t)(in->frames - 1), pixel);
}

/* The best of each sample and of those that lie `step`, 2 * step, ... before it, `width` in all, of
 * `count` samples from the first that has them. They are a frame of windows across channels, which
 * are all samples of a row. */
static void compare(const struct filter *rows, const unsigned char *from, size_t step, size_t width,
                    size_t count, unsigned char *to)
{
    const struct engine_setup *setup = &rows->plan.setup;
    const struct across work = {
        .samples = from + (width - 1) * step * rows->in.bytes,
        .in_step = step,
        .channels = count,
        .count = 1,
        .low = to,
        .high = to,
        .lead = width - 1,
        .have = 1,
    };

    rows->plan.kernels->window_across(&work, width, rows->plan.sides, setup->nan);
}

/* The most samples of a window that are compared at once. */
static size_t most_at_once(const struct filter *rows)
{
    return max_u64(SHORT_BYTES / rows->in.bytes, FEW);
}

/* Windows of a few pixels, and of them wider ones, up to twice as wide each time. */
static void run_row(struct box_task *task, uint64_t row)
{
    const struct filter *rows = &task->rows;
    const size_t pixel = (size_t)rows->in.channels;
    const size_t width = (size_t)rows->plan.setup.window.width;
    const size_t samples = (size_t)rows->out[0].frames * pixel;
    unsigned char *const last = strided_at(&rows->out[0], row, 0, 0);
    const size_t room = (samples + (width - 1) * pixel) * rows->in.bytes;
    unsigned char *from = task->room;
    unsigned char *to = task->room + room;
    const size_t most = most_at_once(rows);
    size_t wide = width > most ? most : width;

    pad_row(rows, row, from);
    compare(rows, from, pixel, wide, samples + (width - wide) * pixel, wide < width ? to : last);
    while (wide < width) {
        const size_t more = min_u64(wide, width - wide);
        unsigned char *const next = from;

        wide += more;
        from = to;
        to = wide < width ? next : last;
        compare(rows, from, more * pixel, 2, samples + (width - wide) * pixel, to);
    }
}

static void run_rows(struct box_task *task, uint64_t end, bool direct)
{
    const struct task whole = {.count = task->rows.in.frames};
    const uint64_t groups = task->rows.groups.count;

    for (uint64_t row = task->end; row < end; row++) {
        if (direct)
            run_row(task, row);
        for (uint64_t i = 0; !direct && i < groups; i++)
            filter_unit(&task->rows.work, task->room, row * groups + i, &whole);
        if (direct)
            work_look(&task->rows.work, task->rows.in.frames * task->rows.in.channels);
    }
    task->end = end;
}

/* ---- bands */

/* The band begins with this row of the middle from now on. */
static void move_band(struct box_task *task, uint64_t first, size_t row)
{
    const uint64_t kept = task->end > first ? task->end - first : 0;
    unsigned char *whole;

    if (kept > 0 && first > task->first)
        memmove(task->band, task->band + (first - task->first) * row, kept * row);
    task->first = first;
    task->end = first + kept;
    whole = task->band - (ptrdiff_t)(first * row);
    task->rows.out[0].data = whole;
    task->columns.in.data = whole;
}

/* The windows that end past the last row belong to the last band. */
static void run_columns(struct box_task *task, uint64_t first, uint64_t end)
{
    struct filter *columns = &task->columns;
    const uint64_t after = columns->plan.setup.window.after;
    const uint64_t from = first == 0 ? 0 : min_u64(first + after, columns->in.frames);
    const struct task band = {.first = from,
                              .count = min_u64(end + after, columns->in.frames) - from};
    const uint64_t units = columns->groups.count * columns->in.rows;

    if (end < columns->out[0].frames)
        columns->tail.count = 0;
    for (uint64_t i = 0; i < units; i++)
        filter_unit(&columns->work, task->room, i, &band);
}

/* The last band has more rows than windows reach past its end, so that all others reach none. */
static void run_bands(struct work *work, void *room, uint64_t unit, const struct task *stretch)
{
    struct boxes *boxes = (struct boxes *)work;
    const struct window *window = &boxes->columns.plan.setup.window;
    const uint64_t before = window->width - 1 - window->after;
    const uint64_t last = boxes->columns.out[0].frames;
    const uint64_t end = stretch->first + stretch->count;
    const struct piece tail = boxes->columns.tail;
    struct box_task task = {.rows = boxes->rows,
                            .columns = boxes->columns,
                            .band = room,
                            .room = (unsigned char *)room + boxes->band_bytes};

    (void)unit;
    for (uint64_t at = stretch->first, next; at < end && work->stopped == 0; at = next) {
        next = min_u64(at + boxes->band, end);
        if (next < last && last - next <= window->after && end == last)
            next = last;
        move_band(&task, at < before ? 0 : at - before, boxes->row);
        run_rows(&task, min_u64(next + window->after, boxes->rows.in.rows), boxes->direct);
        task.columns.tail = tail;
        run_columns(&task, at, next);
        if (task.rows.work.stopped != 0 || task.columns.work.stopped != 0)
            work->stopped = GPUENV_INTERRUPTED;
    }
}

/* ---- the plan */

static int check_spec(const gpuenv_spec *spec, uint64_t height, gpuenv_error *error)
{
    const int code = GPUENV_BAD_ARGUMENT;

    if (height == 0)
        return fault_set(error, code, "height", "must be 1 or more");
    if (spec->values != 1 || (spec->value[0] != GPUENV_MIN && spec->value[0] != GPUENV_MAX))
        return fault_set(error, code, "value", "must be GPUENV_MIN or GPUENV_MAX alone, for boxes");
    if (spec->hop != 1 || spec->times != NULL || spec->min_count > 1)
        return fault_set(error, code, "hop", "must be 1 for boxes, without times and min_count");
    if (spec->edge != GPUENV_EDGE_SHRINK && spec->align != GPUENV_ALIGN_VALID)
        return fault_set(error, code, "edge", "must be GPUENV_EDGE_SHRINK for boxes");
    return spec->nan == GPUENV_NAN_ERROR
               ? fault_set(error, code, "nan", "must not be GPUENV_NAN_ERROR for boxes")
               : GPUENV_OK;
}

/* Rows of results, of which a frame has all samples where these are adjacent. */
static struct strided turned(const struct strided *array, uint64_t frames)
{
    const bool plain = strided_is_plain(array, (size_t)array->channels);
    struct strided turned = *array;

    turned.rows = plain ? 1 : frames;
    turned.row = plain ? 0 : array->frame;
    turned.channels = plain ? frames * array->channels : array->channels;
    turned.channel = plain ? (ptrdiff_t)array->bytes : array->channel;
    turned.frames = array->rows;
    turned.frame = array->row;
    return turned;
}

/* Sets the arrays. The middle has the type of the results, where these are samples. */
static void set_middle(struct boxes *boxes, const struct strided *in, const struct strided *out)
{
    struct strided middle = *out;

    middle.data = NULL;
    middle.sample = in->sample;
    middle.bytes = in->bytes;
    middle.rows = in->rows;
    middle.channel = (ptrdiff_t)in->bytes;
    middle.frame = (ptrdiff_t)(in->bytes * in->channels);
    boxes->row = (size_t)(middle.frames * in->channels) * in->bytes;
    middle.row = (ptrdiff_t)boxes->row;
    boxes->rows.in = *in;
    boxes->rows.out[0] = middle;
    boxes->columns.out[0] = turned(out, out->frames);
    /* Its frames are those of the results. */
    boxes->columns.in = boxes->columns.out[0];
    boxes->columns.in.data = NULL;
    boxes->columns.in.sample = middle.sample;
    boxes->columns.in.bytes = middle.bytes;
    boxes->columns.in.row = middle.frame;
    boxes->columns.in.channel = middle.channel;
    boxes->columns.in.frames = middle.rows;
    boxes->columns.in.frame = middle.row;
}

/* Is it faster to compare a row with itself than to slide over it? Channels would be taken apart.
 */
static bool is_direct(const struct filter *rows)
{
    const struct block_plan *plan = &rows->plan;
    const struct strided *in = &rows->in;
    uint64_t most = in->channels > 1 ? UINT64_MAX : most_at_once(rows);

    if (sample_type_has_nan(in->sample))
        most = in->channels > 1 ? FEW : FEW_FLOATS;
    return plan->setup.window.width <= most && plan->kernels->lanes > 1 &&
           rows->out[0].frames * in->channels >= plan->kernels->lanes &&
           sample_type_is_native(in->sample, plan->kernels->kind) &&
           strided_is_plain(in, (size_t)in->channels) && in->frames > 0;
}

static int make_plan(struct boxes *boxes, const gpuenv_spec *spec, uint64_t height,
                     gpuenv_error *error)
{
    gpuenv_context *context = boxes->work.context;
    struct work_size work = {.units = 1, .threads = work_threads(context, spec)};
    gpuenv_spec down = *spec;
    int code = filter_plan(&boxes->rows, spec, error);
    uint64_t most;

    down.width = height;
    if (code == GPUENV_OK)
        code = filter_plan(&boxes->columns, &down, error);
    if (code != GPUENV_OK)
        return code;
    boxes->direct = is_direct(&boxes->rows);
    work.halo = boxes->columns.plan.setup.window.width - 1;
    work.frames = boxes->columns.out[0].frames;
    work.least = max_u64(TASK_SAMPLES * boxes->columns.in.bytes / boxes->row, work.halo) + 1;
    boxes->work.cut = cut_work(&work);
    boxes->band = max_u64(BAND_BYTES / boxes->row, 2 * (work.halo + 1)) - work.halo;
    most = boxes->band + 2 * (work.halo + 1); /* the last band has more */
    if (most > boxes->rows.in.rows)
        most = boxes->rows.in.rows;
    boxes->band_bytes = ((size_t)most * boxes->row + 63) / 64 * 64;
    boxes->work.run = run_bands;
    boxes->work.room =
        boxes->band_bytes +
        max_u64(max_u64(filter_room(&boxes->rows), filter_room(&boxes->columns)),
                boxes->direct ? 2 * boxes->row +
                                    2 * (boxes->rows.plan.setup.window.width - 1) *
                                        (uint64_t)(boxes->rows.in.channels * boxes->rows.in.bytes)
                              : 0);
    return memory_check(context, boxes->work.room * min_u64(work.threads, boxes->work.cut.tasks),
                        error);
}

int gpuenv_filter_boxes(gpuenv_context *context, const gpuenv_spec *spec, uint64_t height,
                        const gpuenv_array *in, const gpuenv_array *out, gpuenv_error *error)
{
    struct strided from;
    struct strided to[GPUENV_VALUES];
    struct boxes boxes;
    gpuenv_spec wanted;
    int code;

    fault_clear(error);
    if (context == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "context", "is NULL");
    code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = check_spec(&wanted, height, error);
    if (code == GPUENV_OK)
        code = arrays_read(&from, to, &wanted, height, in, out, error);
    if (code != GPUENV_OK || to[0].rows == 0 || to[0].frames == 0 || to[0].channels == 0)
        return code;
    if (type_of(from.sample) != type_of(to[0].sample))
        return fault_set(error, GPUENV_BAD_ARGUMENT, "out[0]",
                         "does not have the type of the input");
    set_middle(&boxes, &from, &to[0]);
    work_begin(&boxes.work, context);
    work_begin(&boxes.rows.work, context);
    work_begin(&boxes.columns.work, context);
    boxes.rows.line.is_even = boxes.columns.line.is_even = false;
    boxes.rows.in_cache = false;
    boxes.columns.in_cache = true;
    code = make_plan(&boxes, &wanted, height, error);
    return code == GPUENV_OK ? work_run(&boxes.work, error) : code;
}
