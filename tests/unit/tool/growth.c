/* tool/growth: whom the number of threads lets work. Whether more of them pay is measured by
 * tests/perf/batch.py: it depends on the machine. */
#include "check.h"

#include <pthread.h>
#include <stdbool.h>

#include "tool/growth_priv.h"

enum { THREADS = 40 };

static struct growth growth;
static struct ledger ledger;

/* A thread that waits, and what it is told: 1 if it is wanted. */
struct waiting {
    pthread_t thread;
    unsigned number;
    bool wanted;
};

static void *wait_for_work(void *context)
{
    struct waiting *waiting = context;

    waiting->wanted = growth_wait(&growth, &ledger, waiting->number);
    return NULL;
}

static void begin(struct waiting *waiting, unsigned number)
{
    waiting->number = number;
    CHECK(pthread_create(&waiting->thread, NULL, wait_for_work, waiting) == 0);
}

static bool is_wanted(struct waiting *waiting)
{
    CHECK(pthread_join(waiting->thread, NULL) == 0);
    return waiting->wanted;
}

/* As many as the user says, or as few as there are, work at once. */
static void check_all(unsigned threads, bool given)
{
    growth_open(&growth, threads, given);
    CHECK(growth_wait(&growth, &ledger, threads - 1));
    growth_close(&growth);
}

/* Files that take long do not wait for locks, so all threads work: the first one that waits looks.
 */
static void check_slow(void)
{
    struct waiting last;

    growth_open(&growth, THREADS, false);
    CHECK(growth.working < THREADS - 1);
    begin(&last, THREADS - 1);
    CHECK(growth_wait(&growth, &ledger, growth.working));
    CHECK(is_wanted(&last));
    growth_close(&growth);
}

/* Small files, of which sixteen threads end 90,000 a second, leave it at these. */
static void check_sizes(void)
{
    growth_open(&growth, 64, false);
    CHECK(growth_size(&growth, 0.01, 900) == 16);
    CHECK(growth_size(&growth, 0.01, 500) == 16);
    CHECK(growth_size(&growth, 0.01, 250) == 32);
    CHECK(growth_size(&growth, 0.01, 1) == 64);
    CHECK(growth_size(&growth, 0.01, 0) == 64);
    growth_close(&growth);
}

/* At the end nobody waits any longer, and who was wanted still is. */
static void check_end(void)
{
    struct waiting last;

    growth_open(&growth, THREADS, false);
    begin(&last, THREADS - 1);
    growth_end(&growth);
    CHECK(!is_wanted(&last));
    CHECK(growth_wait(&growth, &ledger, 0));
    growth_close(&growth);
}

int main(void)
{
    CHECK(ledger_open(&ledger, 1, UINT64_MAX, 0) == 0);
    check_all(THREADS, true);
    check_all(3, false);
    check_slow();
    check_sizes();
    check_end();
    ledger_close(&ledger);
    return check_result();
}
