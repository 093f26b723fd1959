#include "window/lemire.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/pages.h"

/* Samples that can still win, oldest first, in a ring of `width` slots. Each beats all that came
 * after it, so the front is the answer, and a new sample removes losers from the back. The minimum
 * is a maximum of complemented keys. */
struct wedge {
    uint64_t *end;
    int32_t *key;
    uint64_t front;
    uint64_t size;
    bool low;
};

struct lemire {
    uint64_t width;
    uint64_t next; /* the end of the next window */
    enum nan_policy policy;
    struct wedge low;
    struct wedge high;
};

uint64_t lemire_bytes(uint64_t width)
{
    uint64_t place = sizeof(uint64_t) + sizeof(int32_t);

    if (width > (UINT64_MAX - sizeof(struct lemire)) / (2 * place))
        return UINT64_MAX;
    return sizeof(struct lemire) + 2 * place * width;
}

struct lemire *lemire_open(uint64_t width, enum nan_policy policy)
{
    uint64_t bytes = lemire_bytes(width);
    struct lemire *lemire;

    if (bytes > SIZE_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    lemire = pages_alloc(bytes);
    if (lemire == NULL)
        return NULL;
    lemire->width = width;
    lemire->policy = policy;
    lemire->low.low = true;
    lemire->low.end = (uint64_t *)(void *)(lemire + 1);
    lemire->high.end = lemire->low.end + width;
    lemire->low.key = (int32_t *)(void *)(lemire->high.end + width);
    lemire->high.key = lemire->low.key + width;
    return lemire;
}

void lemire_close(struct lemire *lemire)
{
    if (lemire != NULL)
        pages_free(lemire, lemire_bytes(lemire->width));
}

static uint64_t wedge_place(const struct wedge *wedge, uint64_t width, uint64_t offset)
{
    uint64_t place = wedge->front + offset;
    return place < width ? place : place - width;
}

static void wedge_push(struct wedge *wedge, uint64_t width, uint64_t end, int32_t key)
{
    uint64_t place;

    while (wedge->size > 0 && key >= wedge->key[wedge_place(wedge, width, wedge->size - 1)])
        wedge->size--;
    place = wedge_place(wedge, width, wedge->size);
    wedge->end[place] = end;
    wedge->key[place] = key;
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

static float wedge_answer(const struct wedge *wedge)
{
    int32_t key = wedge->size > 0 ? wedge->key[wedge->front] : KEY_BELOW;
    return rules_from_key(wedge->low ? ~key : key);
}

void lemire_feed(struct lemire *lemire, const float *samples, size_t count, float *low, float *high)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t end = lemire->next++;

        wedge_expire(&lemire->low, lemire->width, end);
        wedge_expire(&lemire->high, lemire->width, end);
        wedge_push(&lemire->low, lemire->width, end, ~rules_low_key(samples[i], lemire->policy));
        wedge_push(&lemire->high, lemire->width, end, rules_high_key(samples[i], lemire->policy));
        low[i] = wedge_answer(&lemire->low);
        high[i] = wedge_answer(&lemire->high);
    }
}

void lemire_pass(struct lemire *lemire, uint64_t count)
{
    lemire->next += count;
}

void lemire_drain(struct lemire *lemire, size_t count, float *low, float *high)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t end = lemire->next++;

        wedge_expire(&lemire->low, lemire->width, end);
        wedge_expire(&lemire->high, lemire->width, end);
        low[i] = wedge_answer(&lemire->low);
        high[i] = wedge_answer(&lemire->high);
    }
}
