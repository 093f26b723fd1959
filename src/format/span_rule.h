/* What the user says about spans: where a value is above or below a level. */
#ifndef GPUENV_FORMAT_SPAN_RULE_H
#define GPUENV_FORMAT_SPAN_RULE_H

#include <stdbool.h>
#include <stdint.h>

struct span_rule {
    bool given;
    bool below;
    double level;
    bool joins;   /* spans with less than this between them are one: */
    int64_t join; /* frames, or nanoseconds by the clock */
};

#endif
