/* How many threads share a chunk, decided while a stream runs.
 *
 * One begins. More are tried when the engine is the bottleneck, and stay if they make it faster:
 * waking threads and fetching memory from their caches costs too, so a short chunk may be slower on
 * more of them. When the engine idles, half of them do. */
#ifndef GPUENV_CPU_PACE_PRIV_H
#define GPUENV_CPU_PACE_PRIV_H

#include <stdbool.h>
#include <stddef.h>

struct pace {
    unsigned threads; /* to use now */
    unsigned most;

    /* The last chunks. */
    unsigned chunks;
    double busy;
    double idle;
    double frames;
    double last_end; /* of the work on a chunk, by a monotonic clock; 0: none yet */

    bool settling;  /* these chunks do not count: threads start, memory is touched */
    unsigned fewer; /* threads that there were before more were tried; 0: none are on trial */
    double before;  /* seconds a frame by those */
    unsigned hold;  /* decisions until more are tried again, twice as many after each loss */
    unsigned losses;
};

/* A chunk of `frames` was processed from `begin` to `end`. */
void pace_note(struct pace *pace, size_t frames, double begin, double end);

#endif
