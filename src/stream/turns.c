/* One thread for all stages, in turn. With a single CPU more threads would not be faster: one
 * thread saves context switches, and each chunk is still in the cache for the next stage. For a
 * short input it saves starting threads. */
#include "base/clock.h"
#include "stream/steps.h"

/* Adds the time since `*from` to the stage's, and restarts the measurement. */
static void count_time(struct steps *steps, enum ring_stage stage, double *from)
{
    double to = clock_seconds();

    steps->busy[stage] += to - *from;
    *from = to;
}

void turns_run(struct steps *steps)
{
    struct slot *slot = &steps->slots[0];
    bool more = true;
    double from = clock_seconds();

    while (more && !steps->engine_over && steps_read(steps, slot)) {
        count_time(steps, RING_READER, &from);
        more = steps_submit(steps, slot) && steps_collect(steps, slot);
        count_time(steps, RING_ENGINE, &from);
        more = more && steps_write(steps, slot);
        count_time(steps, RING_WRITER, &from);
    }
    steps_finish_engine(steps);
    steps_finish_output(steps);
}
