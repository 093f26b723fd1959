/* What one process has of its devices, where many streams follow one another: resources of engines
 * (streams, memory) that the next engine takes over, and whether each device can be started. Any
 * thread may call.
 *
 * A resource that is taken belongs to the taker, so there are never more of them than have been in
 * use at one time. */
#ifndef GPUENV_ENGINE_KEEP_H
#define GPUENV_ENGINE_KEEP_H

#include <stdbool.h>

/* A resource; the first member of what it really is. */
struct kept {
    unsigned device; /* that it belongs to */
    void (*close)(struct kept *kept);
    struct kept *next; /* the keep's */
};

struct keep;

/* NULL, with errno set, when there is no memory. */
struct keep *keep_open(void);

/* For threads that may outlive the owner: holds it until keep_drop(). In all calls but keep_open(),
 * NULL is a keep that keeps nothing. */
struct keep *keep_hold(struct keep *keep);
void keep_drop(struct keep *keep);

/* The owner is done: closes what is kept, and later what is still given back. */
void keep_end(struct keep *keep);

/* The resource of this device that was given back last. NULL: there is none. */
struct kept *keep_take(struct keep *keep, unsigned device);

void keep_give(struct keep *keep, struct kept *kept);

/* Closes what is kept of a device: it has failed, or its memory is wanted. */
void keep_clear(struct keep *keep, unsigned device);

enum keep_state {
    KEEP_COLD,     /* not started yet; all that a NULL keep knows of a device */
    KEEP_STARTING, /* by one stream; a second start at the same time would be no sooner */
    KEEP_WARM,     /* it has been started: the next start is short */
    KEEP_DEAD,     /* it cannot be started, or has failed */
};

enum keep_state keep_state_of(struct keep *keep, unsigned device);

/* A cold or warm device is then starting, and the caller notes what comes of it. False: the device
 * is dead, or another stream is starting it. */
bool keep_claim(struct keep *keep, unsigned device);
void keep_note(struct keep *keep, unsigned device, enum keep_state state);

#endif
