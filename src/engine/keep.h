/* What engines leave for the engines after them, where many streams follow one another: what is
 * dear to make and knows nothing of a stream. Any thread may call.
 *
 * A thing that is taken belongs to whoever has taken it, so there are never more of them than have
 * been in use at one time. */
#ifndef GPUENV_ENGINE_KEEP_H
#define GPUENV_ENGINE_KEEP_H

#include <stdbool.h>

/* A thing that is kept; the first member of what it really is. */
struct kept {
    unsigned device; /* that it belongs to */
    void (*close)(struct kept *kept);
    struct kept *next; /* the keep's */
};

struct keep;

/* NULL, with errno set, when there is no memory. */
struct keep *keep_open(void);

/* For whoever may outlive the owner: holds it until keep_drop(). In all calls but keep_open(), NULL
 * is a keep that keeps nothing. */
struct keep *keep_hold(struct keep *keep);
void keep_drop(struct keep *keep);

/* The owner has no more use for it: closes what is there, and what will yet be given back. */
void keep_end(struct keep *keep);

/* The thing of this device that was given back last. NULL: there is none. */
struct kept *keep_take(struct keep *keep, unsigned device);

void keep_give(struct keep *keep, struct kept *kept);

/* Closes what is kept of a device: it has failed, or its memory is wanted. */
void keep_clear(struct keep *keep, unsigned device);

/* Has the device been started before? If so, the next start is a warm one: `*seconds` becomes the
 * least that a warm start has taken, and is left alone as long as none has been measured. */
bool keep_find_start(struct keep *keep, unsigned device, double *seconds);

/* The device has been started, in so many seconds. `warm`: as keep_find_start() said before. */
void keep_note_start(struct keep *keep, unsigned device, bool warm, double seconds);

/* The device cannot be started, or hangs: a stream whose work others can do should not begin it.
 * Until keep_note_start() says that it has been started after all. */
void keep_give_up(struct keep *keep, unsigned device);
bool keep_has_given_up(struct keep *keep, unsigned device);

#endif
