/* SPDX-License-Identifier: MIT */
#include "window/window.h"

#include <stddef.h>

#include "window/emit_list.h"

const char *const window_aligns[] = {
    [ALIGN_VALID] = "valid",
    [ALIGN_CAUSAL] = "causal",
    [ALIGN_CENTER] = "center",
    [ALIGN_FORWARD] = "forward",
    NULL,
};

#define WORD(name, word, made) word,
const char *const emit_names[] = {EMITS(WORD) NULL};

#define IS_RIGHT(name, word, made)                                                                 \
    _Static_assert(EMIT_IS_BOTH(EMIT_##name) ? (int)EMIT_COMBINE(EMIT_##name) == (int)(made)       \
                                             : (int)(made) >= (int)EMIT_OF_EXTREME,                \
                   word ": EMIT_IS_BOTH() or EMIT_COMBINE() does not know it");
EMITS(IS_RIGHT)

void window_init(struct window *window, uint64_t width, uint64_t hop, enum window_align align,
                 enum window_edge edge)
{
    window->width = width;
    window->hop = hop < INT64_MAX ? hop : INT64_MAX;
    window->align = align;
    window->edge = edge;
    switch (align) {
    case ALIGN_VALID:
    case ALIGN_FORWARD:
        window->after = width - 1;
        break;
    case ALIGN_CAUSAL:
        window->after = 0;
        break;
    case ALIGN_CENTER:
        window->after = (width - 1) / 2; /* ceil(width / 2) - 1 */
        break;
    }
}

uint64_t window_outputs(const struct window *window, uint64_t n)
{
    uint64_t outputs = n;

    if (window->align == ALIGN_VALID)
        outputs = n < window->width ? 0 : n - window->width + 1;
    return outputs == 0 ? 0 : (outputs - 1) / window->hop + 1;
}

uint64_t window_tail(const struct window *window, uint64_t n)
{
    uint64_t first = window_tail_first(window, n);
    uint64_t last; /* the end of the last window that is written */

    if (window->align == ALIGN_VALID || n == 0)
        return 0;
    last = (n - 1) / window->hop * window->hop + window->after;
    return last < first ? 0 : last - first + 1;
}

uint64_t window_tail_first(const struct window *window, uint64_t n)
{
    /* A centered window reaches as far back as ahead. A forward window loses a sample with each
     * step, unless there is only one step. If an array is read backwards, the first window may
     * begin after frame 0. */
    bool samples_stay =
        (window->align != ALIGN_FORWARD || n <= window->hop) && window->after < window->width;

    return n < window->after && samples_stay ? window->after : n;
}

struct window_pick window_pick(const struct window *window, uint64_t first, uint64_t count)
{
    struct window_pick pick = {0, 0};
    uint64_t from = first > window->after ? first : window->after; /* output 0 ends at `after` */
    uint64_t past_hop = window->hop == 1 ? 0 : (from - window->after) % window->hop;

    if (past_hop != 0)
        from += window->hop - past_hop;
    if (from - first >= count)
        return pick;
    pick.start = from - first;
    pick.kept = window->hop == 1 ? count - pick.start : (count - 1 - pick.start) / window->hop + 1;
    return pick;
}

struct piece piece_make(const struct window *window, uint64_t first, uint64_t count)
{
    return (struct piece){
        .first = first,
        .count = count,
        .halo = first < window->width - 1 ? first : window->width - 1,
        .pick = window_pick(window, first, count),
        .output = window_pick(window, 0, first).kept,
    };
}
