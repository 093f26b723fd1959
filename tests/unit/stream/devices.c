/* stream/devices: a device next to the cores that helps, fails at any of its calls, hangs, starts
 * too late or does not help; and several devices without cores. The fake device is based on the cpu
 * engine. Whatever happens, the bytes are those of one thread. */
#include "check.h"
#include "words.h"

#include "stream/fake_device.h"

enum { PIECE_MOST = 200000 };

static struct keep *keep;
static struct error error;
static struct pipeline pipeline;
static const struct device_account *const device = &account.devices[0];

/* How frames are written, and at which hop. */
static const struct way {
    const struct sink_class *class;
    uint64_t hop;
} ways[] = {{&placed, 1}, {&ordered, 37}};

enum { WAYS = sizeof ways / sizeof *ways };

#define PLACED (&ways[0])

enum who { REFERENCE, CORES_AND_DEVICE, DEVICES };

static int run(enum who who, const struct way *way, uint64_t width)
{
    struct machine machine;
    int result;

    pipeline = fake_stream(way->class, &machine,
                           who == REFERENCE ? &engine_lemire
                           : who == DEVICES ? &device_class
                                            : &gated_class);
    planned.setup.nan = NAN_ERROR;
    if (who != REFERENCE)
        pipeline.devices = (struct device_request){
            .engine_class = &device_class,
            .chunk_frames = atomic_load(&fake.comes_back) ? PIECE_MOST : CHUNK,
            .number = {4, 7},
            .count = who == DEVICES ? 2 : 1,
            .alone = who == DEVICES,
            .estimate = {.start = fake.is_drag ? 0 : -1,
                         .bus = 1e12,
                         .patience = fake.hangs_at > 0 ? PATIENCE : PATIENCE_IF_BUSY},
        };
    window_init(&planned.setup.window, width, way->hop, ALIGN_CENTER, EDGE_SHRINK);
    memset(&error, 0, sizeof error);
    atomic_store(&fake.until, clock_seconds() + fake.awaited);
    CHECK(machine_open(&machine, who == REFERENCE ? 1 : THREADS, NULL, 0) == 0);
    machine.keep = keep;
    result = pipeline_run(&pipeline, &account, &error);
    machine_close(&machine);
    return result;
}

/* Computed again only if a NaN changes the output. */
static int reference(const struct way *way, uint64_t width)
{
    static const struct way *last_way;
    static uint64_t last_width;
    int result;

    if (way == last_way && width == last_width && source.nan_at == NEVER)
        return 0;
    result = run(REFERENCE, way, width);
    last_way = source.nan_at == NEVER ? way : NULL;
    last_width = width;
    due_note();
    return result;
}

static void check_shared(const struct way *way, uint64_t width, const char *words)
{
    CHECK(run(CORES_AND_DEVICE, way, width) == 0);
    due_check(words);
}

/* For a stream in which the device may get no piece. */
static void reset_impatient(void)
{
    reset();
    fake.awaited = NEXT_AWAITED;
}

static void check_help(void)
{
    static const uint64_t widths[] = {1, 512, 10000};

    for (size_t i = 0; i < WAYS * sizeof widths / sizeof *widths; i++) {
        uint64_t width = widths[i / WAYS];

        reset();
        reference(&ways[i % WAYS], width);
        check_shared(&ways[i % WAYS], width, "help");
        if (&ways[i % WAYS] == PLACED) {
            CHECK(device->state == DEVICE_AT_WORK && device->number == 4);
            CHECK_THAT(device->frames > 0 && device->frames < FRAMES, "%llu frames, window %llu",
                       (unsigned long long)device->frames, (unsigned long long)width);
        }
        wait_for_end();
    }
}

/* As many pieces as cores, or none at all. */
static void check_few_pieces(void)
{
    static const uint64_t widths[] = {30000, 200000};

    for (size_t i = 0; i < WAYS * sizeof widths / sizeof *widths; i++) {
        uint64_t width = widths[i / WAYS];

        reset_impatient();
        reference(&ways[i % WAYS], width);
        check_shared(&ways[i % WAYS], width, "few pieces");
        wait_for_end();
    }
}

