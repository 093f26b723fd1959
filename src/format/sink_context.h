/* What a writer of text or of pictures has to know beside the format: what the values of a frame
 * are, and where in the input a frame lies. Writers of samples do without. */
#ifndef GPUENV_FORMAT_SINK_CONTEXT_H
#define GPUENV_FORMAT_SINK_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "window/rules.h"

struct sink_context {
    struct emit_list emits; /* of each channel, in this order */
    unsigned channels;      /* of the input; a frame has channels * emits.count values */
    uint64_t hop;           /* output frame k stands at input frame first_frame + k * hop */
    uint64_t first_frame;   /* of the input: what was skipped */
    double input_rate;      /* 0: not known */
    const char *title;      /* of a picture: UTF-8, or what a file name holds; may be NULL */
    bool pixels;            /* a frame is of the `hop` input frames from its own one on: --zoom */
    bool continues;         /* these frames go on from those of another part: text has no header */
};

#endif
