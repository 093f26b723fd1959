/* stream/devices: when a device is started, and whose CPU it uses. While it starts and works,
 * a core sleeps if no CPU is idle, but no longer than the start should take. The fake device is
 * based on the cpu engine. The first pieces are slow, so that a device seems to pay; with the rest
 * alone, the cores would finish before it. */
#include "check.h"
#include "words.h"

#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "base/clock.h"
#include "stream/fake_device.h"

/* Seconds, for the first block of each core, and for waits that time out. */
static const double SLOW = 0.3;
static const double TIMEOUT = 10;
static const double WARM = 0.2;  /* a start that pays, */
static const double DEAR = 1000; /* and one that does not */

enum { TRIES = 5, BLOCK_OF_LATE = 5 };

/* The names are the linker's. NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_thread_start_alone(void *(*thread)(void *), void *context);
int __wrap_thread_start_alone(void *(*thread)(void *), void *context);
/* NOLINTEND(bugprone-reserved-identifier) */

/* What the device does while it starts. */
enum start { READY_SOON, FAILS_SOON, READY_AFTER_CORES, READY_LATE, NEVER_READY };

static struct {
    enum start start;
    unsigned slow_blocks; /* how many blocks are slow */
    atomic_uint blocks;   /* begun by the cores */
    atomic_uint at_begin; /* how many of these when the start began */
    atomic_uint at_end;
    atomic_int opened; /* the start has ended */
    atomic_int restarts;
    bool no_threads;         /* for devices */
    void *(*thread)(void *); /* of a device */
    atomic_uint threads;     /* of devices, which have not ended */
} pace;

static struct engine_class core_class;
static struct keep *keep;

static void *counted_thread(void *context)
{
    pace.thread(context);
    atomic_fetch_sub(&pace.threads, 1);
    return NULL;
}

/* Called by a core. On a busy machine its stream may be over before the thread runs. */
int __wrap_thread_start_alone(void *(*thread)(void *), void *context)
{
    int number = EAGAIN;

    pace.thread = thread;
    atomic_fetch_add(&pace.threads, 1);
    atomic_store(&pace.at_begin, atomic_load(&pace.blocks));
    if (!pace.no_threads)
        number = __real_thread_start_alone(counted_thread, context);
    if (number != 0)
        atomic_fetch_sub(&pace.threads, 1);
    return number;
}

/* A device that never becomes ready is released when the stream is over. */
static void spend_start(void)
{
    double until = clock_seconds() + TIMEOUT;

    switch (pace.start) {
    case READY_SOON:
    case FAILS_SOON:
        usleep(100000);
        break;
    case READY_LATE:
        usleep(300000);
        break;
    case READY_AFTER_CORES:
        while (atomic_load(&pace.blocks) == atomic_load(&pace.at_begin) && clock_seconds() < until)
            usleep(1000);
        break;
    case NEVER_READY:
        sem_wait(&fake.go);
        break;
    }
    atomic_store(&pace.at_end, atomic_load(&pace.blocks));
    atomic_store(&pace.opened, 1);
}

static void device_restart(struct engine *engine, uint64_t start)
{
    atomic_fetch_add(&pace.restarts, 1);
    engine_cpu.restart(engine, start);
}

/* Once the device is ready, the cores leave it a piece. */
static int core_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    double until = clock_seconds() + TIMEOUT;
    unsigned block = atomic_fetch_add(&pace.blocks, 1);

    if (block < pace.slow_blocks)
        usleep((unsigned)(SLOW * 1e6));
    while (pace.start == READY_LATE && block == BLOCK_OF_LATE && !atomic_load(&pace.opened) &&
           clock_seconds() < until)
        usleep(200);
    while ((pace.start == READY_SOON || pace.start == READY_LATE) && atomic_load(&pace.opened) &&
           atomic_load(&fake.submits) == 0 && clock_seconds() < until)
        usleep(200);
    return engine_cpu.submit(engine, chunk, error);
}

static void make_paced_classes(void)
{
    make_classes();
    device_class.restart = device_restart;
    device_class.in_flight = engine_cpu.in_flight;
    core_class = engine_cpu;
    core_class.submit = core_submit;
    fake.spend_start = spend_start;
}

static double warm = WARM;
static uint64_t ahead; /* bytes of the streams to come */
static sem_t *places;
static struct pipeline pipeline;
static const struct device_account *const device = &account.devices[0];

