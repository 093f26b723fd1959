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

/* A stream is about to start the device. False: another is at it for the first time, and no second
 * first start would be any sooner. The first start ends with one of the calls below. */
bool keep_begin_start(struct keep *keep, unsigned device);

/* It has come to nothing. */
void keep_end_start(struct keep *keep, unsigned device);

/* The device has been started, in so many seconds. `warm`: as keep_find_start() said before. */
void keep_note_start(struct keep *keep, unsigned device, bool warm, double seconds);

/* Seconds of a processor that a byte of input costs the cores, in frames of one kind. */
struct keep_cost {
    int kind; /* of samples */
    unsigned channels;
    double all;
    double reading; /* of these, in which a device does not help, */
    double writing; /* nor in these */
};

/* What was measured when a device was begun that then helped to the end: a stream after it need not
 * be measured before the device is begun. False: nothing is known. */
bool keep_find_cost(struct keep *keep, unsigned device, struct keep_cost *cost);

/* NULL: the device did not help. */
void keep_note_cost(struct keep *keep, unsigned device, const struct keep_cost *cost);

/* The streams' cores that are at work: so many more, or fewer. Returns how many there are then. */
unsigned keep_add_cores(struct keep *keep, int cores);

/* The device cannot be started, or hangs: a stream whose work others can do should not begin it.
 * Until keep_note_start() says that it has been started after all. */
void keep_give_up(struct keep *keep, unsigned device);
bool keep_has_given_up(struct keep *keep, unsigned device);

#endif
