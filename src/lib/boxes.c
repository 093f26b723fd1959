/* SPDX-License-Identifier: MIT */
/* Windows of several rows: boxes of images. tiles.c filters most of them. Other images take two
 * passes over all rows: the extremes of a box are those of the extremes of its rows. */
#include <stdlib.h>

#include "base/min_max.h"
#include "base/pages.h"
#include "lib/filter_priv.h"

static int check_spec(const gpuenv_spec *spec, uint64_t height, gpuenv_error *error)
{

    if (height == 0)
        return REFUSE(error, "height", "must be 1 or more");
    if (spec->values != 1 || (spec->value[0] != GPUENV_MIN && spec->value[0] != GPUENV_MAX))
        return REFUSE(error, "value", "must be GPUENV_MIN or GPUENV_MAX alone, for boxes");
    if (spec->hop != 1 || spec->times != NULL || spec->min_count > 1)
        return REFUSE(error, "hop", "must be 1 for boxes, without times and min_count");
    if (spec->edge != GPUENV_EDGE_SHRINK && spec->align != GPUENV_ALIGN_VALID)
        return REFUSE(error, "edge", "must be GPUENV_EDGE_SHRINK for boxes");
    return spec->nan == GPUENV_NAN_ERROR
               ? REFUSE(error, "nan", "must not be GPUENV_NAN_ERROR for boxes")
               : GPUENV_OK;
}

/* Columns as rows. `plain`: samples are adjacent, and a frame is a whole row of `array`. */
static struct strided turned(const struct strided *array, bool plain)
{
    struct strided turned = *array;

    turned.rows = plain ? 1 : array->frames;
    turned.row = plain ? 0 : array->frame;
    turned.channels = plain ? array->frames * array->channels : array->channels;
    turned.channel = plain ? (ptrdiff_t)array->bytes : array->channel;
    turned.frames = array->rows;
    turned.frame = array->row;
    return turned;
}

static int run_pass(struct filter *filter, const gpuenv_spec *spec, struct strided in,
                    struct strided out, gpuenv_error *error)
{
    int code;

    filter->in = in;
    filter->out[0] = out;
    code = filter_plan(filter, spec, error);
    return code == GPUENV_OK ? work_run(&filter->work, error) : code;
}

static int run_passes(struct filter *filter, const gpuenv_spec *spec, uint64_t height,
                      const struct strided *out, gpuenv_error *error)
{
    const struct strided in = filter->in;
    const bool plain = strided_is_plain(out, (size_t)out->channels); /* the middle is, too */
    struct strided middle = in;
    gpuenv_spec down = *spec;
    uint64_t bytes;
    int code;

    middle.frames = out->frames;
    middle.channel = (ptrdiff_t)in.bytes;
    middle.frame = (ptrdiff_t)(in.bytes * in.channels);
    middle.row = middle.frame * (ptrdiff_t)out->frames;
    /* No memory has the most. */
    bytes = min_u64(in.rows, UINT64_MAX / (uint64_t)middle.row) * (uint64_t)middle.row;
    code = memory_check(filter->work.context, bytes, error);
    if (code != GPUENV_OK)
        return code;
    middle.data = pages_malloc((size_t)bytes, PAGES_LINE);
    if (middle.data == NULL)
        return fault_memory(error);
    code = run_pass(filter, spec, in, middle, error);
    down.width = height;
    if (code == GPUENV_OK)
        code = run_pass(filter, &down, turned(&middle, plain), turned(out, plain), error);
    free(middle.data);
    return code;
}

int gpuenv_filter_boxes(gpuenv_context *context, const gpuenv_spec *spec, uint64_t height,
                        const gpuenv_array *in, const gpuenv_array *out, gpuenv_error *error)
{
    struct strided to[GPUENV_VALUES];
    struct filter filter;
    gpuenv_spec wanted;
    int code;

    fault_clear(error);
    if (context == NULL)
        return REFUSE(error, "context", "is NULL");
    code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = check_spec(&wanted, height, error);
    if (code == GPUENV_OK)
        code = arrays_read(&filter.in, to, &wanted, height, in, out, error);
    if (code != GPUENV_OK || to[0].rows == 0 || to[0].frames == 0 || to[0].channels == 0)
        return code;
    if (type_of(filter.in.sample) != type_of(to[0].sample))
        return REFUSE(error, "out[0]", "does not have the type of the input");
    work_begin(&filter.work, context);
    filter.line.is_even = false;
    filter.out[0] = to[0];
    code = filter_plan(&filter, &wanted, error);
    if (code != GPUENV_OK)
        return code;
    return tiles_fit(&filter, &to[0]) ? tiles_filter(&filter, &wanted, height, &to[0], error)
                                      : run_passes(&filter, &wanted, height, &to[0], error);
}
