/* window/piece: consecutive pieces have all windows of a stream. */
#include "check.h"

#include "window/piece.h"

static void check_parts(const struct window *window, uint64_t first, uint64_t count, unsigned parts)
{
    const struct piece whole = piece_make(window, first, count);
    uint64_t at = first;
    uint64_t outputs = whole.output;

    for (unsigned i = 0; i < parts; i++) {
        const struct piece part = piece_part(window, &whole, i, parts);
        const struct piece same = piece_make(window, part.first, part.count);

        CHECK_THAT(part.first == at && part.output == outputs && part.halo == same.halo &&
                       part.output == same.output && part.pick.kept == same.pick.kept &&
                       (part.pick.kept == 0 || part.pick.start == same.pick.start),
                   "w %llu hop %llu, %llu+%llu: part %u of %u", (unsigned long long)window->width,
                   (unsigned long long)window->hop, (unsigned long long)first,
                   (unsigned long long)count, i, parts);
        CHECK(part.halo == (part.first < window->width - 1 ? part.first : window->width - 1));
        at += part.count;
        outputs += part.pick.kept;
    }
    CHECK(at == first + count && outputs == whole.output + whole.pick.kept);
}

int main(void)
{
    static const uint64_t widths[] = {1, 2, 5, 100};
    static const uint64_t hops[] = {1, 2, 3, 7, 50};

    for (size_t i = 0; i < sizeof widths / sizeof *widths * 5 * 4; i++) {
        struct window window;

        window_init(&window, widths[i % 4], hops[i / 4 % 5], (enum window_align)(i / 20),
                    EDGE_SHRINK);
        for (uint64_t first = 0; first < 120; first += 13) {
            for (uint64_t count = 0; count < 130; count += 9) {
                for (unsigned parts = 1; parts < 6; parts++)
                    check_parts(&window, first, count, parts);
            }
        }
    }
    return check_result();
}
