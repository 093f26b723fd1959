#include "stream/devices.h"

/* The expected time must be less than this part of the time of the cores alone. */
static const double MARGIN = 0.85;

/* Starts may take longer than estimated, and the rate of the first pieces is uncertain.
 */
static const double START_FACTOR = 1.5;

/* Bytes. One core reads and filters so much before other threads have woken up. */
static const uint64_t INPUT_LEAST = UINT64_C(1) << 20;

static const uint64_t HELPED_LEAST = UINT64_C(16) << 20;

bool devices_may_help(uint64_t bytes)
{
    return bytes >= HELPED_LEAST;
}

bool devices_input_is_small(const struct engine_setup *setup, uint64_t frames)
{
    return frames < INPUT_LEAST / engine_in_bytes(setup);
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Frames per second. The limit is the CPU that feeds the device, or the bus. */
static double device_rate(const struct engine_estimate *estimate,
                          const struct device_outlook *outlook)
{
    double feed = most(outlook->reading, estimate->feed * outlook->in_bytes) + outlook->writing +
                  estimate->copy * outlook->copied;
    double bus = most(outlook->in_bytes, outlook->out_bytes) / estimate->bus;

    return 1 / most(feed, bus);
}

bool device_pays(const struct engine_estimate *estimate, const struct device_outlook *outlook)
{
    double start = START_FACTOR * estimate->start;
    double alone = outlook->workers / outlook->cost;
    double beside = outlook->lends ? (outlook->workers - 1) / outlook->cost : alone;
    double left = most(0, outlook->left - beside * start);
    double seconds = start + left / (beside + device_rate(estimate, outlook));

    return seconds < MARGIN * outlook->left / alone;
}
