/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * cpu/hopper against the definition: any hop, width, alignment and NaN policy, streams cut
 * anywhere, also between adjacent borders, and their tails. */
#include "base/min_max.h"
#include "check.h"
#include "cpu/hopper_priv.h"
#include "streams_tmpl.h"

enum {
    FRAMES_MOST = 1200,
    WIDTH_MOST = 250,
    HOP_MOST = 200,
};

/* A stream whose windows are picked, and a hopper that begins at one of its frames. */
struct case_of {
    struct stream stream;
    struct window window;
    const struct cpu_kernels *kernels;
    unsigned places; /* sides */
    size_t begin;
};

/* A place is wanted, or not, and there is none of a NaN, and where samples are missing. */
static bool is_right(const struct stream *stream, bool placed, unsigned side, size_t end,
                     kind_value value, kind_bits place)
{
    const kind_bits due = kind_to_bits(stream->expected[side][end]);
    const bool none = due == kind_to_bits(kind_from_key(side == 0 ? KIND_ABOVE : KIND_BELOW));

    return kind_to_bits(value) == due && (!placed || none || kind_is_nan_bits(due) ||
                                          place == (kind_bits)stream->first[side][end]);
}

/* The written windows that end at from .. from+count-1 are in `found`. */
static void check_windows(const struct case_of *of, uint64_t from, size_t count,
                          const struct windows_found *found)
{
    const struct window *window = &of->window;
    const struct window_pick pick = window_pick(window, from, count);

    for (uint64_t i = 0; i < 2 * pick.kept; i++) {
        const unsigned side = i % 2;
        const uint64_t end = from + pick.start + i / 2 * window->hop;
        const kind_value *values = found->extremes[side];
        const kind_bits *places = found->places[side];

        /* A hopper that begins later has not seen all of its first windows. */
        if (of->begin > 0 && end + 1 < of->begin + window->width)
            continue;
        CHECK_THAT(is_right(&of->stream, (of->places >> side & 1) != 0, side, (size_t)end,
                            values[i / 2], places[i / 2]),
                   "%s, w %llu, hop %llu, align %d, policy %d, %zu to %zu, side %u, the end %llu",
                   of->kernels->name, (unsigned long long)window->width,
                   (unsigned long long)window->hop, (int)window->align, (int)of->stream.policy,
                   of->begin, of->stream.n, side, (unsigned long long)end);
    }
}

/* Runs up to frame `to`, cut at random and at borders. */
static void run_to(const struct case_of *of, struct hopper *hopper, uint64_t from, uint64_t to)
{
    static kind_value values[2][FRAMES_MOST + 1];
    static kind_bits places[2][FRAMES_MOST + 1];
    const struct windows_found found = {{values[0], values[1]}, {places[0], places[1]}};
    const struct windows_found none = {{NULL, NULL}, {NULL, NULL}};

    for (size_t count; from < to; from += count) {
        const bool muted = random_below(8) == 0;

        count = min_u64(random_below(4) == 0 ? of->window.hop : random_below(400) + 1, to - from);
        hopper_run(hopper, from < of->stream.n ? of->stream.samples + from : NULL, count,
                   muted ? &none : &found);
        if (!muted)
            check_windows(of, from, count, &found);
    }
}

static void check_hopper(const struct case_of *of)
{
    const struct window *window = &of->window;
    const size_t n = of->stream.n;
    /* Exactly as large as it claims, for the sanitizers. */
    struct hopper *hopper = malloc((size_t)hopper_bytes(window, of->places));

    if (hopper == NULL)
        abort();
    memset(hopper, 0x55, (size_t)hopper_bytes(window, of->places));
    hopper_init(hopper, of->kernels, window, of->stream.policy, of->places, of->begin);
    run_to(of, hopper, of->begin, n);
    if (of->stream.tail > 0) {
        const uint64_t past = window_tail_first(window, n);

        if (past > n)
            hopper_jump(hopper, past);
        run_to(of, hopper, past, n + of->stream.tail);
    }
    free(hopper);
}

/* Few segments per window or many, of one length or of two, and gaps between windows. */
static void make_window(struct window *window)
{
    static const uint64_t hops[] = {1, 2, 3, 7, 16, 17, 63, 64, 65, HOP_MOST};
    uint64_t hop = hops[random_below(sizeof hops / sizeof *hops)];
    uint64_t width = random_below(WIDTH_MOST) + 1;

    if (random_below(3) == 0)
        width = hop * (random_below(4) + 1) + random_below(3) - 1;
    window_init(window, width > 0 ? width : 1, hop, (enum window_align)random_below(4),
                EDGE_SHRINK);
}

int main(void)
{
    struct case_of of;

    for (unsigned t = 0; (of.kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (unsigned i = 0; i < (CHECK_FEW ? 300 : 3000); i++) {
            const size_t n = random_below(i % 3 == 0 ? 150 : FRAMES_MOST) + 1;
            uint64_t tail;

            make_window(&of.window);
            tail = window_tail(&of.window, n);
            of.stream = stream_open((enum data)(i % DATA_KINDS), n,
                                    tail > 0 ? window_tail_first(&of.window, n) + tail - n : 0,
                                    of.window.width, i % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT);
            of.places = i % 7 % 4;
            of.begin = i % 5 == 0 ? random_below(n) : 0;
            check_hopper(&of);
            stream_close(&of.stream);
        }
    }
    return check_result();
}
