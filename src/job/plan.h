/* What will be done with one input: worked out once, from what the user wants, what the source says
 * and what the machine has. Nothing here opens, reads or asks a device; what is done later does not
 * parse, round or count again. */
#ifndef GPUENV_JOB_PLAN_H
#define GPUENV_JOB_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/settings.h"
#include "engine/engine.h"
#include "format/sink.h"
#include "format/source.h"
#include "job/shard.h"

/* Who computes. */
enum plan_device {
    PLAN_CPU,
    PLAN_DEVICE_BESIDE, /* the cores, and a device once it turns out to pay */
    PLAN_DEVICE,        /* asked for by name */
};

struct plan {
    struct engine_setup setup;
    const struct engine_class *engine_class;
    enum plan_device device;

    uint64_t skip;      /* frames of the input to pass over */
    uint64_t limit;     /* frames to use at most; UINT64_MAX: all */
    uint64_t frames;    /* that will be used, at most; UINT64_MAX: nobody knows */
    uint64_t outputs;   /* frames that will be written; SINK_FRAMES_UNKNOWN */
    uint64_t reads;     /* frames that will be read, as far as is known */
    struct shard shard; /* what of the stream; of no number: all of it */
    struct sink_format sink;
    bool brief; /* so short that threads cost more than they bring */

    bool has_lengths;
};

/* What can be told before there is an input, which may be long in coming. `raw`: the input has no
 * header, so that the user's word for the rate is the last one. */
int plan_begin(struct plan *plan, const struct settings *settings, const struct task *task,
               bool raw, struct error *error);

/* The rest, but for the engine. A source of unknown length must not be asked for a part. */
int plan_stream(struct plan *plan, const struct settings *settings, const struct task *task,
                const struct source_format *source, struct error *error);

/* A device was asked for by name, and the input is too short for any. `most` is how many frames it
 * may have, about, for a source that does not know. */
bool plan_is_short_for_device(const struct plan *plan, uint64_t most);

/* Puts this engine into the plan: how large its chunks are. */
void plan_engine(struct plan *plan, const struct settings *settings, const struct machine *machine,
                 const struct engine_class *engine_class);

/* The memory that the run may come to use, against what there is. */
int plan_check_memory(const struct plan *plan, const struct settings *settings,
                      const struct task *task, const struct machine *machine, struct error *error);

#endif
