#include "cpu/pace_priv.h"

#include "base/min_max.h"

enum {
    CHUNKS = 4, /* to a decision */
    HOLD = 8,   /* decisions until more threads are tried again, for the first time */
    LOSSES_MOST = 5,
};
static const double GAIN = 0.8; /* of the time, by twice as many threads */

static void set_threads(struct pace *pace, unsigned threads)
{
    pace->settling = threads != pace->threads;
    pace->threads = threads;
}

static void decide(struct pace *pace)
{
    const double share = pace->busy / (pace->busy + pace->idle);
    const double cost = pace->busy / pace->frames;
    const unsigned fewer = pace->fewer;

    pace->fewer = 0;
    if (pace->hold > 0)
        pace->hold--;
    if (fewer > 0 && cost > GAIN * pace->before) {
        pace->hold = (unsigned)HOLD << pace->losses;
        if (pace->losses < LOSSES_MOST)
            pace->losses++;
        set_threads(pace, fewer);
        return;
    }
    if (fewer > 0)
        pace->losses = 0;
    if (share > 0.9 && pace->threads < pace->most && pace->hold == 0) {
        pace->fewer = pace->threads;
        pace->before = cost;
        set_threads(pace, (unsigned)min_u64(UINT64_C(2) * pace->threads, pace->most));
    } else if (share < 0.4 && pace->threads > 1) {
        set_threads(pace, pace->threads / 2);
    }
}

void pace_note(struct pace *pace, size_t frames, double begin, double end)
{
    if (pace->last_end > 0) {
        pace->idle += begin - pace->last_end;
        pace->busy += end - begin;
        pace->frames += (double)frames;
        pace->chunks++;
    }
    pace->last_end = end;
    if (pace->chunks < CHUNKS)
        return;
    if (pace->settling)
        pace->settling = false;
    else
        decide(pace);
    pace->chunks = 0;
    pace->busy = 0;
    pace->idle = 0;
    pace->frames = 0;
}