static void check_state(enum device_state state, const char *words)
{
    CHECK_THAT(device->state == state, "state %d, not %d", (int)device->state, (int)state);
    CHECK_THAT(strstr(words_of(&device->error), words) != NULL, "'%s'", words_of(&device->error));
}

/* The cores do its pieces. */
static void check_taken_back(const struct way *way)
{
    reset();
    reference(way, 512);
    for (int call = 1; call <= 5; call += 2) {
        reset();
        fake.submit_fails_at = call;
        check_shared(way, 512, "submit");
        check_state(DEVICE_FAILED, "fake: submit failed");
        wait_for_end();
        reset();
        fake.collect_fails_at = call;
        check_shared(way, 512, "collect");
        wait_for_end();
        reset();
        fake.hangs_at = call;
        check_shared(way, 512, "hang");
        check_state(DEVICE_HUNG, "no sign of life");
        CHECK(atomic_load(&fake.engines) == 1);
        sem_post(&fake.go); /* late results are discarded */
        wait_for_end();
        due_check("after a hang");
    }
    reset();
    fake.open_fails = 1;
    check_shared(way, 512, "open");
    check_state(DEVICE_NEVER, "--device fake: no device");
}

/* It returns while a core has not yet taken one of its pieces. */
static void check_hung_and_back(const struct way *way)
{
    reset();
    reference(way, 512);
    reset();
    fake.hangs_at = THREADS + 1;
    atomic_store(&fake.comes_back, 1);
    device_class.in_flight = THREADS + 1; /* it has begun more pieces than there are cores */
    check_shared(way, 512, "back from a hang");
    check_state(DEVICE_HUNG, "no sign of life");
    CHECK(source.gone_to >= FRAMES - 100 - 512); /* no piece was left over */
    CHECK(atomic_load(&fake.comes_back) == 2);
    wait_for_end();
    device_class.in_flight = THREADS;
}

/* The next stream does without a device that hangs. */
static void check_hung_once(void)
{
    reset();
    reference(PLACED, 512);
    keep = keep_open();
    fake.hangs_at = 1;
    CHECK(run(CORES_AND_DEVICE, PLACED, 512) == 0);
    check_state(DEVICE_HUNG, "no sign of life");
    CHECK(run(CORES_AND_DEVICE, PLACED, 512) == 0);
    due_check("after a stream with a hang");
    check_state(DEVICE_UNUSED, "");
    sem_post(&fake.go);
    wait_for_end();
    keep_end(keep);
    keep = NULL;
}

/* While the device works, the cores are slower than before, as if it took their memory bandwidth or
 * time; and the device compensates little of that. */
static void check_retired(void)
{
    reset();
    reference(PLACED, 512);
    fake.is_drag = 1;
    atomic_store(&fake.gone, 1); /* the cores do not wait for it */
    CHECK(run(CORES_AND_DEVICE, PLACED, 512) == 0);
    due_check("retired");
    check_state(DEVICE_RETIRED, "");
    CHECK(device->began.seconds > 0 && device->left.seconds > device->joined.seconds);
    wait_for_end();
}

/* A device that is still starting does not delay the end. */
static void check_late(void)
{
    reset();
    reference(PLACED, 512);
    fake.waits_to_open = 1;
    atomic_store(&fake.gone, 1); /* the cores do not wait for it */
    CHECK(run(CORES_AND_DEVICE, PLACED, 512) == 0);
    due_check("late");
    check_state(DEVICE_STARTING, "");
    sem_post(&fake.go);
    for (int i = 0; i < 10000 && atomic_load(&fake.engines) == 0; i++)
        usleep(100);
    wait_for_end();
}

