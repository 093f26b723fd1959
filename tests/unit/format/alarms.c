/* SPDX-License-Identifier: MIT */
/* Samples are hardly ever refused: the recogniser is given millions of beginnings of raw float32
 * streams, of all the usual shapes, 16 to 64 bytes of each. (Samples of other types have to be
 * named.) At most one in 100,000, of sensors whose last bits alone change, may be taken for text.
 * alarms [BEGINNINGS], by default 10^6, or a fifth of them. */
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/recognise_priv.h"

enum { MOST = 64 };

static double draw_unit(void)
{
    return (double)(random_word() >> 11) * 0x1p-53;
}

static double draw_between(double low, double high)
{
    return low + (high - low) * draw_unit();
}

/* ---- signals: sample i of one that has three parameters */

typedef double signal(unsigned i, const double *with);

static double sine(unsigned i, const double *with)
{
    return with[0] * sin(with[1] * i + with[2]);
}

static double noise(unsigned i, const double *with)
{
    (void)i;
    return with[0] * draw_between(-1, 1);
}

static double still(unsigned i, const double *with)
{
    (void)i;
    return with[0] * with[2];
}

/* A sensor: an offset, a slope and a little noise. */
static double sensor(unsigned i, const double *with)
{
    return with[0] * (1 + 1e-3 * with[1] * i + 1e-4 * draw_unit());
}

/* The same, quantised like by a converter. */
static double steps(unsigned i, const double *with)
{
    return with[0] / 4096 * floor(4096 * sensor(i, with) / with[0]);
}

static double number(unsigned i, const double *with)
{
    return floor(100 * with[0] + 10 * with[1] * i);
}

static double square(unsigned i, const double *with)
{
    return (i / (1 + (unsigned)(4 * fabs(with[2])))) % 2 == 0 ? with[0] : with[1];
}

static signal *const signals[] = {sine, noise, still, sensor, steps, number, square};

enum { SIGNALS = sizeof signals / sizeof *signals };

/* ---- their samples as bytes */

static void make_floats(unsigned char *bytes, signal *get, const double *with)
{
    for (unsigned i = 0; i < MOST / 4; i++) {
        float sample = (float)get(i, with);

        memcpy(bytes + (size_t)4 * i, &sample, 4);
    }
}

static void make_random(unsigned char *bytes)
{
    for (unsigned i = 0; i < MOST; i += 8) {
        uint64_t number_of_8 = random_word();

        memcpy(bytes + i, &number_of_8, 8);
    }
}

static const char *make(unsigned char *bytes, unsigned long turn)
{
    const double scale = pow(10, draw_between(-9, 6));
    const double with[] = {scale, draw_unit(), draw_between(-3, 3)};

    if (turn % 4 == 0) {
        make_random(bytes);
        return "random";
    }
    make_floats(bytes, signals[turn / 4 % SIGNALS], with);
    return "float32";
}

int main(int argc, char **argv)
{
    unsigned long turns = argc > 1    ? strtoul(argv[1], NULL, 10)
                          : CHECK_FEW ? 200 * 1000
                                      : 1000 * 1000;
    unsigned long alarms = 0;

    for (unsigned long turn = 0; turn < turns; turn++) {
        unsigned char bytes[MOST];
        const char *name = make(bytes, turn);
        size_t size = 16 + 4 * (size_t)(random_word() % 13);
        struct recognised found = recognise_all(bytes, size, turn % 8 == 0);

        if (found.format == NULL)
            continue;
        alarms++;
        fprintf(stderr, "%s, signal %lu, %zu bytes: %s:", name, turn / 4 % SIGNALS, size,
                found.words);
        for (size_t i = 0; i < size; i++)
            fprintf(stderr, " %02x", bytes[i]);
        fprintf(stderr, "\n");
    }
    CHECK_THAT(alarms <= turns / 100000, "%lu of %lu", alarms, turns);
    return check_result();
}
