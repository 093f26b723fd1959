#include "layout.h"

static Py_ssize_t length(Py_ssize_t distance)
{
    return distance < 0 ? -distance : distance;
}

/* The dimensions beside the axis, those with the largest distances in the input first. */
static void collect(struct layout *layout, const struct view *const *views, int axis)
{
    layout->steps = 0;
    for (int d = 0; d < views[0]->dimensions; d++) {
        struct layout_step step = {.count = views[0]->shape[d]};
        int place;

        if (d == axis || step.count == 1)
            continue;
        if (step.count == 0)
            layout->empty = true;
        for (int i = 0; i < layout->arrays; i++)
            step.distance[i] = views[i]->strides[d];
        place = layout->steps++;
        while (place > 0 &&
               length(layout->step[place - 1].distance[0]) < length(step.distance[0])) {
            layout->step[place] = layout->step[place - 1];
            place--;
        }
        layout->step[place] = step;
    }
}

static bool can_merge(const struct layout *layout, const struct layout_step *outer,
                      const struct layout_step *inner)
{
    for (int i = 0; i < layout->arrays; i++) {
        if (outer->distance[i] != inner->distance[i] * inner->count)
            return false;
    }
    return true;
}

static void merge(struct layout *layout)
{
    int kept = 0;

    for (int i = 0; i < layout->steps; i++) {
        struct layout_step step = layout->step[i];

        if (kept > 0 && can_merge(layout, &layout->step[kept - 1], &step)) {
            step.count *= layout->step[kept - 1].count;
            kept--;
        }
        layout->step[kept++] = step;
    }
    layout->steps = kept;
}

static struct layout_step take(struct layout *layout, int index)
{
    struct layout_step step = layout->step[index];

    layout->steps--;
    for (int i = index; i < layout->steps; i++)
        layout->step[i] = layout->step[i + 1];
    return step;
}

void layout_make(struct layout *layout, const struct view *const *views, int count, int axis)
{
    struct layout_step channel = {.count = 1};
    struct layout_step row = {.count = 1};

    layout->arrays = count;
    layout->empty = false;
    collect(layout, views, axis);
    merge(layout);
    /* Channels are filtered together, which pays where frames are further apart. */
    if (layout->steps > 0 &&
        length(layout->step[layout->steps - 1].distance[0]) < length(views[0]->strides[axis]))
        channel = take(layout, layout->steps - 1);
    if (layout->steps > 0) {
        int longest = 0;

        for (int i = 1; i < layout->steps; i++) {
            if (layout->step[i].count > layout->step[longest].count)
                longest = i;
        }
        row = take(layout, longest);
    }
    for (int i = 0; i < count; i++) {
        layout->array[i] = (gpuenv_array){
            .size = sizeof(gpuenv_array),
            .data = views[i]->data,
            .type = views[i]->type,
            .swapped = views[i]->swapped,
            .rows = (uint64_t)row.count,
            .frames = (uint64_t)views[i]->shape[axis],
            .channels = (uint64_t)channel.count,
            .row = row.distance[i],
            .frame = views[i]->strides[axis],
            .channel = channel.distance[i],
        };
    }
    for (int i = 0; i < layout->steps; i++)
        layout->at[i] = 0;
}

bool layout_next(struct layout *layout)
{
    for (int s = layout->steps - 1; s >= 0; s--) {
        const struct layout_step *step = &layout->step[s];
        const bool ended = ++layout->at[s] == step->count;
        const Py_ssize_t moves = ended ? 1 - step->count : 1;

        for (int i = 0; i < layout->arrays; i++)
            layout->array[i].data =
                (const unsigned char *)layout->array[i].data + moves * step->distance[i];
        if (!ended)
            return true;
        layout->at[s] = 0;
    }
    return false;
}

/* ---- all samples ---- */

/* The dimension with the smallest distance, for loops in the order of memory. */
static int innermost(const struct view *view)
{
    int axis = 0;

    for (int d = 1; d < view->dimensions; d++) {
        if (view->shape[d] > 1 &&
            (view->shape[axis] < 2 || length(view->strides[d]) < length(view->strides[axis])))
            axis = d;
    }
    return axis;
}

bool layout_any(const struct view *view, layout_test *test)
{
    struct view each = *view; /* of its samples, once */
    const struct view *views[] = {&each};
    struct layout layout;
    PyThreadState *state;
    bool found = false;

    if (view_is_empty(view))
        return false;
    if (view->dimensions == 0)
        return test(view->data, view->bytes, 1);
    each.shape = each.room[0];
    for (int d = 0; d < view->dimensions; d++)
        each.room[0][d] = view->strides[d] != 0 ? view->shape[d] : 1;
    layout_make(&layout, views, 1, innermost(&each));
    state = shared_release(view_samples(view));
    do {
        const gpuenv_array *array = &layout.array[0];

        for (uint64_t row = 0; row < array->rows; row++)
            found = found || test((const unsigned char *)array->data + (ptrdiff_t)row * array->row,
                                  array->frame, array->frames);
    } while (!found && layout_next(&layout));
    shared_resume(state);
    return found;
}

/* ---- bool ---- */

static bool has_other_bytes(const unsigned char *at, ptrdiff_t step, uint64_t count)
{
    unsigned char all = 0;

    for (uint64_t i = 0; step == 1 && i < count; i++)
        all |= at[i];
    for (uint64_t i = 0; step != 1 && i < count; i++)
        all |= at[(ptrdiff_t)i * step];
    return all > 1;
}

int layout_settle_truth(struct view *view)
{
    if (!view->boolean || !layout_any(view, has_other_bytes))
        return 0;
    view->boolean = false;
    return view_convert(view, shared.array, shared.dtype_bool);
}
