/* How many threads of a batch work: as many as make it faster.
 *
 * Small files are bound by locks: of the folders that get new files, and of the process's open
 * files. Threads that wait for those keep their CPUs busy, and all together are slower than a few.
 * So sixteen threads begin, and twice as many go on as long as that makes the batch faster. */
#ifndef GPUENV_TOOL_GROWTH_PRIV_H
#define GPUENV_TOOL_GROWTH_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tool/ledger_priv.h"

struct growth {
    atomic_uint working; /* threads with a number below it work */
    unsigned threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* Under `lock`. */
    bool settled;
    double looked;  /* when the last look was, by the clock */
    uint64_t files; /* ended until then */
    double rate;    /* files a second before */
};

/* `given`: the user has said how many threads there are. */
void growth_open(struct growth *growth, unsigned threads, bool given);
void growth_close(struct growth *growth);

/* Thread `number` waits here until it is wanted, or until it is known that it will not be. */
void growth_wait(struct growth *growth, struct ledger *ledger, unsigned number);

bool growth_wants(struct growth *growth, unsigned number);

/* Ends the growth: growth_wait() returns in all threads. A thread that finds no more files calls
 * it. */
void growth_settle(struct growth *growth);

#endif