/* Returns the elapsed seconds. */
static double run(bool is_reference, unsigned threads, unsigned spare_cpus, double estimate)
{
    struct machine machine;
    struct error error;
    double from;

    pipeline = fake_stream(&placed, &machine, is_reference ? &engine_lemire : &core_class);
    planned.setup.gives_pages = true;
    if (!is_reference)
        pipeline.devices = (struct device_request){
            .engine_class = &device_class,
            .chunk_frames = 30000,
            .count = 1,
            .estimate = {.start = estimate, .warm_start = warm, .bus = 1e12, .patience = 60},
            .ahead = ahead,
            .places = places,
        };
    window_init(&planned.setup.window, 512, 1, ALIGN_CENTER, EDGE_SHRINK);
    pace.slow_blocks = threads;
    fake.open_fails = pace.start == FAILS_SOON;
    atomic_store(&pace.blocks, 0);
    atomic_store(&pace.at_begin, 0);
    atomic_store(&pace.at_end, 0);
    atomic_store(&pace.opened, 0);
    atomic_store(&fake.submits, 0);
    atomic_store(&pace.restarts, 0);
    CHECK(machine_open(&machine, threads, NULL, 0) == 0);
    machine.threads_given = false;
    machine.keep = keep;
    machine.cpus = threads + spare_cpus;
    from = clock_seconds();
    CHECK_THAT(pipeline_run(&pipeline, &account, &error) == 0, "%s", words_of(&error));
    machine_close(&machine);
    return clock_seconds() - from;
}

/* A thread that was left behind ends soon, even if it has not begun yet: it must not meet the pace
 * of a later run. */
static void check_end(void)
{
    if (pace.start == NEVER_READY && atomic_load(&pace.threads) > 0)
        sem_post(&fake.go);
    for (int i = 0; i < 10000 && atomic_load(&pace.threads) > 0; i++)
        usleep(1000);
    CHECK(atomic_load(&pace.threads) == 0);
    wait_for_end();
    due_check("end");
}

static unsigned blocks_meanwhile(void)
{
    return atomic_load(&pace.at_end) - atomic_load(&pace.at_begin);
}

/* With one CPU, the only core does nothing while the device starts. */
static void check_one_cpu(void)
{
    pace.start = READY_SOON;
    run(false, 1, 0, 0.3);
    CHECK_THAT(blocks_meanwhile() == 0, "%u blocks", blocks_meanwhile());
    CHECK(device->frames > 0);
    CHECK(device->state == DEVICE_AT_WORK);
    CHECK(atomic_load(&fake.given) == 0); /* the pages of a piece are copied */
    check_end();
}

/* It also does nothing when the device is ready, because its own work is worth less than feeding
 * the device. So the device does all remaining pieces in one go. */
static void check_feeding(void)
{
    pace.start = READY_SOON;
    run(false, 1, 0, 0.3);
    CHECK(device->frames == FRAMES - pipeline.source->left_over - device->joined.frames);
    CHECK(atomic_load(&pace.restarts) == 1);
    check_end();
}

/* While another stream starts the device, this one does not; nor does it without a thread. */
static void check_other_start(void)
{
    enum keep_state found;

    pace.start = READY_SOON;
    keep = keep_open();
    CHECK(keep_claim(keep, 0, &found));
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_UNUSED);
    keep_note(keep, 0, KEEP_COLD);
    pace.no_threads = true;
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_NEVER);
    CHECK(keep_claim(keep, 0, &found) && found == KEEP_COLD);
    keep_note(keep, 0, KEEP_COLD);
    pace.no_threads = false;
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_AT_WORK);
    check_end();
    keep_end(keep);
    keep = NULL;
}

/* With an idle CPU, the core goes on. */
static void check_idle_cpu(void)
{
    pace.start = READY_AFTER_CORES;
    run(false, 1, 1, 0.3);
    check_end();
    CHECK(blocks_meanwhile() > 0);
}

/* A start that does not end is awaited three times as long as it should take, but never longer than
 * the cores need for the rest. */
static void check_hung_start(void)
{
    double seconds;

    pace.start = NEVER_READY;
    seconds = run(false, 1, 0, 0.1);
    CHECK_THAT(seconds > SLOW + 0.25, "%.3f s", seconds);
    CHECK_THAT(seconds < SLOW + TIMEOUT, "%.3f s", seconds);
    CHECK(device->frames == 0);
    CHECK(device->state == DEVICE_STARTING);
    check_end();
    ahead = UINT64_C(1) << 50;
    seconds = run(false, 1, 0, DEAR);
    ahead = 0;
    CHECK_THAT(seconds < 2 * TIMEOUT, "%.3f s", seconds);
    CHECK(device->frames == 0);
    CHECK(device->state == DEVICE_STARTING);
    check_end();
}

