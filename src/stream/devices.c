#include "stream/devices.h"

/* An estimate has to promise more than this part of the time that the cores alone would take. */
static const double MARGIN = 0.8;

/* Bytes. One core is through with less in the time that it takes to tell others of it. */
static const uint64_t INPUT_LEAST = UINT64_C(1) << 20;

static const uint64_t HELPED_LEAST = UINT64_C(16) << 20;

bool devices_may_help(uint64_t bytes)
{
    return bytes >= HELPED_LEAST;
}

bool devices_input_is_short(const struct engine_setup *setup, uint64_t frames)
{
    return frames < INPUT_LEAST / engine_in_bytes(setup);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Seconds of a processor to bring a device a frame, and to take back what comes of it. What a
 * worker reads stays in its cache; what is on its way to a device does not. */
static double feed_of(const struct engine_estimate *estimate, const struct device_outlook *outlook)
{
    return most(outlook->reading, estimate->feed * outlook->in_bytes) + outlook->writing +
           estimate->copy * outlook->copied;
}

/* Frames a second, by one that has all it needs. */
static double device_rate(const struct engine_estimate *estimate,
                          const struct device_outlook *outlook)
{
    double bytes = most(outlook->in_bytes, outlook->out_bytes);

    return 1 / most(feed_of(estimate, outlook), bytes / estimate->bus);
}

/* A CPU that two want is shared out evenly, and one that wants less than a half has it. */
bool devices_want_core(const struct engine_estimate *estimate, const struct device_outlook *outlook)
{
    const double half = 0.5;
    double feed = feed_of(estimate, outlook);
    double wanted = feed * device_rate(estimate, outlook);

    return (wanted - half) * outlook->cost > half * feed;
}

/* To start a device takes a core, and to feed it a part of one, which the workers lack, unless
 * there are idle ones. */
bool devices_pay(const struct engine_estimate *estimate, const struct device_outlook *outlook)
{
    double feed = feed_of(estimate, outlook);
    double device = device_rate(estimate, outlook);
    double taken = outlook->cpus > outlook->workers ? 0 : 1.0 / outlook->workers;
    double rate;
    double together;
    double beside;

    if (estimate->start < 0)
        return true;
    if (outlook->cost <= 0)
        return false;
    rate = devices_rate(outlook);
    together = rate * (1 - taken * least(1, feed * device)) + device;
    if (outlook->in_order > 0)
        together = least(together, 1 / outlook->in_order);
    beside =
        estimate->start + most(0, outlook->left - rate * (1 - taken) * estimate->start) / together;
    return beside < MARGIN * outlook->left / rate;
}
