/* cpu/pace: how many threads share a chunk, by a clock of the test's own. */
#include "check.h"

#include "cpu/pace_priv.h"

enum { FRAMES = 1000 };

static double now;

/* Chunks of a stream that takes a millisecond for each on one thread, of which more threads save
 * `share` of what they could, and waits `idle` seconds for the next. */
static void run(struct pace *pace, unsigned chunks, double share, double idle)
{
    for (unsigned i = 0; i < chunks; i++) {
        const double time = 0.001 / (1 + share * (pace->threads - 1));

        now += idle;
        pace_note(pace, FRAMES, now, now + time);
        now += time;
    }
}

int main(void)
{
    struct pace pace = {.threads = 1, .most = 12};
    unsigned most = 1;

    now = 1;
    /* While one thread keeps up, there is one. */
    run(&pace, 100, 1, 0.001);
    CHECK(pace.threads == 1);
    /* More are as good as needed, and all that there are. */
    run(&pace, 200, 1, 0);
    CHECK(pace.threads == 12);
    /* An idle engine gives them back. */
    run(&pace, 200, 1, 0.01);
    CHECK(pace.threads == 1);
    /* Where two are no faster, one works, and two are tried seldom. */
    run(&pace, 40, 0.1, 0);
    CHECK(pace.threads == 1);
    for (unsigned i = 0; i < 1000; i++) {
        run(&pace, 1, 0.1, 0);
        if (pace.threads > 1)
            most = pace.threads;
    }
    CHECK(most == 2);
    CHECK(pace.threads == 1);
    /* Once they pay, all are there again. */
    run(&pace, 1000, 0.95, 0);
    CHECK(pace.threads == 12);
    return check_result();
}
