/* tool/growth: whom the number of threads lets work. Whether more of them pay is measured by
 * tests/perf/batch.py: it depends on the machine. */
#include "check.h"

#include <pthread.h>

#include "tool/growth_priv.h"

enum { THREADS = 40 };

static struct growth growth;
static struct ledger ledger;

static void *wait_as_last(void *context)
{
    growth_wait(&growth, &ledger, THREADS - 1);
    return context;
}

/* As many as the user says, or as few as there are, work at once. */
static void check_settled(unsigned threads, bool given)
{
    growth_open(&growth, threads, given);
    CHECK(growth_wants(&growth, threads - 1));
    growth_wait(&growth, &ledger, threads - 1);
    growth_close(&growth);
}

/* Files that take long do not wait for locks, so all threads work. */
static void check_slow(void)
{
    growth_open(&growth, THREADS, false);
    CHECK(growth_wants(&growth, 0) && !growth_wants(&growth, THREADS - 1));
    growth_wait(&growth, &ledger, THREADS - 1);
    CHECK(growth_wants(&growth, THREADS - 1));
    growth_close(&growth);
}

/* At the end nobody waits any longer, and while files are done fast, not all threads work at once.
 */
static void check_end(void)
{
    static const struct run_result result;
    struct under_way *under_way = ledger.under_way;
    pthread_t thread;

    growth_open(&growth, THREADS, false);
    CHECK(pthread_create(&thread, NULL, wait_as_last, NULL) == 0);
    for (int i = 0; i < 1000; i++) {
        ledger_begin(&ledger, under_way, 1);
        ledger_end(&ledger, under_way, OUTCOME_DONE, &result);
    }
    growth_settle(&growth);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(ledger_ended(&ledger) == 1000);
    growth_close(&growth);
}

int main(void)
{
    CHECK(ledger_open(&ledger, 1, UINT64_MAX, 0) == 0);
    check_settled(THREADS, true);
    check_settled(3, false);
    check_slow();
    check_end();
    ledger_close(&ledger);
    return check_result();
}
