#include "window/piece.h"

static uint64_t halo_of(const struct window *window, uint64_t first)
{
    return first < window->width - 1 ? first : window->width - 1;
}

struct piece piece_make(const struct window *window, uint64_t first, uint64_t count)
{
    return (struct piece){
        .first = first,
        .count = count,
        .halo = halo_of(window, first),
        .pick = window_pick(window, first, count),
        .output = window_pick(window, 0, first).kept,
    };
}

struct piece piece_part(const struct window *window, const struct piece *whole, unsigned index,
                        unsigned parts)
{
    uint64_t begin = whole->count / parts * index;
    uint64_t end = index + 1 == parts ? whole->count : whole->count / parts * (index + 1);

    return (struct piece){
        .first = whole->first + begin,
        .count = end - begin,
        .halo = halo_of(window, whole->first + begin),
        .pick = window_pick_part(window, whole->pick, begin, end - begin),
        .output = whole->output + window_pick_part(window, whole->pick, 0, begin).kept,
    };
}
