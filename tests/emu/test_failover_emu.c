/* A device that does a stream, on the emulator: test_failover_emu few|most|full|trap
 *
 * Every function of the runtime fails at each of its calls, in the middle of the work. The cores do
 * the rest, and the bytes are those of one thread.
 *
 * trap: only a kernel that faults in the middle of the work; also for a real device, which this
 * process cannot use afterwards. */
#include "amount.h"
#include "check.h"

#include "cuda/engine_cuda.h"
#include "emu.h"
#include "job/fakes.h"
#include "words.h"

enum { THREADS = 2, TRAP_AT = 8, FUNCTIONS_MOST = 64 };

/* Of `few`, so many calls of each function fail before the others in steps. */
enum { FEW = CHECK_THREADS ? 1 : 2 };

static struct {
    int submits;
    int trap_at; /* the number of a submit, from 1 */
} seen;

static struct engine_class device_class;

static int device_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    if (++seen.submits == seen.trap_at)
        emu_trap();
    return engine_cuda.submit(engine, chunk, error);
}

static struct devices *devices;
static struct error error;
static struct pipeline pipeline;
static struct stream_plan planned_for_device;

static int run(bool with_device, uint64_t width)
{
    struct machine machine;
    int failed;

    pipeline = fake_stream(&placed, &machine, &engine_cpu);
    window_init(&planned.setup.window, width, 1, ALIGN_CENTER, EDGE_SHRINK);
    if (with_device) {
        planned_for_device = planned;
        planned_for_device.engine_class = &device_class;
        planned_for_device.setup.chunk_frames = 4000;
        pipeline.device = &planned_for_device;
    }
    memset(&error, 0, sizeof error);
    seen.submits = 0;
    CHECK(machine_open(&machine, THREADS, NULL, 0) == 0);
    machine.devices = devices;
    failed = pipeline_run(&pipeline, &result, &error);
    machine_close(&machine);
    return failed;
}

/* How often a run ended in each state. */
static unsigned states[DEVICE_FAILED + 1];

static void check_run(uint64_t width, const char *function, unsigned long nth)
{
    CHECK_THAT(run(true, width) == 0, "%s fails at call %lu: %s", function, nth, words_of(&error));
    CHECK_THAT(sink.count == due_count &&
                   memcmp(due, sink.frames, 2 * due_count * sizeof *due) == 0,
               "%s fails at call %lu", function, nth);
    states[result.device.state]++;
}

static void make_due(uint64_t width)
{
    CHECK(run(false, width) == 0);
    due_note();
}

/* The message of the device's failure in the last run. */
static void check_fault(void)
{
    const struct device_result *device = &result.device;

    CHECK_THAT(device->state == DEVICE_FAILED, "state %d", (int)device->state);
    CHECK_THAT(strncmp(words_of(&device->error), "cuda device 0: ", 15) == 0, "'%s'",
               words_of(&device->error));
    CHECK(strchr(words_of(&device->error), '\n') == NULL);
    printf("%s\n", words_of(&device->error));
}

/* A fault destroys everything that the process has on the device, so nothing of it is kept. The
 * second stream starts with what the first left in the pool; the third cannot start the device. */
static void check_trap(uint64_t width)
{
    make_due(width);
    devices = devices_open();
    check_run(width, "nothing", 0);
    CHECK(result.device.state == DEVICE_AT_WORK);
    seen.trap_at = TRAP_AT;
    check_run(width, "trap", 1);
    seen.trap_at = 0;
    check_fault();
    CHECK(devices_take(devices, 0) == NULL);
    check_run(width, "after a trap", 1);
    CHECK(result.device.state == DEVICE_NEVER);
    CHECK(devices_take(devices, 0) == NULL);
    devices_end(devices);
    devices = NULL;
    emu_reset_fault();
    emu_fail(NULL, 0);
    CHECK(emu_live_objects() == 0);
}

/* What a device does not call cannot fail. */
static void check_width(uint64_t width, unsigned long step_at, unsigned long wide_step)
{
    const char *function;
    bool is_called[FUNCTIONS_MOST] = {false};

    make_due(width);
    emu_fail(NULL, 0);
    check_run(width, "nothing", 0);
    CHECK(result.device.state == DEVICE_AT_WORK);
    CHECK(result.device.frames > 0);
    CHECK(emu_function(FUNCTIONS_MOST) == NULL);
    for (unsigned i = 0; (function = emu_function(i)) != NULL; i++)
        is_called[i] = emu_calls(function) > 0;
    for (unsigned i = 0; (function = emu_function(i)) != NULL; i++) {
        unsigned long calls = 1;

        if (!is_called[i])
            continue;
        for (unsigned long nth = 1; nth <= calls; nth += nth < step_at ? 1 : wide_step) {
            emu_fail(function, nth);
            check_run(width, function, nth);
            calls = emu_calls(function);
            emu_reset_fault();
            CHECK_THAT(emu_live_objects() == 0, "%s fails at call %lu", function, nth);
        }
        emu_fail(NULL, 0);
    }
}

static int check_trap_alone(void)
{
    if (engine_cuda_find(0, &error) != 0) {
        printf("no GPU: %s\n", words_of(&error));
        return 77;
    }
    check_trap(512);
    return check_result();
}

int main(int argc, char **argv)
{
    const bool is_trap = argc > 1 && strcmp(argv[1], "trap") == 0;

    read_amount(argc, argv);
    if (!due_open())
        return 1;
    reset_fakes();
    emu_set_quiet(true);
    device_class = engine_cuda;
    device_class.submit = device_submit;
    if (is_trap)
        return check_trap_alone();
    if (!emu_is_real())
        check_trap(512);
    check_width(512, is_full ? 20 : is_few ? FEW : 5, is_full ? 3 : is_few ? 40 : 15);
    if (is_full)
        check_width(20000, 8, 7);
    if (emu_is_real())
        return check_result(); /* a real device does not fail on request */
    /* A fault may come before the device is at work, or after the last of its chunks. */
    CHECK(states[DEVICE_NEVER] > 0 && states[DEVICE_FAILED] > 0 && states[DEVICE_AT_WORK] > 0);
    printf("never: %u, failed at work: %u, at work to the end: %u\n", states[DEVICE_NEVER],
           states[DEVICE_FAILED], states[DEVICE_AT_WORK]);
    due_close();
    return check_result();
}
