#include "window/piece.h"

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

struct piece piece_part(const struct window *window, const struct piece *whole, unsigned index,
                        unsigned parts)
{
    uint64_t begin = whole->count / parts * index;
    uint64_t end = index + 1 == parts ? whole->count : whole->count / parts * (index + 1);
    struct piece part = piece_make(window, whole->first + begin, end - begin);

    if (whole->pick.kept == 0)
        part.pick = whole->pick;
    return part;
}