/* Faults of the stream are reported as by one thread. */
static void check_faults_of_the_stream(void)
{
    for (size_t at = 50000; at < FRAMES; at += FRAMES / 2) {
        struct error due_error;
        int due_result;

        reset_impatient();
        source.nan_at = at;
        due_result = reference(PLACED, 512);
        due_error = error;
        CHECK(run(CORES_AND_DEVICE, PLACED, 512) == due_result);
        CHECK(strcmp(words_of(&error), words_of(&due_error)) == 0);
        due_check("NaN");
        wait_for_end();
        reset_impatient();
        reference(PLACED, 512);
        source.reader_fails_at = at;
        CHECK(run(CORES_AND_DEVICE, PLACED, 512) == 0);
        due_check("reader");
        wait_for_end();
    }
    reset_impatient();
    sink.fails_at = 5000;
    CHECK(run(CORES_AND_DEVICE, PLACED, 512) == -1);
    CHECK(strcmp(words_of(&error), "fake: write failed") == 0);
    wait_for_end();
}

static void check_alone(void)
{
    reset();
    reference(PLACED, 512);
    CHECK(run(DEVICES, PLACED, 512) == 0);
    due_check("alone");
    CHECK(account.devices[1].number == 7);
    CHECK(account.workers == 2);
    CHECK(device->frames + account.devices[1].frames > FRAMES / 2);
    wait_for_end();
    reset();
    fake.submit_fails_at = 3;
    CHECK(run(DEVICES, PLACED, 512) == -1);
    CHECK_THAT(strcmp(words_of(&error), "fake: submit failed") == 0, "'%s'", words_of(&error));
    CHECK(error.status == STATUS_FAILED);
    wait_for_end();
    reset();
    fake.open_fails = 1;
    CHECK(run(DEVICES, PLACED, 512) == -1);
    CHECK(strcmp(words_of(&error), "--device fake: no device") == 0 &&
          error.status == STATUS_NO_DEVICE);
}

/* With figures of hosts of an H100 and an H200: seconds of one core per frame. */
static void check_pays(void)
{
    static const double h100 = 0.25e-9;
    static const double h200 = 0.2e-9;
    const struct {
        double feed;
        double in_bytes;
        double cost;
        double frames;
        unsigned cores;
        bool pays;
    } cases[] = {
        {h100, 2, 2.4e-9, 2.1e9, 1, true},    /* cu8, 4 GiB, on one core: 5.1 s against 1.3 */
        {h100, 2, 2.4e-9, 2.1e9, 2, true},    /* on two cores */
        {h100, 2, 2.4e-9, 2.1e9, 16, false},  /* on sixteen */
        {h100, 2, 2.4e-9, 3e7, 1, false},     /* 64 MiB of it */
        {h200, 2, 1.05e-9, 2.1e9, 1, true},   /* s16, 4 GiB: 2.2 s against 1.3 */
        {h100, 4, 1.07e-9, 1.07e9, 1, false}, /* float32, 4 GiB */
        {h100, 4, 1.07e-9, 4.3e9, 1, false},  /* 16 GiB */
        {h100, 4, 1.07e-9, 4.3e9, 16, false},
        {h200, 4, 1.17e-9, 1.07e9, 1, false}, /* float32, 4 GiB: 1.4 s against 1.3 */
        {h200, 4, 1.17e-9, 4.3e9, 1, true},   /* 16 GiB: 5.0 s against 3.8 */
        {h200, 4, 1.17e-9, 4.3e9, 16, false},
        {h200, 4, 3e-9, 2.5e8, 1, false}, /* 1 GiB, w=10^6: the first piece took twice as long */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct engine_estimate estimate = {.start = 0.35, .feed = cases[i].feed, .bus = 16e9};
        const struct device_outlook outlook = {
            .left = cases[i].frames,
            .cost = cases[i].cost,
            .reading = cases[i].in_bytes * 0.1e-9,
            .in_bytes = cases[i].in_bytes,
            .out_bytes = 8,
            .workers = cases[i].cores,
            .lends = true,
        };

        CHECK_THAT(device_pays(&estimate, &outlook) == cases[i].pays, "case %zu", i);
    }
}

int main(void)
{
    if (!due_open())
        return 1;
    sem_init(&fake.go, 0, 0);
    make_classes();
    check_pays();
    check_help();
    check_few_pieces();
    for (size_t i = 0; i < WAYS; i++) {
        check_taken_back(&ways[i]);
        check_hung_and_back(&ways[i]);
    }
    check_hung_once();
    check_retired();
    check_late();
    check_faults_of_the_stream();
    check_alone();
    due_close();
    return check_result();
}
