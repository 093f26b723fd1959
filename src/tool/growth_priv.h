/* How many threads of a batch work.
 *
 * Small files are bound by locks: of the folders that get new files, and of the process's open
 * files. Threads that wait for those keep their CPUs busy, and all together are slower than a few.
 * So sixteen threads begin, and the others join in where a file takes long enough for them. */
#ifndef GPUENV_TOOL_GROWTH_PRIV_H
#define GPUENV_TOOL_GROWTH_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tool/ledger_priv.h"

struct growth {
    unsigned threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* Under `lock`. */
    unsigned working; /* threads with a number below it work */
    bool ended;
    double looked;  /* when the last look was, by the clock */
    uint64_t files; /* ended until then */
};

/* `given`: the user has said how many threads there are. */
void growth_open(struct growth *growth, unsigned threads, bool given);
void growth_close(struct growth *growth);

/* How many threads shall work when `files` have ended in so many seconds: never fewer than do. Call
 * with the lock held. */
unsigned growth_size(const struct growth *growth, double seconds, uint64_t files);

/* Thread `number` waits here until it is wanted, or until the growth has ended. Returns true if it
 * is wanted. */
bool growth_wait(struct growth *growth, struct ledger *ledger, unsigned number);

/* A thread that finds no more files calls it, so that no others wait for any. */
void growth_end(struct growth *growth);

#endif
