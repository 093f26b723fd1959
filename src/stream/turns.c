/* One thread for all stages, in turn. With a single CPU more threads would not be faster: one
 * thread saves context switches, and each chunk is still in the cache for the next stage. For a
 * short input it saves starting threads. */
#include "base/clock.h"
#include "stream/steps.h"

void turns_run(struct steps *steps)
{
    struct slot *slot = &steps->slots[0];
    bool more = true;
    double from = clock_seconds();

    while (more && !steps->engine_over && steps_read(steps, slot)) {
        steps->busy[RING_READER] += clock_lap(&from);
        more = steps_submit(steps, slot) && steps_collect(steps, slot);
        steps->busy[RING_ENGINE] += clock_lap(&from);
        more = more && steps_write(steps, slot);
        steps->busy[RING_WRITER] += clock_lap(&from);
    }
    steps_finish_engine(steps);
    steps_finish_output(steps);
}
