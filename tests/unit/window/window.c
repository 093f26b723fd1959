/* SPDX-License-Identifier: MIT */
/* window/window against the definitions, written out with loops. */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

#include "window/window.h"

/* The input frames that output k covers, as the manual defines them. */
static void covers(enum window_align align, int64_t width, int64_t k, int64_t *from, int64_t *to)
{
    switch (align) {
    case ALIGN_VALID:
    case ALIGN_FORWARD:
        *from = k;
        *to = k + width - 1;
        break;
    case ALIGN_CAUSAL:
        *from = k - width + 1;
        *to = k;
        break;
    case ALIGN_CENTER:
        *from = k - width / 2;
        *to = k + (width + 1) / 2 - 1;
        break;
    }
}

static uint64_t expected_outputs(enum window_align align, int64_t width, int64_t hop, int64_t n)
{
    uint64_t outputs = 0;

    for (int64_t k = 0; k < n; k += hop) {
        if (align != ALIGN_VALID || k + width <= n)
            outputs++;
    }
    return outputs;
}

/* Visits all windows of the stream in runs of `run` ends, and checks each kept one. */
static void check_stream(enum window_align align, uint64_t width, uint64_t hop, uint64_t n,
                         uint64_t run)
{
    struct window window;
    uint64_t ends;
    uint64_t past;
    uint64_t k = 0;

    window_init(&window, width, hop, align, EDGE_NAN);
    CHECK(window_outputs(&window, n) ==
          expected_outputs(align, (int64_t)width, (int64_t)hop, (int64_t)n));
    past = window_tail_first(&window, n);
    ends = past + window_tail(&window, n);
    for (uint64_t first = 0, last = 0; first < ends; first = last) {
        uint64_t limit = first < n ? n : ends;
        uint64_t count;

        if (first == n)
            first = past; /* the windows in between are not needed */
        if (first >= ends)
            break;
        count = limit - first < run ? limit - first : run;
        last = first + count;
        struct window_pick pick = window_pick(&window, first, count);

        for (uint64_t i = 0; i < pick.kept; i++, k += hop) {
            uint64_t end = first + pick.start + i * hop;
            int64_t from;
            int64_t to;

            covers(align, (int64_t)width, (int64_t)k, &from, &to);
            CHECK_THAT((int64_t)end == to, "align %d w %llu k %llu", (int)align,
                       (unsigned long long)width, (unsigned long long)k);
            CHECK(window_is_cut(&window, end, n) == (from < 0 || to >= (int64_t)n));
        }
        CHECK(pick.kept == 0 || pick.start + (pick.kept - 1) * hop < count);
    }
    CHECK_THAT(k == window_outputs(&window, n) * hop, "align %d w %llu hop %llu n %llu run %llu",
               (int)align, (unsigned long long)width, (unsigned long long)hop,
               (unsigned long long)n, (unsigned long long)run);
}

/* Consecutive pieces have all windows of a stream. */
static void check_parts(const struct window *window, uint64_t first, uint64_t count, unsigned parts)
{
    const struct piece whole = piece_make(window, first, count);
    uint64_t at = first;
    uint64_t outputs = whole.output;

    for (unsigned i = 0; i < parts; i++) {
        const uint64_t begin = count * i / parts;
        const uint64_t end = count * (i + 1) / parts;
        const struct piece part = piece_make(window, first + begin, end - begin);

        CHECK_THAT(part.first == at && part.output == outputs,
                   "w %llu hop %llu, %llu+%llu: part %u of %u", (unsigned long long)window->width,
                   (unsigned long long)window->hop, (unsigned long long)first,
                   (unsigned long long)count, i, parts);
        CHECK(part.halo == (part.first < window->width - 1 ? part.first : window->width - 1));
        at += part.count;
        outputs += part.pick.kept;
    }
    CHECK(at == first + count && outputs == whole.output + whole.pick.kept);
}

static void check_pieces(void)
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
}

int main(void)
{
    static const uint64_t hops[] = {1, 2, 3, 7, 40};
    static const uint64_t runs[] = {1, 2, 5, 64};

    for (uint64_t width = 1; width <= 20; width++) {
        for (uint64_t n = 0; n <= 30; n++) {
            for (unsigned i = 0; i < 20; i++) {
                check_stream(ALIGN_VALID, width, hops[i % 5], n, runs[i / 5]);
                check_stream(ALIGN_CAUSAL, width, hops[i % 5], n, runs[i / 5]);
                check_stream(ALIGN_CENTER, width, hops[i % 5], n, runs[i / 5]);
                check_stream(ALIGN_FORWARD, width, hops[i % 5], n, runs[i / 5]);
                check_stream(ALIGN_FORWARD, width, width, n, runs[i / 5]);
            }
        }
    }
    /* Frame numbers far beyond 2^32, and very large hops. */
    {
        struct window window;
        struct window_pick pick;

        window_init(&window, 3, UINT64_C(1) << 40, ALIGN_CAUSAL, EDGE_SHRINK);
        pick = window_pick(&window, (UINT64_C(1) << 41) - 5, 10);
        CHECK(pick.start == 5 && pick.kept == 1);
        CHECK(window_outputs(&window, UINT64_C(1) << 42) == 4);
        window_init(&window, UINT64_C(1) << 62, INT64_MAX, ALIGN_CENTER, EDGE_SHRINK);
        pick = window_pick(&window, 0, 1000);
        CHECK(pick.kept == 0);
        CHECK(window_outputs(&window, 5) == 1);
        /* A pixel larger than any stream: only one window of its tail is visited. */
        window_init(&window, UINT64_C(1) << 62, UINT64_C(1) << 62, ALIGN_FORWARD, EDGE_SHRINK);
        CHECK(window_outputs(&window, 5) == 1);
        CHECK(window_tail(&window, 5) == 1);
        CHECK(window_tail_first(&window, 5) == (UINT64_C(1) << 62) - 1);
        pick = window_pick(&window, window_tail_first(&window, 5), 1);
        CHECK(pick.start == 0 && pick.kept == 1);
    }
    check_pieces();
    return check_result();
}
