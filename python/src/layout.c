/* SPDX-License-Identifier: MIT */
#include "layout.h"

static Py_ssize_t length(Py_ssize_t distance)
{
    return distance < 0 ? -distance : distance;
}

/* Collects the dimensions other than the axis, those with the largest distances in the input
 * first. */
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

/* Moves a step behind the others. */
static const struct layout_step *take(struct layout *layout, int index)
{
    const struct layout_step step = layout->step[index];

    layout->steps--;
    for (int i = index; i < layout->steps; i++)
        layout->step[i] = layout->step[i + 1];
    layout->step[layout->steps] = step;
    return &layout->step[layout->steps];
}

void layout_make(struct layout *layout, const struct view *const *views, int count, int axis)
{
    static const struct layout_step one = {.count = 1};
    const struct layout_step *channel = &one;
    const struct layout_step *row = &one;

    layout->arrays = count;
    layout->empty = false;
    collect(layout, views, axis);
    merge(layout);
    /* Channels are filtered together, which pays where frames are further apart than they are. */
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
            .rows = (uint64_t)row->count,
            .frames = (uint64_t)views[i]->shape[axis],
            .channels = (uint64_t)channel->count,
            .row = row->distance[i],
            .frame = views[i]->strides[axis],
            .channel = channel->distance[i],
            .broadcast = 1,
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

int layout_settle_truth(struct view *view)
{
    PyObject *bytes;
    PyObject *found = NULL;
    int others = -1;

    if (!view->boolean || view_is_empty(view))
        return 0;
    view->boolean = false;
    bytes = view_numpy(view);
    if (bytes != NULL)
        found = PyObject_CallFunctionObjArgs(shared.has_other_bytes, bytes, NULL);
    if (found != NULL)
        others = PyObject_IsTrue(found);
    Py_XDECREF(bytes);
    Py_XDECREF(found);
    view->boolean = others == 0;
    return others > 0 ? view_convert(view, shared.array, shared.dtype_bool) : others;
}
