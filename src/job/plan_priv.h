/* SPDX-License-Identifier: MIT */
/* The plan for one input: computed once, from the settings, the source and the machine. Nothing
 * here opens files, reads, or asks a device; nothing after it parses, rounds or counts again. */
#ifndef GPUENV_JOB_PLAN_PRIV_H
#define GPUENV_JOB_PLAN_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "format/sink.h"
#include "format/source.h"
#include "job/choice_priv.h"
#include "job/settings.h"
#include "job/shard_priv.h"
#include "job/stream.h"

/* The engine of the plan. */
enum plan_device {
    PLAN_CPU,
    PLAN_AUTO,   /* the cpu engine, unless the choice falls on a device */
    PLAN_DEVICE, /* requested by name */
};

struct plan {
    struct stream_plan stream; /* its frames are the most that will be used */
    enum plan_device device;

    uint64_t skip;      /* frames of the input to skip */
    uint64_t reads;     /* frames that will be read, as far as known */
    struct shard shard; /* the part of the stream; its number is 0 for all of it */
    struct sink_format sink;
    struct time_form times;       /* the sink's context points to them */
    struct choice choice;         /* for PLAN_AUTO */
    struct stream_plan of_device; /* for a device, if the choice falls on one */
    bool rounded;                 /* samples, or values made of them, are rounded to float32 */
    bool overall; /* the sink joins the engine's values of all channels into one answer */
};

/* Fails if the length of the window is missing; only pictures and spans need none. This check comes
 * last: an input that cannot be read, or an output that cannot be written, is reported first.
 * `source` is NULL while it is not open. */
int plan_check_window(const struct plan *plan, const struct settings *settings,
                      const struct source *source, struct error *error);

/* Checks and plans what does not depend on the input, which may take long to arrive. `raw`: the
 * input has no header, so the rate is the one that the user gave. */
int plan_begin(struct plan *plan, const struct settings *settings, const struct job_files *task,
               bool raw, struct error *error);

/* Plans the rest except the engine. A part needs a source of known length. */
int plan_stream(struct plan *plan, const struct settings *settings, const struct job_files *task,
                const struct source *from, struct error *error);

/* bounds.c: plans which frames are read. job_cut_rows() cuts rows with times. */
int plan_part(struct plan *plan, const struct settings *settings, const struct source *from,
              struct error *error);

/* plan_spans.c: spans of numbers are found by the numbers, spans of sound by its magnitude. */
int plan_spans(struct plan *plan, const struct settings *settings,
               const struct source_format *source, struct error *error);

/* Plans how far apart joined spans may be, and how long a span lasts at least. */
int plan_span_lengths(struct plan *plan, const struct settings *settings, const struct source *from,
                      struct error *error);

/* True if a device was requested by name and the input is too short for any device. `most_frames`
 * limits the frames of a source that does not know its length. */
bool plan_is_short_for_device(const struct plan *plan, uint64_t most_frames);

/* Puts this engine into the plan, with the size of its chunks. */
void plan_engine(struct plan *plan, const struct settings *settings, const struct machine *machine,
                 const struct engine_class *engine_class);

/* Compares the memory that the run may need with the available memory. */
int plan_check_memory(const struct plan *plan, const struct settings *settings,
                      const struct job_files *task, const struct machine *machine,
                      struct error *error);

#endif
