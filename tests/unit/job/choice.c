/* job/choice: what `auto` chooses, beside what was measured (examples/devices.txt). */
#include "check.h"

#include "job/choice_priv.h"

static const struct engine_costs costs = {.start = 0.4, .feed = 0.22e-9, .bus = 1 / 16e9};

static const struct {
    const char *name;
    enum sample_kind kind;
    unsigned channels;
    uint64_t hop;
    double gib;
    unsigned cores;
    bool device;
} cases[] = {
    {"cu8 on one core: 3.9 s against 1.1", SAMPLE_CU8, 1, 1, 4, 1, true},
    {"1.0 s against 0.5", SAMPLE_CU8, 1, 1, 1, 1, true},
    {"with a hop, 1.2 s a GiB against 0.2", SAMPLE_CU8, 1, 512, 4, 1, true},
    {"on sixteen cores: 0.3 s against 0.7", SAMPLE_CU8, 1, 1, 4, 16, false},
    {"64 MiB", SAMPLE_CU8, 1, 1, 1.0 / 16, 1, false},
    {"s16 on one core: 1.9 s against 1.1", SAMPLE_S16, 1, 1, 4, 1, true},
    {"0.45 s against 0.52", SAMPLE_S16, 1, 1, 1, 1, false},
    {"on four: 0.5 s against 1.0", SAMPLE_S16, 1, 1, 4, 4, false},
    {"float32 on one core: 1.1 s against 1.0", SAMPLE_F32, 1, 1, 4, 1, false},
    {"with a hop, 0.2 s a GiB against 0.2", SAMPLE_F32, 1, 512, 64, 1, false},
    {"eight channels, 0.8 s a GiB against 0.15", SAMPLE_F32, 8, 1, 4, 1, true},
    {"on sixteen cores", SAMPLE_F32, 1, 1, 64, 16, false},
    {"eight channels, 0.07 s a GiB against 0.06", SAMPLE_F32, 8, 1, 4, 16, false},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct engine_setup setup = {
            .emits = {2, {EMIT_MIN, EMIT_MAX}},
            .sample = {.kind = cases[i].kind},
            .value = VALUE_F32,
            .channels = cases[i].channels,
        };
        struct choice choice;

        window_init(&setup.window, 512, cases[i].hop, ALIGN_VALID, EDGE_SHRINK);
        choice = choice_make(&costs, &setup,
                             cases[i].gib * (double)(1 << 30) / (double)engine_in_bytes(&setup),
                             cases[i].cores);
        CHECK_THAT(choice.device == cases[i].device, "%s: %.2f s, the cores %.2f", cases[i].name,
                   choice.device_seconds, choice.cpu_seconds);
    }
    return check_result();
}
