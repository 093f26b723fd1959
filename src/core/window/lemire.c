/* SPDX-License-Identifier: MIT */
#include "window/lemire.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/pages.h"
#include "window/value.h"

/* The samples that can still become the maximum of a window, oldest first, in a ring. None after it
 * beats a sample, so the front is the answer, the first of equals, and a new sample removes losers
 * from the back. The minimum is a maximum of complemented keys. */
struct wedge {
    uint64_t *frame; /* the frames of the samples */
    void *key;       /* int32_t if narrow, otherwise int64_t */
    uint64_t front;  /* the place of the oldest sample */
    uint64_t size;
    uint64_t capacity;
    bool narrow;
};

static uint64_t wedge_place(const struct wedge *wedge, uint64_t offset)
{
    uint64_t place = wedge->front + offset;
    return place < wedge->capacity ? place : place - wedge->capacity;
}

static int64_t wedge_key(const struct wedge *wedge, uint64_t place)
{
    return wedge->narrow ? ((const int32_t *)wedge->key)[place]
                         : ((const int64_t *)wedge->key)[place];
}

/* The key of the maximum, or `none` without a sample. */
static int64_t wedge_answer(const struct wedge *wedge, int64_t none)
{
    return wedge->size > 0 ? wedge_key(wedge, wedge->front) : none;
}

/* Removes the samples before this frame, which have left the window. */
static void wedge_drop(struct wedge *wedge, uint64_t first)
{
    while (wedge->size > 0 && wedge->frame[wedge->front] < first) {
        wedge->front = wedge_place(wedge, 1);
        wedge->size--;
    }
}

/* Adds a sample. There must be room for one more. */
static void wedge_push(struct wedge *wedge, uint64_t frame, int64_t key)
{
    uint64_t place;

    while (wedge->size > 0 && key > wedge_key(wedge, wedge_place(wedge, wedge->size - 1)))
        wedge->size--;
    place = wedge_place(wedge, wedge->size);
    wedge->frame[place] = frame;
    if (wedge->narrow)
        ((int32_t *)wedge->key)[place] = (int32_t)key;
    else
        ((int64_t *)wedge->key)[place] = key;
    wedge->size++;
}

struct lemire {
    uint64_t width;
    uint64_t next; /* the end of the next window */
    enum value_kind kind;
    enum nan_policy policy;
    struct wedge low;
    struct wedge high;
};

uint64_t lemire_bytes(uint64_t width, enum value_kind kind)
{
    uint64_t place = sizeof(uint64_t) + value_bytes(kind);

    if (width > (UINT64_MAX - sizeof(struct lemire)) / (2 * place))
        return UINT64_MAX;
    return sizeof(struct lemire) + 2 * place * width;
}

struct lemire *lemire_open(uint64_t width, enum value_kind kind, enum nan_policy policy)
{
    uint64_t bytes = lemire_bytes(width, kind);
    struct lemire *lemire;

    if (bytes > SIZE_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    lemire = pages_alloc(bytes);
    if (lemire == NULL)
        return NULL;
    lemire->width = width;
    lemire->kind = kind;
    lemire->policy = policy;
    lemire->low.frame = (uint64_t *)(void *)(lemire + 1);
    lemire->high.frame = lemire->low.frame + width;
    lemire->low.key = lemire->high.frame + width;
    lemire->high.key = (unsigned char *)lemire->low.key + width * value_bytes(kind);
    lemire->low.capacity = width;
    lemire->high.capacity = width;
    lemire->low.narrow = kind == VALUE_F32;
    lemire->high.narrow = kind == VALUE_F32;
    return lemire;
}

void lemire_close(struct lemire *lemire)
{
    if (lemire != NULL)
        pages_free(lemire, lemire_bytes(lemire->width, lemire->kind));
}

/* The window's answers. Without a sample they become NaN. Such a window of integers is not
 * written. */
static void give(const struct lemire *lemire, void *low, void *high, size_t index)
{
    int64_t none = lemire->kind == VALUE_F32 ? KEY_BELOW : KEY64_BELOW;

    value_put_key(lemire->kind, ~wedge_answer(&lemire->low, none), low, index);
    value_put_key(lemire->kind, wedge_answer(&lemire->high, none), high, index);
}

/* Begins the next window, and makes room for its last sample: one sample leaves a wedge at most,
 * unless windows were skipped. */
static uint64_t advance(struct lemire *lemire)
{
    uint64_t end = lemire->next++;
    uint64_t first = end < lemire->width ? 0 : end + 1 - lemire->width;

    wedge_drop(&lemire->low, first);
    wedge_drop(&lemire->high, first);
    return end;
}

void lemire_feed(struct lemire *lemire, const void *samples, size_t count, void *low, void *high)
{
    for (size_t i = 0; i < count; i++) {
        struct value_keys keys = value_keys_of(lemire->kind, lemire->policy, samples, i);
        uint64_t end = advance(lemire);

        wedge_push(&lemire->low, end, ~keys.low);
        wedge_push(&lemire->high, end, keys.high);
        give(lemire, low, high, i);
    }
}

struct lemire_frames lemire_frames(const struct lemire *lemire)
{
    return (struct lemire_frames){lemire->low.frame[lemire->low.front],
                                  lemire->high.frame[lemire->high.front]};
}

void lemire_pass(struct lemire *lemire, uint64_t count)
{
    lemire->next += count;
}

void lemire_drain(struct lemire *lemire, size_t count, void *low, void *high)
{
    for (size_t i = 0; i < count; i++) {
        (void)advance(lemire);
        give(lemire, low, high, i);
    }
}