/* The core goes on as soon as a start has failed. */
static void check_failed_start(void)
{
    double seconds;

    pace.start = FAILS_SOON;
    seconds = run(false, 1, 0, 0.5);
    CHECK_THAT(seconds < SLOW + 3, "%.3f s", seconds);
    CHECK(blocks_meanwhile() == 0);
    CHECK(device->state == DEVICE_NEVER);
    check_end();
}

/* Of three cores on three CPUs one waits, and the end of the work, or a fault, ends its wait. */
static void check_several(void)
{
    double seconds;

    pace.start = NEVER_READY;
    seconds = run(false, 3, 0, 0.4);
    CHECK_THAT(seconds < SLOW + 3, "%.3f s", seconds);
    CHECK(device->state == DEVICE_STARTING);
    check_end();
    source.reader_fails_at = FRAMES / 2;
    seconds = run(false, 3, 0, 0.4);
    CHECK_THAT(seconds < SLOW + 3, "%.3f s", seconds);
    CHECK(device->state == DEVICE_STARTING);
    check_end();
    reset();
}

/* The core has resumed its work, and the device joins anyway. */
static void check_late_start(void)
{
    pace.start = READY_LATE;
    run(false, 1, 0, 0.01);
    CHECK(blocks_meanwhile() > 0);
    CHECK(device->state == DEVICE_AT_WORK && device->frames > 0);
    check_end();
}

/* After a failed start, later streams do not try again. If the start ends after all, they do. */
static void check_in_vain(void)
{
    pace.start = FAILS_SOON;
    keep = keep_open();
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_NEVER);
    check_end();
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_UNUSED);
    keep_end(keep);

    pace.start = NEVER_READY;
    keep = keep_open();
    run(false, 1, 0, 0.1);
    CHECK(device->state == DEVICE_STARTING);
    run(false, 1, 0, 0.1);
    CHECK(device->state == DEVICE_UNUSED);
    check_end();
    pace.start = READY_SOON;
    run(false, 1, 0, DEAR); /* the start was cold, so this one is warm */
    CHECK(device->state == DEVICE_AT_WORK);
    check_end();
    keep_end(keep);
    keep = NULL;
}

/* A first start that does not pay for this stream alone pays for later ones, too. A warm start is
 * short, and has to pay for its own stream. */
static void check_ahead(void)
{
    pace.start = READY_SOON;
    keep = keep_open();
    run(false, 1, 0, DEAR);
    CHECK(device->state == DEVICE_UNUSED);
    ahead = UINT64_C(1) << 50;
    run(false, 1, 0, DEAR);
    CHECK(device->state == DEVICE_AT_WORK);
    CHECK(device->began.frames > 0);
    check_end();
    warm = DEAR;
    run(false, 1, 0, DEAR);
    CHECK(device->state == DEVICE_UNUSED);
    warm = WARM;
    ahead = 0;
    run(false, 1, 0, DEAR);
    CHECK(device->state == DEVICE_AT_WORK);
    check_end();
    keep_end(keep);
    keep = NULL;
}

/* If other streams have all places, the cores go on alone. A place is given back after use. */
static void check_places(void)
{
    sem_t one;
    int value;

    pace.start = READY_SOON;
    sem_init(&one, 0, 0);
    places = &one;
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_UNUSED);
    sem_post(&one);
    run(false, 1, 0, 0.3);
    CHECK(device->state == DEVICE_AT_WORK);
    check_end();
    CHECK(sem_getvalue(&one, &value) == 0 && value == 1);
    places = NULL;
    sem_destroy(&one);
}

/* All of these are about time, which others on the machine may take: what is wrong is so each time.
 */
static void try_often(void (*check)(void))
{
    const unsigned long failures = check_failures;

    check();
    for (int i = 1; i < TRIES && check_failures > failures; i++) {
        check_failures = failures;
        check();
    }
}

int main(void)
{
    static void (*const checks[])(void) = {
        check_one_cpu,      check_feeding, check_idle_cpu,    check_hung_start,
        check_failed_start, check_several, check_late_start,  check_in_vain,
        check_ahead,        check_places,  check_other_start,
    };

    if (!due_open())
        return 1;
    sem_init(&fake.go, 0, 0);
    reset();
    make_paced_classes();
    run(true, 1, 0, 0);
    due_note();
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        try_often(checks[i]);
    due_close();
    return check_result();
}
