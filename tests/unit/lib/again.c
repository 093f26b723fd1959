/* SPDX-License-Identifier: MIT */
/* Short calls, whose plans a context keeps: made again with other arrays, and with one thing
 * changed. */
#include "calls.h"

#include <math.h>
#include <stdalign.h>

enum { FRAMES = 100, ROUNDS = 400, ROOM = 4 * FRAMES };

static float samples[ROOM];
static alignas(8) float results[2][ROOM];
static alignas(8) float expected[2][ROOM];

struct call {
    gpuenv_spec spec;
    gpuenv_array in;
    gpuenv_array out[2];
};

static struct call make_call(const float *in, float *low, float *high)
{
    return (struct call){
        .spec = SPEC(.width = 7, .align = GPUENV_CENTER),
        .in = packed(in, GPUENV_F32, FRAMES, 1),
        .out = {packed(low, GPUENV_F32, FRAMES, 1), packed(high, GPUENV_F32, FRAMES, 1)}};
}

static int run(gpuenv_context *context, const struct call *call)
{
    return gpuenv_filter(context, &call->spec, &call->in, call->out, NULL);
}

/* What is changed in a call, if anything. */
static void change(struct call *call)
{
    switch (random_below(16)) {
    case 0:
        call->spec.width = 8;
        break;
    case 1:
        call->spec.align = GPUENV_ALIGN_CAUSAL;
        break;
    case 2:
        call->spec.edge = GPUENV_EDGE_NAN;
        break;
    case 3:
        call->spec.nan = GPUENV_NAN_OMIT;
        break;
    case 4:
        call->spec.min_count = 5;
        break;
    case 5:
        call->in.frames = call->out[0].frames = call->out[1].frames = FRAMES / 2;
        break;
    case 6:
        call->in.frame = 2 * sizeof(float);
        break;
    case 7:
        call->in.swapped = 1;
        break;
    case 8:
        call->spec.last = 1;
        break;
    case 9:
        call->spec.values = 2;
        call->spec.value[0] = GPUENV_ARGMIN;
        call->spec.value[1] = GPUENV_ARGMAX;
        call->spec.last = 1;
        call->out[0].type = call->out[1].type = GPUENV_S64;
        call->out[0].frame = call->out[1].frame = sizeof(int64_t);
        break;
    default:
        break;
    }
}

/* A call by a context that has made others gives what one by a new context gives. */
static void test_again(gpuenv_context *context)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct call call = make_call(samples + random_below(FRAMES), results[0] + random_below(9),
                                     results[1] + random_below(9));
        struct call other;
        gpuenv_context *fresh = open_context(1);

        change(&call);
        CHECK(run(context, &call) == GPUENV_OK);
        for (unsigned k = 0; k < ROOM; k++)
            samples[k] = random_below(60) == 0 ? (float)NAN : (float)random_below(1000) - 500;
        other = call;
        other.out[0].data = expected[0] + ((const float *)call.out[0].data - results[0]);
        other.out[1].data = expected[1] + ((const float *)call.out[1].data - results[1]);
        CHECK(run(context, &call) == GPUENV_OK && run(fresh, &other) == GPUENV_OK);
        CHECK(memcmp(results, expected, sizeof results) == 0);
        gpuenv_close(fresh);
    }
}

/* What a call with these arrays is refused for, it is refused for after others, too. */
static void test_refused(gpuenv_context *context)
{
    const struct call right = make_call(samples, results[0], results[1]);
    struct call wrong[4] = {right, right, right, right};

    wrong[0].out[1].data = samples + FRAMES - 1;
    wrong[1].out[1].data = results[0] + 1;
    wrong[2].in.data = NULL;
    wrong[3].out[0].data = NULL;
    for (unsigned i = 0; i < 4; i++) {
        CHECK(run(context, &right) == GPUENV_OK);
        CHECK_THAT(run(context, &wrong[i]) == GPUENV_BAD_ARGUMENT, "call %u", i);
    }
    CHECK(run(context, &right) == GPUENV_OK);
    CHECK_BAD(gpuenv_filter(context, NULL, &right.in, right.out, NULL));
    CHECK_BAD(gpuenv_filter(context, &right.spec, NULL, right.out, NULL));
    CHECK_BAD(gpuenv_filter(context, &right.spec, &right.in, NULL, NULL));
}

/* Results at an odd address are not written as they are computed. */
static void test_odd(gpuenv_context *context)
{
    const struct call call = make_call(samples, results[0], results[1]);
    struct call odd = call;

    odd.out[0].data = (unsigned char *)expected[0] + 1;
    odd.out[1].data = (unsigned char *)expected[1] + 1;
    CHECK(run(context, &call) == GPUENV_OK && run(context, &odd) == GPUENV_OK);
    CHECK(memcmp((unsigned char *)expected[0] + 1, results[0], FRAMES * sizeof(float)) == 0);
    CHECK(memcmp((unsigned char *)expected[1] + 1, results[1], FRAMES * sizeof(float)) == 0);
}

int main(void)
{
    gpuenv_context *context = open_context(2);

    test_again(context);
    test_refused(context);
    test_odd(context);
    gpuenv_close(context);
    return check_result();
}
