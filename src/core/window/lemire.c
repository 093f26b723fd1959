#include "window/lemire.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/pages.h"
#include "window/value.h"

/* Samples that can still win, oldest first, in a ring of `width` slots. Each beats all that came
 * after it, so the front is the answer, and a new sample removes losers from the back. The minimum
 * is a maximum of complemented keys. */
struct wedge {
    uint64_t *end;
    void *key; /* as wide as values */
    uint64_t front;
    uint64_t size;
    bool narrow;
};

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
    lemire->low.end = (uint64_t *)(void *)(lemire + 1);
    lemire->high.end = lemire->low.end + width;
    lemire->low.key = lemire->high.end + width;
    lemire->high.key = (unsigned char *)lemire->low.key + width * value_bytes(kind);
    lemire->low.narrow = kind == VALUE_F32;
    lemire->high.narrow = kind == VALUE_F32;
    return lemire;
}

void lemire_close(struct lemire *lemire)
{
    if (lemire != NULL)
        pages_free(lemire, lemire_bytes(lemire->width, lemire->kind));
}

static uint64_t wedge_place(const struct wedge *wedge, uint64_t width, uint64_t offset)
{
    uint64_t place = wedge->front + offset;
    return place < width ? place : place - width;
}

static int64_t wedge_key(const struct wedge *wedge, uint64_t place)
{
    return wedge->narrow ? ((const int32_t *)wedge->key)[place]
                         : ((const int64_t *)wedge->key)[place];
}

static void wedge_push(struct wedge *wedge, uint64_t width, uint64_t end, int64_t key)
{
    uint64_t place;

    while (wedge->size > 0 && key >= wedge_key(wedge, wedge_place(wedge, width, wedge->size - 1)))
        wedge->size--;
    place = wedge_place(wedge, width, wedge->size);
    wedge->end[place] = end;
    if (wedge->narrow)
        ((int32_t *)wedge->key)[place] = (int32_t)key;
    else
        ((int64_t *)wedge->key)[place] = key;
    wedge->size++;
}

/* Removes samples from the front that have left the window that ends at `end`: at most one, unless
 * windows were skipped. Afterwards there is room for a push. */
static void wedge_expire(struct wedge *wedge, uint64_t width, uint64_t end)
{
    while (wedge->size > 0 && end - wedge->end[wedge->front] >= width) {
        wedge->front = wedge_place(wedge, width, 1);
        wedge->size--;
    }
}

/* The keys of both sides for one sample. */
struct keys {
    int64_t low;
    int64_t high;
};

static struct keys keys_of(enum value_kind kind, enum nan_policy policy, const void *samples,
                           size_t index)
{
    float narrow;
    double wide;
    int64_t whole;

    if (kind == VALUE_F32) {
        narrow = ((const float *)samples)[index];
        return (struct keys){rules_low_key(narrow, policy), rules_high_key(narrow, policy)};
    }
    if (kind == VALUE_F64) {
        wide = ((const double *)samples)[index];
        return (struct keys){rules_low_key64(wide, policy), rules_high_key64(wide, policy)};
    }
    whole = ((const int64_t *)samples)[index];
    return (struct keys){whole, whole};
}

/* The window's answers. Without a sample they become NaN; of integers, such a window is not
 * written. */
static void give(const struct lemire *lemire, void *low, void *high, size_t index)
{
    const struct wedge *lows = &lemire->low;
    const struct wedge *highs = &lemire->high;
    int64_t none = lemire->kind == VALUE_F32 ? KEY_BELOW : KEY64_BELOW;

    value_put_key(lemire->kind, ~(lows->size > 0 ? wedge_key(lows, lows->front) : none), low,
                  index);
    value_put_key(lemire->kind, highs->size > 0 ? wedge_key(highs, highs->front) : none, high,
                  index);
}

/* Begins the next window. */
static uint64_t advance(struct lemire *lemire)
{
    uint64_t end = lemire->next++;

    wedge_expire(&lemire->low, lemire->width, end);
    wedge_expire(&lemire->high, lemire->width, end);
    return end;
}

void lemire_feed(struct lemire *lemire, const void *samples, size_t count, void *low, void *high)
{
    for (size_t i = 0; i < count; i++) {
        struct keys keys = keys_of(lemire->kind, lemire->policy, samples, i);
        uint64_t end = advance(lemire);

        wedge_push(&lemire->low, lemire->width, end, ~keys.low);
        wedge_push(&lemire->high, lemire->width, end, keys.high);
        give(lemire, low, high, i);
    }
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
